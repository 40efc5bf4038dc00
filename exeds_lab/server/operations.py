"""What each route does: a record in, a record or a stream of events out."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from exeds_lab import __version__, pipeline
from exeds_lab.declare import declare
from exeds_lab.errors import ExpectationError
from exeds_lab.execute.executor import Executor
from exeds_lab.judge.verdict import judge as judge_execution
from exeds_lab.model.candidate import Prompt
from exeds_lab.model.record import Record
from exeds_lab.model.spec import ANALYST, STRICT
from exeds_lab.model.wire import (
    AttemptRequest,
    Event,
    ExpectationReply,
    ExpectationRequest,
    JudgeReply,
    JudgeRequest,
    StatusReply,
    VariablesReply,
    VariablesRequest,
)
from exeds_lab.server.service import Service


async def status(service: Service, _: None) -> StatusReply:
    """What this server can do."""
    openai = service.config.openai
    return StatusReply(
        version=__version__,
        generator=service.generator.info,
        has_key=bool(openai and openai.api_key),
        candidates=service.config.candidates,
        policy=ANALYST,
        presets={"analyst": ANALYST, "strict": STRICT},
    )


async def variables(service: Service, request: VariablesRequest) -> VariablesReply:
    """The variables of a kernel, described."""
    executor = await service.kernels.executor(request.kernel_id)
    return VariablesReply(variables=await executor.variables())


async def expectation(service: Service, request: ExpectationRequest) -> ExpectationReply:
    """Read what the user declared; what cannot be read is part of the reply, not a failure."""
    try:
        executor = await _executor(service, request.kernel_id)
        return ExpectationReply(expectation=await declare(request, executor), problem=None)
    except ExpectationError as error:
        return ExpectationReply(expectation=None, problem=pipeline.problem_of(error))


async def prompt(service: Service, request: AttemptRequest) -> Prompt:
    """Exactly what an attempt would send; nothing is sent."""
    executor = await _executor(service, request.kernel_id)
    return await pipeline.preview(request, executor, service.config)


async def attempt(service: Service, request: AttemptRequest) -> AsyncGenerator[Event, None]:
    """Generate, run apart, compare."""
    executor = await _executor(service, request.kernel_id)
    events = pipeline.attempt(
        request, generator=service.generator, executor=executor, config=service.config
    )
    async with aclosing(events):
        async for event in events:
            yield event


async def judge(_: Service, request: JudgeRequest) -> JudgeReply:
    """A trial seen under another policy, without running again."""
    trial = request.trial
    verdict = judge_execution(
        trial.execution,
        request.expectation,
        has_code=bool(trial.candidate.code),
        measured=trial.verdict.policy,
    )
    return JudgeReply(verdict=verdict)


async def _executor(service: Service, kernel_id: str | None) -> Executor | None:
    return None if kernel_id is None else await service.kernels.executor(kernel_id)


REPLIES: dict[str, Callable[[Service, Any], Awaitable[Record]]] = {
    "status": status,
    "variables": variables,
    "expectation": expectation,
    "prompt": prompt,
    "judge": judge,
}
"""Operations that answer once, by the name in the route table."""

STREAMS: dict[str, Callable[[Service, Any], AsyncGenerator[Event, None]]] = {"attempt": attempt}
"""Operations that answer with a stream."""
