"""`exeds-lab check`, `demo` and `doctor` with real kernels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.cli.scenario import GOOD, TABLE, TASK, WRONG_ORDER, Result, fenced, notebook

Run = Callable[..., Result]
Model = Callable[[list[dict[str, Any]]], str]


@pytest.fixture
def verified(tmp_path: Path, exeds_lab: Run, model: Model) -> Path:
    """A notebook with a verified cell below its task."""
    out = tmp_path / "verified.ipynb"
    done = exeds_lab(
        "generate", notebook(tmp_path), "--cell", TASK, "--expect", TABLE, "--out", out,
        "--candidates", 1, "--base-url", model([fenced(GOOD)]), "--model", "scripted",
    )  # fmt: skip
    assert done.code == 0, done.err
    return out


def edited(path: Path, index: int, source: str) -> Path:
    content = nbformat.read(path, as_version=4)
    content.cells[index].source = source
    nbformat.write(content, path)
    return path


async def test_a_verified_cell_still_holds(verified: Path, exeds_lab: Run) -> None:
    done = exeds_lab("check", verified)

    assert done.code == 0, done.err
    assert f"✔ cell {TASK + 1}: Passed   Total revenue per region, largest first" in done.out
    assert "1 of 1 specifications hold; 3 code cells have none." in done.out


async def test_an_edited_cell_that_no_longer_holds_is_shown_with_both_sides(
    verified: Path, exeds_lab: Run
) -> None:
    done = exeds_lab("check", edited(verified, TASK + 1, WRONG_ORDER))

    assert done.code == 1
    assert f"✖ cell {TASK + 1}" in done.out
    assert "(edited since)" in done.out
    assert "expected: DataFrame" in done.out


async def test_changed_data_above_makes_a_verified_cell_fail(
    verified: Path, exeds_lab: Run
) -> None:
    done = exeds_lab("check", edited(verified, 1, "sales['revenue'] *= 2"), "--json")

    assert done.code == 1
    cell = done.json["cells"][0]
    assert (cell["index"], cell["before"]) == (TASK + 1, "verified")
    assert cell["attempt"]["trials"][0]["verdict"]["failure"] == "wrong_value"


async def test_a_cell_above_that_fails_is_a_failure_of_ours(verified: Path, exeds_lab: Run) -> None:
    done = exeds_lab("check", edited(verified, 1, "raise SystemError('no')"))

    assert done.code == 2
    assert "SystemError" in done.err


async def test_a_notebook_without_specifications_holds(tmp_path: Path, exeds_lab: Run) -> None:
    done = exeds_lab("check", notebook(tmp_path))

    assert (done.code, done.out) == (0, "Nothing was checked: no cell holds a specification.\n")


async def test_the_demo_passes_with_the_search_alone_and_shows_task_diff_and_time(
    tmp_path: Path, exeds_lab: Run
) -> None:
    done = exeds_lab("demo", "--local-model", "none", "--folder", tmp_path / "work")

    assert done.code == 0, done.out + done.err
    assert done.out.startswith("Total revenue per region, largest first")
    assert "✔ 1  Passed" in done.out
    assert "Passed (" in done.out
    assert "1 of 1 specifications hold" in done.out
    assert (tmp_path / "work" / "first_check.ipynb").is_file()


async def test_the_doctor_says_what_the_kernel_can_do(exeds_lab: Run) -> None:
    done = exeds_lab("doctor", "--local-model", "none", "--json")

    found = {each["what"]: each for each in done.json["findings"]}
    assert set(found) == {
        "versions",
        "server extension",
        "kernel",
        "protections",
        "generator",
    }
    assert found["kernel"]["state"] == "ok"
    assert found["kernel"]["said"].endswith("can fork")
    assert "fork" in found["protections"]["said"]
    assert found["generator"]["said"] == "the built-in search alone, as configured"
    wrong = any(each["state"] == "wrong" for each in found.values())
    assert done.code == (1 if wrong else 0)


async def test_the_doctor_names_the_layer_that_fails(exeds_lab: Run, model: Model) -> None:
    url = model([{"fault": "401", "times": 9}])
    done = exeds_lab("doctor", "--base-url", url, "--model", "scripted")

    assert done.code == 1
    assert "✖ model: key" in done.out
