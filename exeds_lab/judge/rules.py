"""Which differences count under a policy: the rules, as a table.

The kernel measures under the strictest reading; where two readings exclude each other (rows as
they stand or sorted, columns by name or by position) it gives both, and the rule picks one. A
reading that is absent found no difference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exeds_lab.model.execution import (
    CellsDifference,
    CheckFacts,
    ColumnsDifference,
    Difference,
    DtypeDifference,
    IndexDifference,
    OrderDifference,
    TextDifference,
    ValueDifference,
)
from exeds_lab.model.spec import Check, ComparePolicy, TableExpected


def split(
    facts: CheckFacts, check: Check, policy: ComparePolicy
) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
    """The differences that count under the policy, and those that it lets pass."""
    by_position = _columns_by_position(facts, check, policy)
    counted, tolerated = [], []
    for difference in facts.differences:
        if _is_read(difference, by_position) and _RULES[difference.kind](difference, policy):
            counted.append(difference)
        else:
            tolerated.append(difference)
    return tuple(counted), tuple(tolerated)


def _columns_by_position(facts: CheckFacts, check: Check, policy: ComparePolicy) -> bool:
    """Whether columns are matched by position: their names differ, and may."""
    if policy.check_column_names:
        return False
    if isinstance(check.expected, TableExpected) and check.expected.only_columns:
        return False  # some of many columns can only be found by name
    return any(
        isinstance(one, ColumnsDifference)
        or (isinstance(one, OrderDifference) and one.axis == "columns")
        for one in facts.differences
    )


def _is_read(difference: Difference, by_position: bool) -> bool:
    """Whether a difference belongs to the reading of columns that holds."""
    if isinstance(difference, CellsDifference):
        return (difference.columns == "position") == by_position
    if isinstance(difference, OrderDifference) and difference.axis == "columns":
        return not by_position
    return True


def _always(_: Any, __: ComparePolicy) -> bool:
    return True


def _cells(difference: CellsDifference, policy: ComparePolicy) -> bool:
    if (difference.rows == "position") != policy.check_row_order:
        return False
    if difference.total > len(difference.cells):
        return True
    return not all(
        _within(cell.expected, cell.actual, cell.abs_error, policy) for cell in difference.cells
    )


def _value(difference: ValueDifference, policy: ComparePolicy) -> bool:
    return not _within(difference.expected, difference.actual, difference.abs_error, policy)


def _within(expected: str, actual: str, error: float | None, policy: ComparePolicy) -> bool:
    """Whether an error is within the tolerance, which is one of floats: integers are exact.

    No error that can be measured (None, or 0 for neighbours that a float cannot tell apart) is
    never within it.
    """
    if not error or (_is_integer(expected) and (_is_integer(actual) or error >= 0.5)):
        return False
    try:
        size = abs(float(expected))
    except ValueError:
        size = 0.0
    return error <= max(policy.abs_tol, policy.rel_tol * size)


def _is_integer(text: str) -> bool:
    return text.lstrip("+-").isdigit()


def _columns(difference: ColumnsDifference, policy: ComparePolicy) -> bool:
    return policy.check_column_names or len(difference.missing) != len(difference.extra)


def _order(difference: OrderDifference, policy: ComparePolicy) -> bool:
    return policy.check_row_order if difference.axis == "rows" else policy.check_column_order


def _dtype(difference: DtypeDifference, policy: ComparePolicy) -> bool:
    if policy.check_dtypes == "kind":
        return not difference.same_kind
    return policy.check_dtypes == "exact"


def _index(difference: IndexDifference, policy: ComparePolicy) -> bool:
    if policy.check_index == "declared":
        return difference.declared
    return policy.check_index == "exact"


def _text(difference: TextDifference, policy: ComparePolicy) -> bool:
    by_case, by_whitespace = policy.check_case, policy.check_whitespace
    return {
        "case": by_case,
        "whitespace": by_whitespace,
        "case and whitespace": by_case or by_whitespace,
        "words": True,
    }[difference.only]


_RULES: dict[str, Callable[[Any, ComparePolicy], bool]] = {
    "value": _value,
    "cells": _cells,
    "rows": _always,
    "columns": _columns,
    "order": _order,
    "shape": _always,
    "dtype": _dtype,
    "index": _index,
    "name": lambda _, policy: policy.check_names,
    "type": _always,
    "form": lambda _, policy: policy.check_container,
    "missing_kind": lambda _, policy: policy.check_missing_kind,
    "text": _text,
    "expression": _always,
    "exception": _always,
    "changed": _always,
    "absent": _always,
    "incomparable": _always,
}
"""Kind of difference -> whether it counts under a policy."""
