"""What the user declared -> an Expectation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from exeds_lab.errors import ExpectationError
from exeds_lab.expect.checks import (
    is_exception,
    looks_like_check,
    read_checks,
    read_exception,
)
from exeds_lab.expect.grid import refusal
from exeds_lab.expect.literal import read_literal
from exeds_lab.expect.schema import is_schema, read_schema
from exeds_lab.expect.table import looks_like_table, read_table
from exeds_lab.kernel.describe import describe, describe_encoded
from exeds_lab.kernel.encode import EncodeError, encode
from exeds_lab.model.spec import (
    Check,
    Expectation,
    Expected,
    ExpressionExpected,
    LastValue,
    NamedVariable,
    SchemaExpected,
    Stdout,
    TableExpected,
    Target,
    TextExpected,
    UnchangedExpected,
    ValueExpected,
)
from exeds_lab.model.task import EncodedValue, ValueDescription
from exeds_lab.model.wire import ExpectationRequest

Kind = Literal["none", "value", "table", "schema", "checks", "text", "exception"]

_PREFIXES: dict[str, Kind] = {
    "value:": "value",
    "table:": "table",
    "schema:": "schema",
    "checks:": "checks",
    "check:": "checks",
    "text:": "text",
    "raises:": "exception",
}


def parse(request: ExpectationRequest) -> Expectation:
    """Read what was typed or pasted.

    Raises:
        ExpectationError: it cannot be read; says where.
    """
    if request.kind == "none":
        return _expectation(request, [], "none")
    if request.kind == "variable":
        raise refusal("A variable is read from the kernel.", "Start the notebook's kernel.")
    kind: Kind = detect(request.text) if request.kind == "output" else request.kind
    origin: _Origin = "cell_output" if request.kind == "output" else "declared"
    if kind == "none":
        raise refusal("Nothing was typed.", "Say what should come out, or choose Nothing declared.")
    return _expectation(request, _READERS[kind](request.text, request), origin)


def from_value(
    value: EncodedValue, description: ValueDescription, request: ExpectationRequest
) -> Expectation:
    """Expect a value that was read from the kernel."""
    is_table = isinstance(value, dict) and value.get("$") == "table"
    if is_table:
        expected: Expected = TableExpected(
            value=value, only_rows=request.only_rows, only_columns=request.only_columns
        )
    else:
        expected = ValueExpected(value=value)
    origin: _Origin = "variable" if request.kind == "variable" else "cell_output"
    name = "table" if is_table else "value"
    return _expectation(request, [_Read(expected, f"is the {name}", description)], origin)


def detect(text: str) -> Kind:
    """The kind of a text: by its prefix, else by what it can be read as.

    Prefixes are `value:`, `table:`, `schema:`, `check:`, `text:` and `raises:`.
    """
    if not text.strip():
        return "none"
    prefix = _prefix(text)
    if prefix is not None:
        return _PREFIXES[prefix]
    for kind, fits in _TESTS:
        if fits(text):
            return kind
    return "text"


def without_prefix(text: str) -> str:
    """The text behind its prefix, if it has one."""
    prefix = _prefix(text)
    return text if prefix is None else text.lstrip()[len(prefix) :].removeprefix(" ")


def _prefix(text: str) -> str | None:
    start = text.lstrip()[:8].lower()
    return next((prefix for prefix in _PREFIXES if start.startswith(prefix)), None)


def _is_value(text: str) -> bool:
    try:
        read_literal(text)
    except ExpectationError:
        return False
    return not _is_records(text)


def _is_records(text: str) -> bool:
    try:
        data = json.loads(text)
    except ValueError:
        return False
    return isinstance(data, list) and bool(data) and all(isinstance(one, dict) for one in data)


def _is_table(text: str) -> bool:
    if not looks_like_table(text):
        return False
    try:
        read_table(text)
    except ExpectationError:
        return False
    return True


_TESTS: tuple[tuple[Kind, Callable[[str], bool]], ...] = (
    ("exception", is_exception),
    ("schema", is_schema),
    ("value", _is_value),
    ("table", _is_table),
    ("checks", looks_like_check),
)

_Origin = Literal["none", "declared", "variable", "cell_output", "picked"]


@dataclass(frozen=True)
class _Read:
    """One check before it has its target and a unique name."""

    expected: Expected
    words: str
    """What follows the target in the check's name."""
    preview: ValueDescription | None
    is_whole_name: bool = False
    """Whether `words` is the whole name."""


