"""What rows may be grouped by: one value a row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.grid import Atom, atoms
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table

DATE_PARTS = (
    'strftime("%Y-%m")',
    "year",
    "month",
    'to_period("M")',
    "day_name()",
    "quarter",
    "month_name()",
    "dayofweek",
    "day",
    "hour",
    "date",
    'strftime("%Y")',
    'strftime("%b")',
    "isocalendar().week",
)
TEXT_PARTS = ("upper", "lower", "title", "capitalize", "strip")
MOST_KEYS = 14


class Key(NamedTuple):
    """A grouping."""

    code: str
    label: Any | None
    """The column's label when the key is a plain column; else None."""
    found: frozenset[Atom]
    """Its distinct values."""

    @property
    def by(self) -> str:
        """What to write in `groupby(…)`."""
        return self.code if self.label is None else literal(self.label)


def key_codes(table: Table, bench: Bench) -> Iterator[tuple[str, Any | None]]:
    """Code of every key, with the label of plain columns."""
    for label in table.columns:
        yield table.column(label), label
    for label in table.dated:
        if label in table.date_texts:
            bench.alias(table.moment(label))
        for part in DATE_PARTS:
            code = f"{table.moment(label)}.dt.{part}"
            if bench.goal.form != "scalar" or bench.hint(code) > 0:
                yield code, None
    for label in table.words:
        for code in text_parts(table, label, bench):
            yield code, None
    for label in table.numbers:
        for code in bins(table, label, bench):
            yield code, None


def text_parts(table: Table, label: Any, bench: Bench) -> Iterator[str]:
    """Those parts of a text column of which at least one stands in the goal."""
    column, wanted = table.column(label), bench.goal.texts
    values = [value for value in table.distinct(label) if isinstance(value, str)]
    signs = sorted({sign for value in values for sign in value if not sign.isalnum()})
    for sign in signs:
        if any(piece in wanted for value in values for piece in value.split(sign)):
            for place in (0, 1, -1, 2):
                yield f"{column}.str.split({literal(sign)}).str[{place}]"
    for part in TEXT_PARTS:
        if any(getattr(value, part)() in wanted for value in values):
            yield f"{column}.str.{part}()"
    yield f"{column}.str.len()"
    for width in sorted({1, 2, 3, 4, 7, *bench.words.counts}):
        if any(value[:width] in wanted for value in values):
            yield f"{column}.str[:{width}]" if width > 1 else f"{column}.str[0]"
        if any(value[-width:] in wanted for value in values):
            yield f"{column}.str[-{width}:]"


def bins(table: Table, label: Any, bench: Bench) -> Iterator[str]:
    """Ranges of a number column, edges from the text."""
    column = table.column(label)
    edges = sorted(set(bench.words.numbers))
    if not bench.goal.texts:
        return
    labels = bin_labels(bench)
    inner = [edge for edge in edges if edge + 1 not in edges]
    infinity = float("inf")
    for cut in (inner, edges, [e for e in edges if e - 1 not in edges]):
        if not cut:
            continue
        for bounds in ([-infinity, *cut, infinity], [0, *cut], [0, *cut, infinity], cut):
            if len(set(bounds)) < 2 or len(set(bounds)) != len(bounds):
                continue
            for right in (False, True):
                side = "" if right else ", right=False"
                start = f"pd.cut({column}, {literal([*bounds])}{side}"
                for names in labels:
                    if len(names) == len(bounds) - 1:
                        yield f"{start}, labels={literal(names)})"
                if any(text[0] in "([" for text in bench.goal.texts if text):
                    yield f"{start})"


def bin_labels(bench: Bench) -> list[list[str]]:
    """Texts that stand in the goal and could name ranges, in their order there."""
    grid = bench.goal.grid
    columns = [*(grid.index or []), *grid.cells]
    found = []
    for column in columns:
        names = list(dict.fromkeys(cell for cell in column if isinstance(cell, str)))
        if len(names) >= 2:
            found.append(names)
            found.append(sorted(names, key=first_number))
    return [names for place, names in enumerate(found) if names not in found[:place]]


def first_number(text: str) -> float:
    """The first number in a text; texts that only bound from above come first."""
    numbers = re.findall(r"\d+(?:\.\d+)?", text)
    under = re.match(r"\s*(?:<|under|below|less|up to)", text, re.IGNORECASE)
    return float(numbers[0]) - (0.5 if under else 0) if numbers else float("inf")


def keys_for(table: Table, bench: Bench) -> list[Key]:
    """The keys whose groups could be those of the goal, likeliest first."""
    return bench.keep(("keys", table.name), lambda: find_keys(table, bench))


def find_keys(table: Table, bench: Bench) -> list[Key]:
    """As `keys_for`, made anew."""
    found: list[tuple[Key, bool, float]] = []
    scalar = bench.goal.form == "scalar"
    for code, label in key_codes(table, bench):
        for _, series in bench.vectors(iter([code])):
            distinct = distinct_atoms(series)
            hits = len(distinct & bench.goal.labels)
            if not distinct or 2 * hits < (0 if scalar else min(len(distinct), bench.goal.length)):
                continue
            whole = hits == len(distinct)
            if scalar and not whole and len(distinct) >= table.length:
                continue
            share = hits / len(distinct) if not scalar else 0.0
            found.append((Key(code, label, distinct), whole, share))
    found.sort(key=lambda entry: rank(entry, bench))
    return unlike([key for key, _, _ in found], bench)[:MOST_KEYS]


def unlike(keys: list[Key], bench: Bench) -> list[Key]:
    """The keys without those that divide the rows just as an earlier one, with equal labels."""
    seen: list[list[Atom]] = []
    kept = []
    for key in keys:
        values = atoms(bench.value(key.code))
        if values not in seen:
            seen.append(values)
            kept.append(key)
    return kept


def rank(entry: tuple[Key, bool, float], bench: Bench) -> tuple[bool, float, int]:
    """Keys whose every group is in the goal first, then those that the words name."""
    key, whole, share = entry
    plain = 1.5 if key.label is not None and (share or bench.goal.form == "scalar") else 0.0
    return (not whole, -bench.hint(key.code) - plain, len(key.code))


def distinct_atoms(series: Any) -> frozenset[Atom]:
    """The distinct atoms of a series; empty when they have no hash or are too many."""
    try:
        unique = series.dropna().unique()
    except TypeError:
        return frozenset()
    return frozenset(atoms(unique)) if len(unique) <= 2000 else frozenset()
