"""Markdown tables -> a grid of texts."""

from __future__ import annotations

import re

from exeds_lab.expect.grid import Cell, Grid, Line

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")


def is_markdown(text: str) -> bool:
    """Whether the second line that is not empty is a rule of dashes and bars."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and "|" in lines[0] and _RULE.fullmatch(lines[1]) is not None


def read_markdown(text: str) -> Grid:
    """Read a markdown table; a first column without a header is the index."""
    lines = [
        Line(number, _cells(line))
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]
    names = tuple(cell.text for cell in lines[0].cells)
    return Grid(
        header=names,
        lines=tuple(lines[2:]),
        index_columns=1 if names and names[0] == "" and len(names) > 1 else 0,
    )


def _cells(line: str) -> tuple[Cell, ...]:
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    parts = re.split(r"(?<!\\)\|", line)
    return tuple(Cell(part.strip().replace("\\|", "|")) for part in parts)
