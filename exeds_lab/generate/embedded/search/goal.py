"""What must come out, and how near a value is to it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from exeds_lab.generate.embedded.search.grid import Atom, Grid, Moment, grid_of

REL_TOL = 1e-9
ABS_TOL = 1e-12
MOST_DIGITS = 4
"""Decimals up to which a declared value is taken for a rounded one."""


class Layout(NamedTuple):
    """A grid as plain columns, its index among them or not."""

    columns: list[list[Atom]]
    names: list[Atom] | None
    """One a column; None where columns have no names."""
    with_index: bool


@dataclass
class Fit:
    """How a value that holds what is wanted differs from it in form; all False: not at all."""

    actual: Grid
    picked: list[int] | None
    """Places of the wanted columns in the actual layout, if they are not simply all."""
    goal_indexed: bool
    """Whether the wanted index was matched."""
    actual_indexed: bool
    """Whether the actual index was matched, as an index or as columns."""
    form: bool
    index: bool
    names: bool
    kinds: bool
    order: bool
    """Equal rows in another order."""
    rounding: bool
    """Equal after rounding only."""

    @property
    def misses(self) -> int:
        """In how many ways the form differs."""
        differs = (self.form, self.index, self.names, self.kinds, self.order, self.rounding)
        return sum(differs) + (self.picked is not None)


class Goal:
    """The declared value with what can be read off it."""

    def __init__(self, grid: Grid, decimals: list[int | None] | None = None) -> None:
        self.grid = grid
        self.form = grid.form
        self.length = grid.length
        self.columns: list[Atom] = list(grid.columns or []) if grid.form == "frame" else []
        self.decimals = list(decimals) if decimals else [None] * len(grid.cells)
        self.digits = self._digits()
        self.kinds = [kind or seen_kind(cells) for kind, cells in zip(grid.kinds, grid.cells)]
        self.layouts = layouts(grid)
        if not numbered(grid):
            # Labels that say something must come out too: the cells alone are not the goal.
            self.layouts = self.layouts[:1]
        self.labels = self._labels()
        self.texts = {label for label in self.labels if isinstance(label, str)}

    def fit(self, value: Any) -> Fit | None:
        """How the value fits; None when its content is not what is wanted."""
        actual = grid_of(value)
        if actual is None or actual.length != self.length:
            return None
        for slack in (None, self.digits):
            for wanted in self.layouts:
                for seen in layouts(actual):
                    found = self._place(wanted, seen, actual, slack)
                    if found is not None:
                        return found
            if self.digits is None:
                break
        return None

    def same_column(self, place: int, values: list[Atom]) -> bool:
        """Whether these are the values of the wanted column at this place."""
        wanted = self.grid.cells[place]
        return len(wanted) == len(values) and equal(wanted, values, self._slack(place, None))

    def _place(self, wanted: Layout, seen: Layout, actual: Grid, slack: int | None) -> Fit | None:
        for picked in correspondences(wanted, seen):
            columns = [seen.columns[place] for place in picked]
            places = range(len(columns))
            slacks = [self._layout_slack(wanted, place, slack) for place in places]
            plain = all(equal(wanted.columns[at], columns[at], slacks[at]) for at in places)
            if plain or (slack is None and same_rows(wanted.columns, columns)):
                return self._found(wanted, seen, actual, picked, not plain, slack is not None)
        return None

    def _found(
        self,
        wanted: Layout,
        seen: Layout,
        actual: Grid,
        picked: list[int],
        order: bool,
        rounding: bool,
    ) -> Fit:
        whole = picked == list(range(len(seen.columns)))
        names = None if seen.names is None else [seen.names[place] for place in picked]
        form = actual.form != self.form
        named = self.form == "frame" and actual.form == "frame"
        index = wanted.with_index != seen.with_index or self._index_counts(actual, seen)
        columns = [seen.columns[place] for place in picked]
        kinds = self._kinds_differ(actual) or self._moments_differ(wanted.columns, columns)
        differ = named and names is not None and names != wanted.names
        return Fit(
            actual,
            None if whole else picked,
            wanted.with_index,
            seen.with_index,
            form,
            index,
            differ,
            kinds,
            order,
            rounding,
        )

    def _index_counts(self, actual: Grid, seen: Layout) -> bool:
        """Whether an index was left aside that is there on one of the two sides."""
        if seen.with_index or self.form not in ("frame", "series"):
            return False
        return actual.index is not None or self.grid.index is not None

    def _kinds_differ(self, actual: Grid) -> bool:
        if len(actual.kinds) != len(self.grid.kinds):
            return False
        pairs = zip(self.kinds, actual.kinds)
        return any(differ(want, have) for want, have in pairs)

    def _moments_differ(self, wanted: list[list[Atom]], seen: list[list[Atom]]) -> bool:
        """Whether text stands where dates are wanted, or dates where text is.

        In a pasted table a date is text, so there it may be either.
        """
        table = self.form in ("frame", "series")
        for a, b in ((a, b) for one, other in zip(wanted, seen) for a, b in zip(one, other)):
            if isinstance(a, Moment) != isinstance(b, Moment) and not (table and type(a) is str):
                return True
        return False

    def _layout_slack(self, wanted: Layout, place: int, digits: int | None) -> float:
        levels = len(self.grid.index or []) if wanted.with_index else 0
        return 0.0 if place < levels else self._slack(place - levels, digits)

    def _slack(self, place: int, digits: int | None) -> float:
        visible = self.decimals[place] if place < len(self.decimals) else None
        if digits is not None:
            visible = digits if visible is None else min(visible, digits)
        return 0.0 if visible is None else 0.5 * 10.0**-visible * (1 + 1e-6)

    def _digits(self) -> int | None:
        """Decimals to which the wanted numbers look rounded; None when they do not."""
        numbers = [cell for column in self.grid.cells for cell in column if type(cell) is float]
        numbers = [number for number in numbers if math.isfinite(number)]
        if not numbers or all(number.is_integer() for number in numbers):
            return 0 if self._whole() and self.grid.form != "dict" else None
        for digits in range(1, MOST_DIGITS + 1):
            if all(abs(number - round(number, digits)) < 1e-12 for number in numbers):
                return digits
        return None

    def _whole(self) -> bool:
        numbers = [cell for column in self.grid.cells for cell in column if is_number(cell)]
        return bool(numbers) and any(abs(number) >= 10 for number in numbers)

    def _labels(self) -> set[Atom]:
        """Every atom that could be a group's label."""
        levels = self.grid.index or []
        found = {label for level in levels for label in level} | set(self.columns)
        cells = {cell for column in self.grid.cells for cell in column}
        if self.form == "scalar":
            cells = {cell for cell in cells if isinstance(cell, str)}
        return found | cells


