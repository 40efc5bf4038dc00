"""Several trials of one attempt."""

from __future__ import annotations

from typing import Any

from exeds_lab.judge.group import rank, same_outcome_groups
from exeds_lab.judge.verdict import judge
from exeds_lab.kernel.describe import describe
from exeds_lab.model.attempt import Trial
from exeds_lab.model.candidate import Candidate, GeneratorInfo
from exeds_lab.model.execution import NotRun, Raised
from exeds_lab.model.task import ValueDescription
from tests.kernel.measuring import check, executed, expectation, expecting, facts_of, seen

SCRIPTED = GeneratorInfo(kind="scripted", model="m", label="scripted", leaves_machine=False)


def trial(code: str, result: Any, outcome: Any = None) -> Trial:
    wanted = expectation(check(expecting(3)))
    measured = facts_of(wanted.checks[0], seen(result))
    changes = {} if outcome is None else {"outcome": outcome}
    execution = executed(
        () if outcome is not None else (measured,),
        result=ValueDescription.model_validate(describe(result)),
        **changes,
    )
    candidate = Candidate(
        id=code,
        index=0,
        code=code,
        reply=code,
        problem=None,
        generator=SCRIPTED,
        note=None,
        temperature=None,
        usage=None,
        duration_s=0.0,
    )
    return Trial(candidate=candidate, execution=execution, verdict=judge(execution, wanted))


ERROR = Raised(ename="KeyError", evalue="'x'", traceback=(), line=1)
TRIALS = [
    trial("df['x']", None, ERROR),
    trial("4", 4),
    trial("1 + 2", 3),
    trial("2 + 2", 4),
    trial("", None, NotRun(why="no code")),
    trial("3", 3),
    trial("df['x'].sum()", None, ERROR),
]


def test_trials_that_came_to_the_same_are_one_group() -> None:
    assert same_outcome_groups(TRIALS) == ((0, 6), (1, 3), (2, 5), (4,))


def test_passed_ones_come_first_and_the_earlier_among_equals() -> None:
    assert rank(TRIALS) == [2, 5, 1, 3, 0, 6, 4]
    assert rank(TRIALS[::-1]) == [1, 4, 3, 5, 0, 6, 2]
    assert rank([]) == []
