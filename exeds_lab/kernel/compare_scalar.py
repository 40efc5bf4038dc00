"""Whether two encoded scalars are equal, and if not, in which way they differ.

Both sides are plain JSON here, so nothing of the user's is asked for its opinion.
"""

from __future__ import annotations

import math
import unicodedata
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from exeds_lab.kernel.describe import is_missing
from exeds_lab.kernel.encode import decode_plain
from exeds_lab.kernel.instants import Instant, read_instant
from exeds_lab.kernel.render import kind_name


class Tolerance(NamedTuple):
    """How far floats may be apart: |actual - expected| <= max(absolute, relative * |expected|)."""

    relative: float
    absolute: float


class Match(NamedTuple):
    """How two scalars relate."""

    verdict: str
    """`equal`; `kind`: equal values of two types of number or instants in two zones; `missing`:
    two kinds of missing value; `type`: values that no comparison joins; `different`."""
    abs_error: float | None = None
    """|actual - expected| of numbers; None for everything else, and when it is not finite."""
    rel_error: float | None = None


EQUAL = Match("equal")
KIND = Match("kind")
MISSING = Match("missing")
TYPE = Match("type")
DIFFERENT = Match("different")

_MAX_NORMALISED = 200_000
"""Texts up to this length together are searched for what they have in common."""
_NESTED = frozenset(("tuple", "set", "dict", "array", "table", "like"))
_NUMBERS = frozenset(("float", "complex", "decimal", "fraction", "shown"))


def is_nested(encoded: Any) -> bool:
    """Whether an encoded value holds others."""
    kind = type(encoded)
    return kind is list or (kind is dict and encoded["$"] in _NESTED)


def match(expected: Any, actual: Any, tolerance: Tolerance) -> Match:
    """Compare two encoded scalars under the strictest reading."""
    expected, actual = _plain(expected), _plain(actual)
    kind = type(expected)
    if kind is type(actual) and kind in (str, bool, int):
        if expected == actual:
            return EQUAL
        return _far(expected, actual) if kind is int else DIFFERENT
    if is_missing(expected) or is_missing(actual):
        return _match_missing(expected, actual)
    if is_number(expected) and is_number(actual):
        return _match_numbers(expected, actual, tolerance)
    return _match_tagged(expected, actual)


def is_number(encoded: Any) -> bool:
    """Whether it is a number; a bool is none, a NaN is one."""
    kind = type(encoded)
    return kind is int or kind is float or (kind is dict and encoded["$"] in _NUMBERS)


def _plain(encoded: Any) -> Any:
    return encoded["v"] if type(encoded) is dict and encoded["$"] == "scalar" else encoded


def _match_missing(expected: Any, actual: Any) -> Match:
    if not (is_missing(expected) and is_missing(actual)):
        return DIFFERENT if _same_family(expected, actual) else TYPE
    return EQUAL if expected == actual else MISSING


def _same_family(expected: Any, actual: Any) -> bool:
    """None where a value is wanted is another type; a missing cell is another value."""
    return is_number(expected) and is_number(actual)


def _match_numbers(expected: Any, actual: Any, tolerance: Tolerance) -> Match:
    if type(expected) is type(actual) and expected == actual:
        return EQUAL
    if type(expected) is dict and expected["$"] == "shown":
        return _match_shown(expected, actual, tolerance)
    left, right = decode_plain(expected), decode_plain(actual)
    if isinstance(left, complex) or isinstance(right, complex):
        return _match_complex(left, right, tolerance)
    if not _close(left, right, tolerance):
        return _far(left, right)
    return EQUAL if type(left) is type(right) else KIND


def _match_shown(expected: Any, actual: Any, tolerance: Tolerance) -> Match:
    if type(decode_plain(actual)) not in (int, float):
        return TYPE
    rounded = shown_close(expected["v"], decode_plain(actual), expected["decimals"], tolerance)
    return EQUAL if rounded else _far(expected["v"], decode_plain(actual))


def shown_close(expected: float, actual: float, decimals: int, tolerance: Tolerance) -> bool:
    """Whether `actual`, printed with so many decimals, would read as `expected`."""
    if _close(expected, actual, tolerance):
        return True
    if not (math.isfinite(expected) and math.isfinite(actual)):
        return False
    half = 0.5 * 10.0**-decimals
    return abs(actual - expected) <= half + 4 * math.ulp(abs(expected) + half)


