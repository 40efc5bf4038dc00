from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest

from exeds_lab.config import DEFAULT
from exeds_lab.errors import (
    ConfigError,
    ExedsError,
    ExpectationError,
    GeneratorError,
    KernelBusy,
    KernelDied,
)
from exeds_lab.generate.generator import GenerationEvent, GenerationJob, TextDelta
from exeds_lab.model.attempt import Attempt, Problem
from exeds_lab.model.execution import NotRun
from exeds_lab.model.task import Variable
from exeds_lab.model.wire import AttemptFinished, AttemptRequest, Event, TrialStarted
from exeds_lab.pipeline import USER, attempt, preview, problem_of
from tests.pipeline_doubles import INFO, Kernel, Script, asked, candidate


async def heard(
    request: AttemptRequest,
    generator: Any,
    executor: Any,
    watch: Callable[[Event], None] = lambda _: None,
    **options: Any,
) -> list[Event]:
    config = DEFAULT.model_copy(update={"parallel": options.pop("parallel", 2)})
    events = []
    async for event in attempt(
        request, generator=generator, executor=executor, config=config, **options
    ):
        watch(event)
        events.append(event)
    return events


def result(events: Sequence[Event]) -> Attempt:
    last = events[-1]
    assert isinstance(last, AttemptFinished)
    return last.attempt


def statuses(found: Attempt) -> list[str]:
    return [trial.verdict.status for trial in found.trials]


async def test_events_come_in_the_order_of_the_flow() -> None:
    script = Script(TextDelta(0, "a +"), TextDelta(0, " c"), candidate(0, "a + c"))
    events = await heard(asked(candidates=1), script, Kernel())

    assert [event.event for event in events] == [
        "attempt_started",
        "prompt_ready",
        "candidate_text",
        "candidate_text",
        "candidate_ready",
        "trial_started",
        "trial_output",
        "trial_judged",
        "attempt_finished",
    ]
    found = result(events)
    assert (found.status, found.problem, found.best) == ("finished", None, 0)
    assert statuses(found) == ["unchecked"]
    assert found.generator == INFO


async def test_the_task_holds_the_variables_asked_for_in_their_order() -> None:
    script = Script()
    found = result(await heard(asked(), script, Kernel()))

    assert [v.name for v in found.task.variables] == ["c", "a"]
    assert script.job is not None
    assert script.job.count == 3
    assert "c: int = 1\na: int = 1" in script.job.prompt.messages[1].content
    assert found.prompt == script.job.prompt


async def test_trials_run_side_by_side_up_to_the_limit() -> None:
    kernel = Kernel()
    script = Script(*(candidate(index, f"a + {index}") for index in range(6)))
    events = await heard(asked(candidates=6), script, kernel, parallel=2)

    assert kernel.most == 2
    assert len(result(events).trials) == 6
    waiting = [event.waiting for event in events if isinstance(event, TrialStarted)]
    assert "Other candidates are being checked." in waiting


async def test_a_trial_begins_before_the_next_candidate_has_come() -> None:
    judged = asyncio.Event()

    def watch(event: Event) -> None:
        if event.event == "trial_judged":
            judged.set()

    script = Script(candidate(0, "a"), judged, candidate(1, "b"))
    found = result(await heard(asked(), script, Kernel(), watch))

    assert [trial.candidate.index for trial in found.trials] == [0, 1]


async def test_equal_code_runs_once_and_says_so() -> None:
    kernel = Kernel()
    script = Script(candidate(0, "a"), candidate(1, "b"), candidate(2, "a"))
    found = result(await heard(asked(), script, kernel))

    assert sorted(kernel.ran) == ["a", "b"]
    assert [trial.candidate.note for trial in found.trials] == [
        None,
        None,
        "Same code as candidate 1, run once.",
    ]
    assert found.trials[2].execution == found.trials[0].execution


async def test_a_reply_without_code_is_not_run() -> None:
    kernel = Kernel()
    found = result(await heard(asked(), Script(candidate(0, ""), candidate(1, "a")), kernel))

    assert kernel.ran == ["a"]
    assert statuses(found) == ["not_run", "unchecked"]
    assert found.trials[0].execution.outcome == NotRun(why="The reply held no code.")
    assert found.best == 1


async def test_half_a_character_of_a_broken_model_is_replaced() -> None:
    script = Script(TextDelta(0, "'\ud83d"), candidate(0, "'\ud83d\ude00 \ud800'"))
    events = await heard(asked(), script, Kernel())

    code = result(events).trials[0].candidate.code
    assert code == "'😀 \ufffd'"
    assert all(event.model_dump_json() for event in events)


async def test_without_a_kernel_candidates_are_kept_unrun() -> None:
    script = Script(candidate(0, "a"), candidate(1, "a"))
    found = result(await heard(asked(), script, None))

    assert statuses(found) == ["not_run", "not_run"]
    assert found.status == "finished"
    assert script.job is not None
    assert script.job.run is None


async def test_code_of_the_user_is_the_only_candidate() -> None:
    kernel = Kernel()
    script = Script(candidate(0, "never"))
    found = result(await heard(asked(code="a + c"), script, kernel))

    assert kernel.ran == ["a + c"]
    assert [trial.candidate.generator for trial in found.trials] == [USER]
    assert (found.prompt, found.generator, script.job) == (None, USER, None)


