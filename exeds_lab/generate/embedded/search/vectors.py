"""Columns that can be computed from a table's columns, one value a row."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.keys import key_codes
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table

UNARY = (
    "cumsum()",
    "diff()",
    "shift(1)",
    "shift(-1)",
    "pct_change()",
    "rank()",
    "rank(ascending=False)",
    'rank(method="dense", ascending=False)',
    'rank(method="min", ascending=False)',
    'rank(method="dense")',
    'rank(method="min")',
    "abs()",
    "cummax()",
    "cummin()",
    "cumprod()",
    "round()",
    "astype(int)",
    "fillna(0)",
    "ffill()",
    "bfill()",
    "interpolate()",
    "expanding().mean()",
)
FORMULAS = (
    "{x} / {x}.sum()",
    "{x} / {x}.sum() * 100",
    "({x} - {x}.mean()) / {x}.std()",
    "({x} - {x}.mean()) / {x}.std(ddof=0)",
    "({x} - {x}.min()) / ({x}.max() - {x}.min())",
    "{x} - {x}.mean()",
    "{x} - {x}.median()",
    "{x} - {x}.min()",
    "{x} / {x}.max()",
    "{x} / {x}.iloc[0]",
    "{x} / {x}.iloc[0] * 100",
    "{x} - {x}.iloc[0]",
    "{x}.pct_change() * 100",
    "np.log({x})",
    "np.log1p({x})",
    "np.sqrt({x})",
    "{x} ** 2",
    "{x}.fillna({x}.mean())",
    "{x}.fillna({x}.median())",
    "{x}.fillna({x}.max())",
    "{x}.fillna({x}.min())",
    "{x}.cumsum() / {x}.sum()",
    "{x}.cumsum() / {x}.sum() * 100",
)
IN_GROUPS = (
    "rank(ascending=False)",
    "rank()",
    "cumsum()",
    'transform("sum")',
    'transform("mean")',
    'transform("max")',
    'transform("min")',
    'transform("median")',
    'transform("count")',
    "diff()",
    "shift(1)",
    "shift(-1)",
    "pct_change()",
    "cummax()",
    'rank(method="dense", ascending=False)',
    'rank(method="min", ascending=False)',
)
IN_GROUP_FORMULAS = (
    '{x} / {g}.transform("sum")',
    '{x} / {g}.transform("sum") * 100',
    '{x} - {g}.transform("mean")',
    '{x} - {g}.transform("first")',
    '{x} / {g}.transform("max")',
    '{x} - {g}.transform("min")',
    '{g}.transform("max") - {x}',
    '{x}.fillna({g}.transform("mean"))',
    '{x}.fillna({g}.transform("median"))',
    '({x} - {g}.transform("mean")) / {g}.transform("std")',
)


def products(table: Table) -> list[str]:
    """Two number columns combined by arithmetic."""
    found = []
    for a, b in itertools.permutations(table.numbers, 2):
        for sign in "*-/+":
            if sign in "*+" and str(a) > str(b):
                continue
            found.append(f"({table.column(a)} {sign} {table.column(b)})")
    return found


def values(table: Table) -> list[str]:
    """Number columns and their products: what is aggregated."""
    return [*(table.column(label) for label in table.numbers), *products(table)]


def number_vectors(table: Table, bench: Bench) -> Iterator[str]:
    """Everything computed from one or two number columns."""
    plain = [table.column(label) for label in table.numbers]
    yield from plain
    pairs = bench.likeliest(products(table), 40)
    yield from pairs
    for x in [*plain, *bench.likeliest(pairs, 12)]:
        yield from (f"{x}.{call}" for call in UNARY)
        yield from (formula.format(x=x) for formula in FORMULAS)
        yield from windows(x, bench)
        for number in bench.words.numbers:
            yield from (f"{x} {sign} {literal(number)}" for sign in "*+-/")
            yield from percentages(x, number)
            yield f"{x}.clip(upper={literal(number)})"
            yield f"{x}.clip(lower={literal(number)})"
    yield from mixtures(table, bench)


def mixtures(table: Table, bench: Bench) -> Iterator[str]:
    """Three number columns, and two with a constant."""
    for a, b, c in itertools.permutations([table.column(n) for n in table.numbers[:6]], 3):
        yield f"{a} * {b} - {c}"
        yield f"{a} * {b} + {c}"
        yield f"{a} * {b} * (1 - {c})"
        yield f"{a} * {b} * {c}"
        yield f"({a} - {b}) / {c}"
        yield f"{a} + {b} + {c}"
    for pair in bench.likeliest(products(table), 12):
        yield f"{pair} * 100"
        yield f"{pair} ** 2"
        for number in bench.words.numbers:
            yield from (f"{pair} {sign} {literal(number)}" for sign in "*/")
            yield from percentages(pair, number)
    for a, b in itertools.permutations([table.column(n) for n in table.numbers], 2):
        yield f"({a} - {b}) / {b} * 100"
        yield f"({a} - {b}) / {a} * 100"
        yield f"({a} - {b}) / {b}"
        yield f"{a} / {b} ** 2"
    if len(table.numbers) > 1:
        frame = f"{table.name}[{literal(table.numbers)}]"
        yield from (f"{frame}.{call}(axis=1)" for call in ("sum", "mean", "max", "min", "idxmax"))


def percentages(x: str, number: Any) -> Iterator[str]:
    """A discount or a surcharge of so many percent."""
    if 0 < number < 100:
        share = float(f"{number / 100:.6g}")
        yield f"{x} * {literal(share)}"
        yield f"{x} * {literal(float(f'{1 + number / 100:.6g}'))}"
        yield f"{x} * {literal(float(f'{1 - number / 100:.6g}'))}"


def windows(x: str, bench: Bench) -> Iterator[str]:
    """Rolling windows."""
    for width in sorted({2, 3, 7, *bench.words.counts}):
        for call in ("mean", "sum", "max", "min"):
            yield f"{x}.rolling({width}).{call}()"
        yield f"{x}.rolling({width}, min_periods=1).mean()"
        yield f"{x}.rolling({width}, min_periods=1).sum()"


def grouped_vectors(table: Table, bench: Bench) -> Iterator[str]:
    """Each row in relation to its group."""
    for code, label in itertools.islice(key_codes(table, bench), len(table.columns) + 14):
        found = bench.value(code)
        if found is None or not hasattr(found, "nunique") or label in table.lists:
            continue
        if found.nunique() >= table.length:
            continue
        for number in table.numbers:
            x = table.column(number)
            if x == code:
                continue
            group = f"{x}.groupby({code})"
            if label is not None:
                group = f"{table.name}.groupby({literal(label)})[{literal(number)}]"
            yield from (f"{group}.{call}" for call in IN_GROUPS)
            yield from (formula.format(x=x, g=group) for formula in IN_GROUP_FORMULAS)
        by = code if label is None else literal(label)
        yield f"{table.name}.groupby({by}).cumcount() + 1"
        yield f"{table.name}.groupby({by}).cumcount()"
        yield (
            f'{table.name}.groupby({by})[{by}].transform("size")'
            if label is not None
            else (f'{code}.groupby({code}).transform("size")')
        )


def text_vectors(table: Table, bench: Bench) -> Iterator[str]:
    """Changed texts."""
    for label in table.words:
        column = table.column(label)
        for word in [*bench.words.quoted, "-", " ", ",", "$", "%", ".", "#"]:
            yield f'{column}.str.replace({literal(word)}, "", regex=False)'
            yield f'{column}.str.replace({literal(word)}, "", regex=False).astype(float)'
            yield f'{column}.str.replace({literal(word)}, "", regex=False).astype(int)'
        for a, b in itertools.permutations(bench.words.quoted[:4], 2):
            yield f"{column}.str.replace({literal(a)}, {literal(b)}, regex=False)"
        yield from (f"{column}.{call}" for call in TEXT_CALLS)
        for sign in bench.words.quoted[:4]:
            yield f"{column}.str.count({literal(sign)})"
            yield f"{column}.str.contains({literal(sign)})"
            yield f"{column}.fillna({literal(sign)})"
            yield f"{column}.fillna({literal(sign.strip())})"


TEXT_CALLS = (
    "str.strip().str.lower()",
    "str.strip().str.title()",
    "str.strip().str.upper()",
    "str.split().str.len()",
    "str[::-1]",
    r'str.extract(r"(\d+)", expand=False)',
    r'str.extract(r"(\d+)", expand=False).astype(int)',
    r'str.extract(r"(\d+\.?\d*)", expand=False).astype(float)',
    "astype(int)",
    "astype(float)",
    "str.zfill(5)",
    'fillna("unknown")',
    "ffill()",
    "bfill()",
    "str.split().str[0].str[0]",
    'str.replace(" ", "_")',
    'str.lower().str.replace(" ", "_")',
)


def date_vectors(table: Table, bench: Bench) -> Iterator[str]:
    """Dates themselves, and the time between two."""
    for label in table.dated:
        moment = table.moment(label)
        if label in table.date_texts:
            yield moment
        for date in bench.words.dates:
            yield f"(pd.Timestamp({literal(date)}) - {moment}).dt.days"
            yield f"({moment} - pd.Timestamp({literal(date)})).dt.days"
        yield f"{moment}.diff().dt.days"
        yield f"({moment} - {moment}.min()).dt.days"
        yield f"({moment}.max() - {moment}).dt.days"
        yield f"{moment}.dt.dayofweek >= 5"
        yield f"{moment}.dt.normalize()"
        for number in bench.words.counts:
            yield f"{moment} + pd.Timedelta(days={number})"
        for pattern in ("%d.%m.%Y", "%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%B", "%A", "%a", "%H:%M"):
            yield f"{moment}.dt.strftime({literal(pattern)})"
    for a, b in itertools.permutations(table.dated, 2):
        gap = f"({table.moment(b)} - {table.moment(a)})"
        yield f"{gap}.dt.days"
        yield gap
        yield f"{gap}.dt.days + 1"
        yield f"{gap}.dt.total_seconds() / 3600"
        yield f"{gap}.dt.total_seconds() / 60"
        yield f"{gap}.dt.total_seconds()"


def all_vectors(table: Table, bench: Bench) -> Iterator[str]:
    """Every vector, cheap and likely ones first."""
    yield from (code for code, _ in key_codes(table, bench))
    yield from date_vectors(table, bench)
    yield from number_vectors(table, bench)
    yield from text_vectors(table, bench)
    yield from grouped_vectors(table, bench)
