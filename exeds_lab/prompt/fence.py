"""Data stays data: text put between fences that it cannot close."""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile(r"`{3,}")
_SHORTEST = 3
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def fence(text: str, language: str) -> str:
    """Put `text` between two fences longer than any run of backticks inside it."""
    longest = max((len(run) for run in _MARKS.findall(text)), default=_SHORTEST - 1)
    marks = "`" * (longest + 1)
    return f"{marks}{language}\n{text.rstrip()}\n{marks}"


def one_line(text: str, limit: int) -> str:
    """`text` on one line, at most `limit` characters, with nothing invisible in it.

    Line breaks, control characters and direction marks are written as escapes, so a cell value
    or a column name can neither start a line of its own nor hide what it says.
    """
    visible = "".join(_visible(character) for character in text[: limit + 1])
    return visible if len(visible) <= limit else visible[: limit - 1] + "…"


def _visible(character: str) -> str:
    if unicodedata.category(character) not in _INVISIBLE:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
