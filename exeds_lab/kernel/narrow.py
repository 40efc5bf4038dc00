"""Cutting a huge table down to the rows that may answer a few expected ones.

Only rows that cannot match are left out, so what is then compared row by row decides as if the
whole table had been searched.
"""

from __future__ import annotations

import sys
from typing import Any

from exeds_lab.kernel.compare_scalar import decode_or_none, is_number
from exeds_lab.kernel.describe import is_missing
from exeds_lab.kernel.render import label_text

_MAX_WANTED = 2_000
"""Expected rows up to which a huge table is searched."""
_WIDE_RELATIVE = 1e-4
_WIDE_ABSOLUTE = 1e-3
"""Wider than any tolerance and any printed rounding that is compared later."""


def narrow(expected: Any, actual: Any, relative: float, absolute: float) -> Any | None:
    """The rows of a frame or Series that may equal an expected row, in order; None if unknown.

    Args:
        expected: an encoded table.
        actual: any object.
        relative: relative tolerance of floats.
        absolute: absolute tolerance of floats.
    """
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if numpy is None or pandas is None or not 0 < len(expected["rows"]) <= _MAX_WANTED:
        return None
    if type(actual) is pandas.Series:
        columns = [actual]
    elif type(actual) is pandas.DataFrame:
        columns = _columns(expected, actual)
    else:
        return None
    slack = max(relative, _WIDE_RELATIVE), max(absolute, _WIDE_ABSOLUTE)
    masks = [
        _mask(numpy, column, [row[at] for row in expected["rows"]], slack)
        for at, column in enumerate(columns)
        if column is not None
    ]
    found = [mask for mask in masks if mask is not None]
    if not found:
        return None
    rows = numpy.logical_and.reduce(found)
    if expected["index"] is not None:
        labels = [decode_or_none(label) for label in expected["index"]]
        rows = rows | actual.index.isin([label for label in labels if _is_plain(label)])
    return actual.iloc[numpy.flatnonzero(rows)]


def _is_plain(label: Any) -> bool:
    return type(label) in (int, float, str)


def _columns(expected: Any, frame: Any) -> list[Any]:
    """For each expected column the actual one of that label, where it is the only one."""
    labels = [str(label) for label in frame.columns.tolist()]
    found: list[Any] = []
    for label in expected["columns"]:
        text = label_text(label)
        is_one = labels.count(text) == 1
        found.append(frame.iloc[:, labels.index(text)] if is_one else None)
    return found


def _mask(numpy: Any, column: Any, cells: list[Any], slack: tuple[float, float]) -> Any | None:
    """Which rows hold one of the expected cells; None where that cannot be told quickly."""
    kind = getattr(column.dtype, "kind", "O")
    if any(is_missing(cell) for cell in cells):
        return None
    if kind in "iuf" and all(is_number(cell) for cell in cells):
        return _number_mask(numpy, column.to_numpy(), cells, slack)
    if all(type(cell) is str for cell in cells) and kind not in "iufbmMc":
        infer = sys.modules["pandas"].api.types.infer_dtype
        if infer(column, skipna=True) == "string":
            return column.isin(cells).to_numpy()
    return None


def _number_mask(
    numpy: Any, values: Any, cells: list[Any], slack: tuple[float, float]
) -> Any | None:
    wanted = [decode_or_none(cell) for cell in cells]
    if not all(type(number) in (int, float) for number in wanted):
        return None
    mask = numpy.zeros(len(values), dtype=bool)
    for number in sorted({float(number) for number in wanted}):
        reach = max(slack[1], slack[0] * abs(number))
        mask |= (values >= number - reach) & (values <= number + reach)
    return mask
