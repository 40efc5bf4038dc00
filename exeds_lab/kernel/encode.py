"""Values as JSON, and back into values of the standard library.

None, bool, int, finite float and str stand for themselves, a list for a list. Everything else is
an object whose key `$` names its kind:

    float     v: `nan`, `inf` or `-inf`
    complex   v: [real, imaginary], both encoded
    decimal   v: text               fraction   v: `1/3`
    datetime  v: ISO 8601           date, time v: ISO 8601
    timedelta ns: int               period     v: text, freq: text
    interval  left, right: encoded, closed: text
    na        v: `NaT` or `NA` (a float NaN is the float above, None is null)
    bytes     v: base64
    tuple     v: [..]               set        v: [..] (also a frozenset)
    dict      v: [[key, value], ..]
    array     dtype, shape, v: [flat ..]
    scalar    dtype, v: the plain value; a scalar of numpy
    table     form, columns, dtypes, index, index_names, rows, name, decimals
    like      type: class name, v: the plain value that it holds; `Counter`, `Index`, `range` ..
    shown     v: float, decimals: int; a printed float, of which only so many decimals are known
    opaque    type, text; what cannot be encoded. Only `observe` makes it; it equals nothing.

In a table, `index` null is the default 0, 1, 2 .. (or none declared), a `dtypes` entry null makes
no claim, `decimals` gives for each column how many decimals of a printed number are claimed.

A value is recognised by its exact type, never by `isinstance` or by what it says of itself: an
object that claims to be something else, or a subclass with rules of its own, is opaque.
"""

from __future__ import annotations

import base64
import collections
import datetime
import decimal
import fractions
import json
import math
from typing import Any, Callable

from exeds_lab.kernel import encode_table
from exeds_lab.kernel.guard import guarded_repr, is_clean_text, type_name

MAX_CELLS = 50_000
"""The most cells that a value read for an expectation may have."""

_MAX_DEPTH = 40
_MAX_ASKED = 10
"""How many unknown objects of one value are asked for their `repr`."""
_MAX_INT_BITS = 13_000
"""Longer integers cannot be written as decimal text everywhere (Python stops at 4,300 digits)."""


