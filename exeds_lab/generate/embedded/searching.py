"""The search's side in the server: what is asked of the fork, and what comes back."""

from __future__ import annotations

import json
from typing import NamedTuple

from exeds_lab.generate.embedded.ship import MARK, shipped
from exeds_lab.generate.generator import RunInFork
from exeds_lab.model.execution import Completed, Execution
from exeds_lab.model.spec import (
    Check,
    Expectation,
    LastValue,
    NamedVariable,
    TableExpected,
    ValueExpected,
)
from exeds_lab.model.task import EncodedValue, Task

SEARCHED_TYPES = ("DataFrame", "Series", "ndarray", "list", "tuple")
MOST_VARIABLES = 4
"""A search over more tables would have too little time for each."""
WALL_PER_CPU = 5.0
"""Wall seconds that a CPU second may take on a busy machine before the search is given up."""


class Question(NamedTuple):
    """What the search is to find."""

    expected: EncodedValue
    variable: str | None
    """The variable that must hold it; None when it must be the last value."""
    names: tuple[str, ...]
    """The variables to start from, likeliest first."""
    text: str
    """The task in words."""


class Program(NamedTuple):
    """A program that gives what is expected."""

    code: str
    misses: int
    """In how many ways its value still differs in form (an index, a dtype …)."""


class Findings(NamedTuple):
    """What a search came to."""

    programs: tuple[Program, ...]
    """Best first."""
    fitting: int
    """How many different programs fit in all."""
    tried: int
    """How many expressions were evaluated."""
    problem: str | None
    """Why the search itself failed; None when it ran."""


def question_of(task: Task, expectation: Expectation) -> Question | None:
    """The question that the declared expectation asks; None when it names no whole value."""
    check = next((one for one in expectation.checks if _is_searchable(one)), None)
    names = names_to_search(task)
    if check is None or not names:
        return None
    variable = check.target.name if isinstance(check.target, NamedVariable) else None
    if not isinstance(check.expected, ValueExpected | TableExpected):
        return None
    return Question(check.expected.value, variable, names, task.intent)


def _is_searchable(check: Check) -> bool:
    if not check.declared or not isinstance(check.target, LastValue | NamedVariable):
        return False
    if isinstance(check.expected, TableExpected):
        return not (check.expected.only_rows or check.expected.only_columns)
    return isinstance(check.expected, ValueExpected)


def names_to_search(task: Task) -> tuple[str, ...]:
    """Variables that a search can start from: those that the task names first."""
    usable = [
        variable.name
        for variable in task.variables
        if variable.description.type in SEARCHED_TYPES and variable.name.isidentifier()
    ]
    usable.sort(key=lambda name: name not in task.intent)
    return tuple(usable[:MOST_VARIABLES])


async def search(question: Question, run: RunInFork, seconds: float) -> Findings:
    """Search in a fork of the user's kernel.

    Args:
        question: what to find.
        run: runs code in such a fork.
        seconds: CPU seconds that the search may use.
    """
    request = {
        "names": list(question.names),
        "expected": question.expected,
        "text": question.text,
        "seconds": seconds,
    }
    execution = await run(shipped(request), 5.0 + seconds * WALL_PER_CPU)
    return _findings(execution, question.variable)


def _findings(execution: Execution, variable: str | None) -> Findings:
    line = next((text for text in _printed(execution) if text.startswith(MARK)), None)
    if line is None:
        return Findings((), 0, 0, _why(execution))
    try:
        answer = json.loads(line.removeprefix(MARK))
    except json.JSONDecodeError:
        return Findings((), 0, 0, "The search's answer was cut off.")
    programs = tuple(
        Program(_stored(one["code"], variable), one["misses"]) for one in answer["programs"]
    )
    return Findings(programs, answer["fitting"], answer["tried"], None)


def _printed(execution: Execution) -> list[str]:
    texts = [
        str(output.get("text", ""))
        for output in execution.outputs
        if output.get("output_type") == "stream" and output.get("name") == "stdout"
    ]
    return "".join(texts).splitlines()


def _why(execution: Execution) -> str:
    outcome = execution.outcome
    if isinstance(outcome, Completed):
        return "The search printed no answer."
    return f"The search did not come to its end ({outcome.outcome.replace('_', ' ')})."


def _stored(code: str, variable: str | None) -> str:
    """The program with its last expression stored in the variable that must hold it."""
    if variable is None:
        return code
    *before, last = code.split("\n")
    return "\n".join([*before, f"{variable} = {last}"])
