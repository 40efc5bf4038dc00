"""Values of numpy and pandas as JSON: the library half of `encode.py`.

The libraries are touched only when the kernel has them loaded; pandas 1.5 to 3.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Protocol

from exeds_lab.kernel.guard import clean


class CellEncoder(Protocol):
    """What this module needs of `encode.Encoder`."""

    def encode(self, value: Any) -> Any:
        """Encode any value."""

    def cell(self, value: Any) -> Any:
        """Encode a value, without the dtype of a numpy scalar."""

    def spend(self, cells: int) -> None:
        """Count cells before they are looked at."""


def encode_library_value(encoder: CellEncoder, value: Any) -> Any | None:
    """Encode a value of numpy or pandas; None when it is not one that is known exactly."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    encoded = None
    if numpy is not None:
        encoded = _encode_numpy(encoder, numpy, value)
    if encoded is None and pandas is not None:
        encoded = _encode_pandas(encoder, pandas, value)
    return encoded


def shape_of(value: Any) -> tuple[int, ...] | None:
    """Rows and columns, or lengths, of a frame, Series or array, without looking at its cells."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    kind = type(value)
    if numpy is not None and kind is getattr(numpy, "ndarray", None):
        return tuple(int(length) for length in value.shape)
    if pandas is not None and kind is getattr(pandas, "DataFrame", None):
        return (len(value.index), len(value.columns))
    if pandas is not None and kind is getattr(pandas, "Series", None):
        return (len(value.index),)
    return None


def is_from(module: Any, kind: type) -> bool:
    """Whether a class really is the one of that name in a library's namespace."""
    return getattr(module, kind.__name__, None) is kind


def _encode_numpy(encoder: CellEncoder, numpy: Any, value: Any) -> Any | None:
    kind = type(value)
    if kind is getattr(numpy, "ndarray", None):
        return _encode_array(encoder, value)
    if issubclass(kind, numpy.generic) and is_from(numpy, kind):
        return _encode_scalar(encoder, numpy, value)
    return None


def _encode_scalar(encoder: CellEncoder, numpy: Any, value: Any) -> Any | None:
    code = value.dtype.kind
    if code in "mM":
        return _encode_numpy_time(numpy, value)
    if code not in "biufcUS":
        return None
    plain = value.item()
    if type(plain) is type(value):  # a longdouble has no counterpart in Python
        plain = complex(value) if code == "c" else float(value)
    dtype = {"U": "str", "S": "bytes"}.get(code, str(value.dtype))
    return {"$": "scalar", "dtype": dtype, "v": encoder.encode(plain)}


def _encode_numpy_time(numpy: Any, value: Any) -> Any:
    if numpy.isnat(value):
        return {"$": "na", "v": "NaT"}
    if value.dtype.kind == "m":
        return {"$": "timedelta", "ns": int(value.astype("timedelta64[ns]").astype("int64"))}
    return {"$": "datetime", "v": _trim(str(value.astype("datetime64[ns]")))}


def _trim(iso: str) -> str:
    head, dot, fraction = iso.partition(".")
    fraction = fraction.rstrip("0")
    return f"{head}{dot}{fraction}" if fraction else head


def _encode_array(encoder: CellEncoder, value: Any) -> Any | None:
    if value.dtype.names is not None:
        return None
    encoder.spend(int(value.size))
    flat = value.reshape(-1)
    cells = list(flat) if value.dtype.kind in "mMgGV" else flat.tolist()
    return {
        "$": "array",
        "dtype": "str" if value.dtype.kind == "U" else str(value.dtype),
        "shape": [int(length) for length in value.shape],
        "v": [encoder.cell(cell) for cell in cells],
    }


def _encode_pandas(encoder: CellEncoder, pandas: Any, value: Any) -> Any | None:
    kind = type(value)
    if kind is getattr(pandas, "DataFrame", None):
        return _encode_frame(encoder, pandas, value)
    if kind is getattr(pandas, "Series", None):
        return _encode_series(encoder, pandas, value)
    if value is getattr(pandas, "NaT", None):
        return {"$": "na", "v": "NaT"}
    if value is getattr(pandas, "NA", None):
        return {"$": "na", "v": "NA"}
    for name, encode in _PANDAS_SCALARS:
        if kind is getattr(pandas, name, None):
            return encode(encoder, value)
    return _encode_sequence(encoder, pandas, value)


