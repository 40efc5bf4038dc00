"""Finishing steps: what may follow an expression on the way to the goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.form import bracketed, convert
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table

REDUCING = ("idxmax()", "idxmin()", "max()", "min()", "mean()", "sum()", "median()", "nunique()")
ELEMENTWISE = (
    "{x} / {x}.sum() * 100",
    "{x} / {x}.sum()",
    "{x}.cumsum()",
    "{x}.diff()",
    "{x}.pct_change()",
    "{x}.pct_change() * 100",
    "{x}.rank(ascending=False)",
    "{x} - {x}.mean()",
    "{x}.cumsum() / {x}.sum() * 100",
    "{x} / {x}.max()",
    "{x}.sort_values(ascending=False).cumsum()",
)


def develop(bench: Bench, code: str, depth: int, done: dict[str, int]) -> None:
    """Offer an expression, put it into form if it fits, else try what may follow it."""
    value = bench.value(code)
    if value is None or done.get(code, -1) >= depth:
        return
    done[code] = depth
    fit = bench.fit(code)
    if fit is not None:
        if fit.misses:
            convert(bench, code, fit)
        if not fit.rounding and not fit.order:
            return
    if depth <= 0:
        return
    for step in following(bench, code, value):
        develop(bench, step, depth - 1, done)


def following(bench: Bench, code: str, value: Any) -> Iterator[str]:
    """Expressions one step further."""
    if isinstance(value, pd.Series):
        yield from after_series(bench, bracketed(code), value)
    elif isinstance(value, pd.DataFrame):
        yield from after_frame(bench, bracketed(code), value)


def after_series(bench: Bench, x: str, series: pd.Series) -> Iterator[str]:
    """Steps after a series, by how long it is and should be."""
    goal, length = bench.goal, len(series)
    if goal.length == 1 and goal.form in ("scalar", "list") and length:
        yield from (f"{x}.{call}" for call in REDUCING)
        yield f"{x}.max() - {x}.min()"
        yield f"{x}.idxmax()[0]"
        for number in bench.words.numbers:
            yield from (f"({x} {sign} {literal(number)}).sum()" for sign in (">", ">=", "<", "<="))
    if length == goal.length and length > 1:
        yield from (formula.format(x=x) for formula in ELEMENTWISE)
    if series.index.nlevels == 2 and goal.form == "frame":
        yield f"{x}.unstack()"
        yield f"{x}.unstack(fill_value=0)"
        yield f"{x}.unstack(0)"
        yield f"{x}.unstack(0, fill_value=0)"
    if series.index.nlevels == 2 and goal.form != "scalar":
        yield from (f"{x}.groupby(level=0).{call}" for call in ("idxmax()", "max()", "mean()"))
        yield f"{x}.groupby(level=0).rank(ascending=False)"
        yield f'{x} / {x}.groupby(level=0).transform("sum") * 100'
        yield f'{x} / {x}.groupby(level=0).transform("sum")'
    if length > goal.length:
        yield from shorter_series(bench, x, length)
    if goal.form in ("list", "array"):
        yield from listed(bench, x)


def listed(bench: Bench, x: str) -> Iterator[str]:
    """The labels of a series as a list."""
    yield f"{x}.index.tolist()"
    yield f"sorted({x}.index)"
    yield f"{x}.sort_values(ascending=False).index.tolist()"
    yield f"{x}.sort_values().index.tolist()"
    for number in bench.words.numbers:
        for sign in (">", ">=", "<", "<=", "=="):
            yield f"{x}[{x} {sign} {literal(number)}].index.tolist()"
    for count in lengths(bench, 10**9):
        yield f"{x}.nlargest({count}).index.tolist()"
        yield f"{x}.nsmallest({count}).index.tolist()"


def shorter_series(bench: Bench, x: str, length: int) -> Iterator[str]:
    """Some of a series."""
    for count in lengths(bench, length):
        yield f"{x}.nlargest({count})"
        yield f"{x}.nsmallest({count})"
        yield f"{x}.head({count})"
        yield f"{x}.tail({count})"
    for number in bench.words.numbers:
        for sign in (">", ">=", "<", "<=", "=="):
            yield f"{x}[{x} {sign} {literal(number)}]"
    yield f"{x}[{x} > {x}.mean()]"
    yield f"{x}[{x} < {x}.mean()]"
    yield f"{x}.dropna()"
    yield f"{x}[{x} == {x}.max()]"
    yield f"{x}[{x} > 1]"


def after_frame(bench: Bench, x: str, frame: pd.DataFrame) -> Iterator[str]:
    """Steps after a table, by how many rows it has and should have."""
    goal, length = bench.goal, len(frame)
    labels = [str(label) for label in frame.columns if type(label) is str]
    if goal.form == "scalar":
        yield f"len({x})"
        return
    wanted = set(goal.columns)
    if length == goal.length:
        yield f"{x}.fillna(0)"
        yield f"{x}.fillna(0).astype(int)"
        yield f"{x}.div({x}.sum(axis=1), axis=0)"
        yield f"{x}.div({x}.sum(axis=1), axis=0) * 100"
        yield f"{x} / {x}.sum()"
    if wanted and wanted <= set(map(str, frame.index)) and len(wanted) == length:
        yield f"{x}.T"
    if length > goal.length:
        yield from shorter_frame(bench, x, frame, labels)
    if goal.length > length or goal.form == "series":
        yield f"{x}.stack()"
        yield f"{x}.sum(axis=1)"
        yield f"{x}.mean(axis=1)"
        yield f"{x}.sum()"


def shorter_frame(bench: Bench, x: str, frame: pd.DataFrame, labels: list[str]) -> Iterator[str]:
    """Some rows of a table."""
    yield f"{x}.dropna()"
    yield f"{x}.drop_duplicates()"
    table = Table("", frame)
    numbers = [label for label in table.numbers if isinstance(label, str)]
    for count in lengths(bench, len(frame)):
        yield f"{x}.head({count})"
        yield f"{x}.tail({count})"
        for label in numbers:
            yield f"{x}.nlargest({count}, {literal(label)})"
            yield f"{x}.nsmallest({count}, {literal(label)})"
        for label in labels:
            yield f"{x}.sort_values({literal(label)}).head({count})"
            yield f"{x}.sort_values({literal(label)}, ascending=False).head({count})"
    for label in numbers:
        for number in bench.words.numbers:
            yield from (
                f'{x}.query("{label} {sign} {literal(number)}")'
                for sign in (">", ">=", "<", "<=", "==")
                if label.isidentifier()
            )


def lengths(bench: Bench, below: int) -> list[int]:
    """How many to keep: numbers of the text, then the goal's own length."""
    wanted = [count for count in bench.words.counts if count < below]
    if bench.goal.length not in wanted and 0 < bench.goal.length < below:
        wanted.append(bench.goal.length)
    return [count for count in wanted if count == bench.goal.length] or wanted
