"""The small local model as a source of candidates."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from pathlib import Path

from exeds_lab.config import EmbeddedSettings, OpenAISettings
from exeds_lab.errors import GeneratorError
from exeds_lab.generate.embedded import labels, weights
from exeds_lab.generate.embedded.child import CONTEXT, ModelProcess
from exeds_lab.generate.embedded.memory import free_memory
from exeds_lab.generate.embedded.shots import with_shots
from exeds_lab.generate.generator import GenerationEvent, GenerationJob, TextDelta
from exeds_lab.generate.openai import OpenAIGenerator
from exeds_lab.model.candidate import GeneratorInfo

MEMORY_NEEDED = {"default": 4 << 30, "small": 2 << 30}
"""Bytes of memory that must be free before a model is loaded."""
MAX_TOKENS = 256
REPLY_ROOM = 4 * MAX_TOKENS + 800
"""Tokens kept for the answers and the examples."""
SILENCE_S = 600.0
"""Seconds without a byte: on a busy machine the prompt alone may take minutes."""
FIRST_TEMPERATURE = 0.0
OTHER_TEMPERATURE = 0.8


class LocalModel:
    """A model of a few hundred million weights in a process of its own.

    The process is started by the first request, ended after `idle_s` without one, and by `close`.
    It belongs to the event loop in which it is first used.
    """

    def __init__(self, settings: EmbeddedSettings) -> None:
        self._settings = settings
        self._starting = asyncio.Lock()
        self._process: ModelProcess | None = None
        self._askers: dict[float, OpenAIGenerator] = {}
        self._users = 0
        self._idle: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The model's name for people."""
        which = self._settings.model
        return weights.KNOWN[which].model if which in weights.KNOWN else Path(which).stem

    @property
    def info(self) -> GeneratorInfo:
        """Who writes."""
        return labels.local(self.name)

    @property
    def pid(self) -> int | None:
        """Process id of the model's process; None while there is none."""
        return None if self._process is None else self._process.pid

    def obstacle(self) -> str | None:
        """Why it cannot serve now; None when it can."""
        if self._settings.model == "none":
            return "The local model is switched off."
        if self._process is not None and self._process.alive:
            return None
        if weights.path_of(self._settings.model) is None:
            return f"The weights of the local model ({self.name}) are not there."
        if importlib.util.find_spec("xllamacpp") is None:
            return "The package xllamacpp, which runs the local model, is not installed."
        needed, free = MEMORY_NEEDED.get(self._settings.model, 4 << 30), free_memory()
        if free is not None and free < needed:
            return (
                f"The local model was not started: {free / 2**30:.1f} GB of memory are free and "
                f"it needs {needed >> 30}."
            )
        return None

    async def generate(self, job: GenerationJob) -> AsyncGenerator[GenerationEvent, None]:
        """One answer at temperature 0, then the others in one request.

        Places are numbered from 0.

        Raises:
            GeneratorError: it cannot be loaded, or the prompt is too long (layer `local`).
        """
        if job.prompt.tokens > CONTEXT - REPLY_ROOM:
            raise _too_long(job.prompt.tokens)
        shown = job.prompt.model_copy(update={"messages": with_shots(job.prompt.messages)})
        job = replace(job, prompt=shown)
        async with self._in_use():
            async for event in self._ask(replace(job, count=1), FIRST_TEMPERATURE, 0):
                yield event
            if job.count > 1:
                others = replace(job, count=job.count - 1)
                async for event in self._ask(others, OTHER_TEMPERATURE, 1):
                    yield event

    async def close(self) -> None:
        """End the process."""
        if self._idle is not None:
            self._idle.cancel()
        await self._stop()

    async def _ask(
        self, job: GenerationJob, temperature: float, first: int
    ) -> AsyncIterator[GenerationEvent]:
        asker = self._askers.get(temperature)
        if asker is None or self._process is None:
            raise _died()
        try:
            async with contextlib.aclosing(asker.generate(job)) as events:
                async for event in events:
                    yield self._relabelled(event, job, first)
        except GeneratorError as error:
            if self._process.alive:
                raise GeneratorError(
                    error.reason, error.next_step, layer="local", retryable=True
                ) from error
            raise _died() from error

    def _relabelled(
        self, event: GenerationEvent, job: GenerationJob, first: int
    ) -> GenerationEvent:
        if isinstance(event, TextDelta):
            return TextDelta(first + event.index, event.text)
        declared = any(check.declared for check in job.expectation.checks)
        note = None if declared else labels.UNCHECKED
        return event.model_copy(
            update={"index": first + event.index, "generator": self.info, "note": note}
        )

    @contextlib.asynccontextmanager
    async def _in_use(self) -> AsyncIterator[None]:
        """The process runs inside; the last one to leave starts the clock."""
        self._users += 1
        try:
            if self._idle is not None:
                self._idle.cancel()
                self._idle = None
            async with self._starting:
                await self._start()
            yield
        finally:
            self._users -= 1
            if self._users == 0 and self._process is not None:
                self._idle = asyncio.create_task(self._stop_when_idle())

    async def _start(self) -> None:
        if self._process is not None and self._process.alive:
            return
        await self._stop()
        path = weights.path_of(self._settings.model)
        obstacle = self.obstacle()
        if path is None or obstacle is not None:
            raise GeneratorError(
                obstacle or "The weights of the local model are not there.",
                "Get them with `exeds-lab model get`, or set an endpoint.",
                layer="local",
                retryable=False,
            )
        process = await ModelProcess.start(path, self._threads())
        self._process = process
        for temperature in (FIRST_TEMPERATURE, OTHER_TEMPERATURE):
            self._askers[temperature] = OpenAIGenerator(_settings(process, temperature))

    def _threads(self) -> int:
        if self._settings.threads is not None:
            return self._settings.threads
        # With every core busy the threads wait for each other: one core is left alone.
        return max(1, (os.cpu_count() or 2) - 1)

    async def _stop_when_idle(self) -> None:
        await asyncio.sleep(self._settings.idle_s)
        await self._stop()

    async def _stop(self) -> None:
        process, self._process = self._process, None
        askers, self._askers = self._askers, {}
        for asker in askers.values():
            await asker.close()
        if process is not None:
            await process.close()


def _settings(process: ModelProcess, temperature: float) -> OpenAISettings:
    return OpenAISettings(
        base_url=process.url,
        api_key=process.key,
        model="local",
        timeout_s=SILENCE_S,
        max_retries=0,
        temperature=temperature,
        max_tokens=MAX_TOKENS,
    )


def _too_long(tokens: int) -> GeneratorError:
    return GeneratorError(
        f"The prompt has about {tokens:,} tokens; the local model takes {CONTEXT - REPLY_ROOM:,}.",
        "Untick some cells or variables.",
        layer="local",
        retryable=False,
    )


def _died() -> GeneratorError:
    return GeneratorError(
        "The local model's process ended while it wrote.",
        "Try again; if it happens again, use the small model or set an endpoint.",
        layer="local",
        retryable=True,
    )
