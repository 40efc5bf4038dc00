"""A trial in a fork of a live kernel: how it ends and what it shows."""

from __future__ import annotations

import time

import pytest
from live_kernel import LIMITS, QUICK, LiveKernel, shown, text, value_is

from exeds_lab.model.execution import (
    Completed,
    Killed,
    Raised,
    TimedOut,
)

pytestmark = pytest.mark.usefixtures("notebook")


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
