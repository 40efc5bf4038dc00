"""Strategies for some of a table's rows, sorted or not, and for lists of a column's values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from exeds_lab.generate.embedded.search.bench import Bench, Idea
from exeds_lab.generate.embedded.search.cases import unwrapped
from exeds_lab.generate.embedded.search.conditions import conditions
from exeds_lab.generate.embedded.search.goal import rough
from exeds_lab.generate.embedded.search.grid import Atom, atoms
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table

MOST_FILTERS = 25


def subsets(table: Table, bench: Bench) -> Iterator[Idea]:
    """Rows of the table: filtered, first of their kind, sorted."""
    rows = wanted_rows(table, bench)
    if rows is None:
        return
    mask, in_order = rows
    name = table.name
    if not in_order or mask.all():
        yield from sorted_tables(table)
    yield Idea(f"{name}.dropna()", 1)
    yield Idea(f"{name}.drop_duplicates()", 1)
    for label in table.columns:
        yield Idea(f"{name}.dropna(subset=[{literal(label)}])", 1)
        for keep in ("", ', keep="last"', ", keep=False"):
            yield Idea(f"{name}.drop_duplicates({literal(label)}{keep})", 1)
    for condition in conditions(table, bench, mask)[:MOST_FILTERS]:
        yield Idea(f"{name}[{unwrapped(condition)}]", 1 if in_order else 2)
    yield from of_each_group(table, bench)
    if not in_order:
        yield from sorted_twice(table)


def wanted_rows(table: Table, bench: Bench) -> tuple[np.ndarray, bool] | None:
    """Which rows are wanted, and whether they stand in the table's order; None if not rows."""
    goal = bench.goal
    if goal.form != "frame" or not 0 < goal.length <= table.length:
        return None
    common = [label for label in goal.columns if label in table.columns]
    if not common:
        return None
    have = list(zip(*(map(rough, atoms(table.frame[label])) for label in common)))
    places = [goal.columns.index(label) for label in common]
    want = list(zip(*(map(rough, goal.grid.cells[place]) for place in places)))
    if not set(want) <= set(have):
        return None
    mask = by_index(table, bench, have, want)
    if mask is None:
        mask = np.array([row in set(want) for row in have])
    kept = [row for row, wanted in zip(have, mask) if wanted]
    return mask, kept == want


def by_index(table: Table, bench: Bench, have: list[Any], want: list[Any]) -> np.ndarray | None:
    """The rows by their labels, where the wanted table kept those of the original."""
    levels = bench.goal.grid.index
    if levels is None or len(levels) != 1:
        return None
    labels = atoms(table.frame.index)
    if len(set(labels)) != len(labels) or not set(levels[0]) <= set(labels):
        return None
    by_label = dict(zip(labels, have))
    if any(by_label[label] != row for label, row in zip(levels[0], want)):
        return None
    return np.array([label in set(levels[0]) for label in labels])


def sorted_tables(table: Table) -> Iterator[Idea]:
    """Sorted by one column, then perhaps cut."""
    for label in table.columns:
        for down in ("", ", ascending=False"):
            yield Idea(f"{table.name}.sort_values({literal(label)}{down})", 2)
    for label in table.numbers:
        yield Idea(f"{table.name}.sort_values({literal(label)}, key=abs)", 1)
    yield Idea(f"{table.name}[::-1]", 1)


def sorted_twice(table: Table) -> Iterator[Idea]:
    """Sorted by two columns."""
    for pair in itertools.permutations(table.columns, 2):
        for ways in ("", ", ascending=[True, False]", ", ascending=[False, True]"):
            yield Idea(f"{table.name}.sort_values({literal(list(pair))}{ways})", 1)
        yield Idea(f"{table.name}.sort_values({literal(list(pair))}, ascending=False)", 1)


