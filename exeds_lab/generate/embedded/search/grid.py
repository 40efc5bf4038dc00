"""Values as grids of atoms: the one form in which everything is compared."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

Atom = Any
"""None (missing), bool, int, float, str or a tuple of atoms. Moments are ISO text."""


class Moment(str):
    """ISO text of a date, time or datetime, apart from text that merely looks like it."""


MOST_CELLS = 200_000
"""A larger value is never compared."""


@dataclass
class Grid:
    """A value laid out as columns of atoms."""

    form: str
    """`frame`, `series`, `array`, `list`, `dict` or `scalar`."""
    cells: list[list[Atom]]
    """One list a column."""
    columns: list[Atom] | None
    """Column labels of a frame, the one-element name of a series; None where there are none."""
    index: list[list[Atom]] | None
    """One list a level; None for 0, 1, 2 …"""
    index_names: list[Atom]
    """One a level."""
    kinds: list[str | None]
    """The kind of each column's dtype; None when unknown."""

    @property
    def length(self) -> int:
        """Number of rows."""
        if self.cells:
            return len(self.cells[0])
        return len(self.index[0]) if self.index else 0


def atom(value: Any) -> Atom:
    """The atom of one cell."""
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating, Decimal, Fraction)):
        number = float(value)
        return None if math.isnan(number) else number
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (dt.date, dt.time, np.datetime64)):
        return moment(value)
    if isinstance(value, (dt.timedelta, np.timedelta64)):
        return f"timedelta {pd.Timedelta(value).value}"
    return nested(value)


def nested(value: Any) -> Atom:
    """The atom of a cell that holds several values, or something rarer."""
    if isinstance(value, np.ndarray):
        return nested(value.tolist())
    if isinstance(value, (list, tuple)):
        return tuple(atom(item) for item in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((atom(item) for item in value), key=repr))
    if isinstance(value, dict):
        return tuple((atom(key), atom(item)) for key, item in value.items())
    if isinstance(value, pd.Period):
        return f"period {value}"
    if isinstance(value, pd.Interval):
        return str(value)
    return f"<{type(value).__name__} {id(value)}>"


def moment(value: Any) -> Moment:
    """A date, time or datetime as ISO text; midnight is left out."""
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    return Moment(value.isoformat().replace("T00:00:00", ""))


def grid_of(value: Any) -> Grid | None:
    """The grid of a value; None when it has none or is too large."""
    if isinstance(value, pd.DataFrame):
        return frame_grid(value)
    if isinstance(value, pd.Series):
        return series_grid(value)
    if isinstance(value, (pd.Index, pd.api.extensions.ExtensionArray)):
        value = np.asarray(value, dtype=object)
    if isinstance(value, np.ndarray):
        return array_grid(value)
    if isinstance(value, (list, tuple, set, frozenset, range)):
        items = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        return list_grid([atom(item) for item in items])
    if isinstance(value, dict):
        return dict_grid(value)
    if callable(value) or isinstance(value, type(pd)):
        return None
    return scalar_grid(value)


def frame_grid(frame: pd.DataFrame) -> Grid | None:
    """The grid of a table."""
    if frame.size > MOST_CELLS:
        return None
    series = [frame.iloc[:, place] for place in range(frame.shape[1])]
    return Grid(
        "frame",
        [atoms(column) for column in series],
        [atom(label) for label in frame.columns],
        index_levels(frame.index),
        [atom(name) for name in frame.index.names],
        [kind_of(column.dtype) for column in series],
    )


def series_grid(series: pd.Series) -> Grid | None:
    """The grid of a series."""
    if series.size > MOST_CELLS:
        return None
    return Grid(
        "series",
        [atoms(series)],
        [atom(series.name)],
        index_levels(series.index),
        [atom(name) for name in series.index.names],
        [kind_of(series.dtype)],
    )


def array_grid(array: np.ndarray) -> Grid | None:
    """The grid of an array: rows and columns of a matrix, one column for all others."""
    if array.size > MOST_CELLS or array.ndim > 2:
        return None
    if array.ndim == 0:
        return scalar_grid(array.item())
    kind = kind_of(array.dtype)
    if array.ndim == 1:
        return Grid("array", [[atom(item) for item in array.tolist()]], None, None, [], [kind])
    columns = [[atom(item) for item in column] for column in array.T.tolist()]
    return Grid("array", columns, None, None, [], [kind] * len(columns))


def list_grid(items: list[Atom]) -> Grid:
    """The grid of a list, tuple or set."""
    return Grid("list", [items], None, None, [], [None])


def dict_grid(mapping: dict[Any, Any]) -> Grid:
    """The grid of a dict: its keys are an index."""
    keys = [atom(key) for key in mapping]
    return Grid("dict", [[atom(item) for item in mapping.values()]], None, [keys], [None], [None])


def scalar_grid(value: Any) -> Grid:
    """The grid of one value."""
    return Grid("scalar", [[atom(value)]], None, None, [], [scalar_kind(value)])


def atoms(series: Iterable[Any]) -> list[Atom]:
    """The atoms of a column."""
    items = series.tolist() if hasattr(series, "tolist") else list(series)
    return [atom(item) for item in items]


def index_levels(index: pd.Index) -> list[list[Atom]] | None:
    """The levels of an index; None when it merely counts from 0."""
    if isinstance(index, pd.MultiIndex):
        return [atoms(index.get_level_values(level)) for level in range(index.nlevels)]
    labels = atoms(index)
    return None if labels == list(range(len(labels))) and is_default(labels) else [labels]


def is_default(labels: list[Atom]) -> bool:
    """Whether labels that equal 0, 1, 2 … are whole numbers, not floats or booleans."""
    return all(type(label) is int for label in labels)


def scalar_kind(value: Any) -> str | None:
    """The kind of a single value."""
    kinds = (
        ("bool", (bool, np.bool_)),
        ("int", (int, np.integer)),
        ("float", (float, np.floating)),
        ("text", (str,)),
        ("datetime", (dt.date, np.datetime64)),
        ("timedelta", (dt.timedelta, np.timedelta64)),
    )
    for kind, types in kinds:
        if isinstance(value, types):
            return kind
    return None


def kind_of(dtype: Any) -> str | None:
    """The kind of a dtype, or of a dtype's name; None for object and what is not known."""
    name = str(dtype).lower()
    kinds = (
        ("bool", ("bool",)),
        ("int", ("int", "uint")),
        ("float", ("float", "double")),
        ("text", ("str", "<u")),
        ("datetime", ("datetime", "date")),
        ("timedelta", ("timedelta",)),
        ("category", ("category",)),
        ("period", ("period",)),
    )
    for kind, starts in kinds:
        if name.startswith(starts):
            return "other" if name.startswith("interval") else kind
    return None
