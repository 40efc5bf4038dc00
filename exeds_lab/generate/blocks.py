"""The reply of a model taken apart: thinking, prose and blocks of code."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

PYTHON = frozenset(
    [
        *("python", "py", "python3", "py3", "ipython", "ipython3", "pycon", "pycon3", "jupyter"),
        *("notebook", "ipynb", "tool_code", "cell", "code-cell"),
        *("{python}", "{code-cell}", "{.python}"),
    ]
)
"""Names of fences that promise Python."""

_NAMELESS = frozenset(["", "code", "plaintext"])
_DIFF = frozenset(["diff", "patch", "udiff"])
_DOCUMENTS = frozenset(["markdown", "md", "", "text", "plaintext"])

_MOST_BLOCKS = 30
_DEEPEST = 3
"""Levels of documents in documents that are opened."""

_THINKING = re.compile(
    r"<(think|thinking|thought|reasoning|reflection|scratchpad)\b[^>]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_THINKING_END = re.compile(r"</(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_FENCE = re.compile(r"^(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)$")
_ONE_LINE = re.compile(
    r"^\s*```(?:(?P<info>python3?|py|ipython)\b)?[ \t]*(?P<code>[^`\n]+?)```\s*$"
)
_HTML_BLOCK = re.compile(
    r"<pre[^>]*>\s*(?:<code[^>]*?(?:language-(?P<info>\w+)[^>]*)?>)?"
    r"(?P<code>(?:(?!<pre).)*?)(?:</code>\s*)?</pre>",
    re.DOTALL | re.IGNORECASE,
)
_TAGGED = re.compile(
    r"[<\[](?P<tag>python|code|execute|answer|cell)[>\]]"
    r"(?P<code>(?:(?![<\[](?P=tag)[>\]]).)*?)[<\[]/(?P=tag)[>\]]",
    re.DOTALL | re.IGNORECASE,
)
_QUOTE_FENCE = re.compile(
    r"^\'{3}(?:python|py)[ \t]*\n(.*?)^\'{3}[ \t]*$", re.DOTALL | re.MULTILINE
)
_FIRST_TOKEN = re.compile(r"\s*<\|\w+\|>")
_LAST_TOKEN = re.compile(r"(?:<\|\w{1,30}\|>|</s>)\Z")


@dataclass(frozen=True)
class Block:
    """A fenced block and the prose above it."""

    language: str
    """The fence's first word in lower case; empty when it has none."""
    text: str
    before: str
    """The prose between the block before and this one."""
    closed: bool
    """Whether the closing fence is there."""

    @property
    def promises_python(self) -> bool:
        """Whether the fence says that this is Python."""
        return self.language in PYTHON

    @property
    def is_nameless(self) -> bool:
        """Whether the fence says nothing: it may hold code or output."""
        return self.language in _NAMELESS

    @property
    def is_diff(self) -> bool:
        """Whether the fence says that this is a diff."""
        return self.language in _DIFF


def normalise(reply: str) -> str:
    """One kind of newline and of fence; nothing invisible at the edges of lines.

    A model that was served with the wrong template begins or ends with tokens like `<|im_end|>`.
    """
    text = _without_tokens(reply.replace("\r\n", "\n").replace("\r", "\n"))
    text = _QUOTE_FENCE.sub(r"```python\n\1```", text)
    return re.sub(r"^[\ufeff\u200b\u2060]+|[\ufeff\u200b\u2060]+$", "", text, flags=re.MULTILINE)


def without_thinking(text: str) -> str:
    """The reply without what the model thought aloud in `<think>` tags.

    A tag that is never closed hides the rest; a closing tag without its opening one (some
    templates keep that in the prompt) hides what stands before it.
    """
    if text.lstrip().startswith("<"):
        text = _THINKING.sub("", text)
    for end in reversed([*_THINKING_END.finditer(text)]):
        line = text[text.rfind("\n", 0, end.start()) + 1 : end.start()]
        # A tag after a quotation mark or a comment sign is the code's own.
        if not any(sign in line for sign in "`'\"#"):
            return text[end.end() :]
    return text


def _without_tokens(text: str) -> str:
    while first := _FIRST_TOKEN.match(text):
        text = text[first.end() :]
    while last := _LAST_TOKEN.search(text, max(0, len(text.rstrip()) - 40), len(text.rstrip())):
        text = text[: last.start()]
    return text


