"""What an inserted cell remembers: where it came from, what was expected, what was verified.

It lies in the cell's metadata under `exeds_lab`, written by the panel and by the terminal alike.
A task's markdown cell may carry its expectation there too, under `exeds_lab.expectation`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from exeds_lab.errors import NotebookError
from exeds_lab.model.attempt import Attempt, Provenance, Trial
from exeds_lab.model.record import Record, content_id
from exeds_lab.model.spec import Expectation

_R = TypeVar("_R", bound=Record)

KEY = "exeds_lab"
"""Where it lies in a cell's metadata."""

State = Literal["verified", "edited since", "unverified", "not checked"]
"""verified: this very code passed. edited since: another code passed or failed. unverified: it
was inserted though it did not pass. not checked: it never ran, or nothing is known of it."""


def read_provenance(metadata: Mapping[str, Any]) -> Provenance | None:
    """The provenance in a cell's metadata; None when there is none.

    Raises:
        NotebookError: there is one that cannot be read.
    """
    kept = metadata.get(KEY)
    if not isinstance(kept, Mapping) or "code_id" not in kept:
        return None
    return _valid(Provenance, kept)


def read_expectation(metadata: Mapping[str, Any]) -> Expectation | None:
    """The expectation that a task's cell carries; None when there is none.

    Raises:
        NotebookError: there is one that cannot be read.
    """
    kept = metadata.get(KEY)
    if not isinstance(kept, Mapping) or kept.get("expectation") is None:
        return None
    return _valid(Expectation, kept["expectation"])


def provenance_of(attempt: Attempt, trial: Trial) -> Provenance:
    """What a cell with this trial's code has to remember."""
    return Provenance(
        intent=attempt.task.intent,
        task_cell_id=attempt.task.cell_id,
        expectation=attempt.expectation,
        code_id=content_id(trial.candidate.code),
        status=trial.verdict.status,
        headline=trial.verdict.headline,
        generator=trial.candidate.generator,
        prompt_fingerprint=attempt.prompt.fingerprint if attempt.prompt else None,
        checked=datetime.now(UTC).isoformat(timespec="seconds"),
        kernel=trial.execution.kernel,
    )


def as_metadata(provenance: Provenance) -> dict[str, Any]:
    """The provenance as the metadata of a cell."""
    return {KEY: provenance.model_dump(mode="json")}


def state_of(provenance: Provenance | None, code: str) -> State:
    """What may be said of a cell with this code."""
    if provenance is None or provenance.status == "not_run":
        return "not checked"
    if provenance.code_id != content_id(code):
        return "edited since"
    return "verified" if provenance.status == "passed" else "unverified"


def _valid(record: type[_R], kept: Any) -> _R:
    try:
        return record.model_validate_json(json.dumps(kept))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join((KEY, *(str(part) for part in first["loc"])))
        raise NotebookError(
            f"A cell's metadata cannot be read: {where}: {first['msg']}.",
            "It may be from a newer version of exeds-lab: check again and insert the cell anew.",
        ) from None
