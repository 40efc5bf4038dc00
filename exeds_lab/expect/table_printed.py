"""Frames and Series as pandas prints them -> a grid of texts.

Columns stand right-aligned under their labels, so the borders between them are the places where
every line has a blank. A piece without a label above it belongs to the piece on its right: it is
the first word of texts that all have a blank there.
"""

from __future__ import annotations

import re

from exeds_lab.expect.blocks import GAP, Block, blocks_of, fill_levels
from exeds_lab.expect.grid import Cell, Grid, Line, refusal
from exeds_lab.expect.table_series import is_series, read_series

_SIZE = re.compile(r"\[(\d+) rows x (\d+) columns?\]")


def is_printed(text: str) -> bool:
    """Whether text looks like a frame or Series printed by pandas."""
    if is_series(text):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    if any(_SIZE.fullmatch(line.strip()) for line in lines[-1:]) or lines[0].endswith("\\"):
        return True
    if len(lines) < 2 or any(mark in lines[0] for mark in ("\t", ";")):
        return False
    is_csv = "," in lines[0] and len({line.count(",") for line in lines}) == 1
    return not is_csv and len(blocks_of(lines)) > 1


def read_printed(text: str) -> Grid:
    """Read a printed frame or Series.

    Raises:
        ExpectationError: it is wrapped, has cells cut off, or says that it is only a part.
    """
    if is_series(text):
        return read_series(text)
    numbered = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    for number, line in numbered:
        if line.endswith("\\"):
            raise refusal(
                "This printed table is wrapped over several blocks.",
                "Print it with df.to_csv() and paste that, or use the cell's output.",
                number,
            )
    total = _total(numbered)
    if total is not None:
        numbered = numbered[:-1]
    return _read_frame(numbered, total)


def _total(numbered: list[tuple[int, str]]) -> tuple[int, int] | None:
    found = _SIZE.fullmatch(numbered[-1][1].strip())
    return None if found is None else (int(found[1]), int(found[2]))


def _read_frame(numbered: list[tuple[int, str]], total: tuple[int, int] | None) -> Grid:
    lines = [line for _, line in numbered]
    pieces = blocks_of(lines)
    header, names_at = lines[0], _index_names_line(lines, pieces)
    body = numbered[1:] if names_at is None else numbered[2:]
    index, columns = _roles(lines, [line for _, line in body], pieces, names_at is not None)
    if not columns:
        raise refusal("No columns were found in this printed table.", "Paste it as CSV instead.", 1)
    names = [column.cut(header) for column in columns]
    rows = [_row(number, line, [*index, *columns]) for number, line in body]
    rows = fill_levels(rows, len(index))
    shown = [row for row in rows if not _is_gap(row)]
    kept = [at for at, name in enumerate(names) if name not in GAP]
    only_rows, only_columns = len(shown) < len(rows), len(kept) < len(names)
    _check_total(total, len(shown), len(kept), only_rows, only_columns)
    levels = len(index)
    return Grid(
        header=tuple([""] * levels + [names[at] for at in kept]),
        lines=tuple(
            Line(row.number, (*row.cells[:levels], *(row.cells[levels + at] for at in kept)))
            for row in shown
        ),
        index_columns=levels,
        index_names=None if names_at is None else _level_names(lines[names_at], index),
        printed=True,
        only_rows=only_rows,
        only_columns=only_columns,
        total=total if only_rows or only_columns else None,
    )


def _index_names_line(lines: list[str], pieces: list[Block]) -> int | None:
    """1 when the second line names the index: text at the left and nothing under the labels."""
    if len(lines) < 3 or not lines[1].strip() or lines[1][:1] == " ":
        return None
    labels = [piece for piece in pieces if piece.cut(lines[0])]
    under = [piece for piece in labels[1:] or labels if piece.cut(lines[1])]
    return None if under or not labels else 1


def _roles(
    lines: list[str], body: list[str], pieces: list[Block], has_names: bool
) -> tuple[list[Block], list[Block]]:
    """Which pieces are index levels and which columns; pieces of one column are joined."""
    header = lines[0]
    labelled = [bool(piece.cut(header)) for piece in pieces]
    first = labelled.index(True) if True in labelled else len(pieces)
    if first == 0 and has_names:
        first = 1  # the label over the index names the columns' axis
    names = lines[1] if has_names else None
    count = _split_unlabelled(pieces, first, body, names) if first > 1 else first
    index, rest = pieces[:count], pieces[count:]
    if count > 1 and not _are_levels(index, body, names):
        index = [Block(pieces[0].start, pieces[count - 1].end)]
    columns: list[Block] = []
    start: int | None = None
    for piece in rest:
        begin = piece.start if start is None else start
        whole = Block(begin, piece.end)
        is_complete = piece.cut(header) and any(whole.cut(line) for line in body)
        if is_complete or not body:
            columns.append(whole)
            start = None
        else:
            start = begin
    return index, columns


def _are_levels(index: list[Block], body: list[str], names: str | None) -> bool:
    """Whether several pieces are levels of an index, and not the words of one label."""
    if any(not index[0].cut(line) for line in body):
        return True
    are_filled = all(any(piece.cut(line) for line in body) for piece in index)
    return are_filled and names is not None and all(piece.cut(names) for piece in index)


def _split_unlabelled(pieces: list[Block], first: int, body: list[str], names: str | None) -> int:
    """How many of the pieces without a label belong to the index.

    All of them where each has a name or where a blank repeats the label above; else the first,
    with those that stand a single blank behind it: the further words of its texts.
    """
    if _are_levels(pieces[:first], body, names):
        return first
    numbers = [pieces[0].cut(line) for line in body]
    if all(number.isdigit() or number in GAP for number in numbers):
        return 1
    count = 1
    while count < first and pieces[count].start - pieces[count - 1].end == 1:
        count += 1
    return count


def _row(number: int, line: str, pieces: list[Block]) -> Line:
    return Line(number, tuple(Cell(piece.cut(line)) for piece in pieces))


def _is_gap(row: Line) -> bool:
    return all(cell.text in GAP or not cell.text for cell in row.cells)


def _level_names(line: str, index: list[Block]) -> tuple[str | None, ...]:
    return tuple(piece.cut(line) or None for piece in index)


def _check_total(
    total: tuple[int, int] | None, rows: int, columns: int, only_rows: bool, only_columns: bool
) -> None:
    if total is None:
        return
    if not only_rows and total[0] != rows:
        raise refusal(
            f"It says {total[0]} rows, but {rows} are pasted.",
            "Paste all rows, or remove the last line and tick Only these rows.",
        )
    if not only_columns and total[1] != columns:
        raise refusal(
            f"It says {total[1]} columns, but {columns} were found.",
            "Paste df.to_csv() instead, or use the cell's output.",
        )
