"""The whole flow on one page: a request in, events out, an Attempt at the end.

    request -> task -> prompt -> candidates -> a trial each -> verdicts -> the best first

Panel, terminal and benchmark call `attempt` with different executors. Nothing else knows the
order.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import UTC, datetime

from exeds_lab.config import Config
from exeds_lab.errors import ExedsError, ExpectationError, GeneratorError, KernelBusy, KernelError
from exeds_lab.execute.executor import Executor, TrialRequest
from exeds_lab.generate.generator import GenerationJob, Generator, TextDelta
from exeds_lab.judge.verdict import judge, rank
from exeds_lab.model.attempt import Attempt, Problem, Trial
from exeds_lab.model.candidate import Candidate, GeneratorInfo, Prompt
from exeds_lab.model.execution import Execution, NotRun
from exeds_lab.model.record import content_id
from exeds_lab.model.task import Task, Variable
from exeds_lab.model.wire import (
    AttemptFinished,
    AttemptRequest,
    AttemptStarted,
    CandidateReady,
    CandidateText,
    Event,
    PromptReady,
    TrialJudged,
    TrialOutput,
    TrialStarted,
)
from exeds_lab.prompt.render import render

MOST_CANDIDATES = 32
"""Candidates of one attempt."""

USER = GeneratorInfo(kind="user", model="", label="Code that you typed.", leaves_machine=False)
"""Who wrote the code when the request brings it."""

_log = logging.getLogger(__name__)


async def attempt(
    request: AttemptRequest,
    *,
    generator: Generator | None,
    executor: Executor | None,
    config: Config,
    stop: asyncio.Event | None = None,
) -> AsyncGenerator[Event, None]:
    """Generate candidates, run each apart from the user's state, judge them.

    The last event is always AttemptFinished, whatever goes wrong. Closing the iterator or
    cancelling the task that consumes it ends the request to the model and kills every trial
    before this returns.

    Args:
        request: what the user wants, and what should come out.
        generator: writes the candidates; may be None when the request brings its own
            code.
        executor: runs them; None leaves them unrun.
        config: limits, budget and how many trials run at once.
        stop: when set, the attempt ends as `stopped` with what arrived so far.
    """
    flow = _Flow(request, generator, executor, config)
    work = asyncio.create_task(flow.work())
    watch = asyncio.create_task(_cancel_when(stop, work))
    try:
        yield flow.started()
        while (event := await flow.events.get()) is not None:
            yield event
        await asyncio.wait([work])
        yield flow.finished(work)
    finally:
        for task in (work, watch):
            task.cancel()
        await asyncio.wait([work, watch])


async def preview(request: AttemptRequest, executor: Executor | None, config: Config) -> Prompt:
    """Exactly the prompt that an attempt would send; nothing is sent.

    Raises:
        ExedsError: the kernel does not answer, or the task does not fit the budget.
    """
    task = await task_of(request, executor)
    return render(task, request.expectation, config.prompt_tokens)


async def task_of(request: AttemptRequest, executor: Executor | None) -> Task:
    """The task with the variables that the request names, described as they are now.

    Raises:
        KernelError: the kernel does not answer.
    """
    found: dict[str, Variable] = {}
    if executor is not None and request.variables:
        found = {variable.name: variable for variable in await executor.variables()}
    variables = tuple(found[name] for name in request.variables if name in found)
    parts = [cell.source for cell in request.cells] + [v.model_dump_json() for v in variables]
    return Task(
        id=content_id(request.intent, *parts),
        intent=request.intent,
        cells=request.cells,
        variables=variables,
        notebook=request.notebook,
        cell_id=request.cell_id,
    )


def problem_of(error: BaseException) -> Problem:
    """A failure of ours as a record; an error that is no ExedsError is a bug and says so."""
    if not isinstance(error, ExedsError):
        return Problem(
            name="InternalError",
            reason=f"{type(error).__name__}: {error}",
            next_step="This is a fault in exeds-lab: please report it with the server's log.",
            layer=None,
            retryable=False,
            line=None,
            column=None,
        )
    where = error if isinstance(error, ExpectationError) else None
    model = error if isinstance(error, GeneratorError) else None
    return Problem(
        name=error.name,
        reason=error.reason,
        next_step=error.next_step,
        layer=model.layer if model else None,
        retryable=model.retryable if model else isinstance(error, KernelBusy),
        line=where.line if where else None,
        column=where.column if where else None,
    )


class _Flow:
    """One attempt while it runs. Lives in one event loop; used by `attempt` alone."""

    def __init__(
        self,
        request: AttemptRequest,
        generator: Generator | None,
        executor: Executor | None,
        config: Config,
    ) -> None:
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._request = request
        self._generator = generator
        self._executor = executor
        self._config = config
        self._id = secrets.token_hex(8)
        self._began = time.monotonic()
        self._started = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._count = 1 if request.code is not None else min(request.candidates, MOST_CANDIDATES)
        self._slots = asyncio.Semaphore(config.parallel)
        self._task: Task | None = None
        self._prompt: Prompt | None = None
        self._candidates: dict[int, Candidate] = {}
        self._runs: dict[str, asyncio.Task[Execution]] = {}
        self._trials: dict[int, Trial] = {}
        self._problem: ExedsError | None = None

    @property
    def _info(self) -> GeneratorInfo:
        if self._generator is None or self._request.code is not None:
            return USER
        return self._generator.info

    def started(self) -> AttemptStarted:
        return AttemptStarted(attempt_id=self._id, generator=self._info, candidates=self._count)

    async def work(self) -> None:
        """Fill `events`; the last one is None."""
        try:
            self._task = await task_of(self._request, self._executor)
            async with asyncio.TaskGroup() as group:
                try:
                    async for candidate in self._proposed(self._task):
                        self._take(candidate, group)
                except KernelError:
                    raise
                except ExedsError as error:  # what came before it is still checked
                    self._problem = error
        finally:
            self.events.put_nowait(None)

    async def _proposed(self, task: Task) -> AsyncIterator[Candidate]:
        if self._generator is None or self._request.code is not None:
            yield _typed(self._request.code or "")
            return
        prompt = render(task, self._request.expectation, self._config.prompt_tokens)
        self._prompt = prompt
        self.events.put_nowait(PromptReady(prompt=prompt))
        job = GenerationJob(
            task=task,
            expectation=self._request.expectation,
            prompt=prompt,
            count=self._count,
            run=None if self._executor is None else self._look,
        )
        async for event in self._generator.generate(job):
            if isinstance(event, TextDelta):
                self.events.put_nowait(
                    CandidateText(index=event.index, delta=_well_formed(event.text))
                )
            else:
                code, reply = _well_formed(event.code), _well_formed(event.reply)
                yield event.model_copy(update={"code": code, "reply": reply})

    def _take(self, candidate: Candidate, group: asyncio.TaskGroup) -> None:
        same = self._runs.get(candidate.code)
        if candidate.code and self._executor is not None and same is None:
            run = group.create_task(self._run(candidate, self._executor))
            self._runs[candidate.code] = run
        if same is not None:
            first = next(c for c in self._candidates.values() if c.code == candidate.code)
            note = f"Same code as candidate {first.index + 1}, run once."
            candidate = candidate.model_copy(
                update={"note": f"{candidate.note} {note}" if candidate.note else note}
            )
        self._candidates[candidate.index] = candidate
        self.events.put_nowait(CandidateReady(candidate=candidate))
        group.create_task(self._judge(candidate))

    async def _judge(self, candidate: Candidate) -> None:
        run = self._runs.get(candidate.code)
        if run is not None:
            execution = await run
        elif candidate.code:
            execution = self._not_run("There is no kernel to run it in.")
        else:
            execution = self._not_run(candidate.problem or "There is no code in the reply.")
        trial = self._trial(candidate, execution)
        self._trials[candidate.index] = trial
        self.events.put_nowait(TrialJudged(trial=trial))

    async def _run(self, candidate: Candidate, executor: Executor) -> Execution:
        if self._slots.locked():
            self.events.put_nowait(
                TrialStarted(index=candidate.index, waiting="Other candidates are being checked.")
            )
        async with self._slots:
            self.events.put_nowait(TrialStarted(index=candidate.index, waiting=None))
            expectation = self._request.expectation
            return await executor.run(
                TrialRequest(
                    candidate.code, expectation.checks, expectation.policy, self._config.limits
                ),
                lambda output: self.events.put_nowait(
                    TrialOutput(index=candidate.index, output=output)
                ),
            )

    async def _look(self, code: str, timeout_s: float) -> Execution:
        """Run code for the generator, which may look at the user's values."""
        assert self._executor is not None
        limits = self._config.limits.model_copy(update={"timeout_s": timeout_s})
        async with self._slots:
            return await self._executor.run(
                TrialRequest(code, (), self._request.expectation.policy, limits)
            )

    def _trial(self, candidate: Candidate, execution: Execution) -> Trial:
        expectation = self._request.expectation
        verdict = judge(execution, expectation, has_code=bool(candidate.code))
        return Trial(candidate=candidate, execution=execution, verdict=verdict)

    def _not_run(self, why: str) -> Execution:
        return Execution(
            outcome=NotRun(why=why),
            outputs=(),
            truncated=False,
            result=None,
            facts=(),
            effects=None,
            duration_s=0.0,
            total_s=0.0,
            limits=self._config.limits,
            strategy="none",
            strategy_reason=why,
            protections=(),
            kernel="",
        )

    def finished(self, work: asyncio.Task[None]) -> AttemptFinished:
        """The whole trace; candidates that were never judged are kept as not run."""
        error = self._problem if work.cancelled() else _cause(work.exception()) or self._problem
        problem = problem_of(error) if error is not None else None
        why = "It was stopped before its check ended." if problem is None else problem.reason
        trials = tuple(
            self._trials.get(index) or self._trial(candidate, self._not_run(why))
            for index, candidate in sorted(self._candidates.items())
        )
        order = rank(trials)
        status = "failed" if problem else "stopped" if work.cancelled() else "finished"
        return AttemptFinished(
            attempt=Attempt(
                id=self._id,
                task=self._task or _bare_task(self._request),
                expectation=self._request.expectation,
                generator=self._info,
                prompt=self._prompt,
                trials=trials,
                best=order[0] if order else None,
                status=status,
                problem=problem,
                started=self._started,
                duration_s=time.monotonic() - self._began,
            )
        )


