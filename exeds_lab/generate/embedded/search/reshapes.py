"""Strategies that turn a table into another shape."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from exeds_lab.generate.embedded.search.bench import Bench, Idea
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table


def reshapes(table: Table, bench: Bench) -> Iterator[Idea]:
    """Long, wide, turned round, exploded, indicator columns, summaries."""
    if bench.goal.form not in ("frame", "series", "array"):
        return
    yield from bench.ordered(reshaped(table, bench))


def reshaped(table: Table, bench: Bench) -> Iterator[Idea]:
    """As `reshapes`, in no order."""
    yield Idea(f"{table.name}", 1)
    yield from melts(table, bench)
    yield from indicators(table, bench)
    yield from explosions(table)
    yield from summaries(table)
    yield from resampled(table)


def melts(table: Table, bench: Bench) -> Iterator[Idea]:
    """One row a value."""
    columns = bench.goal.columns
    kept = [label for label in columns if label in table.columns]
    named = [label for label in columns if label not in table.columns]
    if kept and len(named) == 2:
        var, value = literal(named[0]), literal(named[1])
        yield Idea(
            f"{table.name}.melt(id_vars={literal(kept)}, var_name={var}, value_name={value})", 2
        )
        if len(table.texts) < len(kept):
            yield Idea(f"{table.name}.melt(id_vars={literal(kept)})", 1)
    if kept:
        yield Idea(f"{table.name}.melt(id_vars={literal(kept)})", 1)
    for label in table.columns:
        yield Idea(f"{table.name}.set_index({literal(label)}).stack()", 1)
        yield Idea(f"{table.name}.set_index({literal(label)}).T", 1)
    yield Idea(f"{table.name}.T", 1)


def indicators(table: Table, bench: Bench) -> Iterator[Idea]:
    """A column of 0 and 1, or of truth values, for each value of a column."""
    if bench.goal.form != "frame" or bench.goal.length != table.length:
        return
    for label in table.words:
        column = table.column(label)
        for code in (
            f"pd.get_dummies({column})",
            f"pd.get_dummies({column}, prefix={literal(label)})",
            f"pd.get_dummies({table.name}, columns=[{literal(label)}])",
            f"pd.get_dummies({table.name}, columns=[{literal(label)}], drop_first=True)",
            f"{table.name}.join(pd.get_dummies({column}))",
        ):
            yield Idea(code, 0)
            yield Idea(
                f"{code[:-1]}, dtype=int)"
                if "join" not in code
                else (f"{table.name}.join(pd.get_dummies({column}, dtype=int))"),
                0,
            )
    for label in table.words:
        yield Idea(f'{table.column(label)}.str.get_dummies(",")', 0)
        yield Idea(f'{table.column(label)}.str.get_dummies(";")', 0)
        yield Idea(f'{table.column(label)}.str.get_dummies("|")', 0)
        yield Idea(f"{table.column(label)}.str.split(expand=True)", 0)
        yield Idea(f'{table.column(label)}.str.split("-", expand=True)', 0)


def explosions(table: Table) -> Iterator[Idea]:
    """One row an item of a list, or of a text that lists items."""
    for label in table.lists:
        yield Idea(f"{table.name}.explode({literal(label)})", 2)
        yield Idea(f"{table.column(label)}.explode().value_counts()", 1)
    for label in table.words:
        values = [value for value in table.distinct(label) if isinstance(value, str)]
        for sign in (", ", ",", ";", "; ", "|", " "):
            if not any(sign in value for value in values):
                continue
            split = f"{table.column(label)}.str.split({literal(sign)})"
            name = str(label)
            if name.isidentifier():
                yield Idea(f"{table.name}.assign({name}={split}).explode({literal(label)})", 1)
            yield Idea(f"{split}.explode().value_counts()", 1)


def summaries(table: Table) -> Iterator[Idea]:
    """One value a column."""
    name = table.name
    yield Idea(f"{name}.isna().sum()", 1)
    yield Idea(f"{name}.isna().mean()", 1)
    yield Idea(f"{name}.isna().mean() * 100", 1)
    yield Idea(f"{name}.nunique()", 1)
    yield Idea(f"{name}.count()", 1)
    yield Idea(f"{name}.dtypes.astype(str)", 0)
    yield Idea(f"{name}.describe()", 1)
    for call in ("mean", "sum", "max", "min", "median", "std", "corr"):
        yield Idea(f"{name}.{call}(numeric_only=True)", 1)
    numbers = table.numbers
    for call in ("sum", "mean", "max", "min", "median"):
        if len(numbers) > 1:
            yield Idea(f"{name}[{literal(numbers)}].{call}(axis=1)", 1)
    for pair in itertools.combinations(numbers, 2):
        yield Idea(f"{name}[{literal(list(pair))}].agg({literal(['mean', 'max', 'min'])})", 1)
    yield Idea(f"{name}.fillna(0)", 1)
    yield Idea(f"{name}.ffill()", 1)
    yield Idea(f"{name}.bfill()", 1)
    yield Idea(f"{name}.interpolate()" if len(numbers) == len(table.columns) else name, 1)
    yield Idea(f"{name}.fillna({name}.mean(numeric_only=True))", 1)
    yield Idea(f"{name}.fillna({name}.median(numeric_only=True))", 1)


def resampled(table: Table) -> Iterator[Idea]:
    """Totals a day, week or month, missing ones included."""
    for label in table.dated:
        column = literal(label)
        start = table.name
        if label in table.date_texts:
            start = (
                f"{table.name}.assign({label}={table.moment(label)})"
                if (str(label).isidentifier())
                else ""
            )
        if not start:
            continue
        for number in table.numbers:
            for rule in ("D", "W", "MS"):
                code = f'{start}.set_index({column})[{literal(number)}].resample("{rule}")'
                yield from (Idea(f"{code}.{call}()", 1) for call in ("sum", "mean"))
