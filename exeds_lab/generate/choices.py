"""The choices of one request, put together from its pieces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from exeds_lab.model.candidate import Usage

if TYPE_CHECKING:
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

LONGEST_REPLY = 1_000_000
"""Characters after which a reply that has no end is cut off."""


_AT_THE_LIMIT = frozenset(["length", "max_tokens", "max_output_tokens", "model_length"])
_FILTERED = frozenset(["content_filter", "safety", "recitation", "prohibited_content", "blocklist"])
_FAILED = frozenset(["error", "network_error", "abort", "cancelled"])
"""Reasons to finish, as servers of several makers write them, in lower case."""


class Piece(NamedTuple):
    """More text of a choice."""

    choice: int
    text: str


@dataclass
class Choice:
    """One reply as far as it has come."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    finish: str | None = None
    """The server's finish_reason; None while it writes."""
    refusal: str = ""
    """What the model says when it declines, where the server sends that apart."""

    @property
    def text(self) -> str:
        """All that was written."""
        return "".join(self.parts)

    def problem(self, max_tokens: int | None) -> str | None:
        """Why this finished reply must not count as code; None when it may."""
        if self.refusal:
            return f"The model declined: \u201c{' '.join(self.refusal.split())}\u201d"
        reason = (self.finish or "").lower()
        if reason in _AT_THE_LIMIT:
            limit = f" of {max_tokens} tokens" if max_tokens is not None else ""
            return f"The reply was cut off at the limit{limit}: raise max_tokens."
        if reason in _FILTERED:
            return "The server's content filter stopped the reply."
        if reason in _FAILED:
            return "The server gave up before the reply was complete."
        if reason in ("tool_calls", "function_call") and not self.text.strip():
            return "The model called a tool instead of writing code."
        return None


class Choices:
    """Takes the pieces of one request and knows what is complete."""

    def __init__(self, expected: int) -> None:
        self._expected = expected
        self.by_index: dict[int, Choice] = {}
        self.usage: Usage | None = None
        """Tokens of all choices together; None when the server did not say."""

    @property
    def has_text(self) -> bool:
        """Whether anything was written."""
        return any(choice.length for choice in self.by_index.values())

    @property
    def all_finished(self) -> bool:
        """Whether every expected choice has come to its end."""
        return sum(choice.finish is not None for choice in self.by_index.values()) == self._expected

    def finished(self) -> tuple[int, ...]:
        """The choices that have come to their end."""
        return tuple(i for i, choice in self.by_index.items() if choice.finish is not None)

    def take_chunk(self, chunk: ChatCompletionChunk) -> Iterable[Piece]:
        """Adds one chunk of a stream; gives its text."""
        self._take_usage(chunk.usage)
        for part in chunk.choices or ():
            yield from self._add(part.index, part.delta)
            self._finish(part.index, part.finish_reason)

    def take_whole(self, completion: ChatCompletion) -> Iterable[Piece]:
        """Adds a reply that came in one piece; gives its text."""
        self._take_usage(completion.usage)
        for part in completion.choices or ():
            yield from self._add(part.index, part.message)
            # A whole reply without a reason is still whole.
            self._finish(part.index, getattr(part, "finish_reason", None) or "stop")

    def _add(self, index: int, said: Any) -> Iterable[Piece]:
        if not 0 <= index < self._expected:
            return
        choice = self.by_index.setdefault(index, Choice())
        choice.refusal += getattr(said, "refusal", None) or ""
        text = _text(getattr(said, "content", None))
        if choice.finish is None and text:
            choice.parts.append(text)
            choice.length += len(text)
            if choice.length > LONGEST_REPLY:
                choice.finish = "length"
            yield Piece(index, text)

    def _finish(self, index: int, reason: str | None) -> None:
        choice = self.by_index.get(index)
        if choice is not None and choice.finish is None:
            choice.finish = reason

    def _take_usage(self, usage: CompletionUsage | None) -> None:
        if usage is not None:
            self.usage = Usage(
                prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens
            )


def _text(content: object) -> str:
    """The text of a message: some servers send a list of parts, thinking apart from text."""
    match content:
        case str():
            return content
        case [*parts]:
            return "".join(_text(part.get("text")) for part in parts if isinstance(part, dict))
    return ""
