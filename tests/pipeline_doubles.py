"""A generator and a kernel that do what a test of the pipeline tells them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from exeds_lab.errors import ExedsError
from exeds_lab.execute.executor import OnOutput, ReadValue, TrialRequest
from exeds_lab.generate.generator import GenerationEvent, GenerationJob
from exeds_lab.model.candidate import Candidate, GeneratorInfo
from exeds_lab.model.execution import Completed, Execution
from exeds_lab.model.spec import ANALYST, Expectation
from exeds_lab.model.task import ValueDescription, Variable
from exeds_lab.model.wire import AttemptRequest

INFO = GeneratorInfo(kind="scripted", model="test", label="A script.", leaves_machine=False)
NOTHING = Expectation(checks=(), policy=ANALYST, origin="none", source="", preview=())


def candidate(index: int, code: str) -> Candidate:
    return Candidate(
        id=f"{index}",
        index=index,
        code=code,
        reply=code,
        problem=None if code else "The reply held no code.",
        generator=INFO,
        note=None,
        temperature=None,
        usage=None,
        duration_s=0.1,
    )


class Script:
    """Yields what it was given; an exception is raised, an Event is waited for."""

    info = INFO

    def __init__(self, *steps: Any) -> None:
        self.steps = steps
        self.ended = False
        self.job: GenerationJob | None = None

    async def generate(self, job: GenerationJob) -> AsyncIterator[GenerationEvent]:
        self.job = job
        try:
            for step in self.steps:
                if isinstance(step, BaseException):
                    raise step
                if isinstance(step, asyncio.Event):
                    await step.wait()
                else:
                    yield step
        finally:
            self.ended = True

    async def close(self) -> None:
        """Nothing is held."""


class Kernel:
    """Runs nothing: says that everything completed, and counts."""

    def __init__(self, hold: asyncio.Event | None = None, error: ExedsError | None = None) -> None:
        self.ran: list[str] = []
        self.most = 0
        self.killed: list[str] = []
        self._now = 0
        self._hold = hold
        self._error = error

    async def variables(self) -> tuple[Variable, ...]:
        return tuple(variable(name) for name in ("a", "b", "c"))

    async def read(self, expression: str) -> ReadValue:
        raise NotImplementedError

    async def run(self, request: TrialRequest, on_output: OnOutput | None = None) -> Execution:
        self.ran.append(request.code)
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            if on_output is not None:
                on_output({"output_type": "stream", "name": "stdout", "text": request.code})
            if self._hold is not None:
                await self._hold.wait()
            await asyncio.sleep(0)
            if self._error is not None:
                raise self._error
        except asyncio.CancelledError:
            self.killed.append(request.code)
            raise
        finally:
            self._now -= 1
        return execution(request)

    async def close(self) -> None:
        """Nothing is held."""


def variable(name: str) -> Variable:
    described = ValueDescription(
        type="int",
        module="builtins",
        shape=None,
        columns=None,
        preview="1",
        html=None,
        size_bytes=None,
    )
    return Variable(name=name, description=described)


def execution(request: TrialRequest) -> Execution:
    return Execution(
        outcome=Completed(),
        outputs=(),
        truncated=False,
        result=None,
        facts=(),
        effects=None,
        duration_s=0.0,
        total_s=0.0,
        limits=request.limits,
        strategy="fork",
        strategy_reason="",
        protections=(),
        kernel="3.11",
    )


def asked(code: str | None = None, candidates: int = 3, **changes: Any) -> AttemptRequest:
    request = AttemptRequest(
        intent="Add a and c",
        cells=(),
        variables=("c", "a", "gone"),
        notebook="n.ipynb",
        cell_id="task",
        kernel_id=None,
        expectation=NOTHING,
        candidates=candidates,
        code=code,
    )
    return request.model_copy(update=changes)
