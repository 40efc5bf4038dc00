"""The dtypes of two tables: which differ, and whether they are of one kind."""

from __future__ import annotations

import re
from typing import Any

from exeds_lab.kernel.describe import is_missing
from exeds_lab.kernel.encode_table import is_ordered_category
from exeds_lab.kernel.facts import Facts
from exeds_lab.kernel.render import label_text

_KINDS: tuple[tuple[str, str], ...] = (
    (r"(u?int\d+|U?Int\d+|int|integer)", "integer"),
    (r"(float\d+|Float\d+|float|double|halffloat)", "floating"),
    (r"(bool|boolean)", "boolean"),
    (r"(complex\d*)", "complex"),
    (r"(str|string|large_string|text|<U\d+|>U\d+|string\[.*\])", "text"),
    (r"(bytes\d*|\|S\d+|binary|large_binary)", "bytes"),
    (r"(datetime|datetime64(\[(s|ms|us|ns)\])?|M8\[.*\]|timestamp\[\w+\])", "datetime"),
    (r"(timedelta|timedelta64(\[.*\])?|m8\[.*\]|duration\[\w+\])", "timedelta"),
    (r"(date|date32\[day\]|date64\[ms\])", "date"),
    (r"category.*", "category"),
    (r"period\[.*\]", "period"),
    (r"interval.*", "interval"),
    (r"decimal.*", "decimal"),
)


def kind_of_dtype(dtype: str) -> str:
    """The kind of a dtype: `integer`, `floating`, `text` …; the dtype itself when none is known.

    A datetime with a zone is of a kind of its own, with the zone in its name.
    """
    name = _without_backend(dtype)
    zone = re.fullmatch(r"(?:datetime64|timestamp)\[\w+, ?(?:tz=)?(.+)\]", name)
    if zone is not None:
        return f"datetime in {zone.group(1)}"
    for pattern, kind in _KINDS:
        if re.fullmatch(pattern, name):
            return kind
    return name


def _without_backend(dtype: str) -> str:
    name = dtype[: -len("[pyarrow]")] if dtype.endswith("[pyarrow]") else dtype
    return "str" if dtype in ("string[pyarrow]", "large_string[pyarrow]") else name


def kind_of_column(dtype: str, cells: list[Any]) -> str:
    """The kind of a column; of object columns that of all their cells, `empty` when none."""
    kind = kind_of_dtype(dtype)
    filled = [cell for cell in cells if not is_missing(cell)]
    if not filled and (kind == "object" or not cells):
        return "empty"
    if kind != "object":
        return kind
    kinds = {_kind_of_cell(cell) for cell in filled[:5_000]}
    return kinds.pop() if len(kinds) == 1 else "object"


def _kind_of_cell(cell: Any) -> str:
    if type(cell) is dict:
        return str(cell["$"])
    names = {bool: "boolean", int: "integer", float: "floating", str: "text"}
    return names.get(type(cell), "object")


def same_kind(left: str, right: str) -> bool:
    """Whether two kinds are one; a column without a value is of every kind."""
    return left == right or "empty" in (left, right)


def compare_dtypes(facts: Facts, expected: Any, actual: Any, pairs: list[tuple[int, int]]) -> None:
    """Add a difference for each paired column whose dtype is another than the one claimed."""
    for here, there in pairs:
        wanted, given = expected["dtypes"][here], actual["dtypes"][there]
        if wanted is None or wanted == given:
            continue
        kinds = (
            kind_of_column(wanted, [row[here] for row in expected["rows"]]),
            kind_of_column(given, [row[there] for row in actual["rows"]]),
        )
        is_series = expected["form"] == "Series"
        facts.add(
            "dtype",
            column="" if is_series else label_text(expected["columns"][here]),
            expected=wanted,
            actual=given,
            same_kind=same_kind(*kinds) and not _loses_order(wanted, given),
        )


def _loses_order(wanted: str, given: str) -> bool:
    """Two ordered categoricals with other orders are not of one kind."""
    return is_ordered_category(wanted) and is_ordered_category(given)
