"""In the fork: traces of numpy arrays, torch tensors and pandas tables.

Libraries are seen only where the kernel has loaded them; their buffers are followed page by page.
"""

from __future__ import annotations

import sys
from typing import Any

from exeds_lab.kernel.pages import Memory
from exeds_lab.kernel.traces import IMMUTABLE, Still, Trace, Tracer

_MAX_COLUMNS = 5_000
_SAMPLE = 200
_MAX_REFERENCES = 8_192


def trace_numpy(tracer: Tracer, value: Any) -> Trace | None:
    """Trace an array or a numpy scalar."""
    del tracer
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    if isinstance(value, numpy.generic):
        return Still(proven=True)
    return ArrayTrace(value) if type(value) is numpy.ndarray else None


def trace_torch(tracer: Tracer, value: Any) -> Trace | None:
    """Trace a tensor in main memory."""
    del tracer
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor) or value.device.type != "cpu":
        return None
    return TensorTrace(value)


def trace_pandas(tracer: Tracer, value: Any) -> Trace | None:
    """Trace a DataFrame or Series; an Index and pandas' scalars cannot change."""
    pandas = sys.modules.get("pandas")
    if pandas is None or type(value).__module__.partition(".")[0] != "pandas":
        return None
    if type(value) in (pandas.DataFrame, pandas.Series):
        return TableTrace(tracer, value)
    if isinstance(value, pandas.api.extensions.ExtensionArray):
        return trace_extension(value)
    frozen = (pandas.Index, pandas.Timestamp, pandas.Timedelta, pandas.Period, pandas.Interval)
    return Still(proven=isinstance(value, frozen) or value is pandas.NA or value is pandas.NaT)


def trace_extension(value: Any) -> Trace:
    """Trace the array of a column."""
    numpy = sys.modules["numpy"]
    if type(value) is numpy.ndarray:
        return ArrayTrace(value)
    arrow = getattr(value, "_pa_array", None)
    if arrow is not None:
        return ArrowTrace(value)
    inner = getattr(value, "_ndarray", None)
    if inner is not None:
        return ArrayTrace(inner)
    data, mask = getattr(value, "_data", None), getattr(value, "_mask", None)
    if data is not None and mask is not None:
        return Both(ArrayTrace(data), ArrayTrace(mask))
    return Still(proven=False)


class ArrayTrace:
    """An array: its buffer, shape and dtype."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._form = _form(value)
        self._references: list[Any] = []
        self._memory: Memory | None = None
        self.proven = True
        if value.dtype.hasobject:
            self._follow_objects(value)
        if not self._references and value.size:
            self._memory = Memory(*_extent(value))

    def change(self) -> str | None:
        """See Trace."""
        form = _form(self._value)
        if form != self._form:
            return f"{self._form[0]} {self._form[1]} became {form[0]} {form[1]}"
        if self._references:
            now = self._value.ravel().tolist() if self._value.dtype == object else []
            same = all(old is new for old, new in zip(self._references, now))
            return None if same else "content changed"
        try:
            written = self._memory is not None and self._memory.is_written()
        except OSError:
            self.proven = False
            return None
        return "content changed" if written else None

    def _follow_objects(self, value: Any) -> None:
        items = value.ravel()[:_SAMPLE].tolist() if value.dtype == object else [None, []]
        numpy = sys.modules["numpy"]
        frozen = (*IMMUTABLE, numpy.generic)
        self.proven = all(isinstance(item, frozen) or _is_pandas_scalar(item) for item in items)
        if value.dtype == object and value.size <= _MAX_REFERENCES:
            self._references = value.ravel().tolist()


class TensorTrace:
    """A torch tensor."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._form = self._now()
        self.proven = bool(value.is_contiguous())
        size = value.numel() * value.element_size() if self.proven else 0
        self._memory = Memory(value.data_ptr(), size)

    def change(self) -> str | None:
        """See Trace."""
        if self._now() != self._form:
            return "shape or storage changed"
        try:
            return "content changed" if self._memory.is_written() else None
        except OSError:
            self.proven = False
            return None

    def _now(self) -> tuple[Any, ...]:
        return (tuple(self._value.shape), str(self._value.dtype), self._value.data_ptr())


class ArrowTrace:
    """A column held by pyarrow: its buffers cannot change, only be replaced."""

    proven = True

    def __init__(self, value: Any) -> None:
        self._value = value
        self._arrow = value._pa_array

    def change(self) -> str | None:
        """See Trace."""
        now = self._value._pa_array
        return None if now is self._arrow or now.equals(self._arrow) else "content changed"


class Both:
    """Two arrays that make one column."""

    def __init__(self, first: Trace, second: Trace) -> None:
        self._parts = (first, second)
        self.proven = first.proven and second.proven

    def change(self) -> str | None:
        """See Trace."""
        return next((words for part in self._parts if (words := part.change())), None)


