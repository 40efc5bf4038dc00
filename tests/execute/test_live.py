"""A trial in a fork of a live kernel: what comes out, and what the kernel keeps."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from live_kernel import LIMITS, QUICK, LiveKernel, text

from exeds_lab.errors import ExpectationError, KernelBusy, KernelDied
from exeds_lab.execute.executor import TrialRequest
from exeds_lab.execute.live import LiveExecutor
from exeds_lab.model.execution import (
    ChangedDifference,
    Completed,
    Effects,
    Execution,
    FileEffect,
    Killed,
    Mutation,
    NotRun,
    Raised,
    TimedOut,
)
from exeds_lab.model.spec import (
    ANALYST,
    Check,
    ExceptionExpected,
    LastValue,
    NamedVariable,
    UnchangedExpected,
    ValueExpected,
)

SETUP = """
import asyncio, os, sys, time, threading
import numpy as np, pandas as pd
df = pd.DataFrame({"a": [3, 1, 2], "b": ["x", "y", None]})
big = np.ones(1_000_000)
items = [1, [2, 3]]
def double(x):
    return 2 * x
class Thing:
    def __init__(self):
        self.size = 1
thing = Thing()
"""


@pytest.fixture(scope="module", autouse=True)
def _users_state(kernel: LiveKernel) -> None:
    assert kernel.execute(SETUP)["status"] == "ok"


def shown(execution: Execution) -> list[Any]:
    """Each output in short."""
    return [
        output.get("text") or output.get("data", {}).get("text/plain") or output.get("ename")
        for output in execution.outputs
    ]


# ------------------------------------------------------------------ outcomes and outputs


def test_the_last_expression_is_the_result_and_an_output(kernel: LiveKernel) -> None:
    execution = kernel.trial("df.a.sum()")

    assert execution.outcome == Completed()
    assert shown(execution) == ["np.int64(6)"]
    assert execution.result is not None
    assert execution.result.preview == "6"
    assert execution.strategy == "fork"
    assert "ipykernel" in execution.kernel
    assert execution.limits == LIMITS
    assert execution.duration_s < execution.total_s < 5


@pytest.mark.parametrize(
    ("code", "preview"),
    [
        ("x = 5", "5"),
        ("x = y = 6", "6"),
        ("x, y = 1, 7", "7"),
        ("x = 1\nx += 7", "8"),
        ("n: int = 9", "9"),
        ("total = {}\ntotal['k'] = 1", "{'k': 1}"),
        ("x = 10\nprint(x)", "10"),
        ("if True:\n    x = 11", "11"),
        ("12;", "12"),
        ("x = 1\ndel x\n13", "13"),
        ("await asyncio.sleep(0, 14)", "14"),
    ],
)
def test_the_result_is_the_last_value_or_the_last_assignment(
    kernel: LiveKernel, code: str, preview: str
) -> None:
    execution = kernel.trial(code)

    assert execution.result is not None
    assert execution.result.preview == preview


@pytest.mark.parametrize("code", ["", "print(1)", "def f():\n    y = 1", "import json", "None"])
def test_some_code_has_no_result(kernel: LiveKernel, code: str) -> None:
    assert kernel.trial(code).result is None


def test_outputs_are_a_notebooks(kernel: LiveKernel) -> None:
    execution = kernel.trial(
        "print('a'); print('b'); print('c', file=sys.stderr)\ndisplay(1)\nprint('d')\ndf"
    )

    assert shown(execution)[:4] == ["a\nb\n", "c\n", "1", "d\n"]
    assert execution.outputs[-1]["output_type"] == "execute_result"
    assert "text/html" in execution.outputs[-1]["data"]


def test_text_of_programs_is_kept(kernel: LiveKernel) -> None:
    execution = kernel.trial("!echo one\nimport subprocess\nsubprocess.run(['echo', 'two'])\nNone")

    assert set(text(execution).split()) == {"one", "two"}


def test_clear_output_and_updates_are_honoured(kernel: LiveKernel) -> None:
    execution = kernel.trial(
        "from IPython.display import clear_output\nprint(1)\nclear_output()\n"
        "handle = display('old', display_id=True)\nhandle.update('new')"
    )

    assert shown(execution) == ["'new'"]


def test_figures_are_shown_as_in_the_notebook(kernel: LiveKernel) -> None:
    execution = kernel.trial(
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]);",
        LIMITS.model_copy(update={"timeout_s": 60.0}),
    )

    assert execution.outcome == Completed()
    assert "image/png" in execution.outputs[0]["data"]


@pytest.mark.parametrize(
    "code", ["%timeit -n 1 -r 1 double(2)", "%%time\ndouble(2)", "!ls", "%%bash\necho hi"]
)
def test_magics_work(kernel: LiveKernel, code: str) -> None:
    execution = kernel.trial(code)

    assert execution.outcome == Completed()
    assert text(execution)


def test_an_error_points_into_the_candidate(kernel: LiveKernel) -> None:
    execution = kernel.trial("def f():\n    return double(None)\n\nf()")

    assert isinstance(execution.outcome, Raised)
    assert execution.outcome.line == 2
    lines = [line.strip() for line in execution.outcome.traceback]
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1] == 'File "candidate", line 4, in <module>'
    assert 'File "Cell In[1]", line 7, in double' in lines
    assert lines[-1].startswith("TypeError: unsupported operand")
    assert not any("exeds" in line or "IPython" in line for line in lines)
    assert execution.outputs[-1]["traceback"] == list(execution.outcome.traceback)


def test_a_syntax_error_has_its_line(kernel: LiveKernel) -> None:
    execution = kernel.trial("\n\nx = 1\ny = = 2")

    assert isinstance(execution.outcome, Raised)
    assert (execution.outcome.ename, execution.outcome.line) == ("SyntaxError", 4)
    assert '  File "candidate", line 4' in execution.outcome.traceback


def test_a_time_limit_tells_where_it_was(kernel: LiveKernel) -> None:
    execution = kernel.trial("x = 1\nwhile True:\n    x += 1", QUICK)

    assert isinstance(execution.outcome, TimedOut)
    assert execution.outcome.limit_s == 1.0
    assert execution.outcome.line in (2, 3)


def test_a_candidate_that_swallows_the_interrupt_has_still_timed_out(kernel: LiveKernel) -> None:
    code = "try:\n    while True: time.sleep(0.01)\nexcept KeyboardInterrupt:\n    pass\n42"

    execution = kernel.trial(code, QUICK, (value_is(42),))

    assert execution.outcome == TimedOut(limit_s=1.0, line=None)


def test_head_and_tail_of_a_flood_are_kept(kernel: LiveKernel) -> None:
    execution = kernel.trial("for i in range(100_000): print(i)")

    printed = text(execution)
    assert execution.truncated
    assert printed.startswith("0\n1\n2\n")
    assert printed.endswith("99998\n99999\n")
    assert "characters left out" in printed
    assert len(printed) < LIMITS.output_bytes + 200


def test_a_death_says_how(kernel: LiveKernel) -> None:
    left = kernel.trial("print('before')\nos._exit(3)")
    fault = kernel.trial("import ctypes; ctypes.string_at(0)")

    assert left.outcome == Killed(signal=None, exit_code=3, why="left through os._exit(3)")
    assert text(left) == "before\n"
    assert fault.outcome == Killed(signal="SIGSEGV", exit_code=None, why="ended by SIGSEGV")
    assert "Segmentation fault" in text(fault, "stderr")


def test_memory_is_limited(kernel: LiveKernel) -> None:
    execution = kernel.trial("z = [np.ones(10**7) for _ in range(10**4)]")

    assert isinstance(execution.outcome, Raised)
    assert "MemoryError" in execution.outcome.ename
    assert "1,024 MB" in execution.outcome.evalue


def test_processes_are_limited(kernel: LiveKernel) -> None:
    execution = kernel.trial("for _ in range(9): os.fork()\ntime.sleep(5)")

    assert isinstance(execution.outcome, Killed)
    assert execution.outcome.why == "had more than 32 processes"


def test_input_is_refused_in_words(kernel: LiveKernel) -> None:
    execution = kernel.trial("input('name? ')")

    assert isinstance(execution.outcome, Raised)
    assert execution.outcome.evalue == (
        "input() cannot be answered in a trial: nobody is there to type"
    )


def test_outputs_stream_while_it_runs(kernel: LiveKernel) -> None:
    seen: list[tuple[float, str]] = []
    begun = time.monotonic()

    kernel.trial(
        "for i in range(3):\n    print(i)\n    time.sleep(0.3)",
        on_output=lambda output: seen.append((time.monotonic() - begun, output["text"])),
    )

    assert "".join(words for _, words in seen) == "0\n1\n2\n"
    assert seen[-1][0] - seen[0][0] > 0.4


# ------------------------------------------------------------------ effects


def test_effects_name_what_changed(kernel: LiveKernel) -> None:
    execution = kernel.trial(
        "df['total'] = 1\nbig[5] = 2\nitems[1].append(4)\nthing.size = 2\n"
        "new = 1\ndouble = None\ndel Thing"
    )

    assert execution.effects == Effects(
        created=("new",),
        rebound=("double",),
        deleted=("Thing",),
        mutated=(
            Mutation(name="df", how="columns added: total"),
            Mutation(name="big", how="content changed"),
            Mutation(name="items", how="[1]: 1 item more"),
            Mutation(name="thing", how="attributes with another value: size"),
        ),
        unproven=(),
        variables=6,
        files=(),
    )


def test_reading_changes_nothing(kernel: LiveKernel) -> None:
    execution = kernel.trial(
        "df.describe(); df.sort_values('a'); df.values.sum(); big.sum(); repr(items); str(thing)"
    )

    assert execution.effects is not None
    assert (execution.effects.mutated, execution.effects.unproven) == ((), ())


def test_files_are_private_to_the_trial(kernel: LiveKernel) -> None:
    execution = kernel.trial(
        "df.to_csv('out.csv'); os.remove('keep.txt'); len(pd.read_csv('out.csv'))"
    )

    assert execution.result is not None
    assert execution.result.preview == "3"
    assert execution.effects is not None
    assert set(execution.effects.files) == {
        FileEffect(action="written", what=str(kernel.cwd / "out.csv")),
        FileEffect(action="deleted", what=str(kernel.cwd / "keep.txt")),
    }
    assert sorted(path.name for path in kernel.cwd.iterdir()) == ["data.csv", "keep.txt"]


def test_what_is_vetoed_is_named(kernel: LiveKernel) -> None:
    execution = kernel.trial("open('/etc/exeds-lab', 'w')")

    assert isinstance(execution.outcome, Raised)
    assert execution.outcome.evalue == "[Errno 1] not allowed in a trial: open /etc/exeds-lab"
    assert execution.effects is not None
    assert execution.effects.files == (FileEffect(action="vetoed", what="open /etc/exeds-lab"),)


def test_what_the_user_writes_meanwhile_is_not_put_on_the_candidate(kernel: LiveKernel) -> None:
    async def both() -> Execution:
        task, _ = await started(kernel, "time.sleep(1)")
        assert (await kernel.execute_async("big[:] = 2"))["status"] == "ok"
        return await task

    execution = kernel.wait(both())

    assert execution.effects is not None
    assert execution.effects.mutated == ()
    assert execution.effects.unproven == ("big",)


# ------------------------------------------------------------------ facts


def value_is(value: Any) -> Check:
    """The last value is this."""
    return Check(
        name="value", target=LastValue(), expected=ValueExpected(value=value), declared=True
    )


def test_facts_are_measured_in_the_fork(kernel: LiveKernel) -> None:
    right, wrong = kernel.trial("len(df)", LIMITS, (value_is(3), value_is(4))).facts

    assert right.differences == ()
    assert [difference.kind for difference in wrong.differences] == ["value"]


def test_an_expected_exception_and_an_unchanged_variable_are_measured_after_an_error(
    kernel: LiveKernel,
) -> None:
    checks = (
        Check(
            name="raises",
            target=LastValue(),
            expected=ExceptionExpected(type="LookupError", pattern="zz"),
            declared=True,
        ),
        Check(
            name="df unchanged",
            target=NamedVariable(name="df"),
            expected=UnchangedExpected(name="df"),
            declared=False,
        ),
        value_is(5),
    )

    raises, unchanged, value = kernel.trial("df['c'] = 1\ndf['zz']", LIMITS, checks).facts

    assert raises.differences == ()
    assert unchanged.differences == (ChangedDifference(name="df", how="columns added: c"),)
    assert [difference.kind for difference in value.differences] == ["absent"]


@pytest.mark.parametrize(
    "code",
    [
        "import builtins\nvars(builtins).clear()",
        "import builtins\nbuiltins.BaseException = builtins.isinstance = None\n1 / 0",
        "sys.settrace(lambda *a: 1 / 0)\ndef f(): pass\nf()",
        "sys.modules.clear()\n[1, 2, 3]",
        "sys.setrecursionlimit(40)\n[1, 2, 4]",
    ],
)
def test_a_bent_interpreter_ends_as_data(kernel: LiveKernel, code: str) -> None:
    execution = kernel.trial(code, LIMITS, (value_is([1, 2, 5]),))

    assert isinstance(execution.outcome, Completed | Raised)
    assert execution.facts[0].differences != ()
    assert execution.effects is not None


def test_bent_builtins_do_not_make_a_pass(kernel: LiveKernel) -> None:
    code = "import builtins\nbuiltins.all = builtins.any = lambda *a: True\n[1, 2, 4]"

    (facts,) = kernel.trial(code, LIMITS, (value_is([1, 2, 3]),)).facts

    assert facts.differences != ()


def test_a_result_that_hangs_when_looked_at_is_never_a_pass(kernel: LiveKernel) -> None:
    code = (
        "class A(dict):\n"
        "    def __len__(s):\n        return hang()\n"
        "    __iter__ = __eq__ = __hash__ = __repr__ = items = keys = __len__\n"
        "def hang():\n"
        "    while True:\n"
        "        try:\n            while True: pass\n"
        "        except BaseException: pass\n"
        "x = A()"
    )

    execution = kernel.trial(code, QUICK, (value_is({"$": "dict", "v": []}),))

    if isinstance(execution.outcome, Completed):
        assert execution.facts[0].differences != ()
    else:
        assert execution.outcome == Killed(
            signal="SIGKILL",
            exit_code=None,
            why="looking at its result took too long (a __repr__ or __eq__ that does not return?)",
        )
        assert execution.facts == ()


def test_a_process_that_ends_while_its_result_is_looked_at_was_killed(kernel: LiveKernel) -> None:
    code = "class A:\n    def __repr__(s): os._exit(0)\n    def __len__(s): os._exit(0)\nx = A()"

    execution = kernel.trial(code, LIMITS, (value_is(None),))

    assert execution.outcome == Killed(
        signal=None, exit_code=0, why="left through os._exit(0) while its result was looked at"
    )
    assert execution.facts == ()


def test_junk_in_the_trials_channel_never_passes(kernel: LiveKernel) -> None:
    code = "for fd in range(3, 5000):\n  try: os.write(fd, b'x' * 64)\n  except OSError: pass\n1"

    execution = kernel.trial(code, LIMITS, (value_is(1),))

    assert execution.outcome == Killed(
        signal="SIGKILL", exit_code=None, why="wrote into the trial's own channel"
    )
    assert execution.facts == ()


# ------------------------------------------------------------------ refusing


def test_a_computing_thread_is_a_reason_and_not_a_hang(kernel: LiveKernel) -> None:
    kernel.execute(
        "stop = False\n"
        "def burn():\n    a = np.random.rand(400, 400)\n    while not stop: a @ a\n"
        "burner = threading.Thread(target=burn); burner.start()"
    )
    try:
        execution = kernel.trial("1")
    finally:
        kernel.execute("stop = True; burner.join(); del stop, burn, burner")

    assert isinstance(execution.outcome, NotRun)
    assert execution.strategy == "none"
    assert "another thread of the kernel computes" in execution.outcome.why
    assert kernel.trial("1").outcome == Completed()


def test_a_sleeping_thread_does_not_matter(kernel: LiveKernel) -> None:
    kernel.execute(
        "halt = threading.Event()\ndef doze():\n    while not halt.is_set(): time.sleep(0.01)\n"
        "dozer = threading.Thread(target=doze); dozer.start()"
    )
    try:
        assert kernel.trial("1").outcome == Completed()
    finally:
        kernel.execute("halt.set(); dozer.join(); del halt, doze, dozer")


def test_a_pool_of_the_live_kernel_is_a_reason(kernel: LiveKernel) -> None:
    kernel.execute("from multiprocessing.pool import Pool\npool = Pool(1)")
    try:
        refused = kernel.trial("pool.map(abs, [1])")
        other = kernel.trial("1 + 1")
    finally:
        kernel.execute("pool.terminate(); pool.join(); del pool, Pool")

    assert refused.outcome == NotRun(why="pool is a pool of processes of the live kernel")
    assert other.outcome == Completed()


def test_a_library_whose_threads_would_be_missing_is_a_reason(kernel: LiveKernel) -> None:
    pytest.importorskip("polars")
    kernel.execute(
        "import polars as pl\nframe = pl.DataFrame({'a': [1, 2]})\nframe.filter(pl.col('a') > 1)\n"
        "def through():\n    return frame.height"
    )

    direct = kernel.trial("frame.filter(pl.col('a') > 1)").outcome
    hidden = kernel.trial("through()").outcome
    other = kernel.trial("len(df)").outcome
    kernel.execute("del pl, frame, through")

    assert isinstance(direct, NotRun)
    assert "frame uses polars, whose thread pool runs in the kernel" in direct.why
    assert isinstance(hidden, NotRun)
    assert other == Completed()


# ------------------------------------------------------------------ variables and reading


def test_variables_are_described_without_being_touched(kernel: LiveKernel) -> None:
    kernel.execute(
        "class Bad:\n"
        "    def __repr__(self): touched.append(1); raise ValueError\n"
        "    __len__ = __eq__ = __getattr__ = __repr__\n"
        "class Slow:\n"
        "    def __repr__(self): touched.append(1); time.sleep(99)\n"
        "touched = []\nbad = Bad()\nslow = Slow()\n_private = 1"
    )
    begun = time.monotonic()
    try:
        variables = kernel.wait(kernel.executor.variables())
        touched = kernel.value("touched")
    finally:
        kernel.execute("del Bad, Slow, bad, slow, touched")

    assert [variable.name for variable in variables] == [
        *("df", "big", "items", "thing"),
        *("touched", "bad", "slow"),
    ]
    assert touched == []
    assert variables[0].description.shape == (3, 2)
    assert variables[-1].description.type == "Slow"
    assert time.monotonic() - begun < 10


def test_a_value_is_read_in_a_fork(kernel: LiveKernel) -> None:
    kernel.execute("[1, (2, 3)]")

    value = kernel.wait(kernel.executor.read("_"))
    column = kernel.wait(kernel.executor.read("df['a']"))

    assert value.value == [1, {"$": "tuple", "v": [2, 3]}]
    assert column.description.type == "Series"


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("nothing", "There is no value nothing: NameError: name 'nothing' is not defined"),
        ("big", "big: "),
        ("thing", "thing: "),
        ("1 +", "There is no value 1 +: SyntaxError"),
        ("os._exit(1)", "Reading the value took too long or ended its process."),
    ],
)
def test_what_cannot_be_read_says_why(kernel: LiveKernel, expression: str, reason: str) -> None:
    with pytest.raises(ExpectationError) as raised:
        kernel.wait(kernel.executor.read(expression))

    assert raised.value.reason.startswith(reason)
    assert raised.value.next_step


# ------------------------------------------------------------------ the kernel's life


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
