"""CSV, spreadsheet (tab) and semicolon tables -> a grid of texts."""

from __future__ import annotations

import re

from exeds_lab.expect.grid import Cell, Grid, Line, refusal


def read_separated(text: str) -> Grid:
    """Read lines separated by tabs, semicolons or commas; one column without any of them.

    Raises:
        ExpectationError: a quote is not closed.
    """
    separator = _separator(text)
    lines = [line for line in _lines(text, separator) if not _is_blank(line)]
    header, body = lines[0], lines[1:]
    names = tuple(cell.text.strip() if not cell.quoted else cell.text for cell in header.cells)
    width = len(names)
    if body and all(len(line.cells) == width + 1 for line in body):
        names = ("", *names)  # an index column without a header
    is_index = bool(names) and names[0] == "" and len(names) > 1
    return Grid(
        header=names,
        lines=tuple(_trimmed(line, separator) for line in body),
        index_columns=1 if is_index else 0,
        point="." if separator == "," else None,
    )


def _separator(text: str) -> str:
    """Tab before semicolon before comma, whichever stands in the header outside quotes."""
    header = next(line for line in text.split("\n") if line.strip())
    parts = header.split('"')[::2]
    for separator in ("\t", ";", ","):
        if any(separator in part for part in parts):
            return separator
    return "\t" if "\t" in text else ","


def _is_blank(line: Line) -> bool:
    return len(line.cells) == 1 and not line.cells[0].quoted and not line.cells[0].text.strip()


def _trimmed(line: Line, separator: str) -> Line:
    return Line(line.number, tuple(_trimmed_cell(cell, separator) for cell in line.cells))


def _trimmed_cell(cell: Cell, separator: str) -> Cell:
    """A number that is quoted only because it holds the separator (`"1,204"`) is no text."""
    is_number = separator in cell.text and re.fullmatch(r"[+-]?[\d.,]+", cell.text)
    if cell.quoted and not is_number:
        return cell
    return Cell(cell.text.strip())


def _lines(text: str, separator: str) -> list[Line]:
    """Split into cells; a quoted cell may hold separators, line ends and doubled quotes."""
    lines: list[Line] = []
    cells: list[Cell] = []
    number, at = 1, 0
    started = number
    while at <= len(text):
        cell, at, passed = _cell(text, at, separator, number)
        cells.append(cell)
        number += passed
        if at >= len(text) or text[at] == "\n":
            lines.append(Line(started, tuple(cells)))
            cells = []
            number += 1
            started = number
        at += 1
    return lines


def _cell(text: str, at: int, separator: str, number: int) -> tuple[Cell, int, int]:
    """The cell that starts at a place, where it ends, and how many lines it spans."""
    start = at
    while start < len(text) and text[start] == " ":
        start += 1
    if start < len(text) and text[start] == '"':
        return _quoted(text, start + 1, separator, number)
    end = at
    while end < len(text) and text[end] not in (separator, "\n"):
        end += 1
    return Cell(text[at:end]), end, 0


def _quoted(text: str, at: int, separator: str, number: int) -> tuple[Cell, int, int]:
    parts: list[str] = []
    passed = 0
    while True:
        end = text.find('"', at)
        if end < 0:
            raise refusal(
                "A quoted cell is not closed.",
                'Close it with ", and write a quote inside it twice.',
                number,
            )
        parts.append(text[at:end])
        passed += text.count("\n", at, end)
        at = end + 1
        if text[at : at + 1] != '"':
            break
        parts.append('"')
        at += 1
    tail = at
    while tail < len(text) and text[tail] not in (separator, "\n"):
        tail += 1
    if text[at:tail].strip():
        raise refusal(
            "There is text after a closing quote.",
            "Write a quote inside a quoted cell twice.",
            number + passed,
        )
    return Cell("".join(parts), quoted=True), tail, passed
