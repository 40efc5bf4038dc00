"""A pasted table before its cells are understood: texts in rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

from exeds_lab.errors import ExpectationError


@dataclass(frozen=True)
class Cell:
    """The text of one cell."""

    text: str
    quoted: bool = False
    """Whether it stood in quotes: then it is text, whatever it looks like."""


@dataclass(frozen=True)
class Line:
    """One row of a pasted table."""

    number: int
    """1-based line in the text as typed."""
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Grid:
    """A pasted table as texts."""

    header: tuple[str, ...]
    """Column labels; those of the index columns first."""
    lines: tuple[Line, ...]
    index_columns: int = 0
    """How many of the first columns are the index."""
    index_names: tuple[str | None, ...] | None = None
    """Names of the index levels; None when the paste does not tell."""
    printed: bool = False
    """Whether pandas printed it, with floats rounded."""
    is_series: bool = False
    name: str | None = None
    """Of a Series."""
    dtype: str | None = None
    """Of a Series, as printed below it."""
    point: str | None = None
    """The decimal point that the format implies: a comma that separates cells is none."""
    only_rows: bool = False
    """Whether rows are left out (`...`)."""
    only_columns: bool = False
    total: tuple[int, int] | None = None
    """Rows and columns in all, where the paste tells and shows only some."""


def refusal(
    reason: str, next_step: str, line: int | None = None, column: int | None = None
) -> ExpectationError:
    """The error for text that cannot be read."""
    return ExpectationError(reason, next_step, line, column)


def check_widths(header: tuple[str, ...], lines: tuple[Line, ...]) -> None:
    """Refuse a table whose rows are not as wide as its header.

    Raises:
        ExpectationError: with the line of the first such row.
    """
    width = len(header)
    for line in lines:
        if len(line.cells) != width:
            count = len(line.cells)
            raise refusal(
                f"This row has {count} cell{'' if count == 1 else 's'}, "
                f"but the header has {width}.",
                "Give every row as many cells as the header, with quotes around a separator "
                "inside a cell.",
                line.number,
            )
