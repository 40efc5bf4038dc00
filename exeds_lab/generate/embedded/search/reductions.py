"""Strategies for one number or label: totals, means, shares, the best of something."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pandas as pd

from exeds_lab.generate.embedded.search.bench import Bench, Idea
from exeds_lab.generate.embedded.search.conditions import spoken
from exeds_lab.generate.embedded.search.form import bracketed
from exeds_lab.generate.embedded.search.keys import keys_for
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table
from exeds_lab.generate.embedded.search.vectors import date_vectors, products, values

CALLS = ("sum", "mean", "count", "max", "min", "median", "nunique", "std", "var", "prod")
MOST_FILTERS = 60


def reductions(table: Table, bench: Bench) -> Iterator[Idea]:
    """One value out of a whole table."""
    yield from bench.ordered(reduced(table, bench))


def reduced(table: Table, bench: Bench) -> Iterator[Idea]:
    """As `reductions`, in no order."""
    yield Idea(f"len({table.name})", 0)
    yield Idea(f"{table.name}.shape[0]", 0)
    calls = sorted(CALLS, key=lambda call: -bench.hint(f"x.{call}("))
    for x in bench.likeliest(values(table), 60):
        yield from (Idea(f"{x}.{call}()", 0) for call in calls)
    for label in table.texts:
        x = table.column(label)
        yield Idea(f"{x}.nunique()", 0)
        yield Idea(f"{x}.mode()[0]", 0)
        yield Idea(f"{x}.value_counts().idxmax()", 0)
        yield Idea(f"{x}.value_counts().max()", 0)
        yield Idea(f"{x}.str.len().max()", 0)
        yield Idea(f"{x}.str.len().mean()", 0)
        yield Idea(f"{x}.max()", 0)
        yield Idea(f"{x}.min()", 0)
    yield from missing_counts(table)
    yield from ratios(table, bench)
    yield from best_rows(table, bench)
    yield from time_spans(table, bench)


def missing_counts(table: Table) -> Iterator[Idea]:
    """How many values or rows are missing, repeated or complete."""
    name = table.name
    yield Idea(f"{name}.isna().sum().sum()", 0)
    yield Idea(f"{name}.isna().any(axis=1).sum()", 0)
    yield Idea(f"len({name}.dropna())", 0)
    yield Idea(f"{name}.duplicated().sum()", 0)
    yield Idea(f"len({name}.drop_duplicates())", 0)
    for label in table.columns:
        x = table.column(label)
        yield Idea(f"{x}.isna().sum()", 0)
        yield Idea(f"{x}.notna().sum()", 0)
        yield Idea(f"{x}.isna().mean() * 100", 0)
        yield Idea(f"{x}.duplicated().sum()", 0)


def ratios(table: Table, bench: Bench) -> Iterator[Idea]:
    """Weighted means, ratios of totals, spans and correlations."""
    plain = [table.column(label) for label in table.numbers]
    for a, b in itertools.permutations(plain, 2):
        yield Idea(f"({a} * {b}).sum() / {b}.sum()", 0)
        yield Idea(f"{a}.sum() / {b}.sum()", 0)
        yield Idea(f"{a}.sum() / {b}.sum() * 100", 0)
        yield Idea(f"{a}.sum() - {b}.sum()", 0)
        yield Idea(f"np.average({a}, weights={b})", 0)
    for a, b in itertools.combinations(plain, 2):
        yield Idea(f"{a}.corr({b})", 0)
        yield Idea(f'{a}.corr({b}, method="spearman")', 0)
        yield Idea(f"({a} - {b}).abs().mean()", 0)
        yield Idea(f"(({a} - {b}) ** 2).mean()", 0)
        yield Idea(f"np.sqrt((({a} - {b}) ** 2).mean())", 0)
    for a, b, c in itertools.permutations(plain, 3):
        yield Idea(f"({a} * {b} * {c}).sum()", 0)
        yield Idea(f"({a} * {b}).sum() / {c}.sum()", 0)
        yield Idea(f"(({a} - {b}) * {c}).sum()", 0)
    for x in [*plain, *bench.likeliest(products(table), 6)]:
        yield Idea(f"{x}.max() - {x}.min()", 0)
        yield Idea(f"{x}.iloc[-1] - {x}.iloc[0]", 0)
        yield Idea(f"({x}.iloc[-1] - {x}.iloc[0]) / {x}.iloc[0] * 100", 0)
        yield Idea(f"{x}.diff().max()", 0)
        yield Idea(f"{x}.diff().abs().max()", 0)
        yield Idea(f"{x}.std() / {x}.mean()", 0)
        yield Idea(f"{x}.quantile(0.75) - {x}.quantile(0.25)", 0)
        for number in bench.words.numbers:
            if 0 < number < 100:
                yield Idea(f"{x}.quantile({literal(float(f'{number / 100:.6g}'))})", 0)
            if isinstance(number, int) and 1 < number <= 50:
                yield Idea(f"{x}.nlargest({number}).sum()", 0)
                yield Idea(f"{x}.nlargest({number}).mean()", 0)
                yield Idea(f"{x}.nlargest({number}).iloc[-1]", 0)
                yield Idea(f"{x}.head({number}).sum()", 0)


def best_rows(table: Table, bench: Bench) -> Iterator[Idea]:
    """What stands in the row with the largest or smallest value."""
    for x in bench.likeliest(values(table), 20):
        for call in ("idxmax", "idxmin"):
            row = f"{x}.{call}()"
            yield Idea(row, 0)
            for label in table.columns:
                yield Idea(f"{table.name}.loc[{row}, {literal(label)}]", 0)
            for label in table.dated:
                yield Idea(f"{table.name}.loc[{row}, {literal(label)}]", 0)
    for label in table.words:
        row = f"{table.column(label)}.str.len().idxmax()"
        yield from (Idea(f"{table.name}.loc[{row}, {literal(c)}]", 0) for c in table.columns)


def time_spans(table: Table, bench: Bench) -> Iterator[Idea]:
    """Days between the first and the last date, and sums of durations."""
    for label in table.dated:
        x = table.moment(label)
        yield Idea(f"({x}.max() - {x}.min()).days", 0)
        yield Idea(f"{x}.max()", 0)
        yield Idea(f"{x}.min()", 0)
        yield Idea(f"{x}.sort_values().diff().max().days", 0)
    for vector in date_vectors(table, bench):
        x = bracketed(vector)
        if "dt.days" in x or "seconds" in x:
            yield from (
                Idea(f"{x}.{call}()", 0) for call in ("mean", "max", "min", "sum", "median")
            )


def filtered_reductions(table: Table, bench: Bench) -> Iterator[Idea]:
    """One value out of the rows that the text names."""
    yield from bench.ordered(filtered(table, bench))


def filtered(table: Table, bench: Bench) -> Iterator[Idea]:
    """As `filtered_reductions`, in no order."""
    simple = bench.likeliest(spoken(table, bench), MOST_FILTERS)
    both = [f"{a} & {b}" for a, b in itertools.combinations(simple[:14], 2)]
    plain = bench.likeliest(values(table), 14)
    for mask in [*simple, *bench.likeliest(both, MOST_FILTERS)]:
        rows_meant = bench.value(mask)
        if not isinstance(rows_meant, pd.Series) or bool(rows_meant.all()):
            continue
        condition = bracketed(mask)
        yield Idea(f"{condition}.sum()", 0)
        yield Idea(f"{condition}.mean()", 0)
        yield Idea(f"{condition}.mean() * 100", 0)
        rows = mask if mask.startswith("(") and mask.count(" & ") else mask.strip("()")
        rows = mask if bench.value(rows) is None else rows
        for label in table.columns:
            where = f"{table.name}.loc[{rows}, {literal(label)}]"
            if label in table.numbers:
                yield from (Idea(f"{where}.{call}()", 0) for call in CALLS[:6])
                total = f"{table.column(label)}.sum()"
                yield Idea(f"{where}.sum() / {total}", 0)
                yield Idea(f"{where}.sum() / {total} * 100", 0)
            else:
                yield Idea(f"{where}.nunique()", 0)
                yield Idea(f"{where}.iloc[0]", 0)
                yield Idea(f"{where}.value_counts().idxmax()", 0)
        yield from (Idea(f"{x}[{rows}].{call}()", 0) for x in plain for call in ("sum", "mean"))


def best_groups(table: Table, bench: Bench) -> Iterator[Idea]:
    """The group with the most, and what it has."""
    yield from bench.ordered(of_groups(table, bench))


def of_groups(table: Table, bench: Bench) -> Iterator[Idea]:
    """As `best_groups`, in no order."""
    calls = sorted(("sum", "mean", "count", "max", "nunique"), key=lambda c: -bench.hint(f".{c}("))
    for key in keys_for(table, bench):
        yield Idea(f"{key.code}.value_counts()", 1)
        yield Idea(f"{table.name}.groupby({key.by}).size()", 1)
        for x in bench.likeliest(values(table), 10):
            if x == key.code:
                continue
            yield from (Idea(f"{x}.groupby({key.code}).{call}()", 1) for call in calls)
        for label in table.texts:
            if table.column(label) != key.code:
                yield Idea(f"{table.name}.groupby({key.by})[{literal(label)}].nunique()", 1)
