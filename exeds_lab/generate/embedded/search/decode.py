"""Encoded JSON -> grid: the declared value as the search sees it."""

from __future__ import annotations

from typing import Any

from exeds_lab.generate.embedded.search.grid import (
    Atom,
    Grid,
    Moment,
    dict_grid,
    is_default,
    kind_of,
    list_grid,
    nested,
    scalar_grid,
)


def decode_grid(encoded: Any) -> Grid | None:
    """The grid of an encoded value; None for kinds that are not searched for."""
    if isinstance(encoded, list):
        return list_grid([decode_atom(item) for item in encoded])
    if not isinstance(encoded, dict):
        return scalar_grid(encoded)
    kind = encoded.get("$")
    if kind == "table":
        return decode_table(encoded)
    if kind == "array":
        return decode_array(encoded)
    if kind in ("tuple", "set"):
        return list_grid([decode_atom(item) for item in encoded["v"]])
    if kind == "dict":
        return dict_grid({decode_atom(key): decode_atom(item) for key, item in encoded["v"]})
    return decode_scalar(encoded)


def decode_scalar(encoded: dict[str, Any]) -> Grid | None:
    """The grid of one value that JSON has no form for."""
    kinds = {
        "float": "float",
        "decimal": None,
        "fraction": None,
        "datetime": "datetime",
        "date": "datetime",
        "timedelta": "timedelta",
        "period": None,
        "na": None,
        "scalar": None,
        "time": None,
    }
    name = encoded.get("$")
    if name not in kinds:
        return None
    kind = kind_of(encoded["dtype"]) if name == "scalar" else kinds[str(name)]
    return Grid("scalar", [[decode_atom(encoded)]], None, None, [], [kind])


def decode_table(encoded: dict[str, Any]) -> Grid:
    """The grid of an encoded DataFrame or Series."""
    labels = [decode_atom(label) for label in encoded["columns"]]
    rows = [[decode_atom(cell) for cell in row] for row in encoded["rows"]]
    cells = [[row[place] for row in rows] for place in range(len(labels))]
    series = encoded["form"] == "Series"
    kinds = [kind_of(dtype) if dtype else None for dtype in encoded.get("dtypes") or []]
    return Grid(
        "series" if series else "frame",
        cells,
        [decode_atom(encoded.get("name"))] if series else labels,
        decode_index(encoded),
        [decode_atom(name) for name in encoded.get("index_names") or []],
        kinds or [None] * len(labels),
    )


def decode_index(encoded: dict[str, Any]) -> list[list[Atom]] | None:
    """The declared index, one list a level; None for 0, 1, 2 … or none."""
    if encoded.get("index") is None:
        return None
    labels = [decode_atom(label) for label in encoded["index"]]
    names = encoded.get("index_names") or [None]
    if len(names) > 1:
        return [[label[level] for label in labels] for level in range(len(names))]
    return None if labels == list(range(len(labels))) and is_default(labels) else [labels]


def decode_array(encoded: dict[str, Any]) -> Grid | None:
    """The grid of an encoded array of one or two dimensions."""
    shape, flat = encoded["shape"], [decode_atom(cell) for cell in encoded["v"]]
    kind = kind_of(encoded["dtype"])
    if len(shape) == 0:
        return Grid("scalar", [flat], None, None, [], [kind])
    if len(shape) == 1:
        return Grid("array", [flat], None, None, [], [kind])
    if len(shape) > 2:
        return None
    width = shape[1]
    cells = [flat[place::width] for place in range(width)]
    return Grid("array", cells, None, None, [], [kind] * width)


def decode_atom(encoded: Any) -> Atom:
    """The atom of an encoded cell."""
    if isinstance(encoded, list):
        return tuple(decode_atom(item) for item in encoded)
    if not isinstance(encoded, dict):
        return encoded
    kind, value = encoded.get("$"), encoded.get("v")
    if kind in ("tuple", "set"):
        items = [decode_atom(item) for item in value or []]
        return nested(set(items)) if kind == "set" else tuple(items)
    if kind == "dict":
        return tuple((decode_atom(key), decode_atom(item)) for key, item in value or [])
    if kind == "float":
        return None if value == "nan" else float(str(value))
    if kind in ("na", "scalar"):
        return None if kind == "na" else decode_atom(value)
    if kind in ("decimal", "fraction"):
        return decode_ratio(str(value))
    if kind == "period":
        return f"period {value}"
    if kind == "timedelta":
        return f"timedelta {encoded['ns']}"
    return Moment(str(value).replace("T00:00:00", ""))


def decode_ratio(text: str) -> float:
    """`1.10` or `1/3` as a float."""
    above, _, below = text.partition("/")
    return float(above) / float(below or 1)
