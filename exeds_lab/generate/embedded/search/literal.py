"""Constants and labels as a person would write them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd


def literal(value: Any) -> str:
    """The source of a constant or label."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(value)
    if isinstance(value, pd.Timestamp):
        return f'pd.Timestamp("{value.isoformat().replace("T00:00:00", "")}")'
    if isinstance(value, np.generic):
        return literal(value.item())
    if isinstance(value, float):
        return float_literal(value)
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if isinstance(value, tuple):
        inside = ", ".join(literal(item) for item in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, dict):
        pairs = (f"{literal(key)}: {literal(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    return repr(value)


def float_literal(value: float) -> str:
    """A float, infinities through numpy."""
    if value == float("inf"):
        return "np.inf"
    if value == float("-inf"):
        return "-np.inf"
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def keywords(pairs: dict[str, str]) -> str:
    """`a=x, b=y` for a call, or `**{"a b": x}` where a name is no identifier."""
    if all(name.isidentifier() for name in pairs):
        return ", ".join(f"{name}={code}" for name, code in pairs.items())
    inside = ", ".join(f"{literal(name)}: {code}" for name, code in pairs.items())
    return "**{" + inside + "}"
