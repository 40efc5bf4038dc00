"""Printed columns: the blocks of characters between the places where every line has a blank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exeds_lab.expect.grid import Cell, Line

GAP = frozenset(("...", "..", "\u2026"))
"""What pandas prints in place of rows and columns that it leaves out."""


@dataclass(frozen=True)
class Block:
    """A block of characters between two borders."""

    start: int
    end: int

    def cut(self, line: str) -> str:
        """What stands in the block, without the blanks around it."""
        return line[self.start : self.end].strip()


def blocks_of(lines: Sequence[str]) -> list[Block]:
    """The blocks of some lines, from left to right."""
    width = max((len(line) for line in lines), default=0)
    used = [any(at < len(line) and line[at] != " " for line in lines) for at in range(width)]
    blocks: list[Block] = []
    start: int | None = None
    for at, is_used in enumerate([*used, False]):
        if is_used and start is None:
            start = at
        elif not is_used and start is not None:
            blocks.append(Block(start, at))
            start = None
    return blocks


def fill_levels(rows: Sequence[Line], levels: int) -> list[Line]:
    """Rows with the index labels repeated that pandas left blank because they are as above."""
    filled: list[Line] = []
    for row in rows:
        cells = list(row.cells)
        for at in range(levels - 1):
            if not cells[at].text and filled:
                cells[at] = Cell(filled[-1].cells[at].text)
        filled.append(Line(row.number, tuple(cells)))
    return filled
