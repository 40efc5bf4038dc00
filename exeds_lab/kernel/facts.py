"""The facts of one check while they are gathered: `CheckFacts` and `Difference` as JSON."""

from __future__ import annotations

from typing import Any

from exeds_lab.kernel.guard import clean, shorten

MAX_CELLS_LISTED = 200
MAX_ROWS_LISTED = 50
_MAX_VALUES = 50
"""Value differences listed; one more entry says how many there are beyond."""
_MAX_OF_KIND = 20
"""Differences of another kind listed, e.g. dtypes; those beyond say nothing new."""
_MAX_COLUMNS = 200
_TEXT = 300


class Facts:
    """Gathers differences, in the order in which they were found, within bounds."""

    def __init__(self) -> None:
        self.differences: list[dict[str, Any]] = []
        self.near: list[str] = []
        self._values_beyond = 0
        self._counts: dict[str, int] = {}

    def add(self, kind: str, **fields: Any) -> None:
        """Add a difference; its fields are those of the record of that kind."""
        # A policy may pass dtypes of one kind and not others: neither may crowd out the other.
        counter = f"{kind} {fields.get('same_kind', '')}"
        count = self._counts.get(counter, 0)
        self._counts[counter] = count + 1
        if kind == "value" and count >= _MAX_VALUES:
            self._values_beyond += 1
        elif kind == "value" or count < _MAX_OF_KIND:
            self.differences.append({"kind": kind, **_cleaned(fields)})

    def add_columns(self, missing: list[str], extra: list[str]) -> None:
        """Add columns that are missing or too many.

        Lists cut to the same length would read as a mere renaming; so they never are.
        """
        limit = _MAX_COLUMNS - 1 if len(extra) < len(missing) else _MAX_COLUMNS
        other = _MAX_COLUMNS - 1 if len(missing) < len(extra) else _MAX_COLUMNS
        self.add("columns", missing=missing[:other], extra=extra[:limit])

    def add_all(self, other: Facts) -> None:
        """Take over what another collection found."""
        for difference in other.differences:
            self.add(**difference)
        self._values_beyond += other._values_beyond
        for words in other.near:
            self.hint(words)

    def drop(self, kind: str) -> None:
        """Forget the differences of a kind, which were told in another way."""
        self.differences = [one for one in self.differences if one["kind"] != kind]

    def hint(self, words: str) -> None:
        """Add a near miss, once."""
        if words not in self.near:
            self.near.append(words)

    def kinds(self) -> set[str]:
        """The kinds of difference found so far."""
        return {difference["kind"] for difference in self.differences}

    def is_hard(self) -> bool:
        """Whether the content differs, beyond order, dtypes, index, names and form.

        Cells matched by position are the other reading of columns that stand in another order;
        where the labels are the same, the reading by label tells the content.
        """
        renamed = "columns" in self.kinds()
        return any(
            is_hard(one)
            for one in self.differences
            if renamed or one["kind"] != "cells" or one["columns"] == "name"
        )

    def finished(self) -> list[dict[str, Any]]:
        """All differences, with the count of the values that were not listed."""
        if not self._values_beyond:
            return self.differences
        more = f"{self._values_beyond:,} more differ"
        rest = _value("…", more, more)
        return [*self.differences, rest]


_SOFT = frozenset(("order", "dtype", "index", "name", "form", "missing_kind"))


def is_hard(difference: dict[str, Any]) -> bool:
    """Whether a difference is one of content; columns under other names are not, if as many."""
    kind = difference["kind"]
    if kind == "columns":
        return len(difference["missing"]) != len(difference["extra"])
    return kind not in _SOFT


def _value(path: str, expected: str, actual: str) -> dict[str, Any]:
    return {
        "kind": "value",
        "path": path,
        "expected": expected,
        "actual": actual,
        "abs_error": None,
        "rel_error": None,
    }


def _cleaned(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: _clean(value) for name, value in fields.items()}


def _clean(value: Any) -> Any:
    if type(value) is str:
        return clean(shorten(value, 20_000))
    if type(value) in (list, tuple):
        return [_clean(item) for item in value]
    return {name: _clean(item) for name, item in value.items()} if type(value) is dict else value


def short(text: str) -> str:
    """Text short enough for a difference."""
    return shorten(text, _TEXT)
