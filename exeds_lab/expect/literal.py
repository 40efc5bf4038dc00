"""A value typed as Python or JSON writes it -> the value."""

from __future__ import annotations

import ast
import datetime
import decimal
import fractions
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn

from exeds_lab.expect.grid import refusal

_NAMES: dict[str, Any] = {
    "nan": math.nan,
    "NaN": math.nan,
    "inf": math.inf,
    "Infinity": math.inf,
    "null": None,
    "true": True,
    "false": False,
}
_CALLS: dict[str, Callable[..., Any]] = {
    "set": set,
    "frozenset": frozenset,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "float": float,
    "date": datetime.date,
    "datetime": datetime.datetime,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "Timestamp": datetime.datetime.fromisoformat,
    "Timedelta": datetime.timedelta,
    "Decimal": decimal.Decimal,
    "Fraction": fractions.Fraction,
    "complex": complex,
}
_MODULES = frozenset(("np", "numpy", "math", "pd", "pandas", "datetime", "decimal", "fractions"))
_ADVICE = "Write it as Python does: 3, 0.84, 'text', [1, 2], {'a': 1}, date(2024, 1, 31), nan."


def read_literal(text: str) -> Any:
    """Read one value; nothing is run but the constructors of dates, decimals and sets.

    Raises:
        ExpectationError: it is no such value; says where.
    """
    stripped = text.strip()
    if not stripped:
        raise refusal("There is no value.", _ADVICE)
    _refuse_two_readings(stripped)
    lead = len(text) - len(text.lstrip())
    try:
        tree = ast.parse(stripped, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        _refuse_syntax(error, stripped, text[:lead])
    return _Reader(text[:lead]).read(tree.body)


def _refuse_two_readings(text: str) -> None:
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+", text):
        plain = text.replace(",", "")
        parts = ", ".join(part.lstrip("0") or "0" for part in text.split(","))
        raise refusal(
            f"{text} can be the number {plain} or the tuple ({parts}).",
            f"Write {plain} or ({parts}).",
        )
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        year, month, day = (int(part) for part in text.split("-"))
        raise refusal(
            f"{text} can be a date or a text.",
            f"Write date({year}, {month}, {day}), datetime({year}, {month}, {day}) or '{text}'.",
        )
    if re.fullmatch(r"[+-]?[\d.,]+\s*%", text):
        raise refusal(f"{text} is no Python value.", "Write the number, or quotes around the text.")


def _refuse_syntax(error: BaseException, text: str, lead: str) -> NoReturn:
    if re.fullmatch(r"[^\W\d][\w ]*", text):
        raise refusal(f"{text} is no value.", f"Put quotes around text: '{text}'.")
    if not isinstance(error, SyntaxError):
        raise refusal("This is nested too deeply.", _ADVICE)
    line = (error.lineno or 1) + lead.count("\n")
    raise refusal(f"This is no Python value: {error.msg}.", _ADVICE, line, error.offset)


class _Reader:
    """Evaluates the few kinds of expression that are values."""

    def __init__(self, lead: str) -> None:
        self._lines = lead.count("\n")

    def read(self, node: ast.expr) -> Any:
        """The value of a node."""
        reader = _READERS.get(type(node))
        if reader is None:
            raise self.refusal(node, f"{ast.unparse(node)} is no plain value.")
        return reader(self, node)

    def refusal(self, node: ast.expr, reason: str) -> Any:
        """Refuse a part, saying where it stands."""
        raise refusal(reason, _ADVICE, node.lineno + self._lines, node.col_offset + 1)

    def sequence(self, node: Any) -> list[Any]:
        """The elements of a list, tuple or set."""
        return [self.read(one) for one in node.elts]

    def dict(self, node: ast.Dict) -> Any:
        """A dict; `**` is refused."""
        if None in node.keys:
            raise self.refusal(node, "** is no plain value.")
        keys = [self.read(key) for key in node.keys if key is not None]
        values = [self.read(value) for value in node.values]
        return self.hashed(node, lambda: dict(zip(keys, values, strict=True)))

    def hashed(self, node: ast.expr, build: Callable[[], Any]) -> Any:
        """What a call builds, or an error that says where."""
        try:
            return build()
        except (ArithmeticError, TypeError, ValueError) as problem:
            raise self.refusal(node, f"{ast.unparse(node)} is no value: {problem}.") from problem

    def name(self, node: ast.Name) -> Any:
        """`nan`, `inf`, `true` and so on."""
        if node.id not in _NAMES:
            raise refusal(
                f"{node.id} is no value.",
                f"Put quotes around text: '{node.id}'; to use a variable choose Variable.",
                node.lineno + self._lines,
                node.col_offset + 1,
            )
        return _NAMES[node.id]

    def attribute(self, node: ast.Attribute) -> Any:
        """`np.nan`, `math.inf`."""
        is_module = isinstance(node.value, ast.Name) and node.value.id in _MODULES
        if not is_module or node.attr not in _NAMES:
            raise self.refusal(node, f"{ast.unparse(node)} is no plain value.")
        return _NAMES[node.attr]

    def call(self, node: ast.Call) -> Any:
        """`date(2024, 1, 31)`, `set()`."""
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        if name not in _CALLS or any(keyword.arg is None for keyword in node.keywords):
            raise self.refusal(node, f"{ast.unparse(node.func)} cannot be called here.")
        values = [self.read(one) for one in node.args]
        named = {str(one.arg): self.read(one.value) for one in node.keywords}
        return self.hashed(node, lambda: _CALLS[name](*values, **named))

    def unary(self, node: ast.UnaryOp) -> Any:
        """`-1`, `-inf`."""
        value = self.read(node.operand)
        if isinstance(value, bool) or not isinstance(value, int | float | complex):
            raise self.refusal(node, f"{ast.unparse(node)} is no plain value.")
        return -value if isinstance(node.op, ast.USub) else value

    def binary(self, node: ast.BinOp) -> Any:
        """`1+2j`."""
        left, right = self.read(node.left), self.read(node.right)
        is_complex = isinstance(right, complex) and isinstance(left, int | float)
        if not is_complex or not isinstance(node.op, ast.Add | ast.Sub):
            raise self.refusal(node, f"{ast.unparse(node)} is to be computed, not a value.")
        return left + right if isinstance(node.op, ast.Add) else left - right


_READERS: dict[type, Callable[[_Reader, Any], Any]] = {
    ast.Constant: lambda _, node: node.value,
    ast.List: lambda reader, node: reader.sequence(node),
    ast.Tuple: lambda reader, node: tuple(reader.sequence(node)),
    ast.Set: lambda reader, node: reader.hashed(node, lambda: set(reader.sequence(node))),
    ast.Dict: _Reader.dict,
    ast.Name: _Reader.name,
    ast.Attribute: _Reader.attribute,
    ast.Call: _Reader.call,
    ast.UnaryOp: _Reader.unary,
    ast.BinOp: _Reader.binary,
}
