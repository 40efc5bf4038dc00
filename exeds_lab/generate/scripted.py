r"""A generator that says what it was told to: the public test double.

    generator = ScriptedGenerator(["```python\ndf.sum()\n```", "I cannot do that."])

answers every job with these replies, in order, as a model would: the text in pieces, then the
candidate that is read from it. It needs no key, no network and no clock, so tests, documentation
and demonstrations can drive everything else with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

from exeds_lab.errors import GeneratorError
from exeds_lab.generate.generator import GenerationEvent, GenerationJob, TextDelta
from exeds_lab.generate.reply import candidate_from
from exeds_lab.model.candidate import GeneratorInfo

_PIECE = 24
"""Characters of one piece of text."""


class ScriptedGenerator:
    """Gives the same replies to every job.

    Args:
        replies: the replies, as a model would write them; a job takes the first `count`.
        gates: the event at the same place is waited for in the middle of that reply; None, or no
            event there, waits for nothing.
        error: raised after the replies.

    Attributes:
        jobs: every job so far, in order.
        running: jobs that are being answered now; back at 0 when all were answered or cancelled.
        closed: whether `close` was called.
    """

    def __init__(
        self,
        replies: Sequence[str] = (),
        gates: Sequence[asyncio.Event | None] = (),
        error: GeneratorError | None = None,
    ) -> None:
        self._replies = tuple(replies)
        self._gates = tuple(gates)
        self._error = error
        self.jobs: list[GenerationJob] = []
        self.running = 0
        self.closed = False

    @property
    def info(self) -> GeneratorInfo:
        """A generator of kind `scripted`, which sends nothing anywhere."""
        return GeneratorInfo(
            kind="scripted", model="scripted", label="Scripted replies", leaves_machine=False
        )

    async def generate(self, job: GenerationJob) -> AsyncGenerator[GenerationEvent]:
        """Yield the replies in order, each in pieces and then as a candidate.

        Raises:
            GeneratorError: the error it was given, after the replies.
        """
        self.jobs.append(job)
        self.running += 1
        try:
            for index, reply in enumerate(self._replies[: job.count]):
                async for event in self._reply(index, reply):
                    yield event
            if self._error is not None:
                raise self._error
        finally:
            self.running -= 1

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True

    async def _reply(self, index: int, reply: str) -> AsyncGenerator[GenerationEvent]:
        pieces = [reply[at : at + _PIECE] for at in range(0, len(reply), _PIECE)]
        middle = (len(pieces) + 1) // 2
        for piece in pieces[:middle]:
            yield TextDelta(index, piece)
        gate = self._gates[index] if index < len(self._gates) else None
        if gate is not None:
            await gate.wait()
        for piece in pieces[middle:]:
            yield TextDelta(index, piece)
        yield candidate_from(reply, index=index, generator=self.info, duration_s=0.0)
