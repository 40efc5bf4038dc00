"""What a generator is: anything that turns a prompt into candidates."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from exeds_lab.model.candidate import Candidate, GeneratorInfo, Prompt
from exeds_lab.model.execution import Execution
from exeds_lab.model.spec import Expectation
from exeds_lab.model.task import Task

RunInFork = Callable[[str, float], Awaitable[Execution]]
"""Runs code in a fork of the kernel for at most so many seconds: `await run(code, timeout_s)`.

The search uses it to see the user's real values; whatever it does there is thrown away."""


@dataclass(frozen=True)
class GenerationJob:
    """One request for candidates."""

    task: Task
    expectation: Expectation
    prompt: Prompt
    count: int
    """How many candidates are wanted; a generator may give fewer, never more."""
    run: RunInFork | None
    """None when there is no kernel."""


@dataclass(frozen=True)
class TextDelta:
    """More text of the reply of candidate `index`."""

    index: int
    text: str


GenerationEvent = TextDelta | Candidate


class Generator(Protocol):
    """Turns prompts into candidates.

    One object serves many attempts at once. Closing the iterator (or cancelling the task that
    consumes it) ends the request at once, its connection included.
    """

    @property
    def info(self) -> GeneratorInfo:
        """Who this is."""

    def generate(self, job: GenerationJob) -> AsyncIterator[GenerationEvent]:
        """Yield text as it arrives and each candidate when it is complete, in any order.

        Raises:
            GeneratorError: no (further) candidate can be had; those already given stand.
        """

    async def close(self) -> None:
        """End what it holds: connections, processes."""