def from_json(text: str) -> str | None:
    """The code in a reply that is JSON: a notebook, its cells, a `code` field or one string."""
    if text[:1] not in ("{", "[", '"'):
        return None
    try:
        return _code_in(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _code_in(value: object) -> str | None:
    match value:
        case str() if "\n" in value:
            return value
        case {"cells": [*cells]} | [*cells] if any(map(_source, cells)):
            sources = [_source(cell) for cell in cells]
            return "\n\n".join(source for source in sources if source)
        case {"cell_type": "code"}:
            return _source(value)
        case {"code": str(code)} | {"python": str(code)}:
            return code
    return None


def _source(cell: object) -> str:
    match cell:
        case {"cell_type": "code", "source": str(source)}:
            return source.strip("\n")
        case {"cell_type": "code", "source": [*lines]}:
            return "".join(str(line) for line in lines).strip("\n")
    return ""


def blocks(text: str, depth: int = 0) -> tuple[Block, ...]:
    """The first blocks of a reply in order, those inside a fenced document included."""
    found = _fenced(text) or _html_blocks(text) or _tagged(text)
    flat: list[Block] = []
    for block in found[:_MOST_BLOCKS]:
        is_document = block.language in _DOCUMENTS and depth < _DEEPEST
        inner = blocks(block.text, depth + 1) if is_document else ()
        flat += [replace(i, before=block.before + i.before) for i in inner] or [block]
    return tuple(flat[:_MOST_BLOCKS])


def _html_blocks(text: str) -> list[Block]:
    return [
        Block((m["info"] or "").lower(), html.unescape(m["code"]).strip("\n"), "", closed=True)
        for m in _HTML_BLOCK.finditer(text)
    ]


def _tagged(text: str) -> list[Block]:
    return [Block("", m["code"].strip("\n"), "", closed=True) for m in _TAGGED.finditer(text)]


def _fenced(text: str) -> list[Block]:
    found: list[Block] = []
    prose: list[str] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if one := _ONE_LINE.match(lines[at]):
            found.append(Block(one["info"] or "", one["code"].strip(), "\n".join(prose), True))
            prose = []
            at += 1
        elif (fence := _FENCE.match(lines[at])) and _opens(fence, lines, at):
            end = _end_of_block(fence, lines, at + 1)
            found.append(_block(fence, lines[at + 1 : end], prose, end < len(lines)))
            prose = []
            at = end + 1
        else:
            prose.append(lines[at])
            at += 1
    return found


def _opens(fence: re.Match[str], lines: list[str], at: int) -> bool:
    """A fence with nothing but blank lines after it opens nothing: it is a stray."""
    return bool(fence["info"].strip()) or any(line.strip() for line in lines[at + 1 :])


def _block(fence: re.Match[str], body: list[str], prose: list[str], closed: bool) -> Block:
    quoted = ">" in fence["indent"]
    lines = [re.sub(r"^[ \t]*> ?", "", line) for line in body] if quoted else body
    words = fence["info"].strip().lower().split()
    language = words[0] if words else ""
    if not language.startswith("{"):
        language = re.split(r"[:,{]", language)[0]
    return Block(language, "\n".join(lines), "\n".join(prose), closed)


def _end_of_block(opening: re.Match[str], lines: list[str], start: int) -> int:
    """The line of the closing fence; len(lines) when there is none.

    A named fence inside opens a block of its own, as in a document that is itself fenced. A fence
    inside a string of several lines closes nothing.
    """
    first: int | None = None
    for at in _closing(opening, lines, start):
        first = at if first is None else first
        if not _in_string("\n".join(lines[start:at])):
            return at
    return len(lines) if first is None else first


def _in_string(text: str) -> bool:
    return any(text.count(quotes) % 2 for quotes in ('"""', "'''"))


def _closing(opening: re.Match[str], lines: list[str], start: int) -> Iterator[int]:
    mark, depth = opening["fence"], 0
    holds_blocks = opening["info"].strip().lower() in ("markdown", "md")
    for at in range(start, len(lines)):
        fence = _FENCE.match(lines[at])
        if not fence or fence["fence"][0] != mark[0] or len(fence["fence"]) < len(mark):
            continue
        if fence["info"].strip():
            depth += holds_blocks
        elif depth == 0:
            yield at
        else:
            depth -= 1
