"""The whole trace of one press of the button."""

from __future__ import annotations

from typing import Literal

from exeds_lab.model.candidate import Candidate, GeneratorInfo, Prompt
from exeds_lab.model.execution import Execution
from exeds_lab.model.record import Record
from exeds_lab.model.spec import Expectation
from exeds_lab.model.task import Task
from exeds_lab.model.verdict import Verdict


class Problem(Record):
    """A failure of ours, for the user: `ExedsError` on the wire."""

    name: str
    """The error's class, e.g. `KernelDied`."""
    reason: str
    next_step: str
    layer: str | None
    """The failing layer of a GeneratorError; None for all others."""
    retryable: bool
    """Whether trying again as it is may help."""
    line: int | None
    """Of an ExpectationError; 1-based."""
    column: int | None


class Trial(Record):
    """One candidate, run and judged."""

    candidate: Candidate
    execution: Execution
    verdict: Verdict


class Attempt(Record):
    """A task, its expectation, the prompt, and every candidate with its trial."""

    id: str
    task: Task
    expectation: Expectation
    generator: GeneratorInfo
    prompt: Prompt | None
    """None when the code came from the user."""
    trials: tuple[Trial, ...]
    """In the order of the candidates."""
    best: int | None
    """Place in `trials` of the one to show first; None when there are none."""
    status: Literal["finished", "stopped", "failed"]
    problem: Problem | None
    """Why it failed; None unless status is failed."""
    started: str
    """ISO 8601, UTC."""
    duration_s: float


class Provenance(Record):
    """What an inserted cell keeps in its metadata under `exeds_lab`."""

    schema_version: Literal[1] = 1
    intent: str
    task_cell_id: str | None
    expectation: Expectation
    code_id: str
    """`content_id` of the code as verified; another one means that it was edited since."""
    status: Literal["passed", "partial", "failed", "unchecked", "not_run"]
    headline: str
    generator: GeneratorInfo
    prompt_fingerprint: str | None
    checked: str
    """ISO 8601, UTC: when the verdict was given."""
    kernel: str
    """Versions of the kernel that it ran in."""
