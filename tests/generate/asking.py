"""Jobs for a generator, and what came of them."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from exeds_lab.config import OpenAISettings
from exeds_lab.errors import GeneratorError
from exeds_lab.generate.generator import GenerationJob, Generator, TextDelta
from exeds_lab.generate.openai import OpenAIGenerator
from exeds_lab.model.candidate import Candidate, Message, Prompt
from exeds_lab.model.spec import Expectation
from exeds_lab.model.task import Task
from tests.servers.openai_script import Reply
from tests.servers.openai_server import ModelServer

KEY = "sk-secret-0123456789"


def settings(url: str | None, **changes: Any) -> OpenAISettings:
    """Settings for a server at `url` that never wait long."""
    return OpenAISettings(
        **{
            "base_url": url,
            "api_key": KEY,
            "model": "scripted",
            "timeout_s": 5.0,
            "max_retries": 2,
            "temperature": 0.7,
            "max_tokens": 100,
            **changes,
        }
    )


def job(count: int = 1, text: str = "sum it") -> GenerationJob:
    """A job whose prompt is one message."""
    prompt = Prompt(
        messages=(Message(role="user", content=text),),
        parts=(),
        tokens=3,
        budget=100,
        fingerprint="f",
    )
    task = Task(id="t", intent=text, cells=(), variables=(), notebook=None, cell_id=None)
    return GenerationJob(task, Expectation.model_construct(), prompt, count, None)


@dataclass
class Heard:
    """What a generator gave."""

    text: dict[int, str] = field(default_factory=dict)
    """The text of each candidate, its pieces joined."""
    candidates: list[Candidate] = field(default_factory=list)
    """In the order of their places, their durations set to 0."""
    error: GeneratorError | None = None

    @property
    def codes(self) -> list[str]:
        """The code of each candidate."""
        return [candidate.code for candidate in self.candidates]

    @property
    def told(self) -> tuple[str, bool, str, str]:
        """Layer, whether it may pass, reason and next step of the error."""
        assert self.error is not None
        error = self.error
        return (error.layer, error.retryable, error.reason, error.next_step)


async def heard_from(generator: Generator, wanted: GenerationJob) -> Heard:
    """Everything that a generator gives for a job."""
    heard = Heard()
    try:
        async with aclosing(generator.generate(wanted)) as events:  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, TextDelta):
                    heard.text[event.index] = heard.text.get(event.index, "") + event.text
                else:
                    assert event.duration_s >= 0
                    heard.candidates.append(event.model_copy(update={"duration_s": 0.0}))
    except GeneratorError as error:
        heard.error = error
    heard.candidates.sort(key=lambda candidate: candidate.index)
    return heard


async def ask(server: ModelServer, count: int = 1, **changes: Any) -> Heard:
    """Ask a server that is running."""
    generator = OpenAIGenerator(settings(server.url, **changes))
    try:
        return await heard_from(generator, job(count))
    finally:
        await generator.close()


async def ask_scripted(
    *replies: Reply, count: int = 1, **changes: Any
) -> tuple[Heard, ModelServer]:
    """Ask a new server with this script; the server's records stay readable."""
    async with ModelServer(list(replies)) as server:
        return await ask(server, count, **changes), server
