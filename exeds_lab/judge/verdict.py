"""An execution, an expectation and its policy -> the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exeds_lab.judge.failure import (
    failure_of,
    failure_of_outcome,
    main_difference,
    words_of,
    words_of_outcome,
)
from exeds_lab.judge.group import rank, same_outcome_groups
from exeds_lab.judge.rules import split
from exeds_lab.model.execution import (
    CheckFacts,
    Completed,
    Execution,
    IncomparableDifference,
    NotRun,
    Raised,
)
from exeds_lab.model.spec import (
    Check,
    ComparePolicy,
    ExceptionExpected,
    Expectation,
    TableExpected,
    ValueExpected,
)
from exeds_lab.model.verdict import CheckResult, FailureKind, Status, Verdict

__all__ = ["JUDGE_VERSION", "judge", "rank", "same_outcome_groups"]

JUDGE_VERSION = 1
"""Raised when the same facts may give another verdict."""

_LOOSER: tuple[tuple[str, dict[str, Any]], ...] = (
    ("check_row_order", {"check_row_order": False}),
    ("check_column_order", {"check_column_order": False}),
    ("check_names", {"check_names": False}),
    ("check_index", {"check_index": "ignored"}),
    ("check_missing_kind", {"check_missing_kind": False}),
    ("check_dtypes", {"check_dtypes": "ignored"}),
    ("check_container", {"check_container": False}),
    ("check_whitespace", {"check_whitespace": False}),
    ("check_case", {"check_case": False}),
    ("rel_tol", {"rel_tol": 0.01}),
    ("check_column_names", {"check_column_names": False}),
)
"""Changes of one field, tried in this order; the panel's Accept makes the same ones."""


def judge(
    execution: Execution,
    expectation: Expectation,
    *,
    has_code: bool = True,
    measured: ComparePolicy | None = None,
) -> Verdict:
    """Judge one trial.

    Args:
        execution: what happened, with the facts measured.
        expectation: what should have; its policy decides which facts count.
        has_code: whether the reply held code at all.
        measured: the policy under which the facts were measured, when it may be another one;
            a tolerance narrower than that cannot be judged without running again.
    """
    policy = expectation.policy
    too_narrow = measured is not None and _is_narrower(policy, measured)
    results = _results(execution, expectation.checks, policy, too_narrow)
    judgement = _Judgement(execution, expectation, results)
    status = judgement.status()
    return Verdict(
        status=status,
        passed=judgement.passed,
        total=judgement.total,
        failure=judgement.failure(status, has_code),
        headline=judgement.headline(status, has_code),
        accept=None if too_narrow else _accept(execution, expectation, status),
        results=results,
        policy=policy,
        judge_version=JUDGE_VERSION,
    )


def _is_narrower(policy: ComparePolicy, measured: ComparePolicy) -> bool:
    return policy.rel_tol < measured.rel_tol or policy.abs_tol < measured.abs_tol


def _results(
    execution: Execution, checks: Sequence[Check], policy: ComparePolicy, too_narrow: bool
) -> tuple[CheckResult, ...]:
    facts: Sequence[CheckFacts | None] = execution.facts
    if len(facts) != len(checks):
        facts = [None] * len(checks)
    return tuple(
        _result(check, one, policy, too_narrow) for check, one in zip(checks, facts, strict=True)
    )


def _result(
    check: Check, facts: CheckFacts | None, policy: ComparePolicy, too_narrow: bool
) -> CheckResult:
    if facts is None:
        return CheckResult(check=check.name, passed=False, counted=(), tolerated=(), facts=None)
    counted, tolerated = split(facts, check, policy)
    if too_narrow and isinstance(check.expected, ValueExpected | TableExpected):
        why = "it was compared with a wider tolerance; run it again"
        again = IncomparableDifference(expected="", actual="", why=why)
        counted = counted or (again,)
    return CheckResult(
        check=check.name,
        passed=not counted,
        counted=counted,
        tolerated=tolerated,
        facts=facts,
    )


class _Judgement:
    """The results of all checks, seen together."""

    def __init__(
        self, execution: Execution, expectation: Expectation, results: Sequence[CheckResult]
    ) -> None:
        self._execution = execution
        pairs = list(zip(expectation.checks, results, strict=True))
        self._declared = any(check.declared for check, _ in pairs)
        self._ended = _came_to_its_end(execution, expectation)
        self._counting = [one for check, one in pairs if _counts(check, one)]
        self._unproven = [
            one.check for check, one in pairs if not check.declared and _is_unproven(one)
        ]
        self.total = len(self._counting)
        self.passed = sum(one.passed for one in self._counting) if self._ended else 0

    def status(self) -> Status:
        """The verdict's status."""
        if isinstance(self._execution.outcome, NotRun):
            return "not_run"
        if not self._ended:
            return "failed"
        if not self._declared:
            return "failed" if self._failed() else "unchecked"
        if self.passed == self.total:
            return "passed"
        return "partial" if self.passed else "failed"

    def failure(self, status: Status, has_code: bool) -> FailureKind | None:
        """The kind of failure; None where nothing failed."""
        if not has_code:
            return FailureKind.NO_CODE
        if status in ("passed", "unchecked", "not_run"):
            return None
        if not self._ended:
            return failure_of_outcome(self._execution.outcome)
        return failure_of(main_difference(self._failed()[0].counted))

    def headline(self, status: Status, has_code: bool) -> str:
        """The verdict in a few words."""
        outcome = self._execution.outcome
        if isinstance(outcome, NotRun):
            return words_of_outcome(outcome) if has_code else f"No code: {outcome.why}"
        if not self._ended:
            return words_of_outcome(outcome)
        if status == "unchecked":
            return "Ran, unchecked: nothing was declared"
        if status == "passed":
            return self._praise()
        words = self._words(self._failed()[0])
        if status == "partial":
            return f"{self.passed} of {self.total} checks hold. {words}"
        return words

    def _praise(self) -> str:
        words = "Passed" if self.total == 1 else f"Passed all {self.total} checks"
        if self._unproven:
            words += f"; not known: {', '.join(self._unproven[:3])}"
        return words

    def _failed(self) -> list[CheckResult]:
        return [one for one in self._counting if not one.passed]

    def _words(self, result: CheckResult) -> str:
        assert result.facts is not None
        return words_of(main_difference(result.counted), result.facts)


def _came_to_its_end(execution: Execution, expectation: Expectation) -> bool:
    """It ran to its end, or raised where an exception was expected; and it was measured."""
    if len(execution.facts) != len(expectation.checks):
        return False
    if isinstance(execution.outcome, Raised):
        return any(isinstance(check.expected, ExceptionExpected) for check in expectation.checks)
    return isinstance(execution.outcome, Completed)


def _counts(check: Check, result: CheckResult) -> bool:
    """Declared checks count; those that we add count only where something did change."""
    return check.declared or (not result.passed and not _is_unproven(result))


def _is_unproven(result: CheckResult) -> bool:
    if result.passed or result.facts is None:
        return not result.passed
    return all(one.kind in ("incomparable", "absent") for one in result.counted)


def _accept(execution: Execution, expectation: Expectation, status: Status) -> str | None:
    """The single policy field whose change would make it pass."""
    if status not in ("failed", "partial"):
        return None
    for field, change in _LOOSER:
        looser = expectation.policy.model_copy(update=change)
        if looser == expectation.policy:
            continue
        changed = expectation.model_copy(update={"policy": looser})
        results = _results(execution, changed.checks, looser, too_narrow=False)
        if _Judgement(execution, changed, results).status() == "passed":
            return field
    return None
