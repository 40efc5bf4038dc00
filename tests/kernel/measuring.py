"""Short ways to measure a check in plain Python, as the fork does it."""

from __future__ import annotations

import json
from typing import Any

from exeds_lab.judge.verdict import judge
from exeds_lab.kernel.compare import measure
from exeds_lab.kernel.encode import encode
from exeds_lab.kernel.seen import Seen
from exeds_lab.model.execution import CheckFacts, Completed, Effects, Execution, Limits
from exeds_lab.model.spec import (
    ANALYST,
    Check,
    ComparePolicy,
    Expectation,
    Expected,
    LastValue,
    TableExpected,
    Target,
    ValueExpected,
)
from exeds_lab.model.verdict import Verdict


def seen(result: Any = None, **changes: Any) -> Seen:
    """What came out of a candidate whose last value is `result`."""
    given = {
        "namespace": {},
        "has_result": True,
        "result": result,
        "stdout": "",
        "error": None,
        "before": {},
        "effects": None,
    }
    return Seen(**{**given, **changes})


def effects(**changes: Any) -> dict[str, Any]:
    """Effects as JSON."""
    empty: dict[str, Any] = {
        "created": [],
        "rebound": [],
        "deleted": [],
        "mutated": [],
        "unproven": [],
        "variables": 1,
        "files": [],
    }
    return {**empty, **changes}


def expecting(value: Any, only_rows: bool = False, only_columns: bool = False) -> Expected:
    """Expect a value as the kernel reads it from a variable."""
    encoded = encode(value)
    if isinstance(encoded, dict) and encoded["$"] == "table":
        return TableExpected(value=encoded, only_rows=only_rows, only_columns=only_columns)
    return ValueExpected(value=encoded)


def check(
    expected: Expected, target: Target | None = None, name: str = "c", declared: bool = True
) -> Check:
    """One check."""
    return Check(name=name, target=target or LastValue(), expected=expected, declared=declared)


def facts_of(one: Check, what: Seen, policy: ComparePolicy = ANALYST) -> CheckFacts:
    """Measure, and validate what crosses from the kernel as the server does."""
    measured = measure(one.model_dump(mode="json"), policy.model_dump(mode="json"), what)
    return CheckFacts.model_validate_json(json.dumps(measured, allow_nan=False))


def compared(
    expected: Any, actual: Any, policy: ComparePolicy = ANALYST, **only: bool
) -> CheckFacts:
    """The facts of a last value against an expected value."""
    return facts_of(check(expecting(expected, **only)), seen(actual), policy)


def kinds(facts: CheckFacts) -> list[str]:
    """The kinds of difference, in order."""
    return [one.kind for one in facts.differences]


def executed(facts: tuple[CheckFacts, ...], **changes: Any) -> Execution:
    """An execution that ran to its end with these facts."""
    given: dict[str, Any] = {
        "outcome": Completed(),
        "outputs": (),
        "truncated": False,
        "result": None,
        "facts": facts,
        "effects": Effects.model_validate(effects()),
        "duration_s": 0.1,
        "total_s": 0.2,
        "limits": Limits(timeout_s=20.0, memory_mb=2048, output_bytes=1 << 20, processes=64),
        "strategy": "fork",
        "strategy_reason": "it is safe",
        "protections": ("fork",),
        "kernel": "Python 3.11",
    }
    return Execution(**{**given, **changes})


def expectation(*checks: Check, policy: ComparePolicy = ANALYST) -> Expectation:
    """An expectation as declared."""
    return Expectation(checks=checks, policy=policy, origin="declared", source="", preview=())


def verdict(expected: Any, actual: Any, policy: ComparePolicy = ANALYST, **only: bool) -> Verdict:
    """Measure and judge a last value against an expected value."""
    one = check(expecting(expected, **only))
    facts = facts_of(one, seen(actual), policy)
    return judge(executed((facts,)), expectation(one, policy=policy))
