"""One table of the user's and its columns by kind."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
from pandas.api import types

from exeds_lab.generate.embedded.search.literal import literal

DATE_TEXT = re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?/\d\d?/\d{2,4}")
LOOKED_AT = 200
"""Values of a text column that are looked at to tell its kind."""


class Table:
    """A DataFrame under a name."""

    def __init__(self, name: str, frame: pd.DataFrame) -> None:
        self.name = name
        self.frame = frame
        once = ~frame.columns.duplicated(keep=False)
        self.columns: list[Any] = [label for label in frame.columns[once] if known(label)]
        self.flags = [c for c in self.columns if types.is_bool_dtype(frame[c].dtype)]
        self.numbers = [c for c in self.columns if self._is_number(c)]
        self.moments = [c for c in self.columns if types.is_datetime64_any_dtype(frame[c].dtype)]
        others = {*self.flags, *self.numbers, *self.moments}
        self.texts = [c for c in self.columns if c not in others]
        self.date_texts = [c for c in self.texts if self._is_date_text(c)]
        self.lists = [c for c in self.texts if self._holds_lists(c)]
        self.words = [c for c in self.texts if c not in self.lists]

    @property
    def length(self) -> int:
        """Number of rows."""
        return len(self.frame)

    def column(self, label: Any) -> str:
        """The code of a column."""
        return f"{self.name}[{literal(label)}]"

    def moment(self, label: Any) -> str:
        """The code of a column of dates as datetimes."""
        column = self.column(label)
        return column if label in self.moments else f"pd.to_datetime({column})"

    @property
    def dated(self) -> list[Any]:
        """Labels of columns that hold dates, as such or as text."""
        return [*self.moments, *self.date_texts]

    def distinct(self, label: Any, most: int = 60) -> list[Any]:
        """The first distinct values of a column that are not missing."""
        values = self.frame[label].dropna()
        try:
            return list(dict.fromkeys(values.tolist()))[:most]
        except TypeError:  # lists and other values that have no hash
            return []

    def repeats(self, label: Any) -> bool:
        """Whether some value stands twice in a column, so that grouping by it says something."""
        try:
            return bool(self.frame[label].duplicated().any())
        except TypeError:  # lists and other values that have no hash
            return False

    def _is_number(self, label: Any) -> bool:
        dtype = self.frame[label].dtype
        return bool(types.is_numeric_dtype(dtype) and not types.is_bool_dtype(dtype))

    def _is_date_text(self, label: Any) -> bool:
        values = self.frame[label].dropna().head(LOOKED_AT).tolist()
        return bool(values) and all(isinstance(v, str) and DATE_TEXT.match(v) for v in values)

    def _holds_lists(self, label: Any) -> bool:
        values = self.frame[label].dropna().head(LOOKED_AT).tolist()
        return any(isinstance(value, (list, tuple)) for value in values)


def known(label: Any) -> bool:
    """Whether a column label can be written in code."""
    return isinstance(label, (str, int, float, tuple, pd.Timestamp))
