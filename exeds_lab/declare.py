"""What the user declared, to an Expectation: the text is read, a value fetched from the kernel.

Stands beside the pipeline: it joins `expect` (which reads texts) and an executor (which reads
values).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from exeds_lab.errors import ExpectationError, KernelError
from exeds_lab.execute.executor import Executor, ReadValue
from exeds_lab.expect.parse import from_value, parse
from exeds_lab.model.spec import Expectation
from exeds_lab.model.task import Variable
from exeds_lab.model.wire import ExpectationRequest

_CHANGING = re.compile(
    r"\b(add|append|assign|change|clean|convert|delete|drop|fill|fix|insert|modify|overwrite|"
    r"remove|rename|replace|set|update)\w*\b|\bin[- ]place\b",
    re.IGNORECASE,
)


async def declare(request: ExpectationRequest, executor: Executor | None) -> Expectation:
    """Read a declared expectation.

    Args:
        request: what was typed or pointed at.
        executor: where variables and outputs are read; None when there is no kernel.

    Raises:
        ExpectationError: it cannot be read; says where.
        KernelError: the kernel does not answer.
    """
    if request.kind == "variable":
        return _from(await _value(request.text.strip(), executor), request)
    if request.kind == "output":
        found = await _output(request, executor)
        if found is not None:
            return _from(found, request)
    return parse(request)


def guarded(variables: Sequence[Variable], intent: str, target: str) -> tuple[str, ...]:
    """The tables that must not change unless the user says otherwise.

    Left out: the variable that the answer goes to, and those named by a task that speaks of
    changing something.
    """
    words = set(re.findall(r"\w+", intent)) if _CHANGING.search(intent) else set()
    tables = (v.name for v in variables if v.description.columns is not None)
    return tuple(name for name in tables if name != target and name not in words)


async def _value(expression: str, executor: Executor | None) -> ReadValue:
    if executor is None:
        raise ExpectationError(
            "There is no kernel to read a variable from.", "Start the notebook's kernel."
        )
    return await executor.read(expression)


async def _output(request: ExpectationRequest, executor: Executor | None) -> ReadValue | None:
    """The cell's output as a value while the kernel still has it, else None."""
    if executor is None or request.execution_count is None:
        return None
    try:
        return await executor.read(f"Out[{request.execution_count}]")
    except (ExpectationError, KernelError):
        return None


def _from(found: ReadValue, request: ExpectationRequest) -> Expectation:
    return from_value(found.value, found.description, request)
