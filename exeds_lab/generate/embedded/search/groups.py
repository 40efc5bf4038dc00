"""Strategies for one line a group: totals, several statistics, shares, two keys, pivots."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from exeds_lab.generate.embedded.search.bench import Bench, Idea
from exeds_lab.generate.embedded.search.keys import Key, keys_for
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table
from exeds_lab.generate.embedded.search.vectors import values

CALLS = ("sum", "mean", "count", "max", "min", "median", "nunique", "std", "first", "last")
MOST_VALUES = 14
LATER_KEY = 0.4
"""Handicap of each further key."""
COMPUTED = 0.6
"""Handicap of values that are no plain column."""


def ordered_calls(bench: Bench) -> list[str]:
    """Aggregations, likeliest first."""
    return sorted(CALLS, key=lambda call: -bench.hint(f"x.{call}("))


def aggregated(table: Table, key: Key, x: str, call: str) -> str:
    """`call` of the values `x` in each group."""
    for label in table.columns:
        if table.column(label) == x:
            return f"{table.name}.groupby({key.by})[{literal(label)}].{call}()"
    return f"{x}.groupby({key.code}).{call}()"


def counts(table: Table, bench: Bench) -> Iterator[Idea]:
    """How many rows there are of each kind."""
    for key in keys_for(table, bench):
        yield Idea(f"{key.code}.value_counts()", 2)
        if key.code.startswith("pd.cut"):
            yield Idea(f"{key.code}.value_counts(sort=False)", 1)
        yield Idea(f"{key.code}.value_counts(normalize=True)", 2)
        yield Idea(f"{key.code}.value_counts(normalize=True) * 100", 1)
        yield Idea(f"{table.name}.groupby({key.by}).size()", 2)
        yield Idea(f"{key.code}.unique().tolist()", 0)
        yield Idea(f"sorted({key.code}.unique())", 0)


def totals(table: Table, bench: Bench) -> Iterator[Idea]:
    """One aggregation of one value in each group."""
    keys = keys_for(table, bench)
    yield from bench.ordered(
        idea
        for place, key in enumerate(keys)
        for idea in number_aggregations(table, bench, key, LATER_KEY * place)
    )
    for key in keys:
        yield from number_tables(table, key)


def of_labels(table: Table, bench: Bench) -> Iterator[Idea]:
    """Aggregations of columns that hold no numbers."""
    keys = keys_for(table, bench)
    yield from bench.ordered(idea for key in keys for idea in label_aggregations(table, key))


def number_aggregations(table: Table, bench: Bench, key: Key, handicap: float) -> Iterator[Idea]:
    """Statistics of the number columns and their products in each group."""
    plain = {table.column(label) for label in table.numbers}
    for call in CALLS:
        for x in bench.likeliest(values(table), MOST_VALUES):
            if x == key.code:
                continue
            code = aggregated(table, key, x, call)
            late = handicap if x in plain else handicap + COMPUTED
            yield Idea(code, 2, late)
            if call in ("sum", "count"):
                yield Idea(f"{code} / {x}.{call}() * 100", 1, late)
                yield Idea(f"{code} / {x}.{call}()", 1, late)


def label_aggregations(table: Table, key: Key) -> Iterator[Idea]:
    """Distinct, first, joined and listed texts of each group."""
    for label in table.columns:
        if label == key.label or label in table.lists:
            continue
        group = f"{table.name}.groupby({key.by})[{literal(label)}]"
        for call in ("nunique", "first", "last", "min", "max", "count"):
            yield Idea(f"{group}.{call}()", 1)
        yield Idea(f"{group}.agg(list)", 1)
        yield Idea(f"{group}.unique()", 1)
        yield Idea(f"{group}.apply(sorted)", 1)
        if label in table.words:
            yield Idea(f'{group}.agg(", ".join)', 1)
            yield Idea(f'{group}.agg(",".join)', 1)
            yield Idea(f"{group}.agg(lambda values: values.mode()[0])", 1)
            yield Idea(f"{group}.agg(lambda values: values.value_counts().idxmax())", 1)
            yield Idea(f"{group}.value_counts()", 1)
        if label in table.flags:
            yield Idea(f"{group}.mean()", 1)
            yield Idea(f"{group}.sum()", 1)
            yield Idea(f"{group}.mean() * 100", 1)


def number_tables(table: Table, key: Key) -> Iterator[Idea]:
    """All number columns at once."""
    group = f"{table.name}.groupby({key.by})"
    for call in ("mean", "sum", "max", "min", "median"):
        yield Idea(f"{group}.{call}(numeric_only=True)", 1)
    for pair in itertools.combinations([n for n in table.numbers if n != key.label], 2):
        for call in ("mean", "sum", "max", "min"):
            yield Idea(f"{group}[{literal(list(pair))}].{call}()", 1)


def weighted(table: Table, bench: Bench) -> Iterator[Idea]:
    """Weighted means, ratios of totals, spans and changes in each group."""
    keys = keys_for(table, bench)
    yield from bench.ordered(idea for key in keys for idea in combined(table, key))


def combined(table: Table, key: Key) -> Iterator[Idea]:
    """Two columns, or two statistics of one, in each group."""
    if True:
        plain = [label for label in table.numbers if label != key.label]
        group = f"{table.name}.groupby({key.by})"
        for a, b in itertools.permutations(plain, 2):
            x, y = table.column(a), table.column(b)
            below = f"{group}[{literal(b)}].sum()"
            yield Idea(f"({x} * {y}).groupby({key.code}).sum() / {below}", 1)
            yield Idea(f"{group}[{literal(a)}].sum() / {below}", 1)
            yield Idea(f"{group}[{literal(a)}].sum() / {below} * 100", 1)
            yield Idea(f"{group}[{literal(a)}].sum() - {below}", 1)
        for label in plain:
            x = f"{group}[{literal(label)}]"
            yield Idea(f"{x}.max() - {x}.min()", 1)
            yield Idea(f"{x}.last() - {x}.first()", 1)
            yield Idea(f"{x}.sum() / {x}.count()", 1)
            yield Idea(f"{x}.describe()", 0)
        for label in table.dated:
            if label != key.label:
                x = f"{table.moment(label)}.groupby({key.code})"
                yield Idea(f"({x}.max() - {x}.min()).dt.days", 1)
                yield from (Idea(f"{x}.{call}()", 1) for call in ("max", "min", "nunique"))
        for a, b in itertools.permutations(table.dated, 2):
            gap = f"({table.moment(b)} - {table.moment(a)}).dt.days"
            yield from (
                Idea(f"{gap}.groupby({key.code}).{call}()", 1) for call in ("mean", "sum", "max")
            )


def best_of_groups(table: Table, bench: Bench) -> Iterator[Idea]:
    """The label that has the largest value in each group."""
    for key in keys_for(table, bench):
        for number in table.numbers:
            group = f"{table.name}.groupby({key.by})[{literal(number)}]"
            for call in ("idxmax", "idxmin"):
                rows = f"{table.name}.loc[{group}.{call}()]"
                for label in table.columns:
                    if label in (key.label, number) or key.label is None:
                        continue
                    yield Idea(f"{rows}.set_index({key.by})[{literal(label)}]", 0)
                    wanted = [key.label, label]
                    yield Idea(f"{rows}[{literal(wanted)}]", 0)
                    yield Idea(f"{rows}[{literal([*wanted, number])}]", 0)


def pairs_of_keys(table: Table, bench: Bench) -> Iterator[Idea]:
    """Two keys: below each other, or one across."""
    yield from bench.ordered(crossed(table, bench))
    yield from bench.ordered(two_keys(table, bench))


def two_keys(table: Table, bench: Bench) -> Iterator[Idea]:
    """Two keys below each other."""
    chosen = bench.likeliest(values(table), 8)
    for a, b in itertools.permutations(keys_for(table, bench)[:8], 2):
        both = f"[{a.by}, {b.by}]"
        yield Idea(f"{table.name}.groupby({both}).size()", 2)
        for call in ordered_calls(bench)[:6]:
            for x in chosen:
                label = plain_label(table, x)
                if label is not None:
                    yield Idea(f"{table.name}.groupby({both})[{literal(label)}].{call}()", 1)
                else:
                    yield Idea(f"{x}.groupby([{a.code}, {b.code}]).{call}()", 1)


def crossed(table: Table, bench: Bench) -> Iterator[Idea]:
    """One key down, another across: its values are wanted columns."""
    wanted = set(bench.goal.columns)
    keys = keys_for(table, bench)[:8]
    chosen = bench.likeliest(values(table), MOST_VALUES)
    for (place, down), (other, across) in itertools.permutations(enumerate(keys), 2):
        if across.found & wanted and not down.found & wanted:
            late = LATER_KEY * (place + other - 1)
            for idea in pivots(table, down, across, ordered_calls(bench), chosen):
                yield idea._replace(handicap=late + idea.handicap)


def pivots(
    table: Table, down: Key, across: Key, calls: list[str], chosen: list[str]
) -> Iterator[Idea]:
    """One row a value of `down`, one column a value of `across`."""
    yield Idea(f"pd.crosstab({down.code}, {across.code})", 1)
    yield Idea(f'pd.crosstab({down.code}, {across.code}, normalize="index")', 1)
    for call in calls:
        for x in chosen:
            label = plain_label(table, x)
            if label is None or down.label is None or across.label is None:
                grouped = f"{x}.groupby([{down.code}, {across.code}]).{call}()"
                yield Idea(f"{grouped}.unstack(fill_value=0)", 1, COMPUTED)
                yield Idea(f"{grouped}.unstack()", 1, COMPUTED)
                continue
            start = (
                f"{table.name}.pivot_table(index={down.by}, columns={across.by}, "
                f'values={literal(label)}, aggfunc="{call}"'
            )
            yield Idea(f"{start})", 1)
            yield Idea(f"{start}, fill_value=0)", 1)
    if down.label is not None and across.label is not None:
        for label in table.columns:
            yield Idea(
                f"{table.name}.pivot(index={down.by}, columns={across.by}, "
                f"values={literal(label)})",
                1,
            )


def plain_label(table: Table, code: str) -> object | None:
    """The label of the column that this code is; None for computed values."""
    return next((label for label in table.columns if table.column(label) == code), None)
