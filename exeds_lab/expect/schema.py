"""The short form of a schema: `DataFrame[city: str, total: float64] x 12 rows`."""

from __future__ import annotations

import re
from typing import NamedTuple

from exeds_lab.expect.grid import refusal
from exeds_lab.model.spec import ExpectedColumn, SchemaExpected

_FORM = re.compile(
    r"\s*(?P<type>[A-Za-z_][\w.]*)\s*(?:\[(?P<inside>.*)\])?\s*(?P<size>.*?)\s*", re.DOTALL
)
_COUNT = r"\d[\d,_]*|\?"
_SIZE = re.compile(
    rf"(?:[x*\u00d7]|of|with)\s*(?P<first>{_COUNT})\s*"
    r"(?P<word>rows?|columns?|values?|elements?|items?)?"
    rf"(?:\s*(?:[x*,\u00d7]|and)\s*(?P<second>{_COUNT})\s*(?:columns?)?)?",
    re.IGNORECASE,
)
_ADVICE = (
    "Write for example: DataFrame[city: str, total: float64] x 12 rows, Series[float64] x 5, "
    "list x 3, int."
)

TYPES = frozenset(
    (
        "DataFrame", "Series", "Index", "ndarray", "list", "tuple", "dict", "set", "frozenset",
        "int", "float", "str", "bool", "complex", "bytes", "date", "datetime", "timedelta",
        "Timestamp", "Timedelta", "NoneType", "Decimal",
    )
)  # fmt: skip
"""Type names that make a text a schema without a prefix."""


class _Size(NamedTuple):
    rows: int | None
    columns: int | None


def is_schema(text: str) -> bool:
    """Whether a text is meant as a schema: a known type alone, with a bracket or with a size.

    A bracket that is never closed is still meant as one, so that reading it says where it breaks.
    """
    name, bracket, _ = text.strip().partition("[")
    if bracket and name.strip() in TYPES:
        return True
    found = _FORM.fullmatch(text)
    if found is None or found["type"] not in TYPES or "\n" in text.strip():
        return False
    size = found["size"]
    return not size or _SIZE.fullmatch(size) is not None


def read_schema(text: str) -> SchemaExpected:
    """Read a schema.

    Raises:
        ExpectationError: it cannot be read; says where.
    """
    if text.count("[") > text.count("]"):
        line = text[: text.rindex("[")].count("\n")
        column = text.rindex("[") - (text.rfind("\n", 0, text.rindex("[")) + 1)
        raise refusal("This bracket is never closed.", _ADVICE, line + 1, column + 1)
    found = _FORM.fullmatch(text)
    if found is None:
        raise refusal("This is no schema.", _ADVICE)
    name = found["type"].rpartition(".")[2]
    size = _read_size(found["size"], name)
    inside = found["inside"]
    columns, dtype = None, None
    if inside is not None and name == "DataFrame":
        columns = _read_columns(inside, found.start("inside"))
    elif inside is not None:
        dtype = inside.strip() or None
    return SchemaExpected(
        type="NoneType" if name == "None" else name,
        columns=columns,
        shape=_shape(name, size, columns),
        dtype=dtype,
    )


def _shape(
    name: str, size: _Size | None, columns: tuple[ExpectedColumn, ...] | None
) -> tuple[int | None, ...] | None:
    if size is None:
        return None
    if name == "DataFrame":
        width = len(columns) if columns is not None else size.columns
        return (size.rows, width)
    return (size.rows,) if size.columns is None else (size.rows, size.columns)


def _read_size(text: str, name: str) -> _Size | None:
    if not text:
        return None
    found = _SIZE.fullmatch(text)
    if found is None:
        raise refusal(f"{text} is no size.", _ADVICE)
    first, second = _count(found["first"]), found["second"]
    if name == "DataFrame" and (found["word"] or "").lower().startswith("column"):
        return _Size(None, first)
    return _Size(first, None if second is None else _count(second))


def _count(text: str) -> int | None:
    return None if text == "?" else int(text.replace(",", "").replace("_", ""))


def _read_columns(text: str, start: int) -> tuple[ExpectedColumn, ...] | None:
    if not text.strip() or text.strip() == "...":
        return None
    columns: list[ExpectedColumn] = []
    for part, at in _parts(text):
        name, colon, dtype = _name_and_dtype(part)
        if not name:
            raise refusal("A column has no name.", _ADVICE, 1, start + at + 1)
        if colon and not dtype:
            raise refusal(
                f"The column {name} has no type after its colon.", _ADVICE, 1, start + at + 1
            )
        columns.append(ExpectedColumn(name=name, dtype=None if dtype in ("", "any") else dtype))
    return tuple(columns)


def _name_and_dtype(part: str) -> tuple[str, str, str]:
    part = part.strip()
    if part[:1] in ("'", '"') and part.find(part[0], 1) > 0:
        end = part.find(part[0], 1)
        tail = part[end + 1 :].strip()
        return part[1:end], tail[:1], tail[1:].strip()
    name, colon, dtype = part.rpartition(":")
    if not colon:
        return part, "", ""
    return name.strip(), colon, dtype.strip()


def _parts(text: str) -> list[tuple[str, int]]:
    """Split at commas outside brackets and quotes; each part with its place."""
    parts: list[tuple[str, int]] = []
    depth, start, quote = 0, 0, ""
    for at, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append((text[start:at], start))
            start = at + 1
    parts.append((text[start:], start))
    return parts
