"""The I/O specification of an expectation, in text: type description, example, summary.

The three forms are those of GIFT4Code (TypeDesc, I/O examples, I/O summary). The expectation is
what will be checked, so the model is told all of it: nothing that counts is kept back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from exeds_lab.model.spec import (
    Check,
    ComparePolicy,
    ExceptionExpected,
    Expectation,
    Expected,
    ExpressionExpected,
    NamedVariable,
    SchemaExpected,
    Stdout,
    TableExpected,
    Target,
    TextExpected,
    UnchangedExpected,
    ValueExpected,
)
from exeds_lab.prompt.fence import fence, one_line
from exeds_lab.prompt.literal import literal, table


@dataclass(frozen=True)
class Detail:
    """How much of what was declared is shown."""

    rows: int
    """Of a table."""
    characters: int
    """Of a value or a text."""

    @property
    def half(self) -> Detail:
        """Half as much, and at least one row and 40 characters."""
        return Detail(max(1, self.rows // 2), max(40, self.characters // 2))


FULL = Detail(rows=30, characters=4000)
"""What is shown when the budget allows."""

LEAST = Detail(rows=1, characters=40)
"""What is shown when nothing more fits."""

_NAME = 80


def where_to_answer(expectation: Expectation) -> str:
    """The sentence that says where the answer has to be put."""
    targets = [check.target for check in expectation.checks if check.declared]
    names = sorted({target.name for target in targets if isinstance(target, NamedVariable)})
    if names:
        listed = ", ".join(f"`{name}`" for name in names)
        return f"Assign the answer to the variable {listed}."
    if targets and all(isinstance(target, Stdout) for target in targets):
        return "Print the answer, and nothing else."
    return "Put the answer in the last expression of the cell."


def specification(expectation: Expectation, detail: Detail = FULL) -> str:
    """What must come out, as text.

    Args:
        expectation: what was declared.
        detail: how much of tables, values and texts is shown.

    Returns:
        One paragraph a check; empty when nothing was declared.
    """
    paragraphs = [_check(check, expectation.policy, detail) for check in expectation.checks]
    return "\n\n".join(paragraphs)


def _check(check: Check, policy: ComparePolicy, detail: Detail) -> str:
    expected = check.expected
    if isinstance(expected, TableExpected):
        return _table_text(_subject(check.target), expected, policy, detail.rows)
    if isinstance(expected, UnchangedExpected):
        name = one_line(expected.name, _NAME)
        return f"`{name}` must not change: neither assign it anew nor modify it in place."
    writer = _WRITERS[type(expected)]
    return writer(_subject(check.target), expected, detail.characters)


def _subject(target: Target) -> str:
    if isinstance(target, NamedVariable):
        return f"The variable `{one_line(target.name, _NAME)}`"
    return "The printed text" if isinstance(target, Stdout) else "The last expression"


def _table_of(expected: TableExpected) -> Mapping[str, Any]:
    value = expected.value
    if not isinstance(value, dict):
        raise TypeError(f"an encoded table is an object, not {type(value).__name__}")
    return value


def _table_text(subject: str, expected: TableExpected, policy: ComparePolicy, rows: int) -> str:
    value = _table_of(expected)
    cut = rows if len(value["rows"]) > rows else None
    return "\n".join(
        [
            f"{subject} must be this {type_description(value)}:",
            fence(table(value, cut), "text"),
            " ".join(_summary(value, expected, policy)),
        ]
    )


def type_description(value: Mapping[str, Any]) -> str:
    """An encoded table's type, shape and columns on one line."""
    columns = [
        _column(name, kind) for name, kind in zip(value["columns"], value["dtypes"], strict=True)
    ]
    if value["form"] == "Series":
        kind = value["dtypes"][0]
        of_kind = f" of {kind}" if kind else ""
        return f"pandas Series{of_kind} with {len(value['rows'])} values"
    return f"pandas DataFrame[{', '.join(columns)}] with {len(value['rows'])} rows"


def _column(name: Any, kind: str | None) -> str:
    label = one_line(name, _NAME) if isinstance(name, str) else literal(name)
    return f"{label}: {kind}" if kind else label


def _summary(value: Mapping[str, Any], expected: TableExpected, policy: ComparePolicy) -> list[str]:
    index = value["index"]
    sentences = [
        "Other rows may be there too." if expected.only_rows else "",
        "Other columns may be there too." if expected.only_columns else "",
        _order(value) if policy.check_row_order else "The order of the rows does not matter.",
        "" if policy.check_column_order else "The order of the columns does not matter.",
        "" if policy.check_column_names else "The column names do not matter.",
        "" if index is None else "The first column shown is the index.",
    ]
    return [sentence for sentence in sentences if sentence]


def _order(value: Mapping[str, Any]) -> str:
    for place, name in enumerate(value["columns"]):
        cells = [row[place] for row in value["rows"]]
        direction = _direction(cells)
        if direction is not None:
            label = one_line(str(name), _NAME)
            return f"The order of the rows matters: {label}, {direction} first."
    return "The order of the rows matters."


def _direction(cells: Sequence[Any]) -> str | None:
    """`smallest` or `largest` when plain numbers run strictly one way, else None."""
    numbers = [cell for cell in cells if type(cell) in (int, float)]
    if len(numbers) != len(cells) or len(numbers) <= 1:
        return None
    pairs = list(pairwise(numbers))
    if all(left > right for left, right in pairs):
        return "largest"
    return "smallest" if all(left < right for left, right in pairs) else None


def _value(subject: str, expected: ValueExpected, characters: int) -> str:
    return f"{subject} must equal this value:\n{_clipped(literal(expected.value), characters)}"


def _schema(subject: str, expected: SchemaExpected, _: int) -> str:
    columns = expected.columns
    listed = "" if columns is None else ", ".join(_column(c.name, c.dtype) for c in columns)
    inner = listed or (expected.dtype or "")
    sizes = (
        [] if expected.shape is None else ["any" if n is None else str(n) for n in expected.shape]
    )
    shape = f", shape {' x '.join(sizes)}" if sizes else ""
    kind = one_line(expected.type, _NAME)
    return f"{subject} must have this type:\n{fence(f'{kind}[{inner}]{shape}', 'text')}"


def _expression(_subject: str, expected: ExpressionExpected, _: int) -> str:
    return (
        "This must be true afterwards (`result` is the last expression, `before` holds the "
        f"variables as they were):\n{fence(expected.expression, 'python')}"
    )


def _text(subject: str, expected: TextExpected, characters: int) -> str:
    return f"{subject}, as text, must be:\n{_clipped(expected.text, characters)}"


def _exception(_subject: str, expected: ExceptionExpected, _: int) -> str:
    matching = "" if expected.pattern is None else ", its message matching the pattern"
    pattern = "" if expected.pattern is None else "\n" + fence(expected.pattern, "text")
    return f"The code must raise `{one_line(expected.type, _NAME)}`{matching}.{pattern}"


def _clipped(text: str, characters: int) -> str:
    left_out = len(text) - characters
    if left_out <= 0:
        return fence(text, "text")
    return f"{fence(text[:characters], 'text')}\n(and {left_out:,} more characters)"


_WRITERS: dict[type[Expected], Callable[[str, Any, int], str]] = {
    ValueExpected: _value,
    SchemaExpected: _schema,
    ExpressionExpected: _expression,
    TextExpected: _text,
    ExceptionExpected: _exception,
}
