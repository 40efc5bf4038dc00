"""From what happened to a kind of failure and to words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from exeds_lab.model.execution import (
    AbsentDifference,
    CellsDifference,
    CheckFacts,
    ColumnsDifference,
    Difference,
    DtypeDifference,
    ExceptionDifference,
    ExpressionDifference,
    IndexDifference,
    Killed,
    NameDifference,
    NotRun,
    OrderDifference,
    Raised,
    RowsDifference,
    TextDifference,
    TimedOut,
    ValueDifference,
)
from exeds_lab.model.verdict import FailureKind

_SEVERITY = (
    "changed",
    "incomparable",
    "absent",
    "exception",
    "type",
    "columns",
    "rows",
    "shape",
    "cells",
    "value",
    "text",
    "expression",
    "dtype",
    "missing_kind",
    "order",
    "form",
    "index",
    "name",
)
"""Which of several differences is told first."""

_FAILURES = {
    "value": FailureKind.WRONG_VALUE,
    "cells": FailureKind.WRONG_VALUE,
    "text": FailureKind.WRONG_VALUE,
    "expression": FailureKind.WRONG_VALUE,
    "exception": FailureKind.WRONG_VALUE,
    "absent": FailureKind.WRONG_VALUE,
    "rows": FailureKind.WRONG_SHAPE,
    "shape": FailureKind.WRONG_SHAPE,
    "columns": FailureKind.WRONG_COLUMNS,
    "type": FailureKind.WRONG_TYPE,
    "dtype": FailureKind.WRONG_TYPE,
    "missing_kind": FailureKind.WRONG_TYPE,
    "order": FailureKind.WRONG_ORDER,
    "form": FailureKind.WRONG_FORM,
    "index": FailureKind.WRONG_FORM,
    "name": FailureKind.WRONG_FORM,
    "changed": FailureKind.UNWANTED_CHANGE,
    "incomparable": FailureKind.CANNOT_COMPARE,
}


_NOWHERE = ("it raised", "the code does not set it")
"""Beginnings of hints that do not say where the right value is."""

_OUTCOME_FAILURES = {
    "raised": FailureKind.ERROR,
    "timed_out": FailureKind.TIMED_OUT,
    "killed": FailureKind.KILLED,
    "completed": FailureKind.CANNOT_COMPARE,
}


def main_difference(differences: Sequence[Difference]) -> Difference:
    """The one of several differences that is told first; there is at least one."""
    return min(differences, key=lambda one: _SEVERITY.index(one.kind))


def failure_of(difference: Difference) -> FailureKind:
    """The kind of failure that a counted difference is."""
    if isinstance(difference, AbsentDifference) and _is_elsewhere(difference):
        return FailureKind.WRONG_FORM
    if isinstance(difference, TextDifference) and difference.only != "words":
        return FailureKind.WRONG_FORM
    return _FAILURES[difference.kind]


def _is_elsewhere(difference: AbsentDifference) -> bool:
    return difference.hint is not None and not difference.hint.startswith(_NOWHERE)


def failure_of_outcome(outcome: Any) -> FailureKind:
    """The kind of failure of a candidate that did not come to the point of being compared."""
    return _OUTCOME_FAILURES[outcome.outcome]


def words_of_outcome(outcome: Any) -> str:
    """How a candidate ended, in a few words."""
    if isinstance(outcome, Raised):
        message = outcome.evalue.strip().partition("\n")[0]
        return f"{outcome.ename}: {message}" if message else outcome.ename
    if isinstance(outcome, TimedOut):
        return f"Timed out after {outcome.limit_s:g} s"
    if isinstance(outcome, Killed):
        return f"Killed: {outcome.why}"
    if isinstance(outcome, NotRun):
        return f"Not run: {outcome.why}"
    return "Cannot compare: it ran, but nothing was measured"


def words_of(difference: Difference, facts: CheckFacts) -> str:
    """A difference in a few words, with the near miss that the facts name."""
    words: str = _WORDS[difference.kind](difference, facts)
    near = _near(difference, facts)
    return f"{words}; {near}" if near and near not in words else words


def _near(difference: Difference, facts: CheckFacts) -> str:
    if difference.kind in ("changed", "incomparable", "expression", "order", "form"):
        return ""
    return facts.near[0] if facts.near else ""


def _cells(difference: CellsDifference, facts: CheckFacts) -> str:
    shape = facts.expected.shape if facts.expected is not None else None
    cells = f" of {_product(shape):,}" if shape else ""
    if difference.total == 1 and difference.cells:
        cell = difference.cells[0]
        where = f" in {cell.column}" if cell.column else ""
        return f"Wrong value: {cell.actual} instead of {cell.expected}{where}, row {cell.row_label}"
    verb = "differs" if difference.total == 1 else "differ"
    return f"Wrong value: {difference.total:,}{cells} cells {verb}"


def _product(shape: Sequence[int]) -> int:
    total = 1
    for length in shape:
        total *= length
    return total


def _value(difference: ValueDifference, _: CheckFacts) -> str:
    where = f" at {difference.path}" if difference.path else ""
    return f"Wrong value: {_cut(difference.actual)} instead of {_cut(difference.expected)}{where}"


def _rows(difference: RowsDifference, _: CheckFacts) -> str:
    missing = len(difference.missing)
    if missing and difference.actual_rows >= difference.expected_rows and not difference.extra:
        verb = "row is" if missing == 1 else "rows are"
        return f"Wrong value: {missing} {verb} missing"
    actual, expected = difference.actual_rows, difference.expected_rows
    noun = "row" if actual == 1 else "rows"
    return f"Wrong shape: {actual:,} {noun} instead of {expected:,}"


def _columns(difference: ColumnsDifference, _: CheckFacts) -> str:
    parts = []
    if difference.missing:
        parts.append(f"{_names(difference.missing)} missing")
    if difference.extra:
        parts.append(f"{_names(difference.extra)} too many")
    return f"Wrong columns: {', '.join(parts)}"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(_cut(name, 40) for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _order(difference: OrderDifference, facts: CheckFacts) -> str:
    if difference.axis == "columns":
        return "Wrong order: columns in another order"
    near = "equal after sorting"
    return f"Wrong order: {near}" if near in facts.near else "Wrong order of rows"


def _dtype(difference: DtypeDifference, _: CheckFacts) -> str:
    where = f"{difference.column} is " if difference.column else ""
    return f"Wrong type: {where}{difference.actual}, not {difference.expected}"


def _index(difference: IndexDifference, _: CheckFacts) -> str:
    return f"Wrong index: {_cut(difference.actual)} instead of {_cut(difference.expected)}"


def _name(difference: NameDifference, _: CheckFacts) -> str:
    return f"Wrong name of the {difference.what}: {difference.actual}, not {difference.expected}"


_TEXTS = {
    "case": "Wrong upper and lower case",
    "whitespace": "Wrong blanks or line ends",
    "case and whitespace": "Wrong case and blanks",
    "words": "Wrong text",
}


def _expression(difference: ExpressionDifference, _: CheckFacts) -> str:
    if difference.error is not None:
        return f"The check {_cut(difference.expression)} failed: {_cut(difference.error)}"
    return f"Not true: {_cut(difference.expression)}"


def _exception(difference: ExceptionDifference, _: CheckFacts) -> str:
    return f"{difference.expected} expected, but {_cut(difference.actual)}"


def _absent(difference: AbsentDifference, _: CheckFacts) -> str:
    what = difference.what[:1].upper() + difference.what[1:]
    return what if difference.hint is None else f"{what}: {difference.hint}"


def _cut(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


_WORDS: dict[str, Callable[[Any, CheckFacts], str]] = {
    "value": _value,
    "cells": _cells,
    "rows": _rows,
    "columns": _columns,
    "order": _order,
    "shape": lambda d, _: f"Wrong shape: {_cut(d.actual)} instead of {_cut(d.expected)}",
    "dtype": _dtype,
    "index": _index,
    "name": _name,
    "type": lambda d, _: f"Wrong type: {d.actual}, not {d.expected}",
    "form": lambda d, _: f"Right value, wrong form: {d.conversion}",
    "missing_kind": lambda d, _: f"Wrong kind of missing value: {d.actual}, not {d.expected}",
    "text": lambda d, _: _TEXTS[d.only],
    "expression": _expression,
    "exception": _exception,
    "changed": lambda d, _: f"Changed {d.name}, which must stay as it is: {d.how}",
    "absent": _absent,
    "incomparable": lambda d, _: f"Cannot compare: {d.why}",
}
