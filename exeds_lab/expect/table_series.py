"""A Series as pandas prints it -> a grid of texts."""

from __future__ import annotations

import re

from exeds_lab.expect.blocks import GAP, Block, blocks_of, fill_levels
from exeds_lab.expect.grid import Cell, Grid, Line, refusal

_LAST = re.compile(
    r"(?:Freq: (?P<freq>[^,]+), )?(?:Name: (?P<name>.*?), )?(?:Length: (?P<length>\d+), )?"
    r"dtype: (?P<dtype>.+)"
)
_CATEGORIES = re.compile(r"Categories \(\d+, .*")


def is_series(text: str) -> bool:
    """Whether the text ends as a printed Series does: `Name: total, dtype: int64`."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    while lines and _CATEGORIES.fullmatch(lines[-1]):
        lines.pop()
    return len(lines) > 1 and _LAST.fullmatch(lines[-1]) is not None


def read_series(text: str) -> Grid:
    """Read a printed Series.

    Raises:
        ExpectationError: it says that it is longer than what is pasted.
    """
    numbered = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    while _CATEGORIES.fullmatch(numbered[-1][1].strip()):
        numbered.pop()
    last = _LAST.fullmatch(numbered.pop()[1].strip())
    assert last is not None
    border = _border([line for _, line in numbered])
    levels, has_names = _levels(numbered, border)
    names: tuple[str | None, ...] | None = None
    if has_names:
        first = numbered.pop(0)[1]
        names = tuple(level.cut(first) or None for level in levels)
    rows = fill_levels([_row(at, line, levels, border) for at, line in numbered], len(levels))
    shown = [row for row in rows if row.cells[-1].text not in GAP]
    only_rows = len(shown) < len(rows)
    length = last["length"]
    if length is not None and not only_rows and int(length) != len(shown):
        raise refusal(
            f"It says {length} values, but {len(shown)} are pasted.",
            "Paste all of them, or remove `Length` from the last line and tick Only these rows.",
        )
    return Grid(
        header=(*("" for _ in levels), last["name"] or ""),
        lines=tuple(shown),
        index_columns=len(levels),
        index_names=names,
        printed=True,
        is_series=True,
        name=last["name"],
        dtype=last["dtype"],
        only_rows=only_rows,
        total=(int(length), 1) if only_rows and length is not None else None,
    )


def _levels(numbered: list[tuple[int, str]], border: int) -> tuple[list[Block], bool]:
    """The index levels, and whether the first line has their names.

    There are several only where one is left blank, because it is as above, or all have names.
    """
    first = numbered[0][1]
    has_names = not first[border:].strip() or not _has_value(first)
    body = [line[:border].rstrip() for _, line in numbered[1 if has_names else 0 :]]
    blocks = blocks_of([*body, first[:border].rstrip()])
    is_sparse = any(not blocks[0].cut(line) for line in body)
    named = has_names and all(block.cut(first) for block in blocks)
    filled = all(any(block.cut(line) for line in body) for block in blocks)
    if len(blocks) > 1 and (is_sparse or (named and filled)):
        return blocks, has_names
    return [Block(0, max(border, len(first)) if has_names else border)], has_names


def _row(number: int, line: str, levels: list[Block], border: int) -> Line:
    label = line[:border]
    cells = (*(Cell(level.cut(label)) for level in levels), Cell(line[border:].strip()))
    return Line(number, cells)


def _has_value(line: str) -> bool:
    """Whether a line has the blanks that stand between a label and its value."""
    return "   " in line.strip()


def _border(lines: list[str]) -> int:
    """Where the values begin: behind the first stretch of blanks that all rows share."""
    rows = [line for line in lines if _has_value(line)]
    run = 0
    for at in range(max((len(line) for line in rows), default=0)):
        blank = all(at >= len(line) or line[at] == " " for line in rows)
        run = run + 1 if blank else 0
        if run >= 3 and any(line[: at + 1].strip() for line in rows):
            return at + 1
    raise refusal("The values of this Series were not found.", "Paste it as CSV instead.", 1)
