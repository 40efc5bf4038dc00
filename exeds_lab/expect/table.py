"""A pasted table, whatever it was copied from -> an encoded table."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from exeds_lab.expect.cells import Placed, Style, decimals_of, read_column, style_of
from exeds_lab.expect.grid import Grid, check_widths, refusal
from exeds_lab.expect.table_html import read_html
from exeds_lab.expect.table_json import read_json
from exeds_lab.expect.table_markdown import is_markdown, read_markdown
from exeds_lab.expect.table_printed import is_printed, read_printed
from exeds_lab.expect.table_separated import read_separated
from exeds_lab.expect.table_series import is_series
from exeds_lab.model.task import EncodedValue

_PRINTED_DECIMALS = 6
"""The precision of pandas' own printing: shorter numbers are exact to so many decimals."""

_CUT_LENGTH = 20
"""A printed text of this length which ends in `...` was cut by pandas (at 50 by default)."""


class PastedTable(NamedTuple):
    """What a paste says."""

    value: EncodedValue
    """An encoded table."""
    only_rows: bool
    """Whether it shows only some of the rows."""
    only_columns: bool
    total: tuple[int, int] | None
    """Rows and columns in all, where it shows only some and tells."""


def looks_like_table(text: str) -> bool:
    """Whether a text is more likely a table than prose or printed lines.

    Lines that merely have blanks at the same places are none: a printed frame has a first line
    that begins with blanks, over its index.
    """
    text = _cleaned(text).strip("\n")
    if _is_html(text) or is_markdown(text) or is_series(text):
        return True
    first, *rest = text.split("\n")
    if first.lstrip()[:1] in _BRACKETS:
        return True
    if any(mark in first for mark in "\t;,"):
        return bool(rest)
    return bool(rest) and is_printed(text) and (first[:1] == " " or rest[-1].endswith("columns]"))


def read_table(text: str) -> PastedTable:
    """Read a table pasted from CSV, a spreadsheet, markdown, HTML, JSON or printed by pandas.

    Raises:
        ExpectationError: it cannot be read; says where.
    """
    text = _cleaned(text)
    if not text.strip():
        raise refusal("There is no table.", "Paste the table with its header row.")
    if _is_html(text):
        return _understood(read_html(text))
    if text.lstrip()[0] in _BRACKETS:
        return PastedTable(read_json(text), False, False, None)
    if is_markdown(text):
        return _understood(read_markdown(text))
    if is_printed(text):
        return _understood(read_printed(text))
    return _understood(read_separated(text))


_BRACKETS = ("[", "{")


def _cleaned(text: str) -> str:
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _is_html(text: str) -> bool:
    return re.search(r"<table\b", text, re.IGNORECASE) is not None


def _understood(grid: Grid) -> PastedTable:
    check_widths(grid.header, grid.lines)
    if grid.printed:
        _refuse_cut_cells(grid)
    columns = _columns(grid)
    style = style_of(columns) or (Style(".") if grid.point == "." else None)
    levels = grid.index_columns
    dtypes = [None] * levels + [grid.dtype] * (len(columns) - levels)
    cells = [
        read_column(column, style, grid.printed, dtype)
        for column, dtype in zip(columns, dtypes, strict=True)
    ]
    labels = _labels(cells[:levels])
    if labels == list(range(len(grid.lines))):
        labels = None
    value: dict[str, Any] = {
        "$": "table",
        "form": "Series" if grid.is_series else "DataFrame",
        "columns": [grid.name] if grid.is_series else list(grid.header[levels:]),
        "dtypes": [None] * (len(columns) - levels),
        "index": labels,
        "index_names": _index_names(grid, labels),
        "rows": [list(row) for row in zip(*cells[levels:], strict=True)],
        "name": grid.name if grid.is_series else None,
        "decimals": _decimals(grid, columns[levels:]),
    }
    return PastedTable(value, grid.only_rows, grid.only_columns, grid.total)


def _refuse_cut_cells(grid: Grid) -> None:
    for line in grid.lines:
        for cell in line.cells:
            if cell.text.endswith("...") and len(cell.text) >= _CUT_LENGTH:
                raise refusal(
                    f"The text {cell.text[:20].rstrip()}… is cut off in the print.",
                    "Paste df.to_csv() instead, or use the cell's output.",
                    line.number,
                )


def _columns(grid: Grid) -> list[list[Placed]]:
    return [
        [Placed(line.cells[at], line.number, name) for line in grid.lines]
        for at, name in enumerate(grid.header)
    ]


def _labels(levels: list[list[EncodedValue]]) -> list[Any] | None:
    if not levels:
        return None
    if len(levels) == 1:
        return list(levels[0])
    return [{"$": "tuple", "v": list(label)} for label in zip(*levels, strict=True)]


def _index_names(grid: Grid, labels: list[Any] | None) -> list[str | None] | None:
    if labels is None or grid.index_names is None:
        return None
    return list(grid.index_names)


def _decimals(grid: Grid, columns: list[list[Placed]]) -> list[int | None] | None:
    if not grid.printed:
        return None
    found = [decimals_of(column) for column in columns]
    shown = max((digits for digits in found if digits is not None), default=0)
    precision = max(shown, _PRINTED_DECIMALS)
    return [None if digits is None else precision for digits in found]