class TableTrace:
    """A DataFrame or Series: labels, dtypes, and the arrays of its blocks."""

    def __init__(self, tracer: Tracer, value: Any) -> None:
        self._value = value
        self._is_frame = type(value).__name__ == "DataFrame"
        self._axes = list(value._mgr.axes)
        self._names = [tuple(axis.names) for axis in self._axes]
        self._name = None if self._is_frame else value.name
        self._dtypes = _dtypes(value)
        self._blocks = list(value._mgr.blocks)
        self._arrays = [block.values for block in self._blocks]
        self._traces = [trace_extension(array) for array in self._arrays]
        attributes = tracer.trace(value.attrs)
        self._traces.append(attributes)
        few = not self._is_frame or len(value.columns) <= _MAX_COLUMNS
        self.proven = few and all(trace.proven for trace in self._traces)

    def change(self) -> str | None:
        """See Trace."""
        return self._labels_changed() or self._dtypes_changed() or self._content_changed()

    def _labels_changed(self) -> str | None:
        axes = list(self._value._mgr.axes)
        if self._is_frame:
            words = _columns_changed(self._axes[0], axes[0])
            if words is not None:
                return words
        rows = len(axes[-1]) - len(self._axes[-1])
        if rows:
            plural = "" if abs(rows) == 1 else "s"
            return f"{abs(rows):,} row{plural} {'more' if rows > 0 else 'fewer'}"
        if axes[-1] is not self._axes[-1] and not axes[-1].identical(self._axes[-1]):
            return "index changed"
        if [tuple(axis.names) for axis in axes] != self._names:
            return "names of the index changed"
        if not self._is_frame and self._value.name != self._name:
            return "name changed"
        return None

    def _dtypes_changed(self) -> str | None:
        now = _dtypes(self._value)
        if now == self._dtypes:
            return None
        labels = list(self._value.columns) if self._is_frame else [self._value.name]
        triples = zip(labels, self._dtypes, now)
        changed = [f"{label}: {old} became {new}" for label, old, new in triples if old != new]
        return "; ".join(changed[:3]) or "dtypes changed"

    def _content_changed(self) -> str | None:
        blocks = list(self._value._mgr.blocks)
        arrays = [block.values for block in blocks]
        same = len(arrays) == len(self._arrays)
        if same and all(old is new for old, new in zip(self._arrays, arrays)):
            words = next((words for trace in self._traces if (words := trace.change())), None)
            return words
        # pandas may have joined or split its blocks only to read them: compare the values.
        changed = [
            str(label)
            for position, label in enumerate(self._labels())
            if not _equal(_column(self._blocks, position), _column(blocks, position))
        ]
        return f"content changed in: {', '.join(changed[:5])}" if changed else None

    def _labels(self) -> list[Any]:
        return list(self._axes[0]) if self._is_frame else [self._name]


def _columns_changed(old: Any, new: Any) -> str | None:
    if new is old or new.identical(old):
        return None
    before, after = list(old), list(new)
    known, present = set(before), set(after)
    added = [str(label) for label in after if label not in known]
    gone = [str(label) for label in before if label not in present]
    if added and gone and len(before) == len(after):
        pairs = [f"{b} → {a}" for b, a in zip(before, after) if b != a]
        return f"columns renamed: {', '.join(pairs[:5])}"
    words = [f"columns added: {', '.join(added[:5])}"] if added else []
    words += [f"columns removed: {', '.join(gone[:5])}"] if gone else []
    if words:
        return "; ".join(words)
    return "columns in another order" if before != after else None


def _column(blocks: list[Any], position: int) -> Any:
    for block in blocks:
        places = block.mgr_locs.as_array.tolist()
        if position in places:
            array = block.values
            return array[places.index(position)] if getattr(array, "ndim", 1) == 2 else array
    return None


def _equal(old: Any, new: Any) -> bool:
    if old is None or new is None:
        return old is new
    pandas = sys.modules["pandas"]
    return bool(pandas.Series(old, copy=False).equals(pandas.Series(new, copy=False)))


def _dtypes(value: Any) -> list[str]:
    if type(value).__name__ == "Series":
        return [str(value.dtype)]
    return [str(dtype) for dtype in list(value.dtypes)[:_MAX_COLUMNS]]


def _extent(value: Any) -> tuple[int, int]:
    """Return address and size of the memory between an array's first and last byte."""
    low = high = value.__array_interface__["data"][0]
    for length, stride in zip(value.shape, value.strides):
        low += min(0, (length - 1) * stride)
        high += max(0, (length - 1) * stride)
    return low, high - low + value.itemsize


def _form(value: Any) -> tuple[Any, ...]:
    return (str(value.dtype), tuple(value.shape), value.__array_interface__["data"][0])


def _is_pandas_scalar(item: Any) -> bool:
    return type(item).__module__.startswith(("pandas._libs", "datetime", "decimal"))
