"""Strategies for the same rows with new, changed, renamed or fewer columns."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import pandas as pd

from exeds_lab.generate.embedded.search.bench import Bench, Idea
from exeds_lab.generate.embedded.search.cases import case_codes
from exeds_lab.generate.embedded.search.goal import equal
from exeds_lab.generate.embedded.search.grid import Atom, atoms, index_levels, is_default
from exeds_lab.generate.embedded.search.literal import keywords, literal
from exeds_lab.generate.embedded.search.tables import Table
from exeds_lab.generate.embedded.search.texts import joined_texts
from exeds_lab.generate.embedded.search.vectors import all_vectors

MOST_WAYS = 3
MOST_KEPT = 12


def one_column(table: Table, bench: Bench) -> Iterator[Idea]:
    """A series, array or list with one value a row."""
    goal = bench.goal
    labels = index_levels(table.frame.index)
    same_rows = goal.grid.index is None or goal.grid.index == labels
    if len(goal.grid.cells) == 1 and goal.length == table.length and table.length and same_rows:
        yield from (Idea(code, 0) for code in column_codes(table, bench, 0, most=8))


def new_columns(table: Table, bench: Bench) -> Iterator[Idea]:
    """The table with columns added, changed, renamed, left out or put in another order."""
    yield from changed_table(table, bench, some_kept=True)


def computed_columns(table: Table, bench: Bench) -> Iterator[Idea]:
    """As many rows as the table, and none of its columns."""
    yield from changed_table(table, bench, some_kept=False)


def changed_table(table: Table, bench: Bench, some_kept: bool) -> Iterator[Idea]:
    """The table's rows with columns some of which (or none) are its own."""
    goal = bench.goal
    if goal.form != "frame" or goal.length != table.length or not table.length:
        return
    have = {label: atoms(table.frame[label]) for label in table.columns}
    kept = [c for place, c in enumerate(goal.columns) if is_kept(bench, place, have.get(c))]
    renamed, taken = {}, set(kept)
    for place, column in enumerate(goal.columns):
        if column in kept or column in have:
            continue
        for label, values in have.items():
            if (
                label not in taken
                and label not in goal.columns
                and equal_column(bench, place, values)
            ):
                renamed[label] = column
                taken.add(label)
                break
    if bool(kept or renamed) != some_kept:
        return
    yield from relabelled(table, bench, kept, renamed)
    new = [c for c in goal.columns if c not in kept and c not in renamed.values()]
    if new and len(new) <= 4 and all(isinstance(column, str) for column in new):
        yield from assigned(table, bench, kept, renamed, new)


def is_kept(bench: Bench, place: int, values: Any) -> bool:
    """Whether a wanted column is a column of the table as it is."""
    return values is not None and equal(bench.goal.grid.cells[place], values, 0.0)


def equal_column(bench: Bench, place: int, values: list[Atom]) -> bool:
    """Whether the wanted column has these values."""
    return equal(bench.goal.grid.cells[place], values, 0.0)


def relabelled(
    table: Table, bench: Bench, kept: list[Atom], renamed: dict[Any, Atom]
) -> Iterator[Idea]:
    """Only renamed, dropped or put in another order."""
    columns = bench.goal.columns
    dropped = [label for label in table.columns if label not in kept and label not in renamed]
    start = f"{table.name}.rename(columns={literal(renamed)})" if renamed else table.name
    yield Idea(start, 1)
    if dropped and len(dropped) < len(table.columns):
        yield Idea(f"{start}.drop(columns={literal(dropped)})", 0)
    if set(columns) <= {*kept, *renamed.values()}:
        yield Idea(f"{start}[{literal(columns)}]", 1)
    for label in table.columns:
        yield Idea(f"{table.name}.set_index({literal(label)})", 0)
    if all(isinstance(label, str) for label in table.columns):
        for call in ("lower()", "upper()", "title()", "strip()", 'replace(" ", "_")'):
            yield Idea(f"{table.name}.rename(columns=lambda name: name.{call})", 0)
        yield Idea(
            f'{table.name}.rename(columns=lambda name: name.strip().lower().replace(" ", "_"))', 0
        )


def assigned(
    table: Table, bench: Bench, kept: list[Atom], renamed: dict[Any, Atom], new: list[Atom]
) -> Iterator[Idea]:
    """`assign` with an expression for each new column."""
    ways = []
    for column in new:
        codes = column_codes(table, bench, bench.goal.columns.index(column), MOST_WAYS)
        if not codes:
            return
        ways.append(codes)
    columns = bench.goal.columns
    order = [label for label in table.columns if label in columns]
    order += [column for column in new if column not in order]
    for chosen in itertools.islice(itertools.product(*ways), 12):
        code = f"{table.name}.assign({keywords(dict(zip(map(str, new), chosen)))})"
        if renamed:
            code += f".rename(columns={literal(renamed)})"
        left_out = [label for label in table.columns if label not in [*kept, *renamed, *new]]
        if left_out and not renamed:
            yield Idea(f"{code}.drop(columns={literal(left_out)})", 1)
        if renamed or left_out or order != columns:
            yield Idea(f"{code}[{literal(columns)}]", 1)
        else:
            yield Idea(code, 1)


def column_codes(table: Table, bench: Bench, place: int, most: int) -> list[str]:
    """Expressions over the table that give one wanted column, likeliest first."""
    found = bench.keep(
        ("column", table.name, str(place)), lambda: find_column_codes(table, bench, place)
    )
    return found[:most]


def find_column_codes(table: Table, bench: Bench, place: int) -> list[str]:
    """As `column_codes`, made anew."""
    goal = bench.goal
    wanted = goal.grid.cells[place]
    found: list[str] = list(joined_texts(table, bench, wanted))
    for code, series in bench.vectors(all_vectors(table, bench)):
        if len(series) != len(wanted):
            continue
        if goal.same_column(place, bench.keep(("atoms", code), functools.partial(atoms, series))):
            found.append(code)
        elif goal.digits is not None and pd.api.types.is_float_dtype(series.dtype):
            found.extend(rounded(code, series, wanted, goal.digits))
    if len(set(map(repr, wanted))) <= 5 and not found:
        found.extend(case_codes(table, bench, wanted))
    unique = list(dict.fromkeys(found))
    return bench.likeliest(unique, MOST_KEPT)


def rounded(code: str, series: Any, wanted: list[Atom], digits: int) -> Iterator[str]:
    """The expression rounded, if that gives the wanted values."""
    for places in range(digits + 1):
        if equal(wanted, atoms(series.round(places)), 1e-9):
            whole = places == 0 and is_default([cell for cell in wanted if cell is not None])
            call = ".round().astype(int)" if whole else f".round({places})"
            yield (code if code.endswith(")") and " " not in code else f"({code})") + call
            return
