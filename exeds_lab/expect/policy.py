"""A policy as one line in words."""

from __future__ import annotations

from exeds_lab.model.spec import ComparePolicy


def policy_line(policy: ComparePolicy) -> str:
    """What is looked at strictly, and what is let pass: `row order matters · ±1e-9`."""
    parts = [
        _matters("row order", policy.check_row_order),
        _matters("column order", policy.check_column_order),
        "columns by name" if policy.check_column_names else "columns by position",
        {
            "exact": "dtypes exact",
            "kind": "kinds of dtype",
            "ignored": "dtypes ignored",
        }[policy.check_dtypes],
        {
            "exact": "index matters",
            "declared": "index if declared",
            "ignored": "index ignored",
        }[policy.check_index],
        "names matter" if policy.check_names else "names ignored",
        "form matters" if policy.check_container else "any form",
        *(["kind of missing value matters"] if policy.check_missing_kind else []),
        *([] if policy.check_case else ["case ignored"]),
        *(["blanks matter"] if policy.check_whitespace else []),
        _tolerance(policy),
    ]
    return " · ".join(parts)


def _matters(what: str, matters: bool) -> str:
    return f"{what} matters" if matters else f"any {what}"


def _tolerance(policy: ComparePolicy) -> str:
    tolerances = [f"±{policy.rel_tol:g} of the value"] if policy.rel_tol else []
    if policy.abs_tol:
        tolerances.append(f"±{policy.abs_tol:g}")
    return " or ".join(tolerances) if tolerances else "numbers exact"