def _timestamp(_: CellEncoder, value: Any) -> Any:
    return {"$": "datetime", "v": value.isoformat()}


def _timedelta(_: CellEncoder, value: Any) -> Any:
    return {"$": "timedelta", "ns": int(value.value)}


def _period(_: CellEncoder, value: Any) -> Any:
    return {"$": "period", "v": str(value), "freq": str(value.freqstr)}


def _interval(encoder: CellEncoder, value: Any) -> Any:
    left, right = encoder.cell(value.left), encoder.cell(value.right)
    return {"$": "interval", "left": left, "right": right, "closed": str(value.closed)}


_PANDAS_SCALARS: tuple[tuple[str, Callable[[CellEncoder, Any], Any]], ...] = (
    ("Timestamp", _timestamp),
    ("Timedelta", _timedelta),
    ("Period", _period),
    ("Interval", _interval),
)


def _encode_sequence(encoder: CellEncoder, pandas: Any, value: Any) -> Any | None:
    """An Index, or an array of pandas such as `Series.unique()` gives."""
    kind = type(value)
    is_index = issubclass(kind, pandas.Index) and is_from(pandas, kind)
    if not is_index and not _is_pandas_array(pandas, kind):
        return None
    encoder.spend(len(value))
    array = {
        "$": "array",
        "dtype": dtype_text(value.dtype),
        "shape": [len(value)],
        "v": [encoder.cell(cell) for cell in value.tolist()],
    }
    return {"$": "like", "type": kind.__name__, "v": array}


def _is_pandas_array(pandas: Any, kind: type) -> bool:
    if not issubclass(kind, pandas.api.extensions.ExtensionArray):
        return False
    home = sys.modules.get(kind.__module__)
    return kind.__module__.startswith("pandas.") and is_from(home, kind)


def dtype_text(dtype: Any) -> str:
    """A dtype as text; an ordered categorical with its categories, which are part of it."""
    text = str(dtype)
    if text == "category" and getattr(dtype, "ordered", False):
        names = " < ".join(str(name) for name in list(dtype.categories)[:50])
        text = f"category[{names}]"
    return clean(text)


def _encode_frame(encoder: CellEncoder, pandas: Any, frame: Any) -> Any:
    height, width = len(frame.index), len(frame.columns)
    encoder.spend(max(height, 1) * max(width, 1))
    series = [frame.iloc[:, at] for at in range(width)]
    columns = [_encode_column(encoder, one) for one in series]
    index = _encode_index(encoder, pandas, frame.index)
    return {
        "$": "table",
        "form": "DataFrame",
        "columns": [encoder.cell(label) for label in frame.columns.tolist()],
        "dtypes": [dtype_text(one.dtype) for one in series],
        **index,
        "rows": [list(row) for row in zip(*columns)] if width else [[] for _ in range(height)],
        "name": None,
        "decimals": None,
    }


def _encode_series(encoder: CellEncoder, pandas: Any, series: Any) -> Any:
    encoder.spend(len(series.index))
    name = encoder.cell(series.name)
    index = _encode_index(encoder, pandas, series.index)
    return {
        "$": "table",
        "form": "Series",
        "columns": [name],
        "dtypes": [dtype_text(series.dtype)],
        **index,
        "rows": [[cell] for cell in _encode_column(encoder, series)],
        "name": name,
        "decimals": None,
    }


def _encode_column(encoder: CellEncoder, series: Any) -> list[Any]:
    return [encoder.cell(cell) for cell in series.tolist()]


def _encode_index(encoder: CellEncoder, pandas: Any, index: Any) -> dict[str, Any]:
    names = [None if name is None else clean(str(name)) for name in index.names]
    return {
        "index": None if _is_default(pandas, index) else _encode_labels(encoder, index),
        "index_names": names,
    }


def _encode_labels(encoder: CellEncoder, index: Any) -> list[Any]:
    return [encoder.cell(label) for label in index.tolist()]


def _is_default(pandas: Any, index: Any) -> bool:
    if len(index) == 0:
        return bool(index.nlevels == 1)
    if type(index) is pandas.RangeIndex:
        return bool(index.start == 0 and index.step == 1)
    if getattr(index.dtype, "kind", "O") not in ("i", "u") or index.nlevels != 1:
        return False
    return bool(index.tolist() == list(range(len(index))))


def is_ordered_category(dtype: str) -> bool:
    """Whether a dtype, as `dtype_text` writes it, is that of an ordered categorical."""
    return dtype.startswith("category[")
