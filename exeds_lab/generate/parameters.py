"""What a request says, and what servers refuse in it."""

from __future__ import annotations

import re
from typing import Any

from exeds_lab.config import OpenAISettings
from exeds_lab.generate.failure import Failure
from exeds_lab.generate.generator import GenerationJob

_OPTIONAL = (
    "temperature",
    "max_tokens",
    "max_completion_tokens",
    "stream_options",
    "stream",
    "n",
)
"""What a request can do without."""


class Parameters:
    """Builds the body of requests; leaves out what this server has refused before."""

    def __init__(self, settings: OpenAISettings) -> None:
        self._settings = settings
        self._refused: set[str] = set()

    @property
    def can_ask_for_several(self) -> bool:
        """Whether the server may know `n`: true until it turned out that it does not."""
        return "n" not in self._refused

    def temperature(self, job: GenerationJob) -> float | None:
        """The temperature sent; None when the server takes none.

        One candidate is the likeliest one (0); several have to differ.
        """
        if "temperature" in self._refused:
            return None
        return 0.0 if job.count == 1 else self._settings.temperature

    def body(self, job: GenerationJob, count: int) -> dict[str, Any]:
        """The body of a request for `count` choices."""
        body: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [message.model_dump() for message in job.prompt.messages],
            "temperature": self.temperature(job),
            "stream": True,
            "stream_options": {"include_usage": True},
            "n": count if count > 1 else None,
            **self._length(),
        }
        if "stream" in self._refused:
            del body["stream_options"]
        refused = self._refused & set(_OPTIONAL)
        return {k: v for k, v in body.items() if v is not None and k not in refused}

    def _length(self) -> dict[str, int | None]:
        """Reasoning models take the limit under a newer name only, many servers the older only."""
        name = "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"
        return {name: self._settings.max_tokens}

    def refuse(self, name: str) -> None:
        """Leave this parameter out from now on."""
        self._refused.add(name)

    def adapt(self, failure: Failure, sent: dict[str, Any]) -> bool:
        """Whether the same request without what the server complained of is worth sending."""
        for name in _OPTIONAL:
            if name in sent and name != "n" and _is_named(name, failure):
                self.refuse(name)
                return True
        return False


def _is_named(name: str, failure: Failure) -> bool:
    if failure.named in _OPTIONAL:
        return failure.named == name
    return bool(re.search(rf"(?<![\w.]){name}(?!\w)", failure.complaint or ""))
