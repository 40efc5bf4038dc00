from __future__ import annotations

from typing import Any

import pytest

from exeds_lab.errors import NotebookError
from exeds_lab.model.attempt import Provenance
from exeds_lab.model.candidate import GeneratorInfo
from exeds_lab.model.record import content_id
from exeds_lab.model.spec import ANALYST, Check, Expectation, LastValue, ValueExpected
from exeds_lab.notebook.provenance import (
    as_metadata,
    read_expectation,
    read_provenance,
    state_of,
)

EXPECTATION = Expectation(
    checks=(
        Check(
            name="result is the value",
            target=LastValue(),
            expected=ValueExpected(value=[1, {"$": "float", "v": "nan"}]),
            declared=True,
        ),
    ),
    policy=ANALYST,
    origin="declared",
    source="[1, nan]",
    preview=(),
)


def provenance(**changes: Any) -> Provenance:
    made = Provenance(
        intent="Make a list",
        task_cell_id="task",
        expectation=EXPECTATION,
        code_id=content_id("[1, nan]"),
        status="passed",
        headline="Passed",
        generator=GeneratorInfo(kind="search", model="", label="", leaves_machine=False),
        prompt_fingerprint=None,
        checked="2026-11-30T12:00:00+00:00",
        kernel="Python 3.11",
    )
    return made.model_copy(update=changes)


def test_what_is_written_is_read_back_beside_foreign_metadata() -> None:
    metadata = {"tags": ["x"], "collapsed": True} | as_metadata(provenance())

    assert read_provenance(metadata) == provenance()


@pytest.mark.parametrize(
    "metadata",
    [{}, {"exeds_lab": None}, {"exeds_lab": "x"}, {"exeds_lab": {"open_panel": True}}],
)
def test_a_cell_without_provenance_has_none(metadata: dict[str, Any]) -> None:
    assert read_provenance(metadata) is None
    assert read_expectation(metadata) is None


def test_provenance_that_cannot_be_read_says_where() -> None:
    metadata = as_metadata(provenance())
    metadata["exeds_lab"]["expectation"]["policy"]["rel_tol"] = "much"
    with pytest.raises(NotebookError) as caught:
        read_provenance(metadata)

    assert caught.value.reason.startswith(
        "A cell's metadata cannot be read: exeds_lab.expectation.policy.rel_tol:"
    )


def test_a_task_cell_carries_its_expectation() -> None:
    metadata = {"exeds_lab": {"expectation": EXPECTATION.model_dump(mode="json")}}

    assert read_expectation(metadata) == EXPECTATION
    assert read_provenance(metadata) is None


@pytest.mark.parametrize(
    ("found", "code", "state"),
    [
        (provenance(), "[1, nan]", "verified"),
        (provenance(), "[1]", "edited since"),
        (provenance(status="failed"), "[1, nan]", "unverified"),
        (provenance(status="unchecked"), "[1, nan]", "unverified"),
        (provenance(status="not_run"), "[1, nan]", "not checked"),
        (None, "[1, nan]", "not checked"),
    ],
)
def test_the_state_says_what_is_known(found: Provenance | None, code: str, state: str) -> None:
    assert state_of(found, code) == state
