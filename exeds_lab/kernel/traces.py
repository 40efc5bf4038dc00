"""In the fork: remember a value so cheaply that it can be done for every variable of the user's.

A trace holds what identifies the content (references, shapes, buffers), not the content. Asked
later, it says in words how the value changed in place, None when it did not; a trace that could
not follow everything inside says so (`proven`). It runs no code of the user's.
"""

from __future__ import annotations

import types
from typing import Any, Callable, Protocol

IMMUTABLE = (
    *(type(None), bool, int, float, complex, str, bytes, range, slice, type, type(Ellipsis)),
    *(types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodType),
)
_MAX_DEPTH = 6
_MAX_ITEMS = 10_000
"""Items of a container that are remembered one by one."""
_MAX_TRACES = 20_000
"""Values followed in all; what lies beyond is unproven."""
_HEAP_TYPE = 1 << 9


class Trace(Protocol):
    """What is remembered of one value."""

    proven: bool
    """Whether everything inside can be followed."""

    def change(self) -> str | None:
        """Return in words how the value changed in place; None when it did not."""


class Still:
    """A value that cannot change, or of which nothing is known."""

    def __init__(self, proven: bool) -> None:
        self.proven = proven

    def change(self) -> str | None:
        """See Trace."""
        return None


Special = Callable[["Tracer", Any], "Trace | None"]
"""Traces values of a library; None when they are not its own."""


class Tracer:
    """Makes traces; one object for all variables, so that shared values are followed once."""

    def __init__(self, specials: tuple[Special, ...]) -> None:
        self._specials = specials
        self._made: dict[int, Trace] = {}
        self._alive: list[Any] = []
        self._depth = 0

    def trace(self, value: Any) -> Trace:
        """Remember a value."""
        if type(value) in IMMUTABLE or isinstance(value, IMMUTABLE[-5:]):
            return Still(proven=True)
        known = self._made.get(id(value))
        if known is not None:
            return known
        if self._depth >= _MAX_DEPTH or len(self._made) >= _MAX_TRACES:
            return Still(proven=False)
        self._alive.append(value)  # so that its id stays its own
        self._made[id(value)] = Still(proven=True)  # a value that contains itself
        self._depth += 1
        try:
            made = self._made[id(value)] = self._new(value)
        except Exception:
            made = self._made[id(value)] = Still(proven=False)
        finally:
            self._depth -= 1
        return made

    def _new(self, value: Any) -> Trace:
        for special in self._specials:
            made = special(self, value)
            if made is not None:
                return made
        kind = type(value)
        if kind in (list, tuple):
            return SequenceTrace(self, value)
        if kind in (set, frozenset):
            return SetTrace(value)
        if kind is dict:
            return MappingTrace(self, value, "key")
        if kind is bytearray:
            return BytesTrace(value)
        if _is_plain_class(kind):
            return MappingTrace(self, object.__getattribute__(value, "__dict__"), "attribute")
        return Still(proven=_is_frozen(value))


class SequenceTrace:
    """A list or tuple: its items by identity, and the items' own traces."""

    def __init__(self, tracer: Tracer, value: Any) -> None:
        self._value = value
        self._length = len(value)
        self._items = list(value) if self._length <= _MAX_ITEMS else list(value[:_MAX_ITEMS])
        self._traces = [tracer.trace(item) for item in self._items]
        complete = self._length <= _MAX_ITEMS
        self.proven = complete and all(trace.proven for trace in self._traces)

    def change(self) -> str | None:
        """See Trace."""
        now = len(self._value)
        if now != self._length:
            return _counted(now - self._length, "item")
        pairs = zip(self._items, self._value)
        changed = sum(old is not new for old, new in pairs)
        if changed:
            return f"{changed:,} of {now:,} items replaced or moved"
        for position, trace in enumerate(self._traces):
            inner = trace.change()
            if inner is not None:
                return f"[{position}]: {inner}"
        return None


class SetTrace:
    """A set: its items by identity; they are hashable and so taken as constant."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._items = list(value)[:_MAX_ITEMS]
        self.proven = len(value) <= _MAX_ITEMS
        self._length = len(value)

    def change(self) -> str | None:
        """See Trace."""
        if len(self._value) != self._length:
            return _counted(len(self._value) - self._length, "item")
        now = {id(item) for item in self._value}
        return None if all(id(item) in now for item in self._items) else "items replaced"


class MappingTrace:
    """A dict, or the attributes of an object."""

    def __init__(self, tracer: Tracer, value: dict[Any, Any], word: str) -> None:
        self._value = value
        self._word = word
        self._length = len(value)
        self._is_complete = self._length <= _MAX_ITEMS
        self._items = dict(value) if self._is_complete else {}
        self._order = list(self._items)
        self._traces = {key: tracer.trace(item) for key, item in self._items.items()}
        self.proven = self._is_complete and all(t.proven for t in self._traces.values())

    def change(self) -> str | None:
        """See Trace."""
        now = dict(self._value)
        if not self._is_complete:
            return (
                _counted(len(now) - self._length, self._word) if len(now) != self._length else None
            )
        added = [key for key in now if key not in self._items]
        gone = [key for key in self._items if key not in now]
        words = [f"{self._word}s added: {_list(added)}"] if added else []
        words += [f"{self._word}s removed: {_list(gone)}"] if gone else []
        if words:
            return "; ".join(words)
        other = [key for key, item in self._items.items() if now[key] is not item]
        if other:
            return f"{self._word}s with another value: {_list(other)}"
        if self._word == "key" and list(now) != self._order:
            return "keys in another order"
        return self._inner_change()

    def _inner_change(self) -> str | None:
        for key, trace in self._traces.items():
            inner = trace.change()
            if inner is not None:
                return f"{_list([key])}: {inner}"
        return None


class BytesTrace:
    """A bytearray."""

    def __init__(self, value: bytearray) -> None:
        self._value = value
        self.proven = len(value) <= 1 << 20
        self._copy = bytes(value) if self.proven else b""
        self._length = len(value)

    def change(self) -> str | None:
        """See Trace."""
        if len(self._value) != self._length:
            return _counted(len(self._value) - self._length, "byte")
        return "content changed" if self.proven and self._value != self._copy else None


def _is_plain_class(kind: type) -> bool:
    """Whether objects of this class hold their state in `__dict__` alone."""
    bases = [base for base in type.mro(kind) if base is not object]
    return all(
        base.__flags__ & _HEAP_TYPE and not base.__dict__.get("__slots__") for base in bases
    ) and any("__dict__" in base.__dict__ for base in bases)


def _is_frozen(value: Any) -> bool:
    """Whether the standard library's own immutable types are meant."""
    return type(value).__module__ in ("datetime", "decimal", "fractions", "uuid", "re", "pathlib")


def _counted(difference: int, word: str) -> str:
    number = abs(difference)
    return f"{number:,} {word}{'' if number == 1 else 's'} {'more' if difference > 0 else 'fewer'}"


def _list(keys: list[Any]) -> str:
    texts = [key if type(key) is str else type(key).__name__ for key in keys[:5]]
    texts = [
        str(key) if type(key) in (int, float, bool) else text for key, text in zip(keys, texts)
    ]
    return ", ".join(text[:40] for text in texts) + (" …" if len(keys) > 5 else "")
