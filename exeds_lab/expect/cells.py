"""Pasted cells -> encoded values: what a column of texts stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from exeds_lab.expect.grid import Cell, refusal
from exeds_lab.model.task import EncodedValue

MISSING = frozenset(
    ("NaN", "nan", "NA", "N/A", "n/a", "<NA>", "null", "NULL", "None", "none", "NaT", "")
)
"""Texts that stand for a missing value in any column; dashes do in a column of numbers."""
_PRINTED_MISSING = frozenset(("NaN", "None", "<NA>", "NaT", "nan"))
_DASHES = frozenset(("-", "\u2013", "\u2014"))

_INTEGER = re.compile(r"[+-]?(0|[1-9]\d*)")
_FLOAT = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?")
_INFINITE = re.compile(r"([+-]?)(inf|Infinity|∞)")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:(?P<mark>[,.' \u00a0\u202f])\d{3})(?:(?P=mark)\d{3})*")
_WITH_DECIMALS = re.compile(
    r"[+-]?(?P<whole>\d{1,3}(?:(?P<mark>[,.' \u00a0\u202f])\d{3})*|\d+)(?P<point>[,.])(?P<tail>\d+)"
)
Point = Literal[".", ","]


@dataclass(frozen=True)
class Style:
    """How numbers are written in a paste."""

    point: Point
    """The decimal point."""


@dataclass(frozen=True)
class Placed:
    """A cell with its place, for messages."""

    cell: Cell
    line: int
    column: str


def style_of(columns: Sequence[Sequence[Placed]]) -> Style | None:
    """The style that the numbers of a whole table show; None when nothing tells.

    Raises:
        ExpectationError: some numbers have a decimal point, others a decimal comma.
    """
    found: dict[Point, Placed] = {}
    for column in columns:
        if not _looks_numeric(column):
            continue
        for placed in column:
            point = _point_of(placed.cell.text.strip())
            if point is not None:
                found.setdefault(point, placed)
    if len(found) == 2:
        one, two = (found[point].cell.text.strip() for point in (".", ","))
        raise refusal(
            f"{one} has a decimal point and {two} a decimal comma.",
            "Write all numbers the same way, or put quotes around those that are text.",
            found[","].line,
        )
    return Style(next(iter(found))) if found else None


def _looks_numeric(column: Sequence[Placed]) -> bool:
    filled = [one.cell for one in column if not _is_missing_number(one.cell, printed=False)]
    return bool(filled) and all(not cell.quoted and _is_numeric(cell.text) for cell in filled)


def _is_numeric(text: str) -> bool:
    text = text.strip()
    patterns = (_FLOAT, _GROUPED, _WITH_DECIMALS, _INFINITE)
    return any(pattern.fullmatch(text) for pattern in patterns) and not _has_leading_zero(text)


def _has_leading_zero(text: str) -> bool:
    digits = text.lstrip("+-")
    return len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()


def _point_of(text: str) -> Point | None:
    """The decimal point that a number shows beyond doubt."""
    exponent = re.fullmatch(r"[+-]?\d*\.\d*[eE][+-]?\d+", text)
    if exponent is not None:
        return "."
    found = _WITH_DECIMALS.fullmatch(text)
    if found is not None:
        point: Any = found["point"]
        if found["mark"] not in (None, point):
            return point if found["mark"] in (",", ".") else _single(found)
        if found["mark"] is None:
            return _single(found)
    grouped = _GROUPED.fullmatch(text)
    if grouped is not None and grouped["mark"] in (",", ".") and text.count(grouped["mark"]) > 1:
        return "." if grouped["mark"] == "," else ","
    return None


def _single(found: re.Match[str]) -> Point | None:
    """The point of a number with one mark, unless that may separate thousands."""
    point: Any = found["point"]
    whole = found["whole"]
    may_group = len(found["tail"]) == 3 and 1 <= len(whole) <= 3 and whole.lstrip("0") != ""
    return None if may_group else point


def read_column(
    column: Sequence[Placed], style: Style | None, printed: bool, dtype: str | None = None
) -> list[EncodedValue]:
    """Encode a column: numbers or bools where every cell is one, text otherwise.

    Raises:
        ExpectationError: a number can be read in two ways.
    """
    if dtype is not None and dtype in ("object", "str", "string", "category"):
        return [_text(one.cell, printed) for one in column]
    filled = [one for one in column if not _is_missing_number(one.cell, printed)]
    if filled and all(_is_bool(one.cell) for one in filled):
        return [_bool(one.cell, printed) for one in column]
    if filled and all(not one.cell.quoted and _is_numeric(one.cell.text) for one in filled):
        return _numbers(column, style, printed)
    return [_text(one.cell, printed) for one in column]


def _is_missing_number(cell: Cell, printed: bool) -> bool:
    text = cell.text.strip()
    return not cell.quoted and (_is_missing(text, printed) or text in _DASHES)


def _is_missing(text: str, printed: bool) -> bool:
    return text in (_PRINTED_MISSING if printed else MISSING)


def _is_bool(cell: Cell) -> bool:
    return not cell.quoted and cell.text.strip() in ("True", "False", "true", "false")


def _bool(cell: Cell, printed: bool) -> EncodedValue:
    if _is_missing_number(cell, printed):
        return None
    return cell.text.strip().lower() == "true"


def _text(cell: Cell, printed: bool) -> EncodedValue:
    if not cell.quoted and _is_missing(cell.text.strip(), printed):
        return None
    return cell.text


def _numbers(column: Sequence[Placed], style: Style | None, printed: bool) -> list[EncodedValue]:
    values: list[Any] = []
    for placed in column:
        if _is_missing_number(placed.cell, printed):
            values.append({"$": "float", "v": "nan"})
        else:
            values.append(_number(placed, style, printed))
    if any(type(value) is float or _is_special(value) for value in values):
        return [_as_float(value) for value in values]
    return values


def _is_special(value: Any) -> bool:
    return type(value) is dict and value["$"] == "shown"


def _as_float(value: Any) -> Any:
    if type(value) is int and abs(value) < 2**53:
        return float(value)
    return value


def _number(placed: Placed, style: Style | None, printed: bool) -> Any:
    text = placed.cell.text.strip()
    infinite = _INFINITE.fullmatch(text)
    if infinite is not None:
        return {"$": "float", "v": "-inf" if infinite[1] == "-" else "inf"}
    if printed and "e" in text:
        return _shown(text)
    if style is None and _may_be_two(text):
        plain = text.replace(",", "")
        raise refusal(
            f"{text} in {placed.column or 'this column'} can be {plain} or "
            f"{text.replace(',', '.')}.",
            f"Write {plain} or {text.replace(',', '.')}, or quotes around it if it is text.",
            placed.line,
        )
    return _plain_number(_without_marks(text, style))


def _may_be_two(text: str) -> bool:
    """A single comma before three digits, and nothing in the table that tells."""
    return _GROUPED.fullmatch(text) is not None and text.count(",") == 1


def _without_marks(text: str, style: Style | None) -> str:
    point = "." if style is None else style.point
    for mark in ("'", " ", "\u00a0", "\u202f", "," if point == "." else "."):
        text = text.replace(mark, "")
    return text.replace(",", ".") if point == "," else text


def _plain_number(text: str) -> Any:
    return int(text) if _INTEGER.fullmatch(text) else float(text)


def _shown(text: str) -> Any:
    """A printed float in scientific notation: only the digits of its mantissa are known."""
    mantissa, _, exponent = text.partition("e")
    digits = len(mantissa.partition(".")[2])
    return {"$": "shown", "v": float(text), "decimals": digits - int(exponent)}


def decimals_of(column: Sequence[Placed]) -> int | None:
    """The most digits after the point in a column; None when it is no column of floats."""
    found = [
        re.fullmatch(r"[+-]?\d+\.(\d*)", one.cell.text.strip())
        for one in column
        if not _is_missing_number(one.cell, printed=True)
    ]
    shown = [match for match in found if match is not None]
    return max(len(match[1]) for match in shown) if shown else None
