"""Conditions on rows: which rows of a table are meant."""

from __future__ import annotations

import calendar
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table

MOST_CONDITIONS = 40


class Condition(NamedTuple):
    """Code of a truth value a row, and these values."""

    code: str
    mask: np.ndarray


def spoken(table: Table, bench: Bench) -> list[str]:
    """Conditions whose constants stand in the text: what a task may filter by."""
    found = [f"({table.column(label)})" for label in table.flags]
    for label in table.words:
        for value in table.distinct(label):
            if isinstance(value, str) and bench.words.mention(value) > 0:
                found.append(f"({table.column(label)} == {literal(value)})")
                found.append(f"({table.column(label)} != {literal(value)})")
    for label in table.numbers:
        for number in bench.words.numbers:
            tests = (f"{sign} {literal(number)}" for sign in (">", ">=", "<", "<=", "=="))
            found.extend(f"({table.column(label)} {test})" for test in tests)
    for label in table.dated:
        found.extend(date_conditions(table, label, bench))
    found.extend(f"({code})" for code in text_conditions(table, bench))
    return found


def date_conditions(table: Table, label: Any, bench: Bench) -> Iterator[str]:
    """Before, after and within the dates that the text names."""
    column = table.column(label)
    for date in bench.words.dates:
        yield from (f"({column} {sign} {literal(date)})" for sign in (">=", ">", "<", "<="))
    for number in bench.words.numbers:
        if isinstance(number, int) and 1900 < number < 2200:
            yield f"({table.moment(label)}.dt.year == {number})"
    moment = table.moment(label)
    for part in ("day_name", "month_name"):
        for value in bench.words.tokens:
            if value.title() in CALENDAR:
                yield f'({moment}.dt.{part}() == "{value.title()}")'
    yield f"({moment}.dt.dayofweek >= 5)"
    yield f"({moment}.dt.dayofweek < 5)"
    yield f"({moment} == {moment}.max())"


CALENDAR = {*calendar.day_name, *calendar.month_name}


def text_conditions(table: Table, bench: Bench) -> Iterator[str]:
    """Texts that contain, start or end with what the text quotes."""
    for label in table.words:
        column = table.column(label)
        for word in bench.words.quoted[:6]:
            yield f"{column}.str.contains({literal(word)}, regex=False)"
            yield f"{column}.str.contains({literal(word)}, case=False, regex=False)"
            yield f"{column}.str.endswith({literal(word)})"
        for word in [*bench.words.capitals, *bench.words.quoted[:6]]:
            yield f"{column}.str.startswith({literal(word)})"
        for number in bench.words.counts:
            yield from (
                f"{column}.str.len() {sign} {number}" for sign in (">", ">=", "<", "<=", "==")
            )


def number_conditions(table: Table, label: Any, bench: Bench) -> Iterator[str]:
    """Comparisons of a number column with constants, statistics and other columns."""
    column = table.column(label)
    numbers = bench.words.numbers or sorted(table.distinct(label, 40))
    for number in numbers:
        for sign in (">", ">=", "<", "<=", "==", "!="):
            yield f"({column} {sign} {literal(number)})"
    for call in ("mean", "median", "max", "min"):
        yield from (f"({column} {sign} {column}.{call}())" for sign in (">", "<", ">=", "<=", "=="))
    yield from group_comparisons(table, label)
    for other in table.numbers:
        if other != label:
            yield from (f"({column} {sign} {table.column(other)})" for sign in (">", "<", "=="))
    yield from divisions(column, bench)


def group_comparisons(table: Table, label: Any) -> Iterator[str]:
    """Comparisons of a number column with a statistic of the row's group."""
    column = table.column(label)
    for other in [*table.words, *table.numbers][:6]:
        if other != label and table.repeats(other):
            group = f"{table.name}.groupby({literal(other)})[{literal(label)}]"
            for sign, call in ((">", "mean"), ("==", "max"), ("==", "min"), ("<", "mean")):
                yield f'({column} {sign} {group}.transform("{call}"))'


def divisions(column: str, bench: Bench) -> Iterator[str]:
    """Multiples of a number, and the best so many percent."""
    for number in bench.words.numbers:
        if isinstance(number, int) and number:
            yield from (f"({column} % {number} == {rest})" for rest in (0, 1))
        if 0 < number < 100:
            share = literal(float(f"{number / 100:.6g}"))
            yield from (
                f"({column} {s} {column}.quantile({share}))" for s in (">=", "<=", ">", "<")
            )


def value_conditions(table: Table, label: Any) -> Iterator[str]:
    """Equal to one of a column's own values."""
    for value in table.distinct(label):
        yield from (f"({table.column(label)} {sign} {literal(value)})" for sign in ("==", "!="))


