"""Encoded values as text that a model reads: Python literals and plain tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from exeds_lab.model.task import EncodedValue
from exeds_lab.prompt.fence import one_line

_CELL = 80
"""Most characters of one cell of a table."""


def literal(value: EncodedValue) -> str:
    """An encoded value as the Python expression that makes it."""
    if isinstance(value, list):
        return f"[{_joined(value)}]"
    if not isinstance(value, dict):
        return repr(value)
    kind = str(value.get("$"))
    if kind == "table":
        return table(value, None)
    writer = _WRITERS.get(kind)
    return writer(value) if writer is not None else f"<{kind}>"


def table(value: Mapping[str, Any], rows: int | None) -> str:
    """An encoded table as lines of cells, its column names first.

    Args:
        value: an encoded table.
        rows: how many rows to show; None = all.
    """
    index = value["index"]
    names = [_label(name) for name in value["columns"]]
    lines = [([_index_name(value)] if index is not None else []) + names]
    shown = value["rows"] if rows is None else value["rows"][:rows]
    for place, row in enumerate(shown):
        label = [_label(index[place])] if index is not None else []
        lines.append(label + [_cell(cell) for cell in row])
    left_out = len(value["rows"]) - len(shown)
    tail = f"\n… and {left_out:,} more rows" if left_out else ""
    return "\n".join(" | ".join(line) for line in lines) + tail


def _index_name(value: Mapping[str, Any]) -> str:
    names = value["index_names"] or []
    return "(index) " + ", ".join(str(name) for name in names if name is not None)


def _label(label: Any) -> str:
    return one_line(label, _CELL) if isinstance(label, str) else _cell(label)


def _cell(cell: Any) -> str:
    text = cell if isinstance(cell, str) else literal(cell)
    return one_line(text, _CELL).replace("|", "\\|")


def _joined(values: Sequence[Any]) -> str:
    return ", ".join(literal(value) for value in values)


def _tuple(value: Mapping[str, Any]) -> str:
    items = value["v"]
    return f"({literal(items[0])},)" if len(items) == 1 else f"({_joined(items)})"


def _set(value: Mapping[str, Any]) -> str:
    return f"{{{_joined(value['v'])}}}" if value["v"] else "set()"


def _dict(value: Mapping[str, Any]) -> str:
    pairs = (f"{literal(key)}: {literal(item)}" for key, item in value["v"])
    return "{" + ", ".join(pairs) + "}"


def _array(value: Mapping[str, Any]) -> str:
    shape = tuple(value["shape"])
    flat = f"np.array([{_joined(value['v'])}], dtype={value['dtype']!r})"
    return flat if len(shape) == 1 else f"{flat}.reshape{shape}"


def _plain(name: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda value: f"{name}({value['v']!r})"


_WRITERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "float": lambda value: f"float({value['v']!r})",
    "complex": lambda value: f"complex({_joined(value['v'])})",
    "decimal": _plain("Decimal"),
    "fraction": _plain("Fraction"),
    "datetime": _plain("pd.Timestamp"),
    "date": _plain("date.fromisoformat"),
    "time": _plain("time.fromisoformat"),
    "timedelta": lambda value: f"pd.Timedelta({value['ns']}, 'ns')",
    "period": lambda value: f"pd.Period({value['v']!r}, {value['freq']!r})",
    "na": lambda value: f"pd.{value['v']}",
    "bytes": lambda value: f"base64.b64decode({value['v']!r})",
    "tuple": _tuple,
    "set": _set,
    "dict": _dict,
    "array": _array,
    "scalar": lambda value: literal(value["v"]),
}
