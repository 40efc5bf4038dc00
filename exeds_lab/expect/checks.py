"""Checks and exceptions as typed."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from exeds_lab.expect.grid import refusal
from exeds_lab.model.spec import ExceptionExpected

_EXCEPTION = re.compile(
    r"\s*(?P<type>[A-Za-z_][\w.]*)\s*(?:(?:matching|match|with|:)\s*(?P<pattern>.+?))?\s*", re.S
)
_CONDITIONS = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Call)


class WrittenCheck(NamedTuple):
    """One expression."""

    expression: str
    line: int


def read_checks(text: str) -> tuple[WrittenCheck, ...]:
    """Read one expression per line; `;` separates too, `#` begins a comment.

    Raises:
        ExpectationError: one is no expression; says where.
    """
    found: list[WrittenCheck] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        for part, at in _split(line):
            found.append(WrittenCheck(_checked(part, number, at), number))
    if not found:
        raise refusal("There is no check.", "Write an expression such as len(result) == 3.")
    return tuple(found)


def _split(line: str) -> list[tuple[str, int]]:
    """The expressions of a line with their places; `;` and `#` inside quotes belong to them."""
    parts: list[tuple[str, int]] = []
    start, quote = 0, ""
    for at, character in enumerate(line):
        if quote:
            quote = "" if character == quote and line[at - 1] != "\\" else quote
        elif character in "'\"":
            quote = character
        elif character == ";":
            parts.append((line[start:at], start))
            start = at + 1
        elif character == "#":
            line = line[:at]
            break
    parts.append((line[start:], start))
    return [(part, at) for part, at in parts if part.strip()]


def _checked(part: str, line: int, at: int) -> str:
    expression = part.strip()
    place = at + len(part) - len(part.lstrip())
    if expression.startswith("assert "):
        place += len("assert ")
        expression = expression[len("assert ") :].strip()
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        column = place + (getattr(error, "offset", None) or 1)
        reason = getattr(error, "msg", None) or str(error)
        advice = "Write an expression that is True, such as len(result) == 3."
        if re.match(r"[\w.\[\]'\"]+\s*=(?!=)", expression):
            advice = "Use == to compare."
        raise refusal(f"This check cannot be read: {reason}.", advice, line, column) from error
    if isinstance(tree.body, ast.Constant):
        raise refusal(
            f"{expression} is always the same: it checks nothing.",
            "Write an expression over result, such as result == 3.",
            line,
            place + 1,
        )
    return expression


def looks_like_check(text: str) -> bool:
    """Whether every line is a condition: a comparison, `and`, `not`, or a call."""
    try:
        checks = read_checks(text)
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it is no check
        return False
    return all(
        isinstance(ast.parse(one.expression, mode="eval").body, _CONDITIONS) for one in checks
    )


def is_exception(text: str) -> bool:
    """Whether a text names an exception beyond doubt."""
    found = _EXCEPTION.fullmatch(text)
    ends = ("Error", "Exception", "Warning", "KeyboardInterrupt", "StopIteration", "SystemExit")
    return found is not None and found["type"].endswith(ends)


def read_exception(text: str) -> ExceptionExpected:
    """Read `ValueError` or `ValueError matching "no such city"`.

    Raises:
        ExpectationError: it names no class, or the pattern is no regular expression.
    """
    found = _EXCEPTION.fullmatch(text)
    if found is None:
        raise refusal(
            "This is no exception.", 'Write ValueError, or ValueError matching "a pattern".'
        )
    pattern = found["pattern"]
    if pattern is not None:
        pattern = _unquoted(pattern)
        try:
            re.compile(pattern)
        except re.error as error:
            at = found.start("pattern") + 1 + (error.pos or 0)
            raise refusal(
                f"The pattern is no regular expression: {error.msg}.",
                "Write a backslash before characters that stand for themselves.",
                1,
                at + 1,
            ) from error
    return ExceptionExpected(type=found["type"], pattern=pattern)


def _unquoted(pattern: str) -> str:
    body = pattern.removeprefix("r") if pattern[:2] in ("r'", 'r"') else pattern
    if len(body) > 1 and body[0] == body[-1] and body[0] in "'\"":
        return body[1:-1]
    return pattern