def presence_conditions(table: Table, label: Any, bench: Bench) -> Iterator[str]:
    """Missing, repeated, first and last of its kind, many of its kind, in another table."""
    column = table.column(label)
    yield f"{column}.notna()"
    yield f"{column}.isna()"
    if label in table.lists:
        return
    yield f"~{column}.duplicated()"
    yield f'~{column}.duplicated(keep="last")'
    yield f"{column}.duplicated(keep=False)"
    yield f"~{column}.duplicated(keep=False)"
    if label in table.numbers and table.length > 50:
        return
    sizes = f'{table.name}.groupby({literal(label)})[{literal(label)}].transform("size")'
    for number in [*bench.words.counts[:4], 1]:
        yield from (f"({sizes} {sign} {number})" for sign in (">", ">=", "==", "<"))
    for number_column in table.numbers[:4]:
        sums = f'{table.name}.groupby({literal(label)})[{literal(number_column)}].transform("%s")'
        for call in ("sum", "mean", "max", "min"):
            for limit in bench.words.numbers[:4]:
                yield from (f"({sums % call} {sign} {literal(limit)})" for sign in (">", "<", ">="))


def other_table_conditions(table: Table, label: Any, bench: Bench) -> Iterator[str]:
    """In, or not in, the same column of another table."""
    for name, frame in bench.names.items():
        if name == table.name or not isinstance(frame, pd.DataFrame):
            continue
        if label in frame.columns:
            inside = f"{table.column(label)}.isin({name}[{literal(label)}])"
            yield inside
            yield f"~{inside}"
    for name, found in bench.names.items():
        if isinstance(found, (list, tuple, set)) and 0 < len(found) < 1000:
            yield f"{table.column(label)}.isin({name})"
            yield f"~{table.column(label)}.isin({name})"


def simple_conditions(table: Table, bench: Bench) -> Iterator[str]:
    """Every single condition on one column."""
    yield from spoken(table, bench)
    for label in table.columns:
        if label in table.numbers:
            yield from number_conditions(table, label, bench)
        elif label not in table.lists:
            yield from value_conditions(table, label)
        yield from presence_conditions(table, label, bench)
        if label not in table.lists:
            yield from other_table_conditions(table, label, bench)


def evaluated(table: Table, bench: Bench) -> list[Condition]:
    """Every single condition with its truth values."""
    return bench.keep(("conditions", table.name), lambda: evaluate_all(table, bench))


def evaluate_all(table: Table, bench: Bench) -> list[Condition]:
    """As `evaluated`, made anew."""
    found = []
    for code in dict.fromkeys(simple_conditions(table, bench)):
        series = bench.value(code)
        if isinstance(series, pd.Series) and len(series) == table.length:
            try:
                mask = series.fillna(False).to_numpy(dtype=bool)
            except (TypeError, ValueError):
                continue
            found.append(Condition(code, mask))
    return found


def conditions(table: Table, bench: Bench, mask: np.ndarray) -> list[str]:
    """Conditions that hold for exactly these rows, likeliest first."""
    if mask.all():
        return []
    known = evaluated(table, bench)
    found = [one.code for one in known if (one.mask == mask).all()]
    found += pairs(known, mask, bench, every=True)
    if len(found) < MOST_CONDITIONS:
        found += pairs(known, mask, bench, every=False)
    found += one_of(table, mask)
    return bench.likeliest(found, MOST_CONDITIONS)


def pairs(known: list[Condition], mask: np.ndarray, bench: Bench, every: bool) -> list[str]:
    """Two conditions joined by `&` (every) or `|` (any)."""
    if every:
        fits = [one for one in known if not (mask & ~one.mask).any() and not one.mask.all()]
    else:
        fits = [one for one in known if not (one.mask & ~mask).any() and one.mask.any()]
    fits = [one for one in fits if not (one.mask == mask).all()]
    fits.sort(key=lambda one: -bench.hint(one.code))
    found = []
    for a, b in itertools.combinations(fits[:100], 2):
        joined = a.mask & b.mask if every else a.mask | b.mask
        if (joined == mask).all():
            found.append(f"{a.code} {'&' if every else '|'} {b.code}")
            if len(found) >= MOST_CONDITIONS:
                break
    return found


def one_of(table: Table, mask: np.ndarray) -> list[str]:
    """`isin` with two to four of a text column's values."""
    found = []
    for label in table.words:
        column = table.frame[label]
        try:
            inside = set(column[mask].dropna().tolist())
            outside = set(column[~mask].dropna().tolist())
        except TypeError:
            continue
        if 2 <= len(inside) <= 4 and not inside & outside and not column[mask].isna().any():
            ordered = [value for value in table.distinct(label) if value in inside]
            found.append(f"{table.column(label)}.isin({literal(ordered)})")
    return found
