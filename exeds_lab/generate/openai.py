"""Candidates from any OpenAI-compatible endpoint.

Several candidates are first asked for in one request (`n`). What a server cannot do is found out
from its answers and remembered as long as the generator lives: where `n` is ignored or refused each
candidate has its own request, and a refused `temperature`, `max_tokens` or `stream` is left out.

The server counts the tokens of one request together: when it gave several replies, the last to
be given carries the count of all and says so, and the others carry none.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exeds_lab.config import OpenAISettings
from exeds_lab.generate.choices import Choice, Choices
from exeds_lab.generate.client import RequestFailedError, chat, client_of
from exeds_lab.generate.endpoint import endpoint_of
from exeds_lab.generate.explain import client_errors, explained
from exeds_lab.generate.failure import Asked, Failure, broken_stream, no_reply
from exeds_lab.generate.generator import GenerationEvent, GenerationJob, TextDelta
from exeds_lab.generate.parameters import Parameters
from exeds_lab.generate.reply import candidate_from
from exeds_lab.generate.retry import LONGEST_WAIT_S, backoff_s
from exeds_lab.model.candidate import GeneratorInfo, Usage

if TYPE_CHECKING:
    import openai

_GRACE_S = 2.0
"""Seconds that a server has for its token count once all replies are complete."""


@dataclass
class _Request:
    """One request for the candidates at `places`, and what became of it."""

    job: GenerationJob
    places: tuple[int, ...]
    """Place in the attempt of each choice asked for."""
    emit: Callable[[GenerationEvent], None]
    started: float = field(default_factory=time.monotonic)
    choices: Choices = field(init=False)
    body: dict[str, Any] = field(default_factory=dict)
    """What was last sent."""
    given: set[int] = field(default_factory=set)
    """Choices whose candidate was given."""
    failure: Failure | None = None

    def __post_init__(self) -> None:
        self.choices = Choices(len(self.places))

    @property
    def untouched(self) -> tuple[int, ...]:
        """Places of which the server said nothing at all."""
        seen = self.choices.by_index
        return tuple(place for i, place in enumerate(self.places) if i not in seen)


class OpenAIGenerator:
    """Asks one endpoint for candidates.

    Belongs to the event loop in which it is first used, and serves many attempts at once there.
    Build a new one when the settings change, and keep it while they do not: it holds connections
    and what it learnt of the server.

    Raises:
        GeneratorError: the base URL or the key cannot be used.
    """

    def __init__(self, settings: OpenAISettings) -> None:
        self._settings = settings
        self._asked = Asked(endpoint_of(settings), settings.model, settings.timeout_s)
        self._parameters = Parameters(settings)
        self._client: openai.AsyncOpenAI | None = None
        self._connecting = asyncio.Lock()

    @property
    def info(self) -> GeneratorInfo:
        """The model and the host that is asked."""
        endpoint = self._asked.endpoint
        return GeneratorInfo(
            kind="openai",
            model=self._settings.model,
            label=f"{self._settings.model} at {endpoint.host}",
            leaves_machine=not endpoint.is_loopback,
        )

    async def generate(self, job: GenerationJob) -> AsyncGenerator[GenerationEvent]:
        """Yield text as it arrives and each candidate when it is complete, in any order.

        A candidate whose request failed while others came has the failure as its problem.

        Raises:
            GeneratorError: no reply came to its end; names the failing layer.
        """
        events: asyncio.Queue[GenerationEvent | None] = asyncio.Queue()
        work = asyncio.create_task(self._produce(job, events.put_nowait))
        work.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            await work
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def close(self) -> None:
        """Close all connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _produce(self, job: GenerationJob, emit: Callable[[GenerationEvent], None]) -> None:
        places = tuple(range(job.count))
        requests: list[_Request] = []
        if job.count > 1 and self._parameters.can_ask_for_several:
            together = await self._ask(_Request(job, places, emit))
            places = _left_over(together)
            requests = [] if together.failure is not None and places else [together]
        alone = await asyncio.gather(*(self._ask(_Request(job, (p,), emit)) for p in places))
        if job.count > 1 and any(request.given for request in alone):
            self._parameters.refuse("n")
        self._settle([*requests, *alone])

    def _settle(self, requests: list[_Request]) -> None:
        """Tell of the replies that never came: as candidates beside others, else as an error."""
        some_came = any(request.given for request in requests)
        for request in requests:
            if request.failure is None:
                continue
            error = request.failure.error
            if not some_came:
                raise error
            for i in range(len(request.places)):
                if i not in request.given:
                    self._give(request, i, problem=f"{error.reason} {error.next_step}")

    async def _ask(self, request: _Request) -> _Request:
        """Ask until there is an answer or nothing more to try; the failure is in the request."""
        attempt = 0
        while True:
            request.failure = await self._attempt(request)
            if request.failure is None or request.choices.has_text:
                return request
            if not self._parameters.adapt(request.failure, request.body):
                wait_s = self._wait_s(request.failure, attempt)
                if wait_s is None:
                    return request
                await asyncio.sleep(wait_s)
                attempt += 1
            request.choices = Choices(len(request.places))

    def _wait_s(self, failure: Failure, attempt: int) -> float | None:
        """Seconds to wait before asking again; None when that is no use."""
        if not failure.lost or attempt >= self._settings.max_retries:
            return None
        wait_s = backoff_s(attempt) if failure.wait_s is None else failure.wait_s
        return wait_s if wait_s <= LONGEST_WAIT_S else None

    async def _attempt(self, request: _Request) -> Failure | None:
        failure: Failure | None = None
        try:
            await self._read(request)
        except RequestFailedError as error:
            failure = error.failure
        except client_errors() as error:
            failure = explained(error, self._asked)
        self._give_finished(request, at_end=True)
        return None if request.choices.all_finished else failure or self._incomplete(request)

    async def _read(self, request: _Request) -> None:
        """Send the request and pass on what arrives, until all of it has."""
        request.body = self._parameters.body(request.job, len(request.places))
        chunks = chat(await self._connected(), request.body, request.choices, self._asked)
        with contextlib.suppress(TimeoutError):
            async with contextlib.aclosing(chunks), asyncio.timeout(None) as limit:
                async for pieces in chunks:
                    for piece in pieces:
                        request.emit(TextDelta(request.places[piece.choice], piece.text))
                    self._give_finished(request)
                    if request.choices.all_finished and limit.when() is None:
                        limit.reschedule(asyncio.get_running_loop().time() + _GRACE_S)

    async def _connected(self) -> openai.AsyncOpenAI:
        """The client; in a thread, because loading it takes most of a second."""
        async with self._connecting:
            if self._client is None:
                endpoint = self._asked.endpoint
                self._client = await asyncio.to_thread(
                    client_of, endpoint, self._settings.timeout_s
                )
            return self._client

    def _give_finished(self, request: _Request, at_end: bool = False) -> None:
        """Give the candidates that are complete.

        The last one waits for the end, when the server tells how many tokens they took together.
        """
        choices = request.choices
        finished = choices.finished()
        if not at_end and len(finished) == len(choices.by_index):
            return
        ready = [i for i in finished if i not in request.given]
        for i in ready:
            is_last = at_end and i == ready[-1]
            self._give(request, i, usage=choices.usage if is_last else None)

    def _give(
        self, request: _Request, i: int, problem: str | None = None, usage: Usage | None = None
    ) -> None:
        choice = request.choices.by_index.get(i, Choice())
        request.given.add(i)
        several = usage is not None and len(request.given) > 1
        request.emit(
            candidate_from(
                choice.text,
                index=request.places[i],
                generator=self.info,
                duration_s=time.monotonic() - request.started,
                problem=problem or choice.problem(self._settings.max_tokens),
                note=f"The tokens are those of {len(request.given)} replies." if several else None,
                temperature=request.body.get("temperature"),
                usage=usage,
            )
        )

    def _incomplete(self, request: _Request) -> Failure | None:
        """What is missing from a reply that ended without an error; None when nothing is."""
        seen = request.choices.by_index
        if not seen:
            return no_reply("a reply without choices", self._asked)
        if any(choice.finish is None for choice in seen.values()):
            return broken_stream("it ended before it was complete", self._asked)
        return None


def _left_over(together: _Request) -> tuple[int, ...]:
    """The places to ask for one by one, because the server ignored or refused `n`."""
    failure = together.failure
    if failure is None:
        return together.untouched
    refused = failure.complaint is not None and not together.choices.by_index
    return together.places if refused else ()
