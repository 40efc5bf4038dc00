"""Two encoded tables -> facts.

Rows are matched as they stand and, where that fails, after sorting both sides; columns by label
and, where the labels differ, by position. Which of these readings counts is for the policy.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from exeds_lab.kernel.compare_dtypes import compare_dtypes
from exeds_lab.kernel.compare_rows import (
    CellScan,
    Pairs,
    adapt_to_actual,
    compare_index,
    index_dtypes,
    row_keys,
    scan_cells,
    scan_in_any_order,
)
from exeds_lab.kernel.compare_scalar import Tolerance
from exeds_lab.kernel.facts import MAX_ROWS_LISTED, Facts, short
from exeds_lab.kernel.near import near_numbers, near_transposed
from exeds_lab.kernel.render import label_text, labels, row_text, row_texts
from exeds_lab.kernel.subset import pick_rows


@dataclass(frozen=True)
class TableOptions:
    """What is asked of a table."""

    only_rows: bool
    only_columns: bool
    tolerance: Tolerance


@dataclass(frozen=True)
class Pairing:
    """Which columns of the two sides belong together."""

    by_label: Pairs
    by_position: Pairs | None
    """None when the labels agree, or when the numbers of columns do not."""
    missing: list[int]
    """Places in the expected table."""
    extra: list[int]
    """Places in the actual table."""


def compare_tables(expected: Any, actual: Any, options: TableOptions) -> Facts:
    """Compare two encoded tables of the same form."""
    facts = Facts()
    pairing = _pair_columns(expected, actual, options.only_columns)
    _compare_columns(facts, expected, actual, pairing)
    is_renamed = bool(pairing.by_position and pairing.missing)
    pairs = pairing.by_position if is_renamed and pairing.by_position else pairing.by_label
    expected = adapt_to_actual(expected, actual, pairs)
    compare_dtypes(facts, expected, actual, pairs)
    _compare_rows(facts, expected, actual, pairing, options)
    near_transposed(facts, expected, actual, options.tolerance)
    _compare_names(facts, expected, actual)
    return facts


def _compare_rows(
    facts: Facts, expected: Any, actual: Any, pairing: Pairing, options: TableOptions
) -> None:
    if options.only_rows:
        picked = pick_rows(facts, expected, actual, pairing.by_label, options.tolerance)
        if picked is not None:
            _compare_content(facts, expected, picked, pairing, options.tolerance)
    elif len(expected["rows"]) != len(actual["rows"]):
        _add_rows(facts, expected, actual, pairing.by_label)
    else:
        _compare_content(facts, expected, actual, pairing, options.tolerance)


def _pair_columns(expected: Any, actual: Any, only_columns: bool) -> Pairing:
    wanted, given = column_keys(expected, actual), column_keys(actual, actual)
    places: dict[str, list[int]] = {}
    for at, key in enumerate(given):
        places.setdefault(key, []).append(at)
    by_label, missing = [], []
    for at, key in enumerate(wanted):
        if places.get(key):
            by_label.append((at, places[key].pop(0)))
        else:
            missing.append(at)
    used = {there for _, there in by_label}
    extra = [] if only_columns else [at for at in range(len(given)) if at not in used]
    by_position = None
    if wanted != given and len(wanted) == len(given) and not only_columns:
        by_position = [(at, at) for at in range(len(wanted))]
    return Pairing(by_label, by_position, missing, extra)


def column_keys(table: Any, actual: Any) -> list[str]:
    """A key for each column label; of a pasted header, that of the label it stands for.

    A pasted table makes no claim of types, so its header `2020` also stands for the number 2020.
    """
    if table["form"] == "Series":
        return ["" for _ in table["columns"]]
    if claims_dtypes(table):
        return [repr(label) for label in table["columns"]]
    texts: dict[str, set[str]] = {}
    for label in actual["columns"]:
        texts.setdefault(label_text(label), set()).add(repr(label))
    return [_key_of_text(label, texts) for label in table["columns"]]


def _key_of_text(label: Any, texts: dict[str, set[str]]) -> str:
    meant = texts.get(label_text(label), set())
    return next(iter(meant)) if len(meant) == 1 else repr(label)


def claims_dtypes(table: Any) -> bool:
    """Whether a table says anything of its types; a pasted one does not."""
    return any(dtype is not None for dtype in table["dtypes"])


def _compare_columns(facts: Facts, expected: Any, actual: Any, pairing: Pairing) -> None:
    if pairing.missing or pairing.extra:
        missing = [label_text(expected["columns"][at]) for at in pairing.missing]
        extra = [label_text(actual["columns"][at]) for at in pairing.extra]
        facts.add_columns(missing, extra)
        _hint_case(facts, missing, extra)
    order = [there for _, there in pairing.by_label]
    if order != sorted(order):
        _add_column_order(facts, expected, actual, pairing)


def _hint_case(facts: Facts, missing: list[str], extra: list[str]) -> None:
    folded = {"".join(name.split()).casefold() for name in extra}
    if missing and all("".join(name.split()).casefold() in folded for name in missing):
        facts.hint("the column names differ in upper and lower case or blanks only")


def _add_column_order(facts: Facts, expected: Any, actual: Any, pairing: Pairing) -> None:
    order = [there for _, there in pairing.by_label]
    wanted = [label_text(expected["columns"][here]) for here, _ in pairing.by_label]
    given = [label_text(actual["columns"][there]) for there in sorted(order)]
    moved = sum(1 for left, right in zip(wanted, given) if left != right)
    facts.add(
        "order",
        axis="columns",
        moved=moved,
        expected=wanted[:MAX_ROWS_LISTED],
        actual=given[:MAX_ROWS_LISTED],
    )
    facts.hint("columns in another order")


def _add_rows(facts: Facts, expected: Any, actual: Any, pairs: Pairs) -> None:
    wanted = row_keys(expected["rows"], [here for here, _ in pairs])
    given = row_keys(actual["rows"], [there for _, there in pairs])
    missing, extra = Counter(wanted) - Counter(given), Counter(given) - Counter(wanted)
    facts.add(
        "rows",
        missing=_rows_of(expected, wanted, missing),
        extra=_rows_of(actual, given, extra),
        expected_rows=len(expected["rows"]),
        actual_rows=len(actual["rows"]),
    )


def _rows_of(table: Any, keys: list[Any], wanted: Counter[Any]) -> list[str]:
    """The text of the rows with these keys, the last of several equal ones first to be left."""
    left = Counter(wanted)
    listed: list[str] = []
    names = labels(table)
    for key, row, name in zip(keys, table["rows"], names):
        if left[key] > 0 and len(listed) < MAX_ROWS_LISTED:
            left[key] -= 1
            listed.append(row_text(row, name))
    return listed


def _compare_content(
    facts: Facts, expected: Any, actual: Any, pairing: Pairing, tolerance: Tolerance
) -> None:
    """Cells, order of rows and index of two tables of equal height."""
    found = compare_index(expected, actual)
    index_agrees = found != "different"
    for columns, pairs in (("name", pairing.by_label), ("position", pairing.by_position)):
        if pairs is None:
            continue
        scan = scan_cells(expected, actual, pairs, tolerance)
        if not scan.total and found != "different":
            scan.add_kinds(facts)
            continue
        joint = _joint(expected, actual, pairs, tolerance)
        if joint is not None and not joint.total:
            joint.add_kinds(facts)
            index_agrees = True
            _add_row_order(facts, expected, actual, pairs, columns, scan)
        elif scan.total:
            _add_cells(facts, expected, actual, pairs, columns, scan, tolerance)
        else:
            scan.add_kinds(facts)
    if not index_agrees:
        _add_index(facts, expected, actual)
    elif found == "kind":
        facts.add("dtype", **index_dtypes(expected, actual))


def _joint(expected: Any, actual: Any, pairs: Pairs, tolerance: Tolerance) -> CellScan | None:
    """Rows together with their labels in any order; None when no labels were declared."""
    if expected["index"] is None:
        return None
    left, right = _with_labels(expected), _with_labels(actual)
    shifted = [(0, 0), *((here + 1, there + 1) for here, there in pairs)]
    return scan_in_any_order(left, right, shifted, tolerance)


def _add_cells(
    facts: Facts,
    expected: Any,
    actual: Any,
    pairs: Pairs,
    columns: str,
    scan: CellScan,
    tolerance: Tolerance,
) -> None:
    """Add what differs as the rows stand and after sorting; only the order where that is all."""
    by_content = scan_in_any_order(expected, actual, pairs, tolerance)
    if not by_content.total:
        by_content.add_kinds(facts)
        _add_row_order(facts, expected, actual, pairs, columns, scan)
        return
    scan.add_kinds(facts)
    scan.add_cells(facts, "position", columns)
    by_content.add_cells(facts, "sorted", columns)
    if by_content.total * 2 < scan.total:
        verb = "cell differs" if by_content.total == 1 else "cells differ"
        facts.hint(f"after sorting only {by_content.total:,} {verb}")
    near_numbers(facts, min(scan, by_content, key=lambda one: one.total).numbers)


def _with_labels(table: Any) -> Any:
    names = range(len(table["rows"])) if table["index"] is None else table["index"]
    return {
        **table,
        "form": "DataFrame",
        "columns": ["index", *table["columns"]],
        "dtypes": [None if not claims_dtypes(table) else "index", *table["dtypes"]],
        "decimals": None if table["decimals"] is None else [None, *table["decimals"]],
        "rows": [[name, *row] for name, row in zip(names, table["rows"])],
    }


def _add_row_order(
    facts: Facts, expected: Any, actual: Any, pairs: Pairs, columns: str, scan: CellScan
) -> None:
    """Add that only the order of the rows differs, in the reading by name or by position."""
    if columns == "position":
        if scan.total:
            scan.add_cells(facts, "position", columns)
        return
    wanted = row_keys(expected["rows"], [here for here, _ in pairs])
    given = row_keys(actual["rows"], [there for _, there in pairs])
    moved = sum(1 for left, right in zip(wanted, given) if left != right)
    facts.add(
        "order",
        axis="rows",
        moved=moved or len(wanted),
        expected=row_texts(expected)[:MAX_ROWS_LISTED],
        actual=row_texts(actual)[:MAX_ROWS_LISTED],
    )
    facts.hint("equal after sorting")


def _add_index(facts: Facts, expected: Any, actual: Any) -> None:
    default = "0, 1, 2 …"
    left, right = (
        default if table["index"] is None else ", ".join(labels(table)[:20])
        for table in (expected, actual)
    )
    declared = expected["index"] is not None
    facts.add("index", expected=short(left), actual=short(right), declared=declared)


def _compare_names(facts: Facts, expected: Any, actual: Any) -> None:
    if expected["form"] == actual["form"] == "Series" and expected["name"] != actual["name"]:
        wanted, given = (_name(table["name"]) for table in (expected, actual))
        facts.add("name", what="series", expected=wanted, actual=given)
    wanted, given = expected["index_names"], actual["index_names"]
    if wanted is not None and given is not None and wanted != given:
        left, right = (", ".join(_name(name) for name in names) for names in (wanted, given))
        facts.add("name", what="index", expected=left, actual=right)


def _name(name: Any) -> str:
    return "(none)" if name is None else label_text(name)
