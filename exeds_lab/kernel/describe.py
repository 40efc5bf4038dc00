"""Values -> descriptions (`ValueDescription` as JSON): bounded in time and size.

Nothing of the value is changed, and nothing is computed that grows with its rows: of a table only
the head is looked at, of an object of a foreign class only its `repr`, within a time limit.
"""

from __future__ import annotations

import sys
from typing import Any

from exeds_lab.kernel.encode import EncodeError, observe
from exeds_lab.kernel.encode_table import dtype_text, shape_of
from exeds_lab.kernel.guard import clean, guarded, guarded_repr, module_name, shorten, type_name
from exeds_lab.kernel.render import (
    VALUE_CHARACTERS,
    cell_text,
    kind_name,
    label_text,
    table_html,
    table_text,
    value_text,
)

_COLUMNS = 200
_HEAD_ROWS = 20
_HEAD_COLUMNS = 20
_HTML_CHARACTERS = 100_000
_COUNT_CELLS = 2_000_000
"""Missing values are counted up to this many cells."""


def describe(value: Any) -> dict[str, Any]:
    """Describe any value; a value that cannot be looked at is described by its type alone."""
    try:
        description = _describe_table(value)
        return _describe_other(value) if description is None else description
    except BaseException:
        return _bare(value)


def describe_encoded(encoded: Any) -> dict[str, Any]:
    """Describe an encoded value as the notebook would show it."""
    if type(encoded) is dict and encoded["$"] == "table":
        return _described_table(encoded)
    shape = _encoded_shape(encoded)
    return {
        "type": kind_name(encoded),
        "module": _encoded_module(encoded),
        "shape": shape,
        "columns": None,
        "preview": value_text(encoded) or " ",
        "html": None,
        "size_bytes": None,
    }


def _bare(value: Any) -> dict[str, Any]:
    return {
        "type": type_name(value),
        "module": module_name(value),
        "shape": None,
        "columns": None,
        "preview": f"<{type_name(value)}>",
        "html": None,
        "size_bytes": None,
    }


def _described_table(encoded: dict[str, Any]) -> dict[str, Any]:
    height, width = len(encoded["rows"]), len(encoded["columns"])
    is_series = encoded["form"] == "Series"
    columns = [
        {
            "name": label_text(label),
            "dtype": dtype or "any",
            "example": _example([row[at] for row in encoded["rows"][:_HEAD_ROWS]]),
            "missing": sum(1 for row in encoded["rows"] if is_missing(row[at])),
        }
        for at, (label, dtype) in enumerate(zip(encoded["columns"], encoded["dtypes"]))
    ]
    return {
        "type": encoded["form"],
        "module": "pandas",
        "shape": [height] if is_series else [height, width],
        "columns": None if is_series else columns[:_COLUMNS],
        "preview": table_text(encoded),
        "html": table_html(encoded),
        "size_bytes": None,
    }


def is_missing(encoded: Any) -> bool:
    """Whether an encoded cell is a missing value: None, NaN, NaT or NA."""
    if type(encoded) is not dict:
        return encoded is None
    return bool(encoded["$"] == "na" or (encoded["$"] == "float" and encoded["v"] == "nan"))


def _example(cells: list[Any]) -> str | None:
    for cell in cells:
        if not is_missing(cell):
            return shorten(cell_text(cell), 60)
    return None


def _encoded_shape(encoded: Any) -> list[int] | None:
    if type(encoded) is list:
        return [len(encoded)]
    if type(encoded) is not dict:
        return None
    if encoded["$"] == "array":
        return list(encoded["shape"])
    if encoded["$"] == "like":
        return _encoded_shape(encoded["v"])
    return [len(encoded["v"])] if encoded["$"] in ("tuple", "set", "dict") else None


def _encoded_module(encoded: Any) -> str:
    if type(encoded) is not dict:
        return "builtins"
    modules = {"array": "numpy", "scalar": "numpy", "na": "pandas", "period": "pandas"}
    modules.update(decimal="decimal", fraction="fractions", datetime="datetime", date="datetime")
    modules.update(time="datetime", timedelta="datetime", like="", interval="pandas")
    return modules.get(encoded["$"], "builtins")


def _describe_table(value: Any) -> dict[str, Any] | None:
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return None
    if issubclass(type(value), pandas.DataFrame):
        return _describe_frame(value)
    return _describe_series(value) if issubclass(type(value), pandas.Series) else None


