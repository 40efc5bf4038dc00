"""Encoded values as text and as a small HTML table: what previews and differences show."""

from __future__ import annotations

import html
from typing import Any

from exeds_lab.kernel.encode import decode_plain, interval_text
from exeds_lab.kernel.guard import shorten

CELL_CHARACTERS = 200
"""The longest text of one cell."""
VALUE_CHARACTERS = 2_000
"""The longest text of a value."""


def cell_text(encoded: Any) -> str:
    """A cell as a table shows it: text without quotes."""
    if type(encoded) is str:
        return shorten(encoded, CELL_CHARACTERS)
    return value_text(encoded, CELL_CHARACTERS)


def value_text(encoded: Any, limit: int = VALUE_CHARACTERS) -> str:
    """A value as Python writes it, at most `limit` characters."""
    text = _text(encoded, limit)
    return shorten(text, limit)


def pair_text(expected: Any, actual: Any) -> tuple[str, str]:
    """Two differing cells as text; told apart by quotes or type when they look the same."""
    left, right = cell_text(expected), cell_text(actual)
    if left == right:
        left, right = value_text(expected, CELL_CHARACTERS), value_text(actual, CELL_CHARACTERS)
    if left == right:
        left, right = f"{left} ({kind_name(expected)})", f"{right} ({kind_name(actual)})"
    if left == right:
        left, right = ascii(left), ascii(right)
    return left, right


def kind_name(encoded: Any) -> str:
    """The name of the type that an encoded value stands for."""
    if type(encoded) is not dict:
        return "None" if encoded is None else type(encoded).__name__
    kind: str = encoded["$"]
    if kind in ("like", "opaque"):
        return str(encoded["type"])
    if kind == "table":
        return str(encoded["form"])
    if kind in ("scalar", "na"):
        return str(encoded["dtype"] if kind == "scalar" else encoded["v"])
    return _KIND_NAMES.get(kind, kind)


_KIND_NAMES = {"array": "ndarray", "decimal": "Decimal", "fraction": "Fraction", "shown": "float"}


def _text(encoded: Any, limit: int) -> str:
    if type(encoded) is list:
        return f"[{_joined(encoded, limit)}]"
    if type(encoded) is not dict:
        return repr(encoded)
    renderer = _RENDERERS.get(encoded["$"])
    if renderer is not None:
        text: str = renderer(encoded, limit)
        return text
    return str(decode_plain(encoded))


def _joined(items: list[Any], limit: int) -> str:
    """As many items as fit, then `…`."""
    parts: list[str] = []
    left = limit
    for item in items:
        part = _text(item, left)
        parts.append(part)
        left -= len(part) + 2
        if left < 0:
            parts.append("…")
            break
    return ", ".join(parts)


def _tuple(encoded: dict[str, Any], limit: int) -> str:
    comma = "," if len(encoded["v"]) == 1 else ""
    return f"({_joined(encoded['v'], limit)}{comma})"


def _set(encoded: dict[str, Any], limit: int) -> str:
    return f"{{{_joined(encoded['v'], limit)}}}" if encoded["v"] else "set()"


def _dict(encoded: dict[str, Any], limit: int) -> str:
    parts: list[str] = []
    left = limit
    for key, item in encoded["v"]:
        if left < 0:
            parts.append("…")
            break
        part = f"{_text(key, limit)}: {_text(item, limit)}"
        parts.append(part)
        left -= len(part)
    return f"{{{', '.join(parts)}}}"


def _array(encoded: dict[str, Any], limit: int) -> str:
    return f"array({_text(nested(encoded), limit)})"


def nested(encoded: dict[str, Any]) -> Any:
    """The cells of an encoded array as nested lists, still encoded."""
    cells: list[Any] = encoded["v"]
    for length in reversed(encoded["shape"][1:]):
        starts = range(0, len(cells), length) if length else range(0)
        cells = [cells[start : start + length] for start in starts]
    return cells if encoded["shape"] else cells[0]


def _like(encoded: dict[str, Any], limit: int) -> str:
    return f"{encoded['type']}({_text(encoded['v'], limit)})"