def _match_complex(left: Any, right: Any, tolerance: Tolerance) -> Match:
    if not all(isinstance(side, (int, float, complex)) for side in (left, right)):
        return DIFFERENT
    one, two = complex(left), complex(right)
    parts = ((one.real, two.real), (one.imag, two.imag))
    if not all(_close(part, other, tolerance) for part, other in parts):
        return _far(left, right)
    return EQUAL if type(left) is type(right) else KIND


def _close(expected: Any, actual: Any, tolerance: Tolerance) -> bool:
    exact = not isinstance(expected, float) and not isinstance(actual, float)
    if exact:
        return bool(_exact(expected) == _exact(actual))
    left, right = _to_float(expected), _to_float(actual)
    if left is None or right is None:
        return False
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    if left == right:
        return not _loses_digits(expected, actual)
    if math.isinf(left) or math.isinf(right):
        return False
    distance = abs(right - left)
    if isinstance(expected, int) and distance >= 0.5:
        return False  # a whole number was claimed: its neighbour is another one
    return distance <= max(tolerance.absolute, tolerance.relative * abs(left))


def _exact(value: Any) -> Any:
    return Fraction(value) if isinstance(value, Decimal) and value.is_finite() else value


def _to_float(value: Any) -> float | None:
    try:
        return float(value)
    except (OverflowError, ValueError):
        return None


def _loses_digits(expected: Any, actual: Any) -> bool:
    """Whether an integer only looks equal to the float because a float cannot hold it."""
    sides = (expected, actual)
    if not any(isinstance(side, int) for side in sides) or not math.isfinite(float(actual)):
        return False
    return all(isinstance(side, (int, float)) for side in sides) and expected != actual


def _far(expected: Any, actual: Any) -> Match:
    """How far two numbers are apart; not told of decimals, to which no tolerance applies."""
    if any(isinstance(side, (Decimal, Fraction)) for side in (expected, actual)):
        return DIFFERENT
    try:
        error = float(abs(_distance(expected, actual)))
        size = float(abs(expected))
    except (ArithmeticError, TypeError, ValueError):
        return DIFFERENT
    if not math.isfinite(error) or error == 0.0:
        return DIFFERENT  # too far apart, or too close, for a float to tell
    relative = error / size if size else None
    finite = relative is not None and math.isfinite(relative)
    return Match("different", error, relative if finite else None)


def _distance(expected: Any, actual: Any) -> Any:
    """Exact, so that neighbours which a float cannot tell apart are not at distance 0."""
    if isinstance(expected, complex) or isinstance(actual, complex):
        return complex(actual) - complex(expected)
    return Fraction(actual) - Fraction(expected)


def _match_tagged(expected: Any, actual: Any) -> Match:
    if type(expected) is not dict or type(actual) is not dict:
        return TYPE
    if "opaque" in (expected["$"], actual["$"]) or expected["$"] != actual["$"]:
        return TYPE
    if expected["$"] == "datetime":
        return _match_instants(read_instant(expected["v"]), read_instant(actual["v"]))
    return EQUAL if expected == actual else DIFFERENT


def _match_instants(expected: Instant | None, actual: Instant | None) -> Match:
    if expected is None or actual is None or expected.nanoseconds != actual.nanoseconds:
        return DIFFERENT
    if (expected.offset is None) != (actual.offset is None):
        return DIFFERENT
    return EQUAL if expected.offset == actual.offset else KIND


def words_for(expected: Any, actual: Any) -> str | None:
    """What two differing texts have in common, in words; None when nothing worth telling."""
    if type(expected) is str and type(actual) is str:
        is_long = len(expected) + len(actual) > _MAX_NORMALISED
        return None if is_long else _words_for_texts(expected, actual)
    one_text = {type(expected), type(actual)} & {str}
    if one_text and str(decode_or_none(expected)) == str(decode_or_none(actual)):
        return f"equal as text, but one is {kind_name(expected)} and one {kind_name(actual)}"
    return None


def decode_or_none(encoded: Any) -> Any:
    """The plain value, or None when it has none."""
    try:
        return decode_plain(encoded)
    except Exception:
        return None


def _words_for_texts(expected: str, actual: str) -> str | None:
    tests = (
        ("equal after Unicode normalisation", lambda text: unicodedata.normalize("NFKC", text)),
        ("equal up to upper and lower case", str.casefold),
        ("equal up to blanks", lambda text: "".join(text.split())),
        ("equal up to case and blanks", lambda text: "".join(text.casefold().split())),
    )
    for words, normal in tests:
        if normal(expected) == normal(actual):
            return words
    return None
