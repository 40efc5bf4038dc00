"""What is refused and why; variables described and read without being touched."""

from __future__ import annotations

import time

import pytest
from live_kernel import LiveKernel

from exeds_lab.errors import ExpectationError
from exeds_lab.model.execution import (
    Completed,
    NotRun,
)

pytestmark = pytest.mark.usefixtures("notebook")


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
