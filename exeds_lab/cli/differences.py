"""Each kind of difference as lines for a terminal: both sides, and a sign beside what differs.

A sign, not only a colour: `≠` a cell that differs, `-` expected and missing, `+` there and not
expected.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from exeds_lab.model.execution import (
    AbsentDifference,
    CellsDifference,
    ChangedDifference,
    ColumnsDifference,
    Difference,
    DtypeDifference,
    ExceptionDifference,
    ExpressionDifference,
    FormDifference,
    IncomparableDifference,
    IndexDifference,
    MissingKindDifference,
    NameDifference,
    OrderDifference,
    RowsDifference,
    ShapeDifference,
    TextDifference,
    TypeDifference,
    ValueDifference,
)

SHOWN = 20
"""Rows, cells or lines of one difference that are printed."""


def rendered(difference: Difference) -> RenderableType:
    """One difference for a terminal."""
    return _RENDERERS[type(difference)](difference)


def _sides(what: str, expected: str, actual: str) -> RenderableType:
    table = Table(show_edge=False, pad_edge=False, title_justify="left")
    table.add_column("", no_wrap=True)
    table.add_column("expected")
    table.add_column("actual")
    table.add_row(Text(f"≠ {what}"), Text(expected), Text(actual, style="bold"))
    return table


def _value(found: ValueDifference) -> RenderableType:
    off = "" if found.abs_error is None else f"   (off by {found.abs_error:.6g})"
    return _sides(found.path or "value", found.expected, found.actual + off)


def _cells(found: CellsDifference) -> RenderableType:
    table = Table(show_edge=False, pad_edge=False)
    for title in ("row", "column", "expected", "actual"):
        table.add_column(title)
    for cell in found.cells[:SHOWN]:
        table.add_row(
            Text(f"≠ {cell.row_label}"),
            Text(cell.column),
            Text(cell.expected),
            Text(cell.actual, style="bold"),
        )
    matched = " after sorting both sides" if found.rows == "sorted" else ""
    said = f"{found.total:,} {'cell differs' if found.total == 1 else 'cells differ'}{matched}:"
    return Group(Text(said), table, _more(found.total, "cells"))


def _rows(found: RowsDifference) -> RenderableType:
    said = f"{found.expected_rows:,} rows expected, {found.actual_rows:,} found:"
    return _signed(said, found.missing, found.extra)


def _columns(found: ColumnsDifference) -> RenderableType:
    return _signed("Columns:", found.missing, found.extra)


def _signed(said: str, missing: tuple[str, ...], extra: tuple[str, ...]) -> RenderableType:
    lines = [Text(said)]
    lines += [Text(f"- {text}", style="red") for text in missing[:SHOWN]]
    lines += [Text(f"+ {text}", style="green") for text in extra[:SHOWN]]
    return Group(*lines)


def _order(found: OrderDifference) -> RenderableType:
    table = Table(show_edge=False, pad_edge=False)
    for title in (f"place of {found.axis}", "expected", "actual"):
        table.add_column(title)
    pairs = list(zip(found.expected, found.actual, strict=False))[:SHOWN]
    for place, (expected, actual) in enumerate(pairs, start=1):
        same = expected == actual
        sign = " " if same else "≠"
        table.add_row(
            Text(f"{sign} {place}"), Text(expected), Text(actual, style="" if same else "bold")
        )
    return Group(Text(f"{found.moved:,} {found.axis} are in another place:"), table)


def _text(found: TextDifference) -> RenderableType:
    lines = difflib.ndiff(found.expected.splitlines(), found.actual.splitlines())
    kept = [line for line in lines if not line.startswith("? ")]
    styles = {"-": "red", "+": "green"}
    shown = [Text(line, style=styles.get(line[:1], "")) for line in kept[: 2 * SHOWN]]
    only = "" if found.only == "words" else f" in {found.only} only"
    return Group(Text(f"The texts differ{only} (- expected, + actual):"), *shown)


def _expression(found: ExpressionDifference) -> RenderableType:
    lines = [Text(f"≠ not true: {found.expression}")]
    lines += [Text(f"    {name} = {value}") for name, value in found.values[:SHOWN]]
    if found.error is not None:
        lines.append(Text(f"    it raised {found.error}"))
    return Group(*lines)


def _absent(found: AbsentDifference) -> RenderableType:
    hint = "" if found.hint is None else f" ({found.hint})"
    return Text(f"- {found.what}{hint}")


def _changed(found: ChangedDifference) -> RenderableType:
    return Text(f"≠ {found.name} must not change: {found.how}")


def _incomparable(found: IncomparableDifference) -> RenderableType:
    return Group(
        _sides("cannot be compared", found.expected, found.actual), Text(f"    {found.why}")
    )


def _form(found: FormDifference) -> RenderableType:
    return Group(_sides("form", found.expected, found.actual), Text(f"    {found.conversion}"))


def _more(total: int, noun: str) -> RenderableType:
    return Text("" if total <= SHOWN else f"  … and {total - SHOWN:,} more {noun}")


_RENDERERS: dict[type[Any], Callable[[Any], RenderableType]] = {
    AbsentDifference: _absent,
    CellsDifference: _cells,
    ChangedDifference: _changed,
    ColumnsDifference: _columns,
    DtypeDifference: lambda d: _sides(f"dtype {d.column}".rstrip(), d.expected, d.actual),
    ExceptionDifference: lambda d: _sides("exception", d.expected, d.actual),
    ExpressionDifference: _expression,
    FormDifference: _form,
    IncomparableDifference: _incomparable,
    IndexDifference: lambda d: _sides("index", d.expected, d.actual),
    MissingKindDifference: lambda d: _sides(d.path or "missing value", d.expected, d.actual),
    NameDifference: lambda d: _sides(f"name of {d.what}", d.expected, d.actual),
    OrderDifference: _order,
    RowsDifference: _rows,
    ShapeDifference: lambda d: _sides("shape", d.expected, d.actual),
    TextDifference: _text,
    TypeDifference: lambda d: _sides("type", d.expected, d.actual),
    ValueDifference: _value,
}
