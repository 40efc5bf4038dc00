"""Code that stands in prose without a fence."""

from __future__ import annotations

import ast
import re

from exeds_lab.generate.cell import parsed
from exeds_lab.generate.clean import Extracted, read, readings

_ATTEMPTS = 400
"""The most ranges of lines that are tried in one reply: it may be long and all prose."""

_CODE = re.compile(
    r"^\s*(?:(?:import|from) [\w.]+(?: |,|$)"
    r"|(?:async )?(?:def|class|for|while|if|with)\b.*:\s*(?:#.*)?$"
    r"|(?:try|else|finally):|@\w|[%!]\w|>>> |In \[\d*\]:"
    r"|[\w.]+(?:\[.*\])?(?:, ?[\w.]+)*\s*(?:[-+*/|&]|//|\*\*)?=(?!=)"
    r"|[\w.]+\(.*\)\s*$|[\w.]+\[.*\]\s*$)"
)
"""A line that only code would be."""
_MAY_START = re.compile(r"^\s*(?:[A-Za-z_][\w.]*\s*$|[\[{(\"'\d#]|[A-Za-z_][\w.]*[\[(.?]|await\b)")
"""A line that code may begin with, though prose may too."""
_PROSE = re.compile(
    r"^\s*(?:[-*\u2022]\s+|\d+[.)]\s+|#{1,6}\s+|\*\*)?\w[^=(\[{]*\s[^=(\[{]*[.:!?\u2026*]*\s*$"
)
"""A line of at least two words without the punctuation of code."""
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def code_in_prose(text: str) -> Extracted | None:
    """The code among lines of prose, or the only piece of inline code; None when there is none.

    Prose may be left out; a line that only code would be may not, so half of a broken program is
    never taken for a program.
    """
    lines = text.split("\n")
    without_prose = "\n".join(line for line in lines if not _is_prose(line))
    for candidate in (text, without_prose):
        if (code := _reading(candidate)) is not None:
            return Extracted(code, None)
    if (run := _longest_run(lines)) is not None:
        return Extracted(run, None)
    if any(_CODE.match(line) for line in lines):
        return read(_between_code(lines))
    inline = _only_inline(text)
    return Extracted(inline, None) if inline is not None else None


def _is_prose(line: str) -> bool:
    return bool(_PROSE.match(line)) and not _CODE.match(line) and parsed(line.strip()) is None


def _longest_run(lines: list[str]) -> str | None:
    certain = [at for at, line in enumerate(lines) if _CODE.match(line)]
    starts = [at for at, line in enumerate(lines) if _CODE.match(line) or _MAY_START.match(line)]
    first, last = (certain[0], certain[-1]) if certain else (len(lines), -1)
    runs = [
        (start, end)
        for start in starts
        for end in range(len(lines), start, -1)
        if start <= first and end > last and lines[end - 1].strip()
    ]
    runs.sort(key=lambda run: run[0] - run[1])
    tried = (_reading("\n".join(lines[start:end])) for start, end in runs[:_ATTEMPTS])
    return next((code for code in tried if code is not None), None)


def _between_code(lines: list[str]) -> str:
    certain = [at for at, line in enumerate(lines) if _CODE.match(line)]
    return "\n".join(lines[certain[0] : certain[-1] + 1])


def _only_inline(text: str) -> str | None:
    pieces = {piece.strip() for piece in _INLINE.findall(text)}
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
