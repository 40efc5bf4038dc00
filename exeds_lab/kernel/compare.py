"""Value x expected -> facts; no judgement.

The actual value is turned into the same plain JSON as the expected one (`encode.observe`) and
only then compared, so no object of the user's is asked whether it is equal, and neither side can
be changed. The facts are all differences under the strictest reading; which of them count is for
the policy to say (`judge/`). Only the tolerances of the policy are used here.
"""

from __future__ import annotations

import ast
from typing import Any

from exeds_lab.kernel.compare_exception import compare_exception
from exeds_lab.kernel.compare_expression import compare_expression
from exeds_lab.kernel.compare_forms import compare_encoded
from exeds_lab.kernel.compare_scalar import Tolerance
from exeds_lab.kernel.compare_schema import compare_schema
from exeds_lab.kernel.compare_table import TableOptions
from exeds_lab.kernel.compare_text import compare_texts
from exeds_lab.kernel.compare_unchanged import compare_unchanged
from exeds_lab.kernel.describe import describe, describe_encoded
from exeds_lab.kernel.encode import TooLargeError, count_cells, encode, observe
from exeds_lab.kernel.encode_table import shape_of
from exeds_lab.kernel.facts import Facts, short
from exeds_lab.kernel.guard import guarded_repr, type_name
from exeds_lab.kernel.hints import hint_elsewhere
from exeds_lab.kernel.narrow import narrow
from exeds_lab.kernel.render import kind_name, value_text
from exeds_lab.kernel.seen import Seen
from exeds_lab.kernel.target import Absent, resolve

__all__ = ["Seen", "measure"]

_MIN_CELLS = 100_000
_SUBSET_CELLS = 2_000_000
"""How much of an actual table is searched for the rows that must be there."""


def measure(check: dict[str, Any], policy: dict[str, Any], seen: Seen) -> dict[str, Any]:
    """Measure one check.

    Args:
        check: a `Check` as JSON.
        policy: a `ComparePolicy` as JSON; only its tolerances matter here.
        seen: what came out.

    Returns:
        `CheckFacts` as JSON. Never raises: what cannot be measured is an incomparable difference.
    """
    name = str(check.get("name", ""))
    try:
        return _measure(name, check, policy, seen)
    except BaseException as problem:
        facts = Facts()
        why = f"comparing them failed: {type_name(problem)}: {guarded_repr(problem, 200)}"
        facts.add("incomparable", expected="", actual="", why=why)
        return _result(name, facts, None, None)


def _measure(
    name: str, check: dict[str, Any], policy: dict[str, Any], seen: Seen
) -> dict[str, Any]:
    expected = check["expected"]
    kind = expected["kind"]
    if kind == "expression":
        facts = compare_expression(expected["expression"], seen)
        return _result(name, facts, None, describe(seen.result) if seen.has_result else None)
    if kind == "exception":
        return _result(name, compare_exception(expected, seen.error), None, None)
    if kind == "unchanged":
        return _result(name, compare_unchanged(expected["name"], seen), None, None)
    tolerance = Tolerance(float(policy["rel_tol"]), float(policy["abs_tol"]))
    return _measure_value(name, check["target"], expected, tolerance, seen)


def _measure_value(
    name: str, target: dict[str, Any], expected: dict[str, Any], tolerance: Tolerance, seen: Seen
) -> dict[str, Any]:
    found = resolve(target, seen)
    wanted = _described_expectation(expected)
    if isinstance(found, Absent):
        facts = Facts()
        hint = found.hint or hint_elsewhere(target, expected, tolerance, seen)
        facts.add("absent", what=found.what, hint=hint)
        return _result(name, facts, wanted, None)
    facts = _compare_target(target, expected, found, tolerance)
    if facts.is_hard():
        hint = hint_elsewhere(target, expected, tolerance, seen)
        if hint is not None:
            facts.hint(hint)
    return _result(name, facts, wanted, describe(found))


