"""Short ways to declare."""

from __future__ import annotations

from typing import Any

import pytest

from exeds_lab.errors import ExpectationError
from exeds_lab.expect.parse import parse
from exeds_lab.expect.table import PastedTable, read_table
from exeds_lab.model.spec import ANALYST, Expectation
from exeds_lab.model.wire import ExpectationRequest


def request(kind: Any, text: str, **changes: Any) -> ExpectationRequest:
    """A request as the panel sends it."""
    given: dict[str, Any] = {
        "kind": kind,
        "text": text,
        "target": "last",
        "kernel_id": None,
        "execution_count": None,
        "unchanged": (),
        "only_rows": False,
        "only_columns": False,
        "policy": ANALYST,
    }
    return ExpectationRequest(**{**given, **changes})


def declared(kind: Any, text: str, **changes: Any) -> Expectation:
    """The expectation that a text declares."""
    return parse(request(kind, text, **changes))


def problem(kind: Any, text: str) -> tuple[str, int | None, int | None]:
    """Why and where a text cannot be read."""
    with pytest.raises(ExpectationError) as caught:
        declared(kind, text)
    assert caught.value.next_step
    return caught.value.reason, caught.value.line, caught.value.column


def table(text: str) -> dict[str, Any]:
    """The encoded table that a paste is read as."""
    value = read_table(text).value
    assert isinstance(value, dict)
    return value


def rows(text: str) -> list[Any]:
    """The rows of a paste."""
    return table(text)["rows"]


def pasted(text: str) -> PastedTable:
    """All that a paste says."""
    return read_table(text)
