"""The verdict: an execution, an expectation and a policy, judged."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from exeds_lab.model.execution import CheckFacts, Difference
from exeds_lab.model.record import Record
from exeds_lab.model.spec import ComparePolicy


class FailureKind(StrEnum):
    """Kinds of failure that a user must be able to tell apart."""

    WRONG_VALUE = "wrong_value"
    WRONG_SHAPE = "wrong_shape"
    WRONG_COLUMNS = "wrong_columns"
    WRONG_TYPE = "wrong_type"
    WRONG_ORDER = "wrong_order"
    WRONG_FORM = "wrong_form"
    ERROR = "error"
    TIMED_OUT = "timed_out"
    KILLED = "killed"
    NO_CODE = "no_code"
    UNWANTED_CHANGE = "unwanted_change"
    CANNOT_COMPARE = "cannot_compare"


Status = Literal["passed", "partial", "failed", "unchecked", "not_run"]
"""passed: every check holds and at least one was declared. partial: some hold. failed: none does,
or it did not run to its end. unchecked: it ran, nothing was declared. not_run: it never ran."""


class CheckResult(Record):
    """One check, judged."""

    check: str
    passed: bool
    counted: tuple[Difference, ...]
    """The differences that count under the policy; empty when it passed."""
    tolerated: tuple[Difference, ...]
    """The differences that the policy lets pass."""
    facts: CheckFacts | None
    """What was measured; None when the candidate did not get that far."""


class Verdict(Record):
    """What the interface shows as a badge."""

    status: Status
    passed: int
    """Checks that hold; PassRatio = passed / total."""
    total: int
    failure: FailureKind | None
    """None when the status is passed or unchecked, and for not_run without a fault of the code."""
    headline: str
    """The verdict in a few words, naming the near miss: `Wrong order: equal after sorting`."""
    accept: str | None
    """The policy field whose change would turn this into a pass (`check_row_order` …); None when
    no single one would."""
    results: tuple[CheckResult, ...]
    policy: ComparePolicy
    judge_version: int
