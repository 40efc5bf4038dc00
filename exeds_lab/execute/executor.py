"""What an executor is: anything that runs candidates apart from the user's state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from exeds_lab.model.execution import Execution, Limits
from exeds_lab.model.spec import Check, ComparePolicy
from exeds_lab.model.task import EncodedValue, ValueDescription, Variable


@dataclass(frozen=True)
class TrialRequest:
    """One trial."""

    code: str
    checks: Sequence[Check]
    policy: ComparePolicy
    """Its tolerances decide which cells are measured as different; the rest is for the judge."""
    limits: Limits


@dataclass(frozen=True)
class ReadValue:
    """A value of the kernel, brought out as JSON."""

    value: EncodedValue
    description: ValueDescription


OnOutput = Callable[[dict[str, Any]], None]
"""Called with each nbformat output while the trial runs."""


class Executor(Protocol):
    """Runs candidates apart from the user's state, in one kernel.

    Cancelling the task that awaits `run` kills the trial and every process it started.
    """

    async def variables(self) -> tuple[Variable, ...]:
        """The user's variables (modules, functions of IPython and `_names` left out).

        Raises:
            KernelError: the kernel does not answer.
        """

    async def read(self, expression: str) -> ReadValue:
        """Encode the value of a name or of `Out[7]`; evaluated in a fork, at most 50,000 cells.

        Raises:
            ExpectationError: no such name, or too large, or of a type that cannot be encoded.
            KernelError: the kernel does not answer.
        """

    async def run(self, request: TrialRequest, on_output: OnOutput | None = None) -> Execution:
        """Run one candidate; whatever it does is data in the Execution.

        Raises:
            KernelError: the kernel died, is busy for too long, or cannot fork.
        """

    async def close(self) -> None:
        """Let go of the kernel (a headless executor also ends it)."""
