"""One order for encoded values of any kind, in which close numbers stand together."""

from __future__ import annotations

import json
import math
from typing import Any

from exeds_lab.kernel.compare_scalar import decode_or_none, is_number
from exeds_lab.kernel.describe import is_missing
from exeds_lab.kernel.instants import read_instant


def sort_key(cell: Any) -> tuple[int, Any]:
    """A key that puts values of any kind in one order; close numbers get the same key."""
    if is_missing(cell):
        return (0, "")
    kind = type(cell)
    if kind is bool:
        return (1, int(cell))
    if kind is str:
        return (3, cell)
    if kind is dict and cell["$"] == "scalar":
        return sort_key(cell["v"])
    if is_number(cell):
        return _number_key(decode_or_none(cell))
    if kind is dict and cell["$"] == "datetime":
        instant = read_instant(cell["v"])
        return (4, 0 if instant is None else instant.nanoseconds)
    return (5, json.dumps(cell, sort_keys=True))


def _number_key(number: Any) -> tuple[int, Any]:
    try:
        rounded = float(f"{float(number):.4e}")
    except (TypeError, ValueError, OverflowError):
        return (5, str(number))
    return (2, rounded + 0.0)


def exact_key(cell: Any) -> float:
    """The number itself, to order those that are close; 0 for everything else."""
    number = decode_or_none(cell) if is_number(cell) else 0.0
    try:
        value = float(number)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return 0.0 if math.isnan(value) else value


def texts_first(key: tuple[tuple[int, Any], ...]) -> tuple[Any, ...]:
    """The key of a row with what is exact before what is rounded."""
    whole = tuple(part for part in key if part[0] != 2)
    return (whole, tuple(part for part in key if part[0] == 2))