def _well_formed(text: str) -> str:
    """Join halves of surrogate pairs and replace lone ones, which no UTF-8 can carry."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _typed(code: str) -> Candidate:
    problem = None if code.strip() else "There is no code."
    return Candidate(
        id=content_id(code, USER.model),
        index=0,
        code=code if problem is None else "",
        reply=code,
        problem=problem,
        generator=USER,
        note=None,
        temperature=None,
        usage=None,
        duration_s=0.0,
    )


def _bare_task(request: AttemptRequest) -> Task:
    """The task when the kernel could not describe its variables."""
    return Task(
        id=content_id(request.intent),
        intent=request.intent,
        cells=request.cells,
        variables=(),
        notebook=request.notebook,
        cell_id=request.cell_id,
    )


def _cause(error: BaseException | None) -> BaseException | None:
    """The error that ended the work: ours if there is one, out of whatever group it is in."""
    if not isinstance(error, BaseExceptionGroup):
        if error is not None and not isinstance(error, ExedsError):
            _log.error("An attempt failed", exc_info=error)
        return error
    ours, others = error.split(ExedsError)
    rest = others or ours
    assert rest is not None
    return _cause(rest.exceptions[0])


async def _cancel_when(stop: asyncio.Event | None, work: asyncio.Task[None]) -> None:
    if stop is not None:
        await stop.wait()
        work.cancel()