class EncodeError(ValueError):
    """A value that cannot be encoded: too large, or of a type that is not known.

    Args:
        reason: what is wrong, one sentence.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TooLargeError(EncodeError):
    """A value with more cells than allowed."""


def encode(value: Any, max_cells: int = MAX_CELLS) -> Any:
    """Encode a value.

    Args:
        value: anything; it is never changed.
        max_cells: the most elements it may have in all.

    Raises:
        TooLargeError: it has more.
        EncodeError: it holds something of a type that is not known.
    """
    return Encoder(max_cells, opaque=False).encode(value)


def observe(value: Any, max_cells: int) -> Any:
    """Encode a value as `encode` does, with `opaque` in place of what is not known.

    Raises:
        TooLargeError: it has more than `max_cells` elements.
    """
    return Encoder(max_cells, opaque=True).encode(value)


class Encoder:
    """Encodes one value within a budget of cells."""

    def __init__(self, max_cells: int, opaque: bool) -> None:
        self._max_cells = max_cells
        self._left = max_cells
        self._opaque = opaque
        self._depth = 0
        self._asked = 0

    def encode(self, value: Any) -> Any:
        """Encode a value or an element of one."""
        if self._depth > _MAX_DEPTH:
            return self.unknown(value, "is nested too deeply")
        self._depth += 1
        try:
            return self._encode(value)
        finally:
            self._depth -= 1

    def cell(self, value: Any) -> Any:
        """Encode a cell of a table, whose dtype the table tells."""
        encoded = self.encode(value)
        if type(encoded) is dict and encoded["$"] == "scalar":
            return encoded["v"]
        return encoded

    def spend(self, cells: int) -> None:
        """Take cells from the budget, before they are looked at."""
        self._left -= cells
        if self._left < 0:
            raise TooLargeError(f"it has more than {self._max_cells:,} cells")

    def unknown(self, value: Any, why: str) -> dict[str, Any]:
        """Stand in for what cannot be encoded, or refuse."""
        name = type_name(value)
        if not self._opaque:
            raise EncodeError(f"a value of type {name} {why}")
        self._asked += 1  # one slow `repr` may be waited for, not thousands
        text = guarded_repr(value, 200) if self._asked <= _MAX_ASKED else f"<{name}>"
        return {"$": "opaque", "type": name, "text": text}

    def _encode(self, value: Any) -> Any:
        kind = type(value)
        for known, encoder in _ENCODERS:
            if kind is known:
                return encoder(self, value)
        if issubclass(kind, tuple) and _is_namedtuple(kind):
            return {"$": "like", "type": type_name(value), "v": _tuple(self, value)}
        encoded = encode_table.encode_library_value(self, value)
        return self.unknown(value, "cannot be compared") if encoded is None else encoded


def _is_namedtuple(kind: type) -> bool:
    return kind.__bases__ == (tuple,) and type(kind.__dict__.get("_fields")) is tuple


def _plain(_: Encoder, value: Any) -> Any:
    return value


def _int(encoder: Encoder, value: int) -> Any:
    if value.bit_length() > _MAX_INT_BITS:
        return encoder.unknown(value, "is too large a number")
    return value


def _str(encoder: Encoder, value: str) -> Any:
    encoder.spend(len(value) // 1000)
    return value if is_clean_text(value) else encoder.unknown(value, "holds half a character")


def _float(_: Encoder, value: float) -> Any:
    return encode_float(value)


def encode_float(value: float) -> Any:
    """A float of Python; JSON has neither NaN nor infinity."""
    return value if math.isfinite(value) else {"$": "float", "v": str(value)}


def _items(encoder: Encoder, values: Any, length: int) -> list[Any]:
    encoder.spend(length)
    return [encoder.encode(value) for value in values]


def _list(encoder: Encoder, value: list[Any]) -> Any:
    return _items(encoder, value, len(value))


def _tuple(encoder: Encoder, value: tuple[Any, ...]) -> Any:
    items = _items(encoder, tuple.__iter__(value), tuple.__len__(value))
    return {"$": "tuple", "v": items}


def _set(encoder: Encoder, value: Any) -> Any:
    items = _items(encoder, value, len(value))
    return {"$": "set", "v": sorted(items, key=lambda item: json.dumps(item, sort_keys=True))}


def _dict(encoder: Encoder, value: dict[Any, Any]) -> Any:
    encoder.spend(2 * dict.__len__(value))
    pairs = [[encoder.encode(key), encoder.encode(item)] for key, item in dict.items(value)]
    return {"$": "dict", "v": pairs}


def _mapping(encoder: Encoder, value: Any) -> Any:
    return {"$": "like", "type": type_name(value), "v": _dict(encoder, value)}


def _sequence(encoder: Encoder, value: Any) -> Any:
    return {"$": "like", "type": type_name(value), "v": _items(encoder, value, len(value))}


def _timedelta(_: Encoder, value: datetime.timedelta) -> Any:
    microseconds = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
    return {"$": "timedelta", "ns": microseconds * 1000}


def _tagged(tag: str, text: Callable[[Any], str]) -> Callable[[Encoder, Any], Any]:
    return lambda _, value: {"$": tag, "v": text(value)}


def _complex(_: Encoder, value: complex) -> Any:
    return {"$": "complex", "v": [encode_float(value.real), encode_float(value.imag)]}


def _isoformat(value: Any) -> str:
    text: str = value.isoformat()
    return text


_ENCODERS: tuple[tuple[type, Callable[[Encoder, Any], Any]], ...] = (
    (type(None), _plain),
    (bool, _plain),
    (int, _int),
    (float, _float),
    (str, _str),
    (list, _list),
    (tuple, _tuple),
    (dict, _dict),
    (set, _set),
    (frozenset, _set),
    (datetime.datetime, _tagged("datetime", _isoformat)),
    (datetime.date, _tagged("date", _isoformat)),
    (datetime.time, _tagged("time", _isoformat)),
    (datetime.timedelta, _timedelta),
    (decimal.Decimal, _tagged("decimal", str)),
    (fractions.Fraction, _tagged("fraction", str)),
    (complex, _complex),
    (bytes, _tagged("bytes", lambda value: base64.b64encode(value).decode("ascii"))),
    (collections.Counter, _mapping),
    (collections.OrderedDict, _mapping),
    (collections.defaultdict, _mapping),
    (collections.deque, _sequence),
    (range, _sequence),
    (type({}.keys()), _sequence),
    (type({}.values()), _sequence),
    (type({}.items()), _sequence),
)
"""By identity of the type: a dict would ask the type's own `__eq__` and `__hash__`."""


