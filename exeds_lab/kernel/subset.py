"""Only these rows: where the rows of a short expected table stand in a longer actual one."""

from __future__ import annotations

import json
from typing import Any

from exeds_lab.kernel.compare_rows import Pairs, find_row, labels_of, row_equals
from exeds_lab.kernel.compare_scalar import Tolerance
from exeds_lab.kernel.facts import MAX_ROWS_LISTED, Facts
from exeds_lab.kernel.render import row_texts


def pick_rows(
    facts: Facts, expected: Any, actual: Any, pairs: Pairs, tolerance: Tolerance
) -> Any | None:
    """The actual table cut down to the rows that answer the expected ones, in expected order.

    Adds an order difference when they are there in another order. Returns None when some are
    missing, which it has then added as a difference.
    """
    places = _by_label(expected, actual)
    if places is None:
        places = _in_order(expected, actual, pairs, tolerance)
    if places is None:
        places = _in_any_order(facts, expected, actual, pairs, tolerance)
    if places is None:
        return None
    if places != sorted(places):
        _add_order(facts, expected, actual, places)
    index = labels_of(actual)
    return {
        **actual,
        "rows": [actual["rows"][at] for at in places],
        "index": None if expected["index"] is None else [index[at] for at in places],
    }


def _by_label(expected: Any, actual: Any) -> list[int] | None:
    """Places by declared labels, when each stands exactly once in the actual index."""
    if expected["index"] is None:
        return None
    places: dict[str, list[int]] = {}
    for at, label in enumerate(labels_of(actual)):
        places.setdefault(json.dumps(label), []).append(at)
    found = [places.get(json.dumps(label), []) for label in expected["index"]]
    return [one[0] for one in found] if all(len(one) == 1 for one in found) else None


def _in_order(expected: Any, actual: Any, pairs: Pairs, tolerance: Tolerance) -> list[int] | None:
    places: list[int] = []
    at = 0
    for row in expected["rows"]:
        while at < len(actual["rows"]):
            if row_equals(expected, row, actual["rows"][at], pairs, tolerance):
                break
            at += 1
        else:
            return None
        places.append(at)
        at += 1
    return places


def _in_any_order(
    facts: Facts, expected: Any, actual: Any, pairs: Pairs, tolerance: Tolerance
) -> list[int] | None:
    rest = list(enumerate(actual["rows"]))
    places, missing = [], []
    names = row_texts(expected)
    for row, name in zip(expected["rows"], names):
        rows = [other for _, other in rest]
        found = find_row(expected, row, rows, pairs, tolerance)
        if found is None:
            missing.append(name)
        else:
            places.append(rest.pop(found)[0])
    if not missing:
        return places
    facts.add(
        "rows",
        missing=missing[:MAX_ROWS_LISTED],
        extra=[],
        expected_rows=len(expected["rows"]),
        actual_rows=len(actual["rows"]),
    )
    return None


def _add_order(facts: Facts, expected: Any, actual: Any, places: list[int]) -> None:
    ranks = sorted(places)
    names = row_texts(actual)
    facts.add(
        "order",
        axis="rows",
        moved=sum(1 for left, right in zip(places, ranks) if left != right),
        expected=row_texts(expected)[:MAX_ROWS_LISTED],
        actual=[names[at] for at in ranks[:MAX_ROWS_LISTED]],
    )
    facts.hint("equal after sorting")
