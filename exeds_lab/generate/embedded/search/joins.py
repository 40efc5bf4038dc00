"""Two tables made one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pandas as pd

from exeds_lab.generate.embedded.search.bench import Bench, Idea
from exeds_lab.generate.embedded.search.literal import literal

MOST_ROWS = 1_000_000
"""A join that would have more rows is not tried."""


def joins(bench: Bench) -> Iterator[Idea]:
    """Every way to join or stack two tables."""
    names = [name for name, found in bench.names.items() if isinstance(found, pd.DataFrame)]
    for a, b in itertools.permutations(names, 2):
        yield from (Idea(code, 2) for code in merges(bench, a, b))
        yield Idea(f"pd.concat([{a}, {b}])", 1)
        yield Idea(f"pd.concat([{a}, {b}], ignore_index=True)", 1)
        yield Idea(f"pd.concat([{a}, {b}], axis=1)", 1)
        yield Idea(f"pd.concat([{a}, {b}], ignore_index=True).drop_duplicates()", 1)
        yield Idea(f"{a}.join({b})", 1)


def merges(bench: Bench, a: str, b: str) -> list[str]:
    """Joins of two tables on the columns they share, or on two of other names."""
    left, right = bench.names[a], bench.names[b]
    shared = [label for label in left.columns if label in right.columns]
    ways = [shared] if shared else []
    ways += [[label] for label in shared if len(shared) > 1]
    found = []
    for how in ("", ', how="left"', ', how="outer"'):
        for on in ways:
            if size(left, right, on[0], on[0]) <= MOST_ROWS:
                labels = literal(on[0] if len(on) == 1 else on)
                found.append(f"{a}.merge({b}, on={labels}{how})")
        if not shared:
            found += [
                f"{a}.merge({b}, left_on={literal(x)}, right_on={literal(y)}{how})"
                for x, y in alike(left, right)
            ]
    return found


def lookups(bench: Bench, a: str, b: str) -> list[str]:
    """The inner join of `a` with `b` where each row of `a` finds at most one of `b`."""
    left, right = bench.names[a], bench.names[b]
    shared = [label for label in left.columns if label in right.columns]
    once = not shared or not right.duplicated(shared).any()
    return merges(bench, a, b)[:1] if once else []


def alike(left: pd.DataFrame, right: pd.DataFrame) -> list[tuple[Any, Any]]:
    """Columns of other names that hold the same values."""
    found = []
    for x, y in itertools.product(left.columns, right.columns):
        try:
            a, b = set(left[x].dropna()), set(right[y].dropna())
        except TypeError:
            continue
        if a & b and len(a & b) * 2 >= min(len(a), len(b)) and right[y].is_unique:
            found.append((x, y))
    return found[:4]


def size(left: pd.DataFrame, right: pd.DataFrame, x: object, y: object) -> int:
    """How many rows the join has at most."""
    try:
        counts = left[x].value_counts()
        other = right[y].value_counts()
    except TypeError:
        return MOST_ROWS + 1
    both = counts.index.intersection(other.index)
    return int((counts[both] * other[both]).sum()) + len(left)