def decode_plain(encoded: Any) -> Any:
    """Decode into values of the standard library.

    Arrays become nested lists, a Series a list, a table a dict of lists by column, missing values
    of pandas None, periods and intervals text.

    Raises:
        EncodeError: not an encoded value, or an opaque one.
    """
    if type(encoded) is list:
        return [decode_plain(item) for item in encoded]
    if type(encoded) is not dict:
        return encoded
    decoder = _DECODERS.get(encoded.get("$", ""))
    if decoder is None:
        raise EncodeError(f"`{encoded.get('$')}` cannot be decoded")
    return decoder(encoded)


def _hashable(value: Any) -> Any:
    return tuple(_hashable(item) for item in value) if type(value) is list else value


def _decode_array(encoded: dict[str, Any]) -> Any:
    flat = [decode_plain(item) for item in encoded["v"]]
    for length in reversed(encoded["shape"][1:]):
        starts = range(0, len(flat), length) if length else range(0)
        flat = [flat[start : start + length] for start in starts]
    return flat if encoded["shape"] else flat[0]


def _decode_table(encoded: dict[str, Any]) -> Any:
    columns = [[decode_plain(row[at]) for row in encoded["rows"]] for at in _places(encoded)]
    if encoded["form"] == "Series":
        return columns[0]
    labels = [_hashable(decode_plain(label)) for label in encoded["columns"]]
    return dict(zip(labels, columns))


def _places(encoded: dict[str, Any]) -> range:
    return range(len(encoded["columns"]))


def _decode_complex(encoded: dict[str, Any]) -> complex:
    real, imaginary = (decode_plain(part) for part in encoded["v"])
    return complex(real, imaginary)


def _decode_datetime(encoded: dict[str, Any]) -> datetime.datetime:
    text: str = encoded["v"].replace("Z", "+00:00")
    head, dot, tail = text.partition(".")
    digits = len(tail) - len(tail.lstrip("0123456789"))
    fraction = tail[:digits][:6].ljust(6, "0")
    return datetime.datetime.fromisoformat(head + (f".{fraction}{tail[digits:]}" if dot else ""))


_DECODERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "float": lambda e: float(e["v"]),
    "complex": _decode_complex,
    "decimal": lambda e: decimal.Decimal(e["v"]),
    "fraction": lambda e: fractions.Fraction(e["v"]),
    "datetime": _decode_datetime,
    "date": lambda e: datetime.date.fromisoformat(e["v"]),
    "time": lambda e: datetime.time.fromisoformat(e["v"]),
    "timedelta": lambda e: datetime.timedelta(microseconds=e["ns"] // 1000),
    "period": lambda e: e["v"],
    "interval": lambda e: interval_text(e),
    "na": lambda _: None,
    "bytes": lambda e: base64.b64decode(e["v"]),
    "tuple": lambda e: tuple(decode_plain(item) for item in e["v"]),
    "set": lambda e: {_hashable(decode_plain(item)) for item in e["v"]},
    "dict": lambda e: {_hashable(decode_plain(k)): decode_plain(v) for k, v in e["v"]},
    "array": _decode_array,
    "scalar": lambda e: decode_plain(e["v"]),
    "table": _decode_table,
    "like": lambda e: decode_plain(e["v"]),
    "shown": lambda e: e["v"],
}


def interval_text(encoded: dict[str, Any]) -> str:
    """An encoded interval as pandas writes it: `(0, 5]`."""
    left = "[" if encoded["closed"] in ("left", "both") else "("
    right = "]" if encoded["closed"] in ("right", "both") else ")"
    return f"{left}{decode_plain(encoded['left'])}, {decode_plain(encoded['right'])}{right}"


def count_cells(encoded: Any) -> int:
    """How many elements an encoded value has, roughly: what `max_cells` limits."""
    if type(encoded) is list:
        return len(encoded) + sum(count_cells(item) for item in encoded if _nests(item))
    if type(encoded) is not dict:
        return 1
    if encoded["$"] == "table":
        return len(encoded["rows"]) * (len(encoded["columns"]) + 1)
    inner = encoded.get("v")
    return 1 + (count_cells(inner) if _nests(inner) else 0)


def _nests(item: Any) -> bool:
    return type(item) in (list, dict)
