"""Attempts through HTTP, with real kernels and the scripted generator."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from exeds_lab.config import DEFAULT, from_values
from exeds_lab.generate.openai import OpenAIGenerator
from exeds_lab.generate.scripted import ScriptedGenerator
from exeds_lab.model.execution import Completed, Raised, TimedOut
from tests.server.scenario import Kernel, asked, decoded, events_of, result
from tests.servers.openai_script import Reply
from tests.servers.openai_server import ModelServer


def fenced(code: str) -> str:
    return f"```python\n{code}\n```"


async def test_an_attempt_streams_its_events_and_leaves_the_kernel_alone(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    serve(ScriptedGenerator([fenced("a + b"), fenced("a = b"), fenced("a / 0")]))
    before = await kernel.value("(a, b, len(In), sorted(k for k in globals() if k[0] != '_'))")
    status, body = await post("attempt", asked(kernel.id))

    assert status == 200
    events = events_of(body)
    assert {event.event for event in events} >= {
        "attempt_started",
        "prompt_ready",
        "candidate_text",
        "candidate_ready",
        "trial_started",
        "trial_judged",
        "attempt_finished",
    }
    found = result(events)
    assert (found.status, found.problem) == ("finished", None)
    outcomes = [type(trial.execution.outcome) for trial in found.trials]
    assert outcomes == [Completed, Completed, Raised]
    assert [v.name for v in found.task.variables] == ["a", "b"]
    assert (
        await kernel.value("(a, b, len(In), sorted(k for k in globals() if k[0] != '_'))") == before
    )


async def test_an_unknown_kernel_is_a_404_with_a_next_step(serve: Any, post: Any) -> None:
    serve(ScriptedGenerator([fenced("1")]))
    for route in ("attempt", "prompt"):
        status, body = await post(route, asked("no-such-kernel"))

        assert status == 404
        assert decoded(body)["name"] == "KernelNotFound"
        assert (
            decoded(body)["next_step"] == "Start a kernel for the notebook and run its cells again."
        )


async def test_without_a_kernel_candidates_are_generated_and_not_run(serve: Any, post: Any) -> None:
    serve(ScriptedGenerator([fenced("a + b")]))
    found = result(events_of((await post("attempt", asked(None)))[1]))

    assert [trial.verdict.status for trial in found.trials] == ["not_run"]


async def test_two_notebooks_at_once_do_not_disturb_each_other(
    kernel: Kernel, other_kernel: Kernel, serve: Any, post: Any
) -> None:
    first, second = kernel, other_kernel
    await first.execute_async("a = 'first'")
    await second.execute_async("a = 'second'")
    serve(ScriptedGenerator([fenced("import time; time.sleep(0.3); a")]))
    answers = await asyncio.gather(
        *(post("attempt", asked(k.id, variables=("a",))) for k in (first, second, first))
    )

    found = [result(events_of(body)) for _, body in answers]
    results = [attempt.trials[0].execution.result for attempt in found]
    assert [value and value.preview for value in results] == ["'first'", "'second'", "'first'"]


async def test_a_closed_tab_cancels_its_attempt_and_kills_its_trial(
    kernel: Kernel, serve: Any, post: Any, tmp_path: Any
) -> None:
    generator = ScriptedGenerator(
        [fenced("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)"), fenced("b")],
        gates=[None, asyncio.Event()],
    )
    serve(generator)
    parts: list[bytes] = []
    attempt = asyncio.ensure_future(
        post("attempt", asked(kernel.id), streaming_callback=parts.append, request_timeout=6)
    )
    await asyncio.wait([attempt])  # the client gives up, as a closed tab does
    events = events_of(b"".join(parts).decode())
    pid = next(int(e.output["text"]) for e in events if e.event == "trial_output")
    while generator.running or _alive(pid):
        await asyncio.sleep(0.05)

    assert events[-1].event != "attempt_finished"
    assert await kernel.value("a + b") == "42"


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_kernel_killed_during_a_trial_ends_the_attempt_with_its_name(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    serve(ScriptedGenerator([fenced("import time; time.sleep(60)")]))
    parts: list[bytes] = []
    attempt = asyncio.ensure_future(
        post("attempt", asked(kernel.id), streaming_callback=parts.append)
    )
    while b"trial_started" not in b"".join(parts):
        await asyncio.sleep(0.05)
    await kernel.manager.shutdown_kernel(kernel.id, now=True)
    await attempt

    found = result(events_of(b"".join(parts).decode()))
    assert found.status == "failed"
    assert found.problem is not None
    assert found.problem.name == "KernelDied"
    assert found.problem.next_step


async def test_a_model_whose_connection_drops_ends_the_attempt_with_its_layer(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    async with ModelServer([Reply(text=fenced("a + b"), fault="drop", times=9)]) as model:
        settings = from_values({"base_url": model.url, "model": "scripted", "max_retries": 0})
        assert settings.openai is not None
        serve(OpenAIGenerator(settings.openai))
        found = result(events_of((await post("attempt", asked(kernel.id, candidates=1)))[1]))

    assert found.status == "failed"
    assert found.problem is not None
    assert (found.problem.name, found.problem.layer) == ("GeneratorError", "stream")
    assert found.problem.next_step


async def test_after_a_restart_the_next_attempt_sees_the_new_process(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    serve(ScriptedGenerator([fenced("'a' in globals()")]))
    body = asked(kernel.id, variables=())
    first = result(events_of((await post("attempt", body))[1]))
    await kernel.manager.restart_kernel(kernel.id, now=True)
    second = result(events_of((await post("attempt", body))[1]))

    seen = [attempt.trials[0].execution.result for attempt in (first, second)]
    assert [value and value.preview for value in seen] == ["True", "False"]


async def test_typed_code_is_checked_without_the_generator(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    generator = ScriptedGenerator([fenced("never")])
    serve(generator)
    found = result(events_of((await post("attempt", asked(kernel.id, code="a * b")))[1]))

    assert generator.jobs == []
    assert found.trials[0].candidate.generator.kind == "user"
    value = found.trials[0].execution.result
    assert value is not None
    assert value.preview == "80"


async def test_a_trial_that_loops_ends_at_its_limit(kernel: Kernel, serve: Any, post: Any) -> None:
    limits = DEFAULT.limits.model_copy(update={"timeout_s": 1.0})
    serve(ScriptedGenerator([fenced("while True: pass")]), limits=limits)
    found = result(events_of((await post("attempt", asked(kernel.id)))[1]))

    assert isinstance(found.trials[0].execution.outcome, TimedOut)


async def test_a_body_that_is_not_understood_says_where(post: Any) -> None:
    status, body = await post("attempt", '{"intent": 3}')

    assert status == 400
    problem = decoded(body)
    assert problem["name"] == "BadRequest"
    assert problem["reason"].startswith("intent: Input should be a valid string")


async def test_a_body_that_is_no_json_is_refused(post: Any) -> None:
    status, body = await post("judge", "{")

    assert status == 400
    assert "JSON" in decoded(body)["reason"]
