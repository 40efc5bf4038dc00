"""Code that stands in prose without a fence."""

from __future__ import annotations

import ast
import re

from exeds_lab.generate.cell import is_statement, parsed
from exeds_lab.generate.clean import Extracted, read, readings

_ATTEMPTS = 60
_MOST_CHARACTERS = 300_000
"""How many ranges of lines, and characters in them, are tried: prose may be long."""

_CODE = re.compile(
    r"^\s*(?:(?:import|from) [\w.]+(?: |,|$)"
    r"|(?:async )?(?:def|class|for|while|if|with)\b.*:\s*(?:#.*)?$"
    r"|(?:elif|except|match|case)\b.*:\s*$|(?:try|else|finally|except):|@\w|[%!]\w|>>> |In \[\d*\]:"
    r"|[\w.]+(?:\[.*\])?(?:, ?[\w.]+)*\s*(?:[-+*/|&]|//|\*\*)?=(?!=)"
    r"|[\w.]+\(.*\)\s*$|[\w.]+\[.*\]\s*$)"
)
"""A line that only code would be."""
_MAY_START = re.compile(r"^\s*(?:[A-Za-z_][\w.]*\s*$|[\[{(\"'\d#]|[A-Za-z_][\w.]*[\[(.?]|await\b)")
"""A line that code may begin with, though prose may too."""
_PROSE = re.compile(
    r"^(?:\s*(?:[-*\u2022]|\d+[.)]|#{1,6}|>)\s+\S.*|\*{0,2}(?:[A-Z].*\s.*|\S.*[.:!?\u2026]\*{0,2}))\s*$"
)
"""A sentence, a heading or an item of a list."""
_LONGEST = 500
"""Lines above which bare text is not searched for code: no cell is that long."""
_INLINE = re.compile(r"(?<!`)(`{1,3})([^`\n]+)\1(?!`)")


def whole_code(text: str) -> str | None:
    """The text itself when all of it is code; None when it is not, or could be a word of prose."""
    as_it_is = next(readings(text, is_diff=False))
    return as_it_is if _is_telling(as_it_is) else None


def code_in_prose(text: str) -> Extracted | None:
    """The code among lines of prose, or the only piece of inline code; None when there is none.

    Only prose may be left out, so half of a broken program is never taken for a program.
    """
    lines = text.split("\n")
    if len(lines) > _LONGEST:
        return None
    code = _between_prose(lines) or _without_prose(text, lines)
    if code is not None:
        return Extracted(code, None)
    certain = [at for at, line in enumerate(lines) if _CODE.match(line)]
    if certain:
        return read("\n".join(lines[certain[0] : _end_of_code(lines)]))
    inline = _only_inline(text)
    return Extracted(inline, None) if inline is not None else None


def _between_prose(lines: list[str]) -> str | None:
    """The longest run of lines that is code and has nothing but prose around it."""
    end_of_code = _end_of_code(lines)
    first = next((at for at, line in enumerate(lines) if not _is_prose(line)), len(lines))
    may_start = lines[: first + 1]
    starts = [
        at for at, line in enumerate(may_start) if _CODE.match(line) or _MAY_START.match(line)
    ]
    runs = [
        (start, end)
        for start in starts
        for end in range(len(lines), max(start, end_of_code - 1), -1)
        if lines[end - 1].strip()
    ]
    runs.sort(key=lambda run: run[0] - run[1])
    attempts = min(_ATTEMPTS, _MOST_CHARACTERS // sum(len(line) + 1 for line in lines))
    tried = (_reading("\n".join(lines[start:end])) for start, end in runs[:attempts])
    return next((code for code in tried if code is not None), None)


def _without_prose(text: str, lines: list[str]) -> str | None:
    """The lines that are no prose, when none of those left out can stand in a string."""
    if '"""' in text or "'''" in text:
        return None
    return _reading("\n".join(line for line in lines if not line.strip() or not _is_prose(line)))


def _end_of_code(lines: list[str]) -> int:
    """One past the last line that is no prose; 0 when all is."""
    return max((at + 1 for at, line in enumerate(lines) if not _is_prose(line)), default=0)


def _is_prose(line: str) -> bool:
    """Whether nothing is lost without this line: it is blank, or for people only."""
    if not line.strip():
        return True
    return bool(_PROSE.match(line)) and not _CODE.match(line) and not is_statement(line.strip())


def _only_inline(text: str) -> str | None:
    pieces = {piece.strip() for _, piece in _INLINE.findall(text)}
    code = [piece for piece in pieces if _is_telling(piece)]
    return code[0] if len(code) == 1 else None


def _reading(text: str) -> str | None:
    return next((reading for reading in readings(text, False) if _is_telling(reading)), None)


def _is_telling(code: str) -> bool:
    """Whether it compiles and says more than a word of English would: `Sorry` is a name too."""
    tree = parsed(code)
    if tree is None or not tree.body:
        return False
    return not all(_could_be_prose(node) for node in tree.body)


def _could_be_prose(node: ast.stmt) -> bool:
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    if not isinstance(node, ast.Expr):
        return False
    names = [part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)]
    bare = all(isinstance(p, ast.Name | ast.Tuple | ast.Load) for p in ast.walk(node.value))
    return bare and any(name[0].isupper() for name in names)