def _value(text: str, _: ExpectationRequest) -> list[_Read]:
    try:
        value = encode(read_literal(text))
    except EncodeError as error:
        reason = f"This value cannot be used: {error.reason}."
        raise refusal(reason, "Write a simpler value.") from error
    return [_Read(ValueExpected(value=value), "is the value", _described(value))]


def _table(text: str, request: ExpectationRequest) -> list[_Read]:
    pasted = read_table(text)
    expected = TableExpected(
        value=pasted.value,
        only_rows=request.only_rows or pasted.only_rows,
        only_columns=request.only_columns or pasted.only_columns,
    )
    checks = [_Read(expected, "is the table", _described(pasted.value))]
    if pasted.total is not None:
        checks.append(_size(pasted.value, pasted.total))
    return checks


def _size(value: EncodedValue, total: tuple[int, int]) -> _Read:
    """What a shortened print still says: how large the whole is."""
    assert isinstance(value, dict)
    form = str(value["form"])
    shape = total if form == "DataFrame" else total[:1]
    schema = SchemaExpected(type=form, columns=None, shape=shape, dtype=None)
    words = f"has {total[0]:,} rows"
    if form == "DataFrame":
        words += f" and {total[1]:,} columns"
    return _Read(schema, words, None)


def _schema(text: str, _: ExpectationRequest) -> list[_Read]:
    return [_Read(read_schema(text), f"is {' '.join(text.split())}", None)]


def _checks(text: str, _: ExpectationRequest) -> list[_Read]:
    return [
        _Read(ExpressionExpected(expression=one.expression), one.expression, None, True)
        for one in read_checks(text)
    ]


def _text(text: str, _: ExpectationRequest) -> list[_Read]:
    return [_Read(TextExpected(text=text), "is the text", _described(text))]


def _exception(text: str, _: ExpectationRequest) -> list[_Read]:
    expected = read_exception(text)
    return [_Read(expected, f"raises {expected.type}", None, True)]


_READERS: dict[Kind, Callable[[str, ExpectationRequest], list[_Read]]] = {
    "value": _value,
    "table": _table,
    "schema": _schema,
    "checks": _checks,
    "text": _text,
    "exception": _exception,
}


def _described(value: EncodedValue) -> ValueDescription:
    if isinstance(value, str):
        return ValueDescription.model_validate(describe(value))
    return ValueDescription.model_validate(describe_encoded(value))


def _expectation(
    request: ExpectationRequest, found: Sequence[_Read], origin: _Origin
) -> Expectation:
    target, where = _target(request.target)
    named = [(one, one.words if one.is_whole_name else f"{where} {one.words}") for one in found]
    checks = [
        Check(name=name, target=target, expected=one.expected, declared=True)
        for (one, _), name in zip(named, _unique(name for _, name in named), strict=True)
    ]
    checks += [
        Check(
            name=f"{name} unchanged",
            target=NamedVariable(name=name),
            expected=UnchangedExpected(name=name),
            declared=False,
        )
        for name in dict.fromkeys(request.unchanged)
    ]
    return Expectation(
        checks=tuple(checks),
        policy=request.policy,
        origin=origin,
        source="" if origin == "none" else request.text,
        preview=tuple(one.preview for one in found if one.preview is not None),
    )


def _unique(names: Iterable[str]) -> list[str]:
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        short = name if len(name) <= 80 else name[:79] + "…"
        seen[short] = seen.get(short, 0) + 1
        unique.append(short if seen[short] == 1 else f"{short} ({seen[short]})")
    return unique


def _target(name: str) -> tuple[Target, str]:
    if name in ("", "last", "result"):
        return LastValue(), "result"
    if name == "stdout":
        return Stdout(), "output"
    if not name.isidentifier():
        raise refusal(
            f"{name} is no name of a variable.", "Write last, stdout or a variable's name."
        )
    return NamedVariable(name=name), name
