"""What crosses HTTP: requests, replies, and the events of an attempt. No defaults but tags."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from exeds_lab.model.attempt import Attempt, Problem, Trial
from exeds_lab.model.candidate import Candidate, GeneratorInfo, Prompt
from exeds_lab.model.record import Record
from exeds_lab.model.spec import ComparePolicy, Expectation
from exeds_lab.model.task import ContextCell, Variable
from exeds_lab.model.verdict import Verdict


class StatusReply(Record):
    """GET status: what this server can do."""

    version: str
    generator: GeneratorInfo
    has_key: bool
    """Whether a key is configured; the key itself never leaves the server."""
    candidates: int
    """Default number of candidates."""
    policy: ComparePolicy
    """The default policy."""
    presets: dict[str, ComparePolicy]


class VariablesRequest(Record):
    """POST variables."""

    kernel_id: str


class VariablesReply(Record):
    """The user's variables, newest use last."""

    variables: tuple[Variable, ...]


class ExpectationRequest(Record):
    """POST expectation: read what the user declared; nothing runs but a look at the kernel."""

    kind: Literal[
        "none", "value", "table", "schema", "checks", "text", "exception", "variable", "output"
    ]
    text: str
    """As typed; for `variable` the name; for `output` the cell's output as text (fallback)."""
    target: str
    """`last`, `stdout` or a variable's name."""
    kernel_id: str | None
    execution_count: int | None
    """For `output`: the cell's number, so that `Out[n]` is used while the kernel has it."""
    unchanged: tuple[str, ...]
    """Variables that must not change."""
    only_rows: bool
    only_columns: bool
    policy: ComparePolicy


class ExpectationReply(Record):
    """Either what was understood, or where it could not be read."""

    expectation: Expectation | None
    problem: Problem | None


class AttemptRequest(Record):
    """POST prompt and POST attempt."""

    intent: str
    cells: tuple[ContextCell, ...]
    variables: tuple[str, ...]
    """Names of the variables whose description goes into the prompt."""
    notebook: str | None
    cell_id: str | None
    kernel_id: str | None
    """None: no kernel, candidates are generated and not run."""
    expectation: Expectation
    candidates: int
    code: str | None
    """Code typed by the user, to be checked as the only candidate; None: ask the generator."""


class JudgeRequest(Record):
    """POST judge: a trial seen under another policy, without running again."""

    trial: Trial
    expectation: Expectation


class JudgeReply(Record):
    """The new verdict."""

    verdict: Verdict


class AttemptStarted(Record):
    """First event."""

    event: Literal["attempt_started"] = "attempt_started"
    attempt_id: str
    generator: GeneratorInfo
    candidates: int


class PromptReady(Record):
    """The prompt, just before it is sent."""

    event: Literal["prompt_ready"] = "prompt_ready"
    prompt: Prompt


class CandidateText(Record):
    """More text of a reply."""

    event: Literal["candidate_text"] = "candidate_text"
    index: int
    delta: str


class CandidateReady(Record):
    """A reply is complete."""

    event: Literal["candidate_ready"] = "candidate_ready"
    candidate: Candidate


class TrialStarted(Record):
    """A trial runs now, or waits for the kernel."""

    event: Literal["trial_started"] = "trial_started"
    index: int
    waiting: str | None
    """Why it waits (`the kernel is running a cell`); None when it runs."""


class TrialOutput(Record):
    """Output of a running trial."""

    event: Literal["trial_output"] = "trial_output"
    index: int
    output: dict[str, JsonValue]


class TrialJudged(Record):
    """A verdict."""

    event: Literal["trial_judged"] = "trial_judged"
    trial: Trial


class AttemptFinished(Record):
    """Last event, whatever happened (finished, stopped or failed)."""

    event: Literal["attempt_finished"] = "attempt_finished"
    attempt: Attempt


Event = Annotated[
    AttemptStarted
    | PromptReady
    | CandidateText
    | CandidateReady
    | TrialStarted
    | TrialOutput
    | TrialJudged
    | AttemptFinished,
    Field(discriminator="event"),
]
"""What an attempt tells while it runs."""
