"""The search: strategies take turns until the goal is reached or the time is up."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from exeds_lab.generate.embedded.search.arrays import arrays, list_codes
from exeds_lab.generate.embedded.search.bench import Bench, Idea, OutOfTime, Solution
from exeds_lab.generate.embedded.search.cases import unwrapped
from exeds_lab.generate.embedded.search.columns import new_columns, one_column
from exeds_lab.generate.embedded.search.conditions import spoken
from exeds_lab.generate.embedded.search.finish import develop
from exeds_lab.generate.embedded.search.groups import (
    best_of_groups,
    counts,
    pairs_of_keys,
    totals,
    weighted,
)
from exeds_lab.generate.embedded.search.joins import joins, merges
from exeds_lab.generate.embedded.search.reductions import (
    best_groups,
    filtered_reductions,
    reductions,
)
from exeds_lab.generate.embedded.search.reshapes import reshapes
from exeds_lab.generate.embedded.search.statistics import named_statistics
from exeds_lab.generate.embedded.search.subsets import column_lists, subsets
from exeds_lab.generate.embedded.search.tables import Table

Strategy = Callable[[Table, Bench], Iterator[Idea]]

FOR_FORM: dict[str, tuple[Strategy, ...]] = {
    "scalar": (reductions, filtered_reductions, best_groups),
    "list": (column_lists, one_column, counts, totals),
    "array": (column_lists, one_column, reshapes, totals),
    "dict": (counts, totals, weighted, best_of_groups, reshapes),
    "series": (
        counts,
        one_column,
        totals,
        column_lists,
        weighted,
        best_of_groups,
        pairs_of_keys,
        reshapes,
    ),
    "frame": (
        subsets,
        new_columns,
        named_statistics,
        totals,
        counts,
        pairs_of_keys,
        weighted,
        best_of_groups,
        reshapes,
    ),
}
"""What is tried for which form of the goal. They take turns, so that none starves the others."""

STAGES = ((0, 0.4), (1, 0.75), (2, 1.0))
"""How many finishing steps are allowed, and up to which part of the budget."""
TURN = 24
"""Ideas of one strategy before the next has its turn."""
GOOD = 1.0
"""Score from which a program that fits in every way ends the search."""


def search(bench: Bench) -> list[Solution]:
    """Programs that give the goal, best first."""
    done: dict[str, int] = {}
    for depth, fraction in STAGES:
        bench.until(fraction)
        with contextlib.suppress(OutOfTime):
            explore(bench, depth, done)
        if any(one.misses == 0 and one.score > GOOD for one in bench.solutions.values()):
            break
    return sorted(bench.solutions.values(), key=lambda one: (one.misses > 0, -one.score))


def explore(bench: Bench, depth: int, done: dict[str, int]) -> None:
    """One pass over everything with so many finishing steps."""
    streams = [joins(bench), plain_ideas(bench)]
    tables = own_tables(bench)
    for table in tables:
        streams += [strategy(table, bench) for strategy in FOR_FORM[bench.goal.form]]
    take_turns(bench, streams, depth, done)
    if not bench.solutions:
        for table in derived_tables(bench, tables):
            streams = [strategy(table, bench) for strategy in FOR_FORM[bench.goal.form]]
            take_turns(bench, streams, depth, done)


def take_turns(
    bench: Bench, streams: list[Iterator[Idea]], depth: int, done: dict[str, int]
) -> None:
    """Develop the ideas of each stream, a few at a time, until all are empty."""
    while streams:
        left = []
        for stream in streams:
            for _ in range(TURN):
                idea = next(stream, None)
                if idea is None:
                    break
                develop(bench, idea.code, min(depth, idea.depth), done)
            else:
                left.append(stream)
        streams = left


def own_tables(bench: Bench) -> list[Table]:
    """The user's tables; a named series counts as a table of one column."""
    return [Table(n, v) for n, v in bench.names.items() if isinstance(v, pd.DataFrame)]


def plain_ideas(bench: Bench) -> Iterator[Idea]:
    """Ideas over arrays, lists and series."""
    names = bench.names
    yield from (
        Idea(code, 0)
        for code in arrays(bench, [n for n, v in names.items() if isinstance(v, np.ndarray)])
    )
    for name, value in names.items():
        if isinstance(value, (list, tuple)):
            yield from (Idea(code, 0) for code in list_codes(bench, name))
        elif isinstance(value, pd.Series):
            yield from series_ideas(bench, name, value)


def series_ideas(bench: Bench, name: str, series: Any) -> Iterator[Idea]:
    """Ideas over a bare series."""
    yield Idea(name, 2)
    for call in ("value_counts()", "unique()", "cumsum()", "diff()", "pct_change()", "rank()"):
        yield Idea(f"{name}.{call}", 1)
    for call in ("sum", "mean", "max", "min", "median", "std", "count", "nunique"):
        yield Idea(f"{name}.{call}()", 0)
    for call in ("fillna(0)", "dropna()", "sort_values()", "sort_index()", "str.upper()"):
        yield Idea(f"{name}.{call}", 1)
    yield Idea(f"{name}.fillna({name}.mean())", 1)
    for count in sorted({2, 3, 7, *bench.words.counts}):
        yield Idea(f"{name}.rolling({count}).mean()", 1)
        yield Idea(f"{name}.rolling({count}).sum()", 1)
    for number in bench.words.numbers:
        for sign in (">", ">=", "<", "<="):
            yield Idea(f"{name}[{name} {sign} {number}]", 1)
            yield Idea(f"({name} {sign} {number}).sum()", 0)
        yield from (Idea(f"{name} {sign} {number}", 1) for sign in "*+-/")
    if isinstance(series.index, pd.DatetimeIndex):
        for rule in ("D", "W", "MS"):
            for call in ("sum", "mean"):
                yield Idea(f'{name}.resample("{rule}").{call}()', 1)
        yield Idea(f"{name}.groupby({name}.index.month).mean()", 1)
        yield Idea(f"{name}.groupby({name}.index.month).sum()", 1)


def derived_tables(bench: Bench, tables: list[Table]) -> Iterator[Table]:
    """Tables that are a step away: joined, and filtered by what the text names."""
    frames = [table.name for table in tables]
    for a in frames:
        for b in frames:
            if a != b:
                yield from bound(bench, "joined", merges(bench, a, b)[:2])
    for table in tables:
        yield from bound(bench, "selected", selections(table, bench))


def selections(table: Table, bench: Bench) -> list[str]:
    """Filters that the text speaks of."""
    found = [
        f"{table.name}[{unwrapped(code)}]" for code in bench.likeliest(spoken(table, bench), 6)
    ]
    found.append(f"{table.name}.drop_duplicates()")
    found.append(f"{table.name}.dropna()")
    return found


def bound(bench: Bench, wish: str, codes: list[str]) -> Iterator[Table]:
    """Each code's table under a name of its own."""
    for code in codes:
        known = [name for name, text in bench.preambles.items() if text.endswith(f" = {code}")]
        name = known[0] if known else bench.bind(wish, code)
        value = bench.scope[name] if name is not None else None
        if name is not None and isinstance(value, pd.DataFrame) and len(value):
            yield Table(name, value)
