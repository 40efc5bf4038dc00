"""The cells of two encoded tables: matching, sorting, and what a pasted text stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from exeds_lab.kernel.compare_nested import same_value
from exeds_lab.kernel.compare_scalar import (
    Match,
    Tolerance,
    decode_or_none,
    is_nested,
    is_number,
    match,
    shown_close,
)
from exeds_lab.kernel.describe import is_missing
from exeds_lab.kernel.facts import MAX_CELLS_LISTED, Facts
from exeds_lab.kernel.near import Numbers
from exeds_lab.kernel.ordering import exact_key, sort_key, texts_first
from exeds_lab.kernel.render import cell_text, kind_name, label_text, pair_text

Pairs = list[tuple[int, int]]
"""Places of columns that belong together: (expected, actual)."""

EXACT = Tolerance(0.0, 0.0)

_GREEDY_ROWS = 300
"""Up to so many rows, rows that sorting did not bring together are tried one by one."""


@dataclass
class CellScan:
    """What comparing the paired cells of two tables of equal height found."""

    total: int = 0
    cells: list[dict[str, Any]] = field(default_factory=list)
    kinds: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Column -> types of two equal numbers that are not of one type; the first of each column."""
    missing: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """Column -> path and kinds of two missing values; the first of each column."""
    numbers: Numbers = field(default_factory=Numbers)

    def add_cells(self, facts: Facts, rows: str, columns: str) -> None:
        """Add the cells that differ."""
        facts.add("cells", rows=rows, columns=columns, cells=self.cells, total=self.total)

    def add_kinds(self, facts: Facts) -> None:
        """Add types and kinds of missing value that differ where the values are equal."""
        for column, (expected, actual) in self.kinds.items():
            facts.add("dtype", column=column, expected=expected, actual=actual, same_kind=False)
        for path, expected, actual in self.missing.values():
            facts.add("missing_kind", path=path, expected=expected, actual=actual)


def scan_cells(expected: Any, actual: Any, pairs: Pairs, tolerance: Tolerance) -> CellScan:
    """Compare paired cells row by row as they stand; both sides are equally high."""
    scan = CellScan()
    for here, there in pairs:
        _scan_column(scan, expected, actual, here, there, tolerance)
    scan.cells.sort(key=lambda cell: cell["row"])
    return scan


def _scan_column(
    scan: CellScan, expected: Any, actual: Any, here: int, there: int, tolerance: Tolerance
) -> None:
    decimals = None if expected["decimals"] is None else expected["decimals"][here]
    claims = expected["dtypes"][here] is not None
    same_dtype = expected["dtypes"][here] == actual["dtypes"][there]
    column = column_name(expected, here)
    for at, (left, right) in enumerate(zip(expected["rows"], actual["rows"])):
        one, two = left[here], right[there]
        if type(one) is type(two) and type(one) in (str, int, bool) and one == two:
            continue
        found = match_cell(one, two, decimals, tolerance)
        if found.verdict == "kind":
            if claims and same_dtype:
                scan.kinds.setdefault(column, (kind_name(one), kind_name(two)))
        elif found.verdict == "missing":
            if claims:
                path = f"{column}[{at}]" if column else f"[{at}]"
                scan.missing.setdefault(column, (path, cell_text(one), cell_text(two)))
        elif found.verdict != "equal":
            _note_cell(scan, expected, at, column, one, two, found)


def column_name(table: Any, at: int) -> str:
    """The label of a column as text; empty for a Series."""
    return "" if table["form"] == "Series" else label_text(table["columns"][at])


def _note_cell(
    scan: CellScan, expected: Any, at: int, column: str, one: Any, two: Any, found: Match
) -> None:
    scan.total += 1
    scan.numbers.note(one, two)
    if len(scan.cells) >= MAX_CELLS_LISTED:
        return
    left, right = pair_text(one, two)
    index = expected["index"]
    scan.cells.append(
        {
            "row": expected["places"][at] if "places" in expected else at,
            "row_label": str(at) if index is None else label_text(index[at]),
            "column": column,
            "expected": left,
            "actual": right,
            "abs_error": found.abs_error,
        }
    )


def match_cell(one: Any, two: Any, decimals: int | None, tolerance: Tolerance) -> Match:
    """Compare two cells; `decimals` are those that a printed expected number claims."""
    if is_nested(one) or is_nested(two):
        return Match("equal" if same_value(one, two, tolerance) else "different")
    found = match(one, two, tolerance)
    if found.verdict != "different" or decimals is None:
        return found
    left, right = decode_or_none(one), decode_or_none(two)
    if type(left) not in (int, float) or type(right) not in (int, float):
        return found
    return Match("equal") if shown_close(left, right, decimals, tolerance) else found


def row_keys(rows: list[list[Any]], places: Sequence[int]) -> list[tuple[Any, ...]]:
    """A key for each row, made of the cells at these places."""
    return [tuple(sort_key(row[at]) for at in places) for row in rows]


def sort_rows(table: Any, places: Sequence[int]) -> Any:
    """A table with its rows (and their labels) sorted by the cells at these places."""
    rows = table["rows"]
    keys = row_keys(rows, places)
    exact = [tuple(exact_key(row[at]) for at in places) for row in rows]
    order = sorted(range(len(rows)), key=lambda at: (texts_first(keys[at]), exact[at]))
    names = labels_of(table)
    return {
        **table,
        "rows": [rows[at] for at in order],
        "index": [names[at] for at in order],
        "places": order,
    }


