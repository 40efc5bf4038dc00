"""Programs told apart by what they do on other data.

Many texts are one program: they agree on every table. The values of each column are shuffled, and
programs that still agree count as one. What is left is how many ways there really are to read the
declared value.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from exeds_lab.generate.embedded.search.bench import Bench, Solution, evaluated
from exeds_lab.generate.embedded.search.goal import rough
from exeds_lab.generate.embedded.search.grid import grid_of

SHUFFLES = 2
SEED = 20_240_601
MOST_PROGRAMS = 40
"""Programs that are told apart; those further down are left out."""
BREAKS = 0.8
"""What it costs to fail on shuffled data."""
COMPANY = 0.5
"""How much programs that behave alike lift each other."""


class Behaviour(NamedTuple):
    """Programs that do the same."""

    best: Solution
    score: float
    size: int
    """How many texts were found for it."""


def behaviours(bench: Bench, solutions: list[Solution]) -> list[Behaviour]:
    """The different programs, best first.

    Args:
        bench: where they were found.
        solutions: best first.
    """
    groups: dict[Any, list[Solution]] = {}
    scopes = [shuffled(bench.names, SEED + number) for number in range(SHUFFLES)]
    for one in solutions[:MOST_PROGRAMS]:
        seen = tuple(outcome(bench.program(one.code), scope) for scope in scopes)
        groups.setdefault((one.misses > 0, seen), []).append(one)
    found = [behaviour(members, seen) for (_, seen), members in groups.items()]
    return sorted(found, key=lambda each: (each.best.misses > 0, -each.score))


def behaviour(members: list[Solution], seen: tuple[Any, ...]) -> Behaviour:
    """The programs of one group, with a common score."""
    company = math.log(sum(math.exp(one.score - members[0].score) for one in members))
    broken = BREAKS if None in seen else 0.0
    return Behaviour(members[0], members[0].score + COMPANY * company - broken, len(members))


def shuffled(names: dict[str, Any], seed: int) -> dict[str, Any]:
    """The user's values with each column in an order of its own."""
    generator = np.random.default_rng(seed)
    scope: dict[str, Any] = {"pd": pd, "np": np}
    for name, value in names.items():
        scope[name] = shuffle(value, generator)
    return scope


def shuffle(value: Any, generator: np.random.Generator) -> Any:
    """A value's content in another order, its labels as they are."""
    order = generator.permutation(len(value))
    if isinstance(value, pd.DataFrame):
        columns = []
        for place in range(value.shape[1]):
            order = generator.permutation(len(value))
            columns.append(value.iloc[order, place].set_axis(value.index))
        return pd.concat(columns, axis=1) if columns else value
    if isinstance(value, pd.Series):
        return value.iloc[order].set_axis(value.index)
    if isinstance(value, np.ndarray):
        return generator.permutation(value.ravel()).reshape(value.shape)
    return type(value)(value[place] for place in order)


def outcome(program: str, scope: dict[str, Any]) -> Any:
    """What a program gives, as something that can be compared; None when it fails."""
    value = evaluated(program, scope)
    grid = None if value is None else grid_of(value)
    if grid is None:
        return None
    index = tuple(tuple(map(rough, level)) for level in grid.index or [])
    cells = tuple(tuple(map(rough, column)) for column in grid.cells)
    return index, cells