async def test_blank_code_of_the_user_is_no_code() -> None:
    found = result(await heard(asked(code="  \n"), None, Kernel()))

    assert found.trials[0].candidate.problem == "There is no code."
    assert statuses(found) == ["not_run"]


async def test_a_generator_that_fails_late_keeps_what_came() -> None:
    error = GeneratorError("The stream broke off.", "Try again.", layer="stream", retryable=True)
    found = result(await heard(asked(), Script(candidate(0, "a"), error), Kernel()))

    assert statuses(found) == ["unchecked"]
    assert found.status == "failed"
    assert found.problem == Problem(
        name="GeneratorError",
        reason="The stream broke off.",
        next_step="Try again.",
        layer="stream",
        retryable=True,
        line=None,
        column=None,
    )


async def test_a_kernel_that_dies_ends_the_attempt_and_the_generator() -> None:
    error = KernelDied("The kernel died.", "Restart it.")
    script = Script(candidate(0, "a"), asyncio.Event())
    found = result(await heard(asked(), script, Kernel(error=error)))

    assert script.ended
    assert (found.status, found.problem and found.problem.name) == ("failed", "KernelDied")
    assert found.trials[0].execution.outcome == NotRun(why="The kernel died.")


async def test_a_kernel_that_cannot_describe_its_variables_fails_with_the_reason() -> None:
    class Busy(Kernel):
        async def variables(self) -> tuple[Variable, ...]:
            raise KernelBusy("The kernel is busy.", "Wait.")

    found = result(await heard(asked(), Script(candidate(0, "a")), Busy()))

    assert (found.status, found.trials, found.best) == ("failed", (), None)
    assert found.problem is not None
    assert found.problem.retryable


async def test_stop_ends_generator_and_trials_and_keeps_what_arrived() -> None:
    stop = asyncio.Event()
    kernel = Kernel(hold=asyncio.Event())
    script = Script(candidate(0, "a"), asyncio.Event(), candidate(1, "b"))

    def watch(event: Event) -> None:
        if event.event == "trial_output":
            stop.set()

    found = result(await heard(asked(), script, kernel, watch, stop=stop))

    assert (found.status, found.problem) == ("stopped", None)
    assert kernel.killed == ["a"]
    assert script.ended
    assert [trial.candidate.code for trial in found.trials] == ["a"]
    assert statuses(found) == ["not_run"]


async def test_cancelling_the_consumer_ends_generator_and_trials_first() -> None:
    running = asyncio.Event()
    kernel = Kernel(hold=asyncio.Event())
    script = Script(candidate(0, "a"), asyncio.Event())

    def watch(event: Event) -> None:
        if event.event == "trial_output":
            running.set()

    task = asyncio.create_task(heard(asked(), script, kernel, watch))
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert script.ended
    assert kernel.killed == ["a"]


async def test_closing_the_iterator_ends_generator_and_trials_first() -> None:
    kernel = Kernel(hold=asyncio.Event())
    script = Script(candidate(0, "a"), asyncio.Event())
    events = attempt(asked(), generator=script, executor=kernel, config=DEFAULT)
    async for event in events:
        if event.event == "trial_output":
            break
    await events.aclose()

    assert script.ended
    assert kernel.killed == ["a"]


async def test_a_fault_of_ours_is_named_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    found = result(
        await heard(asked(), Script(candidate(0, "a"), ZeroDivisionError("x")), Kernel())
    )

    assert found.status == "failed"
    assert found.problem is not None
    assert (found.problem.name, found.problem.reason) == ("InternalError", "ZeroDivisionError: x")
    assert "An attempt failed" in caplog.text


async def test_the_generator_may_look_into_the_kernel() -> None:
    class Looking(Script):
        async def generate(self, job: GenerationJob) -> AsyncIterator[GenerationEvent]:
            assert job.run is not None
            seen = await job.run("look", 1.5)
            assert seen.limits.timeout_s == 1.5
            yield candidate(0, "a")

    kernel = Kernel()
    await heard(asked(), Looking(), kernel)

    assert kernel.ran == ["look", "a"]


async def test_the_preview_is_the_prompt_that_an_attempt_sends() -> None:
    found = result(await heard(asked(), Script(), Kernel()))

    assert await preview(asked(), Kernel(), DEFAULT) == found.prompt


async def test_a_task_that_does_not_fit_fails_before_anything_is_sent() -> None:
    script = Script(candidate(0, "a"))
    found = result(await heard(asked(intent="word " * 20_000), script, Kernel()))

    assert script.job is None
    assert found.problem is not None
    assert found.problem.name == "ConfigError"


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (
            ExpectationError("Bad row.", "Fix it.", line=3, column=7),
            ("ExpectationError", "Bad row.", "Fix it.", None, False, 3, 7),
        ),
        (
            ConfigError("Bad.", "Correct it."),
            ("ConfigError", "Bad.", "Correct it.", None, False, None, None),
        ),
        (
            KernelBusy("Busy.", "Wait."),
            ("KernelBusy", "Busy.", "Wait.", None, True, None, None),
        ),
    ],
)
def test_every_failure_of_ours_crosses_with_its_reason(error: ExedsError, problem: Any) -> None:
    found = problem_of(error)

    assert tuple(found.model_dump().values()) == problem
