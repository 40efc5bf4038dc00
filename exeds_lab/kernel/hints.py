"""Where the right value is, when it is not where it should be."""

from __future__ import annotations

import ast
from typing import Any

from exeds_lab.kernel.compare_forms import compare_encoded
from exeds_lab.kernel.compare_scalar import Tolerance
from exeds_lab.kernel.compare_table import TableOptions
from exeds_lab.kernel.encode import TooLargeError, count_cells, encode, observe
from exeds_lab.kernel.render import cell_text, heading
from exeds_lab.kernel.seen import Seen

_MAX_CELLS = 20_000
_MAX_NAMES = 30


def hint_elsewhere(
    target: dict[str, Any], expected: dict[str, Any], tolerance: Tolerance, seen: Seen
) -> str | None:
    """Say where else the expected value is: printed, in a variable, or as the last value."""
    if expected["kind"] not in ("value", "table") or count_cells(expected["value"]) > _MAX_CELLS:
        return None
    value = expected["value"]
    if target["target"] != "stdout" and _is_printed(value, seen.stdout, tolerance):
        return "printed instead of returned"
    elsewhere = target["target"] != "last_value" and seen.has_result
    if elsewhere and _equals(value, seen.result, tolerance):
        return "the right value is the last value"
    for name in _new_names(seen):
        if target.get("name") != name and _equals(value, seen.namespace[name], tolerance):
            return f"right value in the variable {name}"
    return None


def _new_names(seen: Seen) -> list[str]:
    if seen.effects is None:
        return []
    names = [*seen.effects.get("created", ()), *seen.effects.get("rebound", ())]
    return [name for name in names[:_MAX_NAMES] if name in seen.namespace]


def _equals(expected: Any, actual: Any, tolerance: Tolerance) -> bool:
    try:
        observed = observe(actual, _MAX_CELLS)
    except TooLargeError:
        return False
    facts = compare_encoded(expected, observed, TableOptions(False, False, tolerance))
    return not facts.is_hard() and not facts.kinds() & {"columns", "order"}


def _is_printed(expected: Any, stdout: str, tolerance: Tolerance) -> bool:
    text = stdout.strip()
    if not text or len(text) > 200_000:
        return False
    if type(expected) is dict and expected["$"] == "table":
        return _shows_table(expected, text)
    if type(expected) is str:
        return text == expected.strip()
    try:
        printed = encode(ast.literal_eval(text), _MAX_CELLS)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return False
    return _equals_printed(expected, printed, tolerance)


def _equals_printed(expected: Any, printed: Any, tolerance: Tolerance) -> bool:
    facts = compare_encoded(expected, printed, TableOptions(False, False, tolerance))
    return not facts.is_hard()


def _shows_table(table: dict[str, Any], text: str) -> bool:
    """Whether the words of every row stand in one printed line each, in order."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    wanted = [heading(table), *([cell_text(cell) for cell in row] for row in table["rows"])]
    at = 0
    for words in wanted:
        joined = " ".join(" ".join(words).split())
        while at < len(lines) and joined not in lines[at]:
            at += 1
        if at == len(lines):
            return False
        at += 1
    return bool(table["rows"])
