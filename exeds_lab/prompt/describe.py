"""Variables as text: name, type, shape, columns with an example value each."""

from __future__ import annotations

from exeds_lab.model.task import ColumnDescription, ValueDescription, Variable
from exeds_lab.prompt.fence import one_line

MOST_COLUMNS = 60
"""Columns of one table that are listed."""

_NAME = 80
_PREVIEW = 200


def variable_text(variable: Variable, columns: int = MOST_COLUMNS) -> str:
    """One variable, a line a column.

    Args:
        variable: with its description.
        columns: how many columns of a table are listed.
    """
    described = variable.description
    name = one_line(variable.name, _NAME)
    kind = one_line(described.type, _NAME)
    if described.columns is None:
        return f"{name}: {kind}{_length(described)} = {one_line(described.preview, _PREVIEW)}"
    lines = [f"{name}: {kind}{_size(described)}"]
    lines += [f"    {_column(column)}" for column in described.columns[:columns]]
    left_out = _width(described) - min(columns, len(described.columns))
    if left_out > 0:
        lines.append(f"    … and {left_out:,} more columns")
    return "\n".join(lines)


def _width(described: ValueDescription) -> int:
    shape = described.shape or ()
    listed = len(described.columns or ())
    return max(shape[1], listed) if len(shape) == 2 else listed


def _size(described: ValueDescription) -> str:
    if described.shape is None:
        return ""
    sizes = " x ".join(f"{size:,}" for size in described.shape)
    return f", {sizes}" + (" (rows x columns)" if len(described.shape) > 1 else " values")


def _length(described: ValueDescription) -> str:
    if described.shape is None:
        return ""
    return ", " + " x ".join(f"{size:,}" for size in described.shape)


def _column(column: ColumnDescription) -> str:
    example = "" if column.example is None else f", e.g. {one_line(column.example, 60)}"
    missing = f", {column.missing:,} missing" if column.missing else ""
    name = one_line(column.name, _NAME)
    return f"'{name}': {one_line(column.dtype, _NAME)}{example}{missing}"
