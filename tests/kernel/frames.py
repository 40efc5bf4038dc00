"""Frames of all dtypes that people have, for hypothesis."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs", "S")), max_size=8)
FLOATS = st.floats(-1e6, 1e6, allow_nan=False, width=64).map(lambda x: round(x, 4))
DAYS = st.dates(datetime.date(1990, 1, 1), datetime.date(2040, 1, 1))


def _column(draw: Any, kind: str, height: int) -> pd.Series:
    def some(strategy: Any) -> list[Any]:
        return draw(st.lists(strategy, min_size=height, max_size=height))

    if kind == "int":
        return pd.Series(some(st.integers(-1000, 1000)), dtype="int64")
    if kind == "float":
        return pd.Series(some(FLOATS | st.just(float("nan"))), dtype="float64")
    if kind == "bool":
        return pd.Series(some(st.booleans()), dtype="bool")
    if kind == "datetime":
        return pd.Series(pd.to_datetime(some(DAYS))).astype("datetime64[ns]")
    if kind == "zoned":
        return pd.Series(pd.to_datetime(some(DAYS))).dt.tz_localize("UTC")
    if kind == "category":
        return pd.Series(some(st.sampled_from("abc")), dtype="category")
    if kind == "nullable":
        return pd.Series(some(st.integers(-9, 9) | st.just(pd.NA)), dtype="Int64")
    if kind == "object":
        return pd.Series(some(st.integers(-9, 9) | TEXTS | st.none()), dtype="object")
    return pd.Series(some(TEXTS), dtype="str" if kind == "str" else "object")


KINDS = (
    "int", "float", "bool", "datetime", "zoned", "category", "nullable", "object", "str", "text",
)  # fmt: skip


@st.composite
def frames(draw: Any, min_rows: int = 0, min_columns: int = 0) -> pd.DataFrame:
    """A frame of at most 6 x 5, with or without an index of its own."""
    height = draw(st.integers(min_rows, 6))
    names = draw(st.lists(TEXTS, min_size=min_columns, max_size=5, unique=True))
    columns = {name: _column(draw, draw(st.sampled_from(KINDS)), height) for name in names}
    frame = pd.DataFrame(columns, index=pd.RangeIndex(height))
    if draw(st.booleans()):
        labels = draw(st.lists(TEXTS, min_size=height, max_size=height, unique=True))
        frame.index = pd.Index(labels, name=draw(st.sampled_from([None, "key"])), dtype="object")
    return frame


def changed(value: Any) -> Any:
    """Another value of the same type."""
    if value is None or value is pd.NaT or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, pd.Timestamp):
        return value + pd.Timedelta("1s")
    return value + 1
