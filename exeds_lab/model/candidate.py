"""Candidates: what a generator proposes."""

from __future__ import annotations

from typing import Literal

from exeds_lab.model.record import Record


class Usage(Record):
    """Tokens of one reply."""

    prompt_tokens: int | None
    """None when the server did not say."""
    completion_tokens: int | None
    """None when the server did not say."""


class GeneratorInfo(Record):
    """Who writes the candidates."""

    kind: Literal["openai", "search", "local", "embedded", "scripted", "user"]
    """`search` and `local` are the two halves of `embedded`; `user`: code typed by the user."""
    model: str
    """Name of the model as the server knows it."""
    label: str
    """One honest sentence on what this is, shown beside its candidates."""
    leaves_machine: bool
    """Whether the prompt is sent to another machine (anything but loopback)."""


class Candidate(Record):
    """One proposed cell (the field also says *sample*)."""

    id: str
    """Content id of the code and the model."""
    index: int
    """0-based place in the attempt."""
    code: str
    """Compiles as a notebook cell; empty when the reply held no usable code."""
    reply: str
    """The raw reply of the model."""
    problem: str | None
    """Why there is no code: a refusal, no code block, a syntax error (with its line), a reply cut
    off. None when `code` is usable."""
    generator: GeneratorInfo
    note: str | None
    """What the generator says of it, e.g. `3 other programs also fit`; None if nothing."""
    temperature: float | None
    usage: Usage | None
    duration_s: float
    """Seconds from request to complete reply."""


class Message(Record):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


class PromptPart(Record):
    """A part of the prompt that the user can see and remove."""

    name: str
    """`instructions`, `cells`, `variables`, `task`, `expected` …"""
    tokens: int
    """Estimated; see `prompt/tokens.py`."""
    cut: str | None
    """What was left out to fit the budget; None when nothing was."""


class Prompt(Record):
    """Exactly what is sent."""

    messages: tuple[Message, ...]
    parts: tuple[PromptPart, ...]
    tokens: int
    """Estimated number of tokens of all messages."""
    budget: int
    """The most tokens allowed."""
    fingerprint: str
    """Content id of the messages."""