def _compare_target(
    target: dict[str, Any], expected: dict[str, Any], actual: Any, tolerance: Tolerance
) -> Facts:
    kind = expected["kind"]
    if kind == "text":
        return compare_texts(expected["text"], as_text(actual))
    if kind == "schema":
        return compare_schema(expected, actual)
    if target["target"] == "stdout":
        return _compare_printed(expected, actual, tolerance)
    return compare_value(expected, actual, tolerance)


def as_text(actual: Any) -> str:
    """A value as the notebook would show it: a text as itself, everything else by its `repr`."""
    return actual if type(actual) is str else guarded_repr(actual, 100_000)


def compare_value(expected: dict[str, Any], actual: Any, tolerance: Tolerance) -> Facts:
    """Compare a value with the one expected (kinds `value` and `table`)."""
    value = expected["value"]
    only_rows = bool(expected.get("only_rows"))
    options = TableOptions(only_rows, bool(expected.get("only_columns")), tolerance)
    limit = max(_MIN_CELLS, 4 * count_cells(value))
    try:
        observed = observe(actual, max(limit, _SUBSET_CELLS) if only_rows else limit)
    except TooLargeError:
        return _compare_huge(value, actual, options)
    return compare_encoded(value, observed, options)


def _compare_huge(expected: Any, actual: Any, options: TableOptions) -> Facts:
    """Far more than expected: sizes are told; rows that must be there are searched for."""
    if options.only_rows and type(expected) is dict and expected["$"] == "table":
        fewer = narrow(expected, actual, *options.tolerance)
        if fewer is not None:
            return _compare_narrowed(expected, fewer, len(actual), options)
    facts = Facts()
    wanted, given = kind_name(expected), type_name(actual)
    shape = shape_of(actual) or _length(actual)
    if options.only_rows or shape is None:
        why = "it is too large to be compared"
        facts.add("incomparable", expected=wanted, actual=given, why=why)
    elif wanted != given:
        facts.add("type", expected=wanted, actual=given)
    elif wanted in ("DataFrame", "Series") and shape[0] != len(expected["rows"]):
        rows = len(expected["rows"])
        facts.add("rows", missing=[], extra=[], expected_rows=rows, actual_rows=shape[0])
    else:
        words = " x ".join(f"{length:,}" for length in shape)
        facts.add("shape", expected=short(value_text(expected, 300)), actual=f"{given} of {words}")
    return facts


def _compare_narrowed(expected: Any, fewer: Any, rows: int, options: TableOptions) -> Facts:
    try:
        observed = observe(fewer, _SUBSET_CELLS)
    except TooLargeError:
        facts = Facts()
        why = "too many rows may be the expected ones"
        facts.add("incomparable", expected=kind_name(expected), actual=f"{rows:,} rows", why=why)
        return facts
    facts = compare_encoded(expected, observed, options)
    for difference in facts.differences:
        if difference["kind"] == "rows":
            difference["actual_rows"] = rows
    return facts


def _length(actual: Any) -> tuple[int, ...] | None:
    for known in (list, tuple, dict, set, frozenset, str, bytes):
        if type(actual) is known:
            return (len(actual),)
    return None


def _compare_printed(expected: dict[str, Any], text: str, tolerance: Tolerance) -> Facts:
    """A value expected in what was printed."""
    value = expected["value"]
    if type(value) is str:
        return compare_texts(value, text)
    facts = Facts()
    if expected["kind"] == "table":
        why = "a table is compared with a value, not with printed text"
        facts.add("incomparable", expected="a table", actual="printed text", why=why)
        return facts
    try:
        printed = encode(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        facts.add("type", expected=kind_name(value), actual="text that is no Python value")
        return facts
    return compare_encoded(value, printed, TableOptions(False, False, tolerance))


def _described_expectation(expected: dict[str, Any]) -> dict[str, Any] | None:
    if expected["kind"] in ("value", "table"):
        return describe_encoded(expected["value"])
    return describe(expected["text"]) if expected["kind"] == "text" else None


def _result(
    name: str,
    facts: Facts,
    expected: dict[str, Any] | None,
    actual: dict[str, Any] | None,
) -> dict[str, Any]:
    return {
        "check": name,
        "differences": facts.finished(),
        "near": facts.near,
        "expected": expected,
        "actual": actual,
    }
