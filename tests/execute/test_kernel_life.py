"""A trial and its kernel: cancelled, interrupted, busy, restarted, dead."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from live_kernel import LIMITS, SETUP, LiveKernel, shown

from exeds_lab.errors import KernelBusy, KernelDied
from exeds_lab.execute.executor import TrialRequest
from exeds_lab.execute.live import LiveExecutor
from exeds_lab.model.execution import (
    Completed,
    Execution,
    Killed,
)
from exeds_lab.model.spec import (
    ANALYST,
)

pytestmark = pytest.mark.usefixtures("notebook")


def gone(pid: int, within_s: float = 2.0) -> bool:
    """Whether the process has ended, or does within the time."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        os.sched_yield()
    return False


async def started(kernel: LiveKernel, code: str) -> tuple[asyncio.Task[Execution], int]:
    """Start a trial that prints its process id first; return once that has come."""
    pids: asyncio.Queue[int] = asyncio.Queue()
    request = TrialRequest(f"print(os.getpid(), flush=True)\n{code}", (), ANALYST, LIMITS)
    task = asyncio.create_task(
        kernel.executor.run(request, lambda output: pids.put_nowait(int(output["text"])))
    )
    return task, await asyncio.wait_for(pids.get(), 20)


def test_a_cancelled_trial_is_gone_with_all_it_started(kernel: LiveKernel) -> None:
    async def cancel() -> tuple[int, int, float]:
        file = kernel.cwd / "child"
        task, pid = await started(
            kernel,
            "import subprocess\nchild = subprocess.Popen(['sleep', '77'], start_new_session=True)\n"
            "while True: time.sleep(1)",
        )
        children: list[int] = []
        until = time.monotonic() + 5
        while not children and time.monotonic() < until:
            children = child_pids(pid)
            await asyncio.sleep(0)
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not file.exists()
        return pid, children[0], time.monotonic() - begun

    pid, child, took = kernel.wait(cancel())

    assert gone(pid, 0.05)
    assert gone(child, 0.05)
    assert took < 1.0
    assert kernel.trial("1").outcome == Completed()


def child_pids(pid: int) -> list[int]:
    """Processes that this one started."""
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def test_a_cancel_reaches_a_kernel_whose_shell_runs_a_cell(kernel: LiveKernel) -> None:
    async def cancel() -> tuple[int, float]:
        task, pid = await started(kernel, "while True: pass")
        cell = asyncio.create_task(kernel.execute_async("time.sleep(2)"))
        await asyncio.sleep(0.2)
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        took = time.monotonic() - begun
        assert gone(pid, 0.05)
        assert not cell.done()
        assert (await cell)["status"] == "ok"
        return pid, took

    _, took = kernel.wait(cancel())

    assert took < 1.0


def test_a_cancel_ends_the_process_while_the_interpreter_is_not_free(kernel: LiveKernel) -> None:
    """A cell inside a regular expression holds the interpreter's lock: nothing there can serve."""

    async def cancel() -> None:
        task, pid = await started(kernel, "while True: pass")
        locked = "import re; re.match('(a+)+$', 'a' * 27 + 'b') and None"
        cell = asyncio.create_task(kernel.execute_async(locked))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert gone(pid, 0.05)
        assert not cell.done()
        await cell

    kernel.wait(cancel())

    assert kernel.trial("1").outcome == Completed()


def test_an_interrupt_of_the_idle_kernel_ends_the_trial(kernel: LiveKernel) -> None:
    async def interrupt() -> Execution:
        task, pid = await started(kernel, "while True: pass")
        await asyncio.sleep(0.1)
        await kernel.manager.interrupt_kernel()
        execution = await task
        assert gone(pid, 0.05)
        return execution

    execution = kernel.wait(interrupt())

    assert execution.outcome == Killed(signal="SIGKILL", exit_code=None, why="stopped by the user")
    assert kernel.value("1+1") == 2


def test_an_interrupt_of_a_cell_still_works_after_trials(kernel: LiveKernel) -> None:
    async def interrupt() -> Any:
        cell = asyncio.create_task(kernel.execute_async("while True: pass"))
        await asyncio.sleep(0.5)
        await kernel.manager.interrupt_kernel()
        return await cell

    assert kernel.wait(interrupt())["ename"] == "KeyboardInterrupt"


def test_a_busy_kernel_is_waited_for_and_the_caller_is_told(kernel: LiveKernel) -> None:
    kernel.waited.clear()

    async def both() -> Execution:
        cell = asyncio.create_task(kernel.execute_async("time.sleep(1.5)"))
        await asyncio.sleep(0.1)
        execution = await kernel.executor.run(TrialRequest("1", (), ANALYST, LIMITS))
        await cell
        return execution

    assert kernel.wait(both()).outcome == Completed()
    assert kernel.waited == ["The kernel is busy; the request waits until it is free."]


