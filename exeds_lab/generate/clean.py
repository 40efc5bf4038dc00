"""A block of text read as Python: prompts, diffs, indentation and typography undone.

`readings` gives the ways to read a block, the most faithful first; the first that compiles is the
code. So nothing is ever repaired that was not broken.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import NamedTuple

from exeds_lab.generate.cell import syntax_problem


class Extracted(NamedTuple):
    """What a text holds."""

    code: str
    """Compiles as a notebook cell; empty when there is a problem."""
    problem: str | None
    """Why there is no code; None when there is."""


_CLASSIC = re.compile(r"^\s*(?:>>>|\.\.\.)(?: |$)")
_IPYTHON_IN = re.compile(r"^\s*In\s*\[\s*[\d ]*\s*\]:[ ]?(?P<code>.*)$")
_IPYTHON_MORE = re.compile(r"^\s*\.{3,}:[ ]?(?P<code>.*)$")
_IPYTHON_OUT = re.compile(r"^\s*Out\s*\[\s*\d*\s*\]:")
_HUNK = re.compile(r"^(?:@@ |--- \S|\+\+\+ \S|diff --git )", re.MULTILINE)
_DIFF_HEAD = ("diff --git ", "index ", "--- ", "+++ ", "@@", "\\ No newline")
_FENCE_LINE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[\w{}. -]*$\n?", re.MULTILINE)
_LINE_NUMBER = re.compile(r"^\s*\d+(?:[.:|]|\s\|)?(?: |$)")

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u2032", "'"),
        **dict.fromkeys("\u2212\u2013\u2010\u2011", "-"),
        "\u2026": "...",
        "\u00d7": "*",
    }
)
_SPACES = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff"),
    }
)


def readings(text: str, is_diff: bool) -> Iterator[str]:
    """The ways to read a block, the most faithful first; each at most once.

    Args:
        text: the block, its lines ended by line feeds.
        is_diff: whether the fence says that this is a diff.
    """
    seen: set[str] = set()
    for start in _with_and_without_tabs(_beginnings(text, is_diff)):
        reading = _shaped(start)
        for repair in (_as_is, *_REPAIRS):
            reading = _shaped(repair(reading))
            if reading not in seen:
                seen.add(reading)
                yield reading


def read(text: str, is_diff: bool = False) -> Extracted:
    """The first reading of a block that compiles, else what is wrong with the most faithful."""
    first: str | None = None
    for reading in readings(text, is_diff):
        problem = syntax_problem(reading)
        if problem is None:
            return Extracted(reading, None)
        first = first or problem
    return Extracted("", f"The code does not compile: {first}")


def _beginnings(text: str, is_diff: bool) -> Iterator[str]:
    lines = text.split("\n")
    if is_diff or _HUNK.search(text):
        yield _without_diff_marks(lines)
    elif any(re.match(r"^\s*>>>(?: |$)", line) for line in lines):
        yield "\n".join(_CLASSIC.sub("", line) for line in lines if _CLASSIC.match(line))
    elif any(_IPYTHON_IN.match(line) for line in lines):
        yield "\n".join(_ipython_code(lines, keep_bare=False))
        yield "\n".join(_ipython_code(lines, keep_bare=True))
    else:
        yield text


def _with_and_without_tabs(starts: Iterator[str]) -> Iterator[str]:
    """Each as it is, then with tabs of the width that Python took them for, then of four."""
    for start in starts:
        yield start
        if "\t" in start:
            yield start.expandtabs(8)
            yield start.expandtabs(4)


def _without_diff_marks(lines: list[str]) -> str:
    kept = [line for line in lines if not line.startswith(_DIFF_HEAD)]
    return "\n".join(line[1:] if line[:1] in ("+", " ") else line for line in _unremoved(kept))


def _unremoved(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("-")]


def _ipython_code(lines: list[str], keep_bare: bool) -> Iterator[str]:
    """The code after `In [1]:`; lines without a prompt count when they follow a bare prompt."""
    takes_bare = False
    for line in lines:
        if start := _IPYTHON_IN.match(line):
            takes_bare = keep_bare or not start["code"].strip()
            yield start["code"]
        elif more := _IPYTHON_MORE.match(line):
            yield more["code"]
        elif _IPYTHON_OUT.match(line):
            takes_bare = False
        elif takes_bare:
            yield line


def _shaped(text: str) -> str:
    """Without blank lines around, trailing blanks and common indentation."""
    return textwrap.dedent(text.strip("\n")).rstrip().strip("\n")


def _as_is(text: str) -> str:
    return text


def _plain_spaces(text: str) -> str:
    return text.translate(_SPACES)


def _plain_quotes(text: str) -> str:
    return text.translate(_TYPOGRAPHY)


def _first_line_aligned(text: str) -> str:
    """Undoes a `strip()` that took the indentation of the first line alone."""
    first, newline, rest = text.partition("\n")
    if first.rstrip().endswith((":", "(", "[", "{", ",", "\\")):
        return text
    return first.lstrip() + newline + textwrap.dedent(rest)


def _without_fence_lines(text: str) -> str:
    return _FENCE_LINE.sub("", text).removesuffix("```")


def _without_line_numbers(text: str) -> str:
    lines = text.split("\n")
    numbered = all(_LINE_NUMBER.match(line) for line in lines if line.strip())
    return "\n".join(_LINE_NUMBER.sub("", line) for line in lines) if numbered else text


def _without_plus_signs(text: str) -> str:
    lines = text.split("\n")
    added = all(line.startswith("+") for line in lines if line.strip())
    return "\n".join(line[1:] for line in lines) if added else text


def _unescaped_html(text: str) -> str:
    return html.unescape(text) if "&" in text else text


def _unescaped_newlines(text: str) -> str:
    return text if "\n" in text else text.replace("\\n", "\n").replace("\\t", "\t")


_REPAIRS: tuple[Callable[[str], str], ...] = (
    _without_fence_lines,
    _plain_spaces,
    _plain_quotes,
    _without_line_numbers,
    _without_plus_signs,
    _first_line_aligned,
    _unescaped_newlines,
    _unescaped_html,
)
"""Tried one after another, each on top of those before."""