def scan_in_any_order(expected: Any, actual: Any, pairs: Pairs, tolerance: Tolerance) -> CellScan:
    """Compare after sorting both sides; short tables also row by row where sorting misleads."""
    left = sort_rows(expected, [here for here, _ in pairs])
    right = sort_rows(actual, [there for _, there in pairs])
    scan = scan_cells(left, right, pairs, tolerance)
    if not scan.total or len(expected["rows"]) > _GREEDY_ROWS:
        return scan
    matched = _match_greedily(left, right, pairs, tolerance)
    if matched is None:
        return scan
    return scan_cells(left, {**right, "rows": matched}, pairs, tolerance)


def _match_greedily(
    left: Any, right: Any, pairs: Pairs, tolerance: Tolerance
) -> list[list[Any]] | None:
    """The actual rows, each beside an equal expected one; None when one has no partner."""
    rest = list(right["rows"])
    matched = []
    for row in left["rows"]:
        at = find_row(left, row, rest, pairs, tolerance)
        if at is None:
            return None
        matched.append(rest.pop(at))
    return matched


def find_row(
    table: Any, row: list[Any], rows: list[list[Any]], pairs: Pairs, tolerance: Tolerance
) -> int | None:
    """The place of the first row that equals an expected row; None when there is none."""
    for at, other in enumerate(rows):
        if row_equals(table, row, other, pairs, tolerance):
            return at
    return None


def row_equals(
    table: Any, row: list[Any], other: list[Any], pairs: Pairs, tolerance: Tolerance
) -> bool:
    """Whether two rows are equal in the paired cells."""
    decimals = table["decimals"]
    for here, there in pairs:
        claimed = None if decimals is None else decimals[here]
        verdict = match_cell(row[here], other[there], claimed, tolerance).verdict
        if verdict not in ("equal", "kind", "missing"):
            return False
    return True


def adapt_to_actual(expected: Any, actual: Any, pairs: Pairs) -> Any:
    """A pasted table with the texts that stand for something else replaced by what they mean.

    A paste makes no claim of types: its `2024-01-31` may be a text or a date, whichever the
    actual column holds. Tables that claim types are returned as they are.
    """
    rows = [list(row) for row in expected["rows"]]
    for here, there in pairs:
        if expected["dtypes"][here] is not None:
            continue
        meanings = _meanings([row[there] for row in actual["rows"]])
        for row in rows:
            row[here] = _meant(row[here], meanings)
    index = expected["index"]
    if index is not None and not any(expected["dtypes"]) and actual["index"] is not None:
        index = _meant_labels(index, actual["index"])
    return {**expected, "rows": rows, "index": index}


def _meanings(cells: list[Any]) -> dict[str, Any]:
    """Text -> the value that prints so, for the values that a paste shows as text."""
    texts = {cell for cell in cells if type(cell) is str}
    meanings: dict[str, Any] = {}
    for cell in cells:
        if type(cell) is str or is_missing(cell) or kind_of(cell) == "opaque":
            continue
        if is_number(cell) and not texts:
            continue  # a column of numbers is pasted as numbers
        for text in _printed(cell):
            if text not in texts:
                meanings[text] = cell
    return meanings


def kind_of(cell: Any) -> str:
    """The `$` of an encoded cell; empty for what stands for itself."""
    return str(cell["$"]) if type(cell) is dict else ""


def _printed(cell: Any) -> list[str]:
    text = cell_text(cell)
    if kind_of(cell) == "datetime":
        return [text, cell["v"], cell["v"].replace("T", " ")]
    if kind_of(cell) == "timedelta" and text.endswith(" 00:00:00"):
        return [text, text[: -len(" 00:00:00")]]
    return [text]


def _meant(cell: Any, meanings: dict[str, Any]) -> Any:
    if not meanings or is_nested(cell) or is_missing(cell):
        return cell
    return meanings.get(cell if type(cell) is str else cell_text(cell), cell)


def _meant_labels(index: list[Any], actual: list[Any]) -> list[Any]:
    """Pasted labels as those of the actual index which print alike."""
    meanings: dict[str, Any] = {}
    for label in actual:
        for text in _printed(label) if kind_of(label) != "tuple" else [label_text(label)]:
            meanings.setdefault(text, label)
    return [meanings.get(label_text(label), label) for label in index]


def compare_index(expected: Any, actual: Any) -> str:
    """Whether the labels are equal as they stand: `equal`, `kind` (1 and 1.0) or `different`."""
    left, right = expected["index"], actual["index"]
    if left is None and right is None:
        return "equal"
    wanted, given = labels_of(expected), labels_of(actual)
    verdicts = {_match_label(one, two) for one, two in zip(wanted, given)}
    if verdicts & {"different", "type"}:
        return "different"
    return "kind" if "kind" in verdicts and any(expected["dtypes"]) else "equal"


def labels_of(table: Any) -> list[Any]:
    """The labels of the rows, encoded; 0, 1, 2 … for the default index."""
    return list(range(len(table["rows"]))) if table["index"] is None else table["index"]


def _match_label(one: Any, two: Any) -> str:
    if type(one) is type(two) and type(one) in (str, int) and one == two:
        return "equal"
    if is_nested(one) or is_nested(two):
        return "equal" if same_value(one, two, EXACT) else "different"
    return match(one, two, EXACT).verdict


def index_dtypes(expected: Any, actual: Any) -> dict[str, Any]:
    """The fields of a dtype difference of the index."""
    for one, two in zip(expected["index"] or [0], actual["index"] or [0]):
        if kind_name(one) != kind_name(two):
            return _index_dtype(kind_name(one), kind_name(two))
    return _index_dtype("one zone", "another zone")


def _index_dtype(expected: str, actual: str) -> dict[str, Any]:
    return {"column": "index", "expected": expected, "actual": actual, "same_kind": False}
