"""The search: strategies take turns until the goal is reached or the time is up."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from exeds_lab.generate.embedded.search.arrays import arrays, list_codes
from exeds_lab.generate.embedded.search.bench import Bench, Idea, OutOfTime, Solution
from exeds_lab.generate.embedded.search.cases import unwrapped
from exeds_lab.generate.embedded.search.columns import computed_columns, new_columns, one_column
from exeds_lab.generate.embedded.search.conditions import spoken
from exeds_lab.generate.embedded.search.finish import develop
from exeds_lab.generate.embedded.search.groups import (
    best_of_groups,
    counts,
    of_labels,
    pairs_of_keys,
    totals,
    weighted,
)
from exeds_lab.generate.embedded.search.joins import joins, lookups
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
    "list": (counts, totals, column_lists, one_column),
    "array": (reshapes, one_column, totals, column_lists),
    "dict": (counts, totals, of_labels, weighted, best_of_groups, reshapes),
    "series": (
        one_column,
        counts,
        totals,
        of_labels,
        reshapes,
        weighted,
        best_of_groups,
        pairs_of_keys,
        column_lists,
    ),
    "frame": (
        subsets,
        new_columns,
        reshapes,
        counts,
        totals,
        named_statistics,
        pairs_of_keys,
        of_labels,
        weighted,
        best_of_groups,
        computed_columns,
    ),
}
"""What is tried for which form of the goal. They take turns, so that none starves the others."""

STAGES = ((0, 0.4), (1, 0.75), (2, 1.0))
"""How many finishing steps are allowed, and up to which part of the budget."""
TURN = 24
"""Ideas of one strategy before the next has its turn."""
GOOD = (0.0, -1.0, -1.0)
"""Score from which, at each stage, a program that fits in every way ends the search."""
MOST_JOINED = 3
"""Joined tables that are searched further."""


def search(bench: Bench) -> list[Solution]:
    """Programs that give the goal, best first."""
    done: dict[str, int] = {}
    for depth, fraction in STAGES:
        bench.until(fraction)
        with contextlib.suppress(OutOfTime):
            explore(bench, depth, done)
        if any(one.misses == 0 and one.score > GOOD[depth] for one in bench.solutions.values()):
            break
    return sorted(bench.solutions.values(), key=lambda one: (one.misses > 0, -one.score))


def explore(bench: Bench, depth: int, done: dict[str, int]) -> None:
    """One pass over everything with so many finishing steps."""
    tables = own_tables(bench)
    frames = [table.name for table in tables]
    joined = [code for a in frames for b in frames if a != b for code in lookups(bench, a, b)]
    tables += bound(bench, "joined", joined[:MOST_JOINED])
    streams = [joins(bench), plain_ideas(bench), *all_streams(bench, tables)]
    take_turns(bench, streams, depth, done)
    if not bench.solutions:
        selected = [code for table in tables for code in selections(table, bench)]
        take_turns(bench, all_streams(bench, bound(bench, "selected", selected)), depth, done)


def all_streams(bench: Bench, tables: Iterable[Table]) -> list[Iterator[Idea]]:
    """Every strategy for the goal's form on every table."""
    return [strategy(t, bench) for t in tables for strategy in FOR_FORM[bench.goal.form]]


def take_turns(
    bench: Bench, streams: list[Iterator[Idea]], depth: int, done: dict[str, int]
) -> None:
    """Develop the ideas of each stream, a few at a time, until all are empty."""
    while streams:
        streams = [stream for stream in streams if take_turn(bench, stream, depth, done)]


def take_turn(bench: Bench, stream: Iterator[Idea], depth: int, done: dict[str, int]) -> bool:
    """Develop the next ideas of a stream; whether it may have more.

    A strategy that stumbles over odd data ends; the others go on.
    """
    try:
        for _ in range(TURN):
            idea = next(stream, None)
            if idea is None:
                return False
            develop(bench, idea.code, min(depth, idea.depth), done)
    except OutOfTime:
        raise
    except Exception:  # noqa: BLE001  the user's data may raise anything
        return False
    return True


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
