"""Several trials of one attempt: which came to the same, and which to show first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exeds_lab.model.attempt import Trial
from exeds_lab.model.execution import Raised

_STATUS_ORDER = ("passed", "partial", "unchecked", "failed", "not_run")


def same_outcome_groups(trials: Sequence[Trial]) -> tuple[tuple[int, ...], ...]:
    """Places of the trials that came to the same, largest group first, then in order.

    Two trials came to the same when they ended alike, and have the same last value, printed text
    and differences, as far as descriptions tell.
    """
    groups: dict[str, list[int]] = {}
    for place, trial in enumerate(trials):
        groups.setdefault(_outcome_of(trial), []).append(place)
    ordered = sorted(groups.values(), key=lambda places: (-len(places), places[0]))
    return tuple(tuple(places) for places in ordered)


def _outcome_of(trial: Trial) -> str:
    execution = trial.execution
    outcome = execution.outcome
    ended: list[Any] = [outcome.outcome]
    if isinstance(outcome, Raised):
        ended += [outcome.ename, outcome.evalue]
    result = execution.result
    parts = [
        ended,
        None if result is None else result.model_dump_json(exclude={"size_bytes"}),
        _printed(trial),
        [facts.model_dump_json(exclude={"actual"}) for facts in execution.facts],
    ]
    return repr(parts)


def _printed(trial: Trial) -> str:
    texts = [
        str(output.get("text", ""))
        for output in trial.execution.outputs
        if output.get("output_type") == "stream" and output.get("name") == "stdout"
    ]
    return "".join(texts)


def rank(trials: Sequence[Trial]) -> list[int]:
    """Places of the trials, best first.

    Passed ones first, then those of which more checks hold; among equals the earlier one, since a
    generator gives what it trusts most first. (Shorter code is no merit: a program that spells out
    the expected answer is short.)
    """
    return sorted(range(len(trials)), key=lambda place: _merit(trials[place], place))


def _merit(trial: Trial, place: int) -> tuple[Any, ...]:
    verdict = trial.verdict
    share = verdict.passed / verdict.total if verdict.total else 0.0
    ended = trial.execution.outcome.outcome == "completed"
    return (_STATUS_ORDER.index(verdict.status), -share, not ended, place)
