"""JSON and Python tables (records, or a dict of columns) -> an encoded table."""

from __future__ import annotations

import json
from typing import Any

from exeds_lab.expect.grid import refusal
from exeds_lab.expect.literal import read_literal
from exeds_lab.kernel.encode import encode
from exeds_lab.model.task import EncodedValue


def read_json(text: str) -> EncodedValue:
    """Read a list of records, a dict of lists, or a list of lists with a header.

    Raises:
        ExpectationError: it is neither JSON nor a Python literal, or no table.
    """
    data = _loaded(text)
    if isinstance(data, dict) and set(data) >= {"columns", "data"}:
        return _table(data["columns"], data["data"])
    if isinstance(data, list) and data and all(isinstance(one, dict) for one in data):
        return _records(data)
    if isinstance(data, dict) and data and all(isinstance(one, list) for one in data.values()):
        return _dict_of_lists(data)
    raise refusal(
        "This is no table: expected a list of records or a dict of columns.",
        'Write [{"a": 1, "b": 2}, …] or {"a": [1, …], "b": [2, …]}, or choose Value.',
    )


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return read_literal(text)


def _records(records: list[dict[Any, Any]]) -> EncodedValue:
    names: list[Any] = []
    for record in records:
        names.extend(name for name in record if name not in names)
    return _table(names, [[record.get(name) for name in names] for record in records])


def _dict_of_lists(data: dict[Any, list[Any]]) -> EncodedValue:
    lengths = {len(column) for column in data.values()}
    if len(lengths) != 1:
        raise refusal(
            "The columns are not equally long.", "Give every column as many cells as the others."
        )
    return _table(list(data), [list(row) for row in zip(*data.values(), strict=True)])


def _table(columns: list[Any], rows: list[list[Any]]) -> EncodedValue:
    for row in rows:
        if len(row) != len(columns):
            raise refusal("A row is not as wide as the header.", "Give every row as many cells.")
    return {
        "$": "table",
        "form": "DataFrame",
        "columns": [encode(name) for name in columns],
        "dtypes": [None for _ in columns],
        "index": None,
        "index_names": None,
        "rows": [[encode(cell) for cell in row] for row in rows],
        "name": None,
        "decimals": None,
    }