def of_each_group(table: Table, bench: Bench) -> Iterator[Idea]:
    """The first, last or best rows of each group."""
    name = table.name
    counts = sorted({1, *bench.words.counts})
    for group in table.columns:
        if not table.repeats(group):
            continue
        for order in table.columns:
            if order == group:
                continue
            for down in ("", ", ascending=False"):
                ordered = f"{name}.sort_values({literal(order)}{down})"
                for count in counts:
                    yield Idea(f"{ordered}.groupby({literal(group)}).head({count})", 1)
                    if not down:
                        yield Idea(f"{ordered}.groupby({literal(group)}).tail({count})", 1)
                yield Idea(f"{ordered}.drop_duplicates({literal(group)})", 1)
            if order in table.numbers:
                for call in ("idxmax", "idxmin"):
                    rows = f"{name}.groupby({literal(group)})[{literal(order)}].{call}()"
                    yield Idea(f"{name}.loc[{rows}]", 0)
        yield Idea(f"{name}.groupby({literal(group)}).head({counts[-1]})", 1)
        yield Idea(f"{name}.groupby({literal(group)}).tail({counts[-1]})", 1)


def column_lists(table: Table, bench: Bench) -> Iterator[Idea]:
    """The values of a column in some rows, as a list, array or series."""
    goal = bench.goal
    if goal.form not in ("list", "array", "series") or len(goal.grid.cells) != 1:
        return
    wanted = goal.grid.cells[0]
    if not wanted:
        return
    for label in table.columns:
        column = table.column(label)
        if label in table.lists:
            yield Idea(f"sorted({column}.explode().unique())", 0)
            continue
        have = atoms(table.frame[label])
        if not set(map(rough, wanted)) <= set(map(rough, have)):
            continue
        yield from whole_column(column, bench)
        yield from column_part(table, bench, label, have, wanted)


def whole_column(column: str, bench: Bench) -> Iterator[Idea]:
    """All values, the distinct ones, the top ones."""
    yield Idea(f"{column}.tolist()", 0)
    yield Idea(f"{column}.unique().tolist()", 0)
    yield Idea(f"sorted({column}.unique())", 0)
    yield Idea(f"sorted({column}.dropna().unique())", 0)
    yield Idea(f"sorted({column})", 0)
    yield Idea(f"sorted({column}, reverse=True)", 0)
    yield Idea(f"sorted({column}.unique(), reverse=True)", 0)
    yield Idea(f"{column}[{column}.duplicated()].unique().tolist()", 0)
    yield Idea(f"{column}.value_counts().index.tolist()", 0)
    yield Idea(f"{column}.nlargest({bench.goal.length}).tolist()", 0)
    yield Idea(f"{column}.nsmallest({bench.goal.length}).tolist()", 0)
    yield Idea(f"{column}.value_counts().head({bench.goal.length}).index.tolist()", 0)


def column_part(
    table: Table, bench: Bench, label: Any, have: list[Atom], wanted: list[Atom]
) -> Iterator[Idea]:
    """The values of the rows that a condition picks."""
    inside = set(map(rough, wanted))
    mask = np.array([rough(value) in inside for value in have])
    for condition in conditions(table, bench, mask)[:12]:
        part = f"{table.name}.loc[{unwrapped(condition)}, {literal(label)}]"
        if bench.goal.form == "series":
            yield Idea(part, 1)
            continue
        yield Idea(f"{part}.tolist()", 0)
        yield Idea(f"sorted({part})", 0)
        yield Idea(f"sorted({part}.unique())", 0)
        yield Idea(f"{part}.unique().tolist()", 0)
        yield Idea(f"sorted({part}, reverse=True)", 0)
    counts = {1, bench.goal.length}
    for order in [*table.numbers, *table.dated]:
        for down in ("", ", ascending=False"):
            ordered = f"{table.name}.sort_values({literal(order)}{down})"
            for count in counts:
                yield Idea(f"{ordered}[{literal(label)}].head({count}).tolist()", 0)
            yield Idea(f"{ordered}[{literal(label)}].tolist()", 0)
        for count in counts:
            for call in ("nlargest", "nsmallest"):
                rows = f"{table.name}.{call}({count}, {literal(order)})"
                yield Idea(f"{rows}[{literal(label)}].tolist()", 0)