def test_waiting_ends_and_the_request_never_runs(kernel: LiveKernel) -> None:
    async def give_up() -> None:
        impatient = LiveExecutor(kernel.manager, 0.5)
        cell = asyncio.create_task(kernel.execute_async("time.sleep(1.5)"))
        await asyncio.sleep(0.2)
        code = "open('/dev/shm/never', 'w')"
        with pytest.raises(KernelBusy):
            await impatient.run(TrialRequest(code, (), ANALYST, LIMITS))
        await cell
        await impatient.close()

    kernel.wait(give_up())

    assert kernel.trial("1").outcome == Completed()


def test_an_error_in_the_users_cell_does_not_lose_the_request(kernel: LiveKernel) -> None:
    async def both() -> Execution:
        cell = asyncio.create_task(kernel.execute_async("time.sleep(0.6); 1/0"))
        await asyncio.sleep(0.2)
        execution = await kernel.executor.run(TrialRequest("5", (), ANALYST, LIMITS))
        assert (await cell)["status"] == "error"
        return execution

    assert shown(kernel.wait(both())) == ["5"]


def test_the_shell_is_free_while_a_trial_runs(kernel: LiveKernel) -> None:
    async def both() -> tuple[float, Execution]:
        task, _ = await started(kernel, "time.sleep(1.5)")
        begun = time.monotonic()
        assert (await kernel.execute_async("1"))["status"] == "ok"
        took = time.monotonic() - begun
        return took, await task

    took, execution = kernel.wait(both())

    assert took < 1.0
    assert execution.outcome == Completed()


def test_several_trials_of_one_kernel_run_at_once(kernel: LiveKernel) -> None:
    async def three() -> list[Execution]:
        requests = [TrialRequest(f"time.sleep(1); {n}", (), ANALYST, LIMITS) for n in range(3)]
        return await asyncio.gather(*(kernel.executor.run(request) for request in requests))

    begun = time.monotonic()
    executions = kernel.wait(three())

    assert [shown(execution) for execution in executions] == [["0"], ["1"], ["2"]]
    assert time.monotonic() - begun < 2.9


def test_the_users_input_is_not_refused_because_of_a_trial(kernel: LiveKernel) -> None:
    async def both() -> str:
        user = kernel.user
        message = user.execute("time.sleep(0.5); answer = input('?')", allow_stdin=True)
        await asyncio.sleep(0.2)
        task = asyncio.create_task(kernel.executor.run(TrialRequest("1", (), ANALYST, LIMITS)))
        asked = await user.get_stdin_msg(timeout=10)
        user.input("yes")
        while (await user.get_shell_msg(timeout=10))["parent_header"].get("msg_id") != message:
            pass
        assert (await task).outcome == Completed()
        return str(asked["content"]["prompt"])

    assert kernel.wait(both()) == "?"
    assert kernel.value("answer") == "yes"
    kernel.execute("del answer")


def test_what_the_user_writes_meanwhile_is_not_put_on_the_candidate(kernel: LiveKernel) -> None:
    async def both() -> Execution:
        task, _ = await started(kernel, "time.sleep(1)")
        assert (await kernel.execute_async("big[:] = 2"))["status"] == "ok"
        return await task

    execution = kernel.wait(both())

    assert execution.effects is not None
    assert execution.effects.mutated == ()
    assert execution.effects.unproven == ("big",)


# These end the kernel, so they come last.


def test_a_restart_between_two_trials_is_not_noticed(kernel: LiveKernel) -> None:
    kernel.wait(kernel.manager.restart_kernel(now=True))
    kernel.wait(kernel.user.wait_for_ready(timeout=60))
    kernel.execute(SETUP)

    assert kernel.trial("df.a.sum()").outcome == Completed()


def test_a_restart_during_a_trial_is_a_named_error(kernel: LiveKernel) -> None:
    async def restart() -> int:
        task, pid = await started(kernel, "while True: pass")
        await kernel.manager.restart_kernel(now=True)
        with pytest.raises(KernelDied) as raised:
            await task
        assert raised.value.next_step
        return pid

    pid = kernel.wait(restart())

    assert gone(pid)
    kernel.wait(kernel.user.wait_for_ready(timeout=60))
    kernel.execute(SETUP)
    assert kernel.trial("1").outcome == Completed()


def test_the_death_of_the_kernel_during_a_trial_is_a_named_error(kernel: LiveKernel) -> None:
    async def kill() -> tuple[int, float]:
        task, pid = await started(kernel, "while True: pass")
        begun = time.monotonic()
        await kernel.manager.signal_kernel(signal.SIGKILL)
        with pytest.raises(KernelDied) as raised:
            await task
        assert raised.value.reason == "The kernel is not running."
        return pid, time.monotonic() - begun

    pid, took = kernel.wait(kill())

    assert gone(pid)
    assert took < 2.0


def test_without_a_kernel_there_is_a_named_error(kernel: LiveKernel) -> None:
    with pytest.raises(KernelDied):
        kernel.trial("1")
