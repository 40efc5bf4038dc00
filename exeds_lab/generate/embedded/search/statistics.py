"""Strategy for several statistics of each group: every wanted column is solved on its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from exeds_lab.generate.embedded.search.bench import Bench, Idea
from exeds_lab.generate.embedded.search.grid import Atom, atoms
from exeds_lab.generate.embedded.search.keys import Key, keys_for
from exeds_lab.generate.embedded.search.literal import keywords, literal
from exeds_lab.generate.embedded.search.tables import Table
from exeds_lab.generate.embedded.search.vectors import products

CALLS = ("sum", "mean", "count", "max", "min", "median", "nunique", "std", "first", "last")


class Part(NamedTuple):
    """One wanted column as an aggregation."""

    column: str
    call: str
    made: str | None
    """Code of the aggregated values where they are no column of the table."""


def named_statistics(table: Table, bench: Bench) -> Iterator[Idea]:
    """`groupby(…).agg(total=("units", "sum"), …)`."""
    if bench.goal.form != "frame":
        return
    for key in keys_for(table, bench):
        if key.label is None:
            continue
        labels, wanted = labels_and_columns(bench, key)
        if labels is None or len(set(labels)) != len(labels) or not wanted:
            continue
        parts = [solve(table, bench, key, labels, place) for place in wanted]
        if any(part is None for part in parts):
            continue
        named = {str(bench.goal.columns[place]): part for place, part in zip(wanted, parts)}
        yield from written(table, key, {name: part for name, part in named.items() if part})


def labels_and_columns(bench: Bench, key: Key) -> tuple[list[Atom] | None, list[int]]:
    """The group of each wanted row, and the places of the other wanted columns."""
    grid, columns = bench.goal.grid, bench.goal.columns
    if grid.index is not None and len(grid.index) == 1 and set(grid.index[0]) <= key.found:
        return grid.index[0], list(range(len(columns)))
    if not grid.cells or not all(isinstance(name, str) for name in columns):
        return None, []
    first = columns.index(key.label) if key.label in columns else 0
    if not set(grid.cells[first]) <= key.found:
        return None, []
    return grid.cells[first], [place for place in range(len(columns)) if place != first]


def solve(table: Table, bench: Bench, key: Key, labels: list[Atom], place: int) -> Part | None:
    """The likeliest aggregation that gives one wanted column."""
    found: list[tuple[float, Part]] = []
    name = str(bench.goal.columns[place])
    for label in table.columns:
        if label == key.label:
            continue
        for call in CALLS:
            code = f"{table.name}.groupby({key.by})[{literal(label)}].{call}()"
            if matches(bench, code, labels, place):
                found.append((liking(bench, code, name, call), Part(str(label), call, None)))
    for made in bench.likeliest(products(table), 8) if not found else []:
        for call in ("sum", "mean", "max", "min"):
            code = f"{made}.groupby({key.code}).{call}()"
            if matches(bench, code, labels, place):
                found.append((bench.hint(code), Part(made_name(name), call, made)))
    return max(found, key=lambda entry: entry[0])[1] if found else None


def made_name(name: str) -> str:
    """A name for the computed column that one wanted column aggregates."""
    return f"{name}_each"


def liking(bench: Bench, code: str, name: str, call: str) -> float:
    """The words' hint, and whether the wanted column's own name speaks for the aggregation."""
    low = name.lower()
    known = {"mean": ("avg", "average", "mean"), "count": ("n", "count", "number", "orders")}
    spoken = any(word in low for word in known.get(call, (call,)))
    return bench.hint(code) + (1.5 if spoken else 0.0)


def matches(bench: Bench, code: str, labels: list[Atom], place: int) -> bool:
    """Whether the aggregation has the wanted values for these groups."""
    found = bench.real(code)
    if not isinstance(found, pd.Series):
        return False
    by_label = dict(zip(atoms(found.index), atoms(found)))
    if any(label not in by_label for label in labels):
        return False
    column = [by_label[label] for label in labels]
    if bench.goal.same_column(place, column):
        return True
    digits = bench.goal.digits
    rounded = [round(cell, digits) if isinstance(cell, float) else cell for cell in column]
    return digits is not None and bench.goal.same_column(place, rounded)


def written(table: Table, key: Key, parts: dict[str, Part]) -> Iterator[Idea]:
    """The call that a person would write."""
    made = {part.column: part.made for part in parts.values() if part.made is not None}
    start = f"{table.name}.assign({keywords(made)})" if made else table.name
    same = {part.column for part in parts.values()}
    if len(same) == 1 and not made and all(name == part.call for name, part in parts.items()):
        calls = [part.call for part in parts.values()]
        yield Idea(f"{start}.groupby({key.by})[{literal(same.pop())}].agg({literal(calls)})", 1)
    pairs = {
        name: f"({literal(part.column)}, {literal(part.call)})" for name, part in parts.items()
    }
    yield Idea(f"{start}.groupby({key.by}).agg({keywords(pairs)})", 2)
