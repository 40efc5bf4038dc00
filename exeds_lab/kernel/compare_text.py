"""Two texts -> facts."""

from __future__ import annotations

from exeds_lab.kernel.compare_scalar import words_for
from exeds_lab.kernel.facts import Facts
from exeds_lab.kernel.guard import shorten

_LIMIT = 20_000


def compare_texts(expected: str, actual: str) -> Facts:
    """Compare two texts; says whether only case, or blanks at the ends of lines, differ."""
    facts = Facts()
    if expected == actual:
        return facts
    only = _what_differs(expected, actual)
    facts.add("text", expected=shorten(expected, _LIMIT), actual=shorten(actual, _LIMIT), only=only)
    words = words_for(expected, actual)
    if only == "words" and words is not None:
        facts.hint(words)
    if only == "words" and expected.strip() and expected.strip() in actual:
        facts.hint("the expected text is there, among other text")
    return facts


def _what_differs(expected: str, actual: str) -> str:
    if trimmed(expected) == trimmed(actual):
        return "whitespace"
    if expected.casefold() == actual.casefold():
        return "case"
    if trimmed(expected).casefold() == trimmed(actual).casefold():
        return "case and whitespace"
    return "words"


def trimmed(text: str) -> str:
    """Text without blanks at the ends of lines, and without empty lines at both ends."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)