def seen_kind(cells: list[Atom]) -> str | None:
    """`bool` or `number` where no dtype is declared and every cell is such; else None."""
    types = {type(cell) for cell in cells if cell is not None}
    if types == {bool}:
        return "bool"
    return "number" if types and types <= {int, float} else None


def differ(want: str | None, have: str | None) -> bool:
    """Whether two kinds are known and not the same; a truth value is no number."""
    if want is None or have is None or want == have:
        return False
    return have == "bool" if want == "number" else True


def layouts(grid: Grid) -> list[Layout]:
    """The ways to lay out a grid: with its index as leading columns first."""
    names = None if grid.columns is None else list(grid.columns)
    plain = Layout(grid.cells, names, False)
    if grid.index is None:
        return [plain]
    level_names = (grid.index_names or [None] * len(grid.index))[: len(grid.index)]
    full = None if names is None else [*level_names, *names]
    indexed = Layout([*grid.index, *grid.cells], full, True)
    return [indexed, plain] if grid.cells else [indexed]


def numbered(grid: Grid) -> bool:
    """Whether the index may be row numbers."""
    return grid.index is None or (
        len(grid.index) == 1 and all(type(label) is int for label in grid.index[0])
    )


def correspondences(wanted: Layout, seen: Layout) -> list[list[int]]:
    """Which seen columns may stand for the wanted ones: by name, then by position."""
    found: list[list[int]] = []
    if wanted.names and seen.names and None not in wanted.names:
        unique = len(set(seen.names)) == len(seen.names)
        if unique and set(wanted.names) <= set(seen.names):
            found.append([seen.names.index(name) for name in wanted.names])
    if len(wanted.columns) == len(seen.columns):
        by_position = list(range(len(seen.columns)))
        if by_position not in found:
            found.append(by_position)
    return found


def same_rows(wanted: list[list[Atom]], seen: list[list[Atom]]) -> bool:
    """Whether the rows are equal in some order; one column alone does not identify rows."""
    if len(wanted) < 2 or len(wanted[0]) > 5000:
        return False
    if any(Counter(map(rough, a)) != Counter(map(rough, b)) for a, b in zip(wanted, seen)):
        return False
    return Counter(map(rough, zip(*wanted))) == Counter(map(rough, zip(*seen)))


def rough(cell: Atom) -> Atom:
    """An atom with numbers cut to nine digits, so that equal ones hash alike."""
    if isinstance(cell, tuple):
        return tuple(rough(item) for item in cell)
    if is_number(cell) and math.isfinite(cell):
        return float(f"{cell:.9g}")
    return repr(cell)


def equal(wanted: list[Atom], seen: list[Atom], slack: float) -> bool:
    """Whether two columns hold the same values."""
    return all(same(a, b, slack) for a, b in zip(wanted, seen))


def same(wanted: Atom, seen: Atom, slack: float) -> bool:
    """Whether two atoms are the same value: numbers within the tolerance."""
    if is_number(wanted) and is_number(seen):
        if wanted == seen:
            return True
        return math.isclose(wanted, seen, rel_tol=REL_TOL, abs_tol=max(ABS_TOL, slack))
    if isinstance(wanted, tuple) and isinstance(seen, tuple) and len(wanted) == len(seen):
        return all(same(a, b, slack) for a, b in zip(wanted, seen))
    if isinstance(wanted, str) and isinstance(seen, str):
        return bool(wanted == seen)
    return type(wanted) is type(seen) and bool(wanted == seen)


def is_number(cell: Atom) -> bool:
    """Whether an atom is a number; truth values count as 0 and 1."""
    return isinstance(cell, (int, float))
