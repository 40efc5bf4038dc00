"""Near misses in words: what a colleague would say at a glance."""

from __future__ import annotations

import math
from typing import Any

from exeds_lab.kernel.compare_scalar import Tolerance, decode_or_none, is_number, match, words_for
from exeds_lab.kernel.facts import Facts

_FACTORS = (100.0, 0.01, 1000.0, 0.001, 10.0, 0.1, -1.0, 60.0, 1 / 60, 3600.0, 1 / 3600, 1e6, 1e-6)
_KEPT = 2_000


class Numbers:
    """The pairs of cells that differ, as evidence for a near miss."""

    def __init__(self) -> None:
        self.pairs: list[tuple[float, float]] = []
        self.complete = True
        """Whether every cell that differs is a pair of finite numbers."""
        self.words: str | None = None
        """What the first pair of differing texts has in common."""

    def note(self, expected: Any, actual: Any) -> None:
        """Take in one pair of cells that differ."""
        left, right = _finite(expected), _finite(actual)
        if left is None or right is None or left == right:  # integers that a float cannot hold
            self.complete = False
            self.words = self.words or words_for(expected, actual)
        elif len(self.pairs) < _KEPT:
            self.pairs.append((left, right))

    def take(self, other: Numbers) -> None:
        """Take in the evidence of another collection."""
        self.pairs.extend(other.pairs[:_KEPT])
        self.complete = self.complete and other.complete
        self.words = self.words or other.words


def _finite(encoded: Any) -> float | None:
    if not is_number(encoded):
        return None
    try:
        number = float(decode_or_none(encoded))
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def near_numbers(facts: Facts, numbers: Numbers) -> None:
    """Say whether one factor or rounding explains all the numbers that differ."""
    if numbers.words is not None:
        facts.hint(numbers.words)
    if not numbers.pairs or not numbers.complete:
        return
    factor = _common_factor(numbers.pairs)
    if factor is not None:
        facts.hint(_factor_words(factor))
    decimals = _common_rounding(numbers.pairs)
    if decimals is not None:
        facts.hint(f"equal if rounded to {decimals} decimal{'' if decimals == 1 else 's'}")


def _common_factor(pairs: list[tuple[float, float]]) -> float | None:
    for factor in _FACTORS:
        if all(math.isclose(right, left * factor, rel_tol=1e-9) for left, right in pairs):
            return factor
    return None


def _factor_words(factor: float) -> str:
    if factor == -1.0:
        return "equal up to the sign"
    larger = factor if factor > 1 else 1 / factor
    return f"equal up to a factor of {round(larger):,}"


def _common_rounding(pairs: list[tuple[float, float]]) -> int | None:
    """The most decimals (1 to 8) at which all pairs are equal and not all of them zero."""
    for decimals in range(8, 0, -1):
        rounded = [(round(left, decimals), round(right, decimals)) for left, right in pairs]
        if all(left == right for left, right in rounded):
            return decimals if any(left for left, _ in rounded) else None
    return None


def near_transposed(facts: Facts, expected: Any, actual: Any, tolerance: Tolerance) -> None:
    """Say whether the actual table is the expected one with rows and columns swapped."""
    rows, given = expected["rows"], actual["rows"]
    height, width = len(rows), len(expected["columns"])
    if not facts.differences or not height or height * width > 10_000:
        return
    if (len(given), len(actual["columns"])) != (width, height) or height == width == 1:
        return
    swapped = all(
        match(rows[at][to], given[to][at], tolerance).verdict in ("equal", "kind", "missing")
        for at in range(height)
        for to in range(width)
    )
    if swapped:
        facts.hint("transposed: rows and columns are swapped")
