"""What the scripted OpenAI-compatible server answers: see `openai_server` for the file format."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FAULTS = (
    "401",
    "403",
    "404-path",
    "404-model",
    "429",
    "429-quota",
    "500",
    "502-html",
    "context-length",
    "drop",
    "silent",
    "silent-before-headers",
    "no-finish",
    "no-done",
    "bad-json",
    "bad-chunk",
    "html",
    "empty-choices",
    "error-in-stream",
    "not-stream",
    "ignore-n",
    "refuse-n",
    "refuse-parameter",
    "redirect",
    "status",
)
"""Every fault that a reply may name. `openai_server` says what each does."""


@dataclass(frozen=True)
class Reply:
    """One scripted reply. Everything has a default that is a good answer."""

    text: str = "```python\n1\n```"
    """The content of every choice, unless `texts` says otherwise."""
    texts: tuple[str, ...] = ()
    """The content of choice 0, 1, …; the last serves for those beyond."""
    match: str | None = None
    """Only for requests with this text in a message; None: for any request."""
    times: int | None = None
    """How many requests it answers; None: one when `match` is None, else any number."""
    fault: str | None = None
    """One of FAULTS."""
    chunk: int = 16
    """Characters of one streamed piece."""
    gate: int | None = None
    """Characters of choice 0 after which the stream is held until released; None: never held."""
    finish: str | None = "stop"
    """The finish_reason of every choice."""
    reasoning: str = ""
    """Sent as `reasoning_content` before the content."""
    retry_after: str | None = None
    """The Retry-After header of an error."""
    parameters: tuple[str, ...] = ()
    """What `refuse-parameter` refuses."""
    status: int = 400
    """The status of the fault `status`."""
    body: Any = None
    """The JSON of the fault `status`."""
    content_type: str = "text/event-stream"
    """The type of a streamed reply."""

    def __post_init__(self) -> None:
        if self.fault is not None and self.fault not in FAULTS:
            raise ValueError(f"unknown fault {self.fault!r}; there are {', '.join(FAULTS)}")

    def text_of(self, choice: int) -> str:
        """The content of one choice."""
        return self.texts[min(choice, len(self.texts) - 1)] if self.texts else self.text


class Script:
    """Gives each request its reply.

    A reply whose `match` occurs in the request wins over those without one; among equals the
    first that is not used up. When all are used up the last one without `match` serves on.
    """

    def __init__(self, replies: list[Reply]) -> None:
        self._replies = replies or [Reply()]
        self._used = [0] * len(self._replies)

    def reply_for(self, prompt: str) -> Reply:
        """The reply to a request whose messages together are `prompt`; counts it as used."""
        for wanted in (True, False):
            for place, reply in enumerate(self._replies):
                if (reply.match is not None) is wanted and self._fits(place, prompt):
                    self._used[place] += 1
                    return reply
        plain = [reply for reply in self._replies if reply.match is None]
        return plain[-1] if plain else Reply(fault="404-path")

    def _fits(self, place: int, prompt: str) -> bool:
        reply = self._replies[place]
        limit = reply.times if reply.times is not None else (1 if reply.match is None else None)
        unused = limit is None or self._used[place] < limit
        return unused and (reply.match is None or reply.match in prompt)


def reply_from_json(fields: dict[str, Any]) -> Reply:
    """A reply as written in a script file. Raises TypeError for a field that does not exist."""
    known = {field.name for field in dataclasses.fields(Reply)}
    if unknown := set(fields) - known:
        raise TypeError(f"unknown fields {sorted(unknown)}; there are {sorted(known)}")
    return Reply(**{k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()})


def read_script(path: Path) -> list[Reply]:
    """The replies in a JSON file: a list of objects with the fields of Reply."""
    return [reply_from_json(fields) for fields in json.loads(path.read_text("utf-8"))]
