"""A column of a few distinct values, chosen by conditions: `np.where`, thresholds, maps."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.conditions import conditions
from exeds_lab.generate.embedded.search.grid import Atom, atoms
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table
from exeds_lab.generate.embedded.search.vectors import products

MOST_CASES = 3


def case_codes(table: Table, bench: Bench, wanted: list[Atom]) -> Iterator[str]:
    """Expressions that choose the wanted value of each row."""
    distinct = list(dict.fromkeys(wanted))
    if not 2 <= len(distinct) <= 5 or None in distinct:
        return
    if len(distinct) == 2:
        yield from two_cases(table, bench, wanted, distinct)
    if set(distinct) == {True, False} and all(type(value) is bool for value in distinct):
        return
    for x in [*(table.column(label) for label in table.numbers), *products(table)[:12]]:
        yield from thresholds(bench, x, wanted)
    if len(distinct) == 3:
        yield from three_cases(table, bench, wanted, distinct)
    yield from mapped(table, bench, wanted)


def two_cases(
    table: Table, bench: Bench, wanted: list[Atom], distinct: list[Atom]
) -> Iterator[str]:
    """A condition, or one of two values by a condition."""
    truth = all(type(value) is bool for value in distinct)
    first = True if truth else likelier_first(bench, distinct)
    other = next(value for value in distinct if value != first)
    mask = np.array([value == first for value in wanted])
    for condition in conditions(table, bench, mask)[:6]:
        if truth:
            yield condition if "&" in condition or "|" in condition else unwrapped(condition)
        elif {first, other} == {0, 1} and first == 1:
            yield f"{bracketed(condition)}.astype(int)"
        else:
            yield f"np.where({unwrapped(condition)}, {literal(first)}, {literal(other)})"


def likelier_first(bench: Bench, distinct: list[Atom]) -> Atom:
    """The value that the text names first; 1 of 0 and 1."""
    if set(distinct) == {0, 1}:
        return 1
    places = [bench.words.text.find(str(value).lower()) for value in distinct]
    return distinct[places.index(min(places, key=lambda place: (place < 0, place)))]


def bracketed(condition: str) -> str:
    """A condition on which a method can be called."""
    joined = " & " in condition or " | " in condition or condition.startswith("~")
    return f"({condition})" if joined or not condition.startswith("(") else condition


def unwrapped(condition: str) -> str:
    """A single condition without its brackets."""
    joined = " & " in condition or " | " in condition
    plain = condition.startswith("(") and condition.endswith(")") and not joined
    inner = condition[1:-1]
    return inner if plain and balanced(inner) else condition


def balanced(code: str) -> bool:
    """Whether brackets close only what was opened."""
    depth = 0
    for sign in code:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def thresholds(bench: Bench, x: str, wanted: list[Atom]) -> Iterator[str]:
    """Values by ranges of a number, with edges that the text names."""
    series = bench.value(x)
    if series is None or len(series) != len(wanted) or series.isna().any():
        return
    ordered = sorted(zip(atoms(series), wanted), key=lambda pair: pair[0])
    blocks: list[tuple[Atom, list[float]]] = []
    for number, value in ordered:
        if not blocks or blocks[-1][0] != value:
            blocks.append((value, []))
        blocks[-1][1].append(number)
    values = [value for value, _ in blocks]
    if len(set(values)) != len(values) or len(values) < 2:
        return
    gaps = [(max(low[1]), min(high[1])) for low, high in zip(blocks, blocks[1:])]
    edges = [edge(bench, low, high) for low, high in gaps]
    if all(found is not None for found in edges):
        yield nested_where(x, values, [found for found in edges if found is not None])


def edge(bench: Bench, low: float, high: float) -> tuple[str, str] | None:
    """The comparison that divides two ranges: a sign and a number of the text."""
    for number in bench.words.numbers:
        if low < number <= high and not (number == high and says_above(bench, number)):
            return ">=", literal(number)
    for number in bench.words.numbers:
        if low <= number < high:
            return ">", literal(number)
    return None


def says_above(bench: Bench, number: float) -> bool:
    """Whether the text excludes the number itself."""
    return any(
        f"{word} {literal(number)}" in bench.words.text for word in ("above", "over", "than")
    )


def nested_where(x: str, values: list[Atom], edges: list[tuple[str, str]]) -> str:
    """`np.where` from the highest range down."""
    code = literal(values[0])
    for value, (sign, number) in zip(values[1:], edges):
        code = f"np.where({x} {sign} {number}, {literal(value)}, {code})"
    return code


def three_cases(
    table: Table, bench: Bench, wanted: list[Atom], distinct: list[Atom]
) -> Iterator[str]:
    """Two conditions, the second among the rows that the first leaves."""
    found = 0
    for first, second, last in itertools.permutations(distinct):
        one = conditions(table, bench, np.array([value == first for value in wanted]))
        two = conditions(table, bench, np.array([value == second for value in wanted]))
        if one and two:
            inner = f"np.where({unwrapped(two[0])}, {literal(second)}, {literal(last)})"
            yield f"np.where({unwrapped(one[0])}, {literal(first)}, {inner})"
            found += 1
        if found >= MOST_CASES:
            return


def mapped(table: Table, bench: Bench, wanted: list[Atom]) -> Iterator[str]:
    """Each value of a text column replaced by another that the text names."""
    for label in table.words:
        source: list[Any] = atoms(table.frame[label])
        pairs = dict(zip(source, wanted))
        whole = all(pairs[key] == value for key, value in zip(source, wanted))
        named = [bench.words.mention(str(value)) > 0 for value in pairs.values()]
        if whole and None not in pairs and len(pairs) <= 6 and all(named):
            yield f"{table.column(label)}.map({literal(pairs)})"