def _describe_frame(frame: Any) -> dict[str, Any]:
    height, width = len(frame.index), len(frame.columns)
    head = frame.iloc[:_HEAD_ROWS, :_HEAD_COLUMNS]
    size = f"[{height:,} rows x {width:,} columns]"
    text = guarded(lambda: head.iloc[:10].to_string(max_colwidth=40))
    return {
        "type": type_name(frame),
        "module": "pandas" if module_name(frame).startswith("pandas.") else module_name(frame),
        "shape": [height, width],
        "columns": _columns(frame, height, width),
        "preview": _preview(text, size),
        "html": _rich(head, size),
        "size_bytes": _frame_bytes(frame, width),
    }


def _describe_series(series: Any) -> dict[str, Any]:
    height = len(series.index)
    text = guarded(lambda: series.iloc[:10].to_string())
    size = f"[{height:,} values, {dtype_text(series.dtype)}]"
    return {
        "type": type_name(series),
        "module": "pandas" if module_name(series).startswith("pandas.") else module_name(series),
        "shape": [height],
        "columns": None,
        "preview": _preview(text, size),
        "html": None,
        "size_bytes": guarded(lambda: int(series.memory_usage(index=False))),
    }


def _preview(text: Any, size: str) -> str:
    if type(text) is not str:
        return size
    return clean(shorten(text, VALUE_CHARACTERS - len(size) - 1)) + "\n" + size


def _rich(head: Any, size: str) -> str | None:
    text = guarded(lambda: head._repr_html_())
    if type(text) is not str or len(text) > _HTML_CHARACTERS:
        return None
    return clean(text) + f"<p>{size[1:-1]}</p>"


def _columns(frame: Any, height: int, width: int) -> list[dict[str, Any]]:
    shown = min(width, _COLUMNS)
    may_count = height * shown <= _COUNT_CELLS
    return [_column(frame, at, may_count) for at in range(shown)]


def _column(frame: Any, at: int, may_count: bool) -> dict[str, Any]:
    series = frame.iloc[:, at]
    head = guarded(lambda: [observe(cell, 100) for cell in series.iloc[:_HEAD_ROWS].tolist()])
    return {
        "name": clean(_label(frame.columns[at])),
        "dtype": dtype_text(series.dtype),
        "example": None if head is None else _example(head),
        "missing": guarded(lambda: int(series.isna().sum())) if may_count else None,
    }


def _label(label: Any) -> str:
    return label if type(label) is str else shorten(label_text(observe(label, 100)), 200)


def _frame_bytes(frame: Any, width: int) -> int | None:
    if width > _COLUMNS:
        return None
    size: int | None = guarded(lambda: int(frame.memory_usage(index=False).sum()))
    return size


def _describe_other(value: Any) -> dict[str, Any]:
    description = _bare(value)
    description["shape"] = _shape(value)
    description["preview"] = _value_preview(value)
    description["size_bytes"] = _size(value)
    return description


def _shape(value: Any) -> list[int] | None:
    shape = shape_of(value)
    if shape is not None:
        return list(shape)
    for known in _SIZED:
        if issubclass(type(value), known):
            return [known.__len__(value)]
    if module_name(value).startswith("polars."):
        lengths: list[int] | None = guarded(lambda: [int(length) for length in value.shape])
        return lengths
    return None


_SIZED: tuple[Any, ...] = (list, tuple, dict, set, frozenset)


def _value_preview(value: Any) -> str:
    try:
        small = observe(_head(value), 2_000)
    except EncodeError:
        is_array = shape_of(value) is not None  # numpy shortens its own text
        return guarded_repr(value, VALUE_CHARACTERS) if is_array else _bare_text(value)
    if type(small) is dict and small["$"] == "opaque":
        return _opaque_preview(value)
    return value_text(small)


def _head(value: Any) -> Any:
    """The first elements of a builtin container, the value itself otherwise."""
    kind = type(value)
    if kind is list or kind is tuple:
        return value[:200]
    if kind is str:
        return value[:VALUE_CHARACTERS]
    if kind is dict and len(value) > 200:
        return dict(list(zip(range(200), value.items()))[i][1] for i in range(200))
    return value


def _bare_text(value: Any) -> str:
    shape = _shape(value)
    length = f" of {shape[0]:,} elements" if shape else ""
    return f"<{type_name(value)}{length}>"


def _opaque_preview(value: Any) -> str:
    if module_name(value).startswith("polars."):
        # Anything polars computes may hang in a fork: its pool of threads is gone.
        return f"<polars {type_name(value)} {_shape(value) or ''}>"
    return guarded_repr(value, VALUE_CHARACTERS)


def _size(value: Any) -> int | None:
    if shape_of(value) is not None:
        return int(value.nbytes)
    return sys.getsizeof(value) if type(value) in (str, bytes, list, dict, tuple, set) else None
