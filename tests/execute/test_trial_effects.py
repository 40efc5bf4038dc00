"""What a candidate would change, and what is measured of it, in the fork."""

from __future__ import annotations

import pytest
from live_kernel import LIMITS, QUICK, LiveKernel, value_is

from exeds_lab.model.execution import (
    ChangedDifference,
    Completed,
    Effects,
    FileEffect,
    Killed,
    Mutation,
    Raised,
)
from exeds_lab.model.spec import (
    Check,
    ExceptionExpected,
    LastValue,
    NamedVariable,
    UnchangedExpected,
)

pytestmark = pytest.mark.usefixtures("notebook")


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