_RENDERERS: dict[str, Any] = {
    "tuple": _tuple,
    "set": _set,
    "dict": _dict,
    "array": _array,
    "like": _like,
    "scalar": lambda e, limit: _text(e["v"], limit),
    "table": lambda e, limit: table_text(e, limit),
    "interval": lambda e, _: interval_text(e),
    "na": lambda e, _: e["v"],
    "float": lambda e, _: e["v"],
    "datetime": lambda e, _: _datetime_text(e["v"]),
    "timedelta": lambda e, _: duration_text(e["ns"]),
    "bytes": lambda e, _: repr(decode_plain(e)),
    "fraction": lambda e, _: e["v"],
    "opaque": lambda e, _: e["text"],
}


def _datetime_text(iso: str) -> str:
    midnight = "T00:00:00"
    return iso[: -len(midnight)] if iso.endswith(midnight) else iso.replace("T", " ")


def duration_text(nanoseconds: int) -> str:
    """A duration as pandas writes it: `2 days 03:00:00.5`."""
    sign = "-" if nanoseconds < 0 else ""
    seconds, fraction = divmod(abs(nanoseconds), 1_000_000_000)
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    tail = f".{fraction:09d}".rstrip("0").rstrip(".")
    return f"{sign}{days} days {hours:02d}:{minutes:02d}:{seconds:02d}{tail}"


def labels(encoded: dict[str, Any]) -> list[str]:
    """The index labels of a table as text."""
    if encoded["index"] is None:
        return [str(place) for place in range(len(encoded["rows"]))]
    return [label_text(label) for label in encoded["index"]]


def label_text(label: Any) -> str:
    """A column or index label as text; the levels of a MultiIndex joined by ` / `."""
    if type(label) is dict and label["$"] == "tuple":
        return " / ".join(cell_text(part) for part in label["v"])
    return cell_text(label)


def heading(encoded: dict[str, Any]) -> list[str]:
    """The column labels of a table as text; a nameless Series has an empty one."""
    if encoded["form"] == "Series":
        return ["" if encoded["name"] is None else label_text(encoded["name"])]
    return [label_text(label) for label in encoded["columns"]]


def table_text(encoded: dict[str, Any], limit: int = VALUE_CHARACTERS) -> str:
    """A table as aligned text: at most 20 rows and 20 columns, then how large it is."""
    rows = encoded["rows"][:20]
    grid = [["", *heading(encoded)[:20]]]
    for label, row in zip(labels(encoded), rows):
        grid.append([label, *(shorten(cell_text(cell), 40) for cell in row[:20])])
    widths = [max(len(line[at]) for line in grid) for at in range(len(grid[0]))]
    lines = ["  ".join(text.rjust(width) for text, width in zip(line, widths)) for line in grid]
    return shorten("\n".join([*lines, size_text(encoded)]), limit)


def size_text(encoded: dict[str, Any]) -> str:
    """`[4 rows x 2 columns]`."""
    height, width = len(encoded["rows"]), len(encoded["columns"])
    return f"[{height:,} row{_s(height)} x {width:,} column{_s(width)}]"


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def table_html(encoded: dict[str, Any]) -> str:
    """A table as HTML as a notebook shows it, everything escaped: at most 60 rows, 40 columns."""
    names = heading(encoded)[:40]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    lines = [
        f"<tr><th>{html.escape(label)}</th>{_html_cells(row[:40])}</tr>"
        for label, row in zip(labels(encoded), encoded["rows"][:60])
    ]
    size = f"<p>{size_text(encoded)[1:-1]}</p>"
    body = "".join(lines)
    return (
        f'<table class="dataframe"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>{size}"
    )


def _html_cells(row: list[Any]) -> str:
    return "".join(f"<td>{html.escape(cell_text(cell))}</td>" for cell in row)


def row_text(row: list[Any], name: str) -> str:
    """A row as one line: its label, then its cells."""
    return shorten(f"{name}: " + ", ".join(cell_text(cell) for cell in row), 300)


def row_texts(encoded: dict[str, Any]) -> list[str]:
    """The rows of a table, each as one line."""
    return [row_text(row, name) for row, name in zip(encoded["rows"], labels(encoded))]
