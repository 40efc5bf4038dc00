"""`exeds-lab generate` with real kernels and a real OpenAI-compatible server."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat

from exeds_lab.notebook.provenance import read_provenance, state_of
from tests.cli.scenario import GOOD, TABLE, TASK, WRONG_ORDER, Result, fenced, notebook

Run = Callable[..., Result]
Model = Callable[[list[dict[str, Any]]], str]


def texts(*codes: str) -> list[dict[str, Any]]:
    return [{"texts": [fenced(code)["text"] for code in codes]}]


async def test_the_best_candidate_is_inserted_below_the_task_with_its_provenance(
    tmp_path: Path, exeds_lab: Run, model: Model
) -> None:
    path = notebook(tmp_path)
    url = model(texts(WRONG_ORDER, GOOD, "sales.no_such"))
    out = tmp_path / "out é.ipynb"
    done = exeds_lab(
        "generate", path, "--cell", TASK, "--expect", TABLE, "--out", out,
        "--base-url", url, "--model", "scripted", "--json",
    )  # fmt: skip

    assert done.code == 0, done.err
    found = done.json
    statuses = [trial["verdict"]["status"] for trial in found["attempt"]["trials"]]
    assert sorted(statuses) == ["failed", "failed", "passed"]
    assert (found["passed"], found["out"]) == (True, str(out))
    cells = nbformat.read(out, as_version=4).cells
    assert [cell.cell_type for cell in cells] == ["code", "code", "markdown", "code", "code"]
    assert cells[3].source == GOOD
    provenance = read_provenance(cells[3].metadata)
    assert state_of(provenance, GOOD) == "verified"
    assert len(nbformat.read(path, as_version=4).cells) == 4


async def test_both_sides_of_a_failing_candidate_are_printed(
    tmp_path: Path, exeds_lab: Run, model: Model
) -> None:
    url = model(texts(WRONG_ORDER))
    done = exeds_lab(
        "generate", notebook(tmp_path), "--cell", TASK, "--expect", TABLE,
        "--candidates", 1, "--base-url", url, "--model", "scripted",
    )  # fmt: skip

    assert done.code == 1, done.err
    assert "expected: DataFrame" in done.out
    assert "actual: DataFrame" in done.out
    assert "≠ 1" in done.out
    assert "would change 0 of 2 variables" in done.out
    assert done.out.count("✖ 1") == 1


async def test_nothing_is_written_unless_it_passed_or_the_user_insists(
    tmp_path: Path, exeds_lab: Run, model: Model
) -> None:
    url = model([*texts(WRONG_ORDER), *texts(WRONG_ORDER)])
    path, out = notebook(tmp_path), tmp_path / "out.ipynb"
    arguments = (
        "generate", path, "--cell", TASK, "--expect", TABLE, "--out", out,
        "--candidates", 1, "--base-url", url, "--model", "scripted",
    )  # fmt: skip
    first = exeds_lab(*arguments)
    there = out.exists()
    second = exeds_lab(*arguments, "--keep-unverified")

    assert (first.code, there, second.code) == (1, False, 1)
    assert f"{out} was not written: add --keep-unverified to keep it." in first.out
    cell = nbformat.read(out, as_version=4).cells[TASK + 1]
    assert state_of(read_provenance(cell.metadata), cell.source) == "unverified"


async def test_a_table_from_a_file_and_a_task_from_the_command_line(
    tmp_path: Path, exeds_lab: Run, model: Model
) -> None:
    table = tmp_path / "expected table.csv"
    table.write_text(TABLE, encoding="utf-8")
    url = model(texts(f"answer = {GOOD}"))
    done = exeds_lab(
        "generate", notebook(tmp_path), "--cell", 1, "--task", "Sum it", "--expect-file", table,
        "--target", "answer", "--candidates", 1, "--base-url", url, "--model", "scripted", "--json",
    )  # fmt: skip

    assert done.code == 0, done.err
    attempt = done.json["attempt"]
    assert attempt["task"]["intent"] == "Sum it"
    assert [v["name"] for v in attempt["task"]["variables"]] == ["sales"]
    checks = [check["name"] for check in attempt["expectation"]["checks"]]
    assert checks == ["answer is the table", "sales unchanged"]


async def test_with_nothing_declared_it_ran_unchecked_and_did_not_pass(
    tmp_path: Path, exeds_lab: Run, model: Model
) -> None:
    url = model(texts("top + 1"))
    done = exeds_lab(
        "generate", notebook(tmp_path), "--cell", TASK, "--candidates", 1,
        "--base-url", url, "--model", "scripted", "--json",
    )  # fmt: skip

    assert done.code == 1
    assert done.json["attempt"]["trials"][0]["verdict"]["status"] == "unchecked"


async def test_a_model_that_refuses_the_key_is_our_failure_and_the_key_is_never_printed(
    tmp_path: Path, exeds_lab: Run, model: Model, monkeypatch: Any
) -> None:
    monkeypatch.setenv("EXEDS_LAB_API_KEY", "sk-very-secret")
    url = model([{"fault": "401"}])
    done = exeds_lab(
        "generate", notebook(tmp_path), "--cell", TASK, "--expect", TABLE,
        "--base-url", url, "--model", "scripted",
    )  # fmt: skip

    assert done.code == 2
    assert "GeneratorError" in done.out
    assert "sk-very-secret" not in done.out + done.err


async def test_a_cell_before_the_task_that_fails_is_named(tmp_path: Path, exeds_lab: Run) -> None:
    path = notebook(tmp_path, second="top = 1 / 0")
    done = exeds_lab("generate", path, "--cell", TASK, "--local-model", "none", "--json")

    assert done.code == 2
    assert done.json["problem"]["name"] == "NotebookError"
    assert "ZeroDivisionError" in done.json["problem"]["reason"]
    assert "ZeroDivisionError" in done.err


async def test_an_expectation_that_cannot_be_read_says_where(
    tmp_path: Path, exeds_lab: Run
) -> None:
    done = exeds_lab(
        "generate", notebook(tmp_path), "--cell", TASK, "--local-model", "none",
        "--kind", "table", "--expect", "a,b\n1,2\n3,4,5\n",
    )  # fmt: skip

    assert done.code == 2
    assert "ExpectationError" in done.err
    assert "line 3" in done.err


async def test_ctrl_c_in_the_middle_of_an_answer_keeps_what_arrived(
    tmp_path: Path, model: Model
) -> None:
    url = model([fenced("1 + 1") | {"gate": 5}])
    command = [
        sys.executable, "-m", "tests.cli.command", "generate", str(notebook(tmp_path)),
        "--cell", str(TASK), "--candidates", "1", "--base-url", url, "--model", "scripted",
        "--json",
    ]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        control = url.removesuffix("/v1") + "/control/wait"
        with urllib.request.urlopen(f"{control}?held=1", timeout=60):
            process.send_signal(signal.SIGINT)
        with urllib.request.urlopen(f"{control}?abandoned=1", timeout=60):
            out, err = process.communicate(timeout=60)

    assert process.returncode == 130, err
    assert json.loads(out)["attempt"]["status"] == "stopped"


async def test_ctrl_c_while_the_cells_before_the_task_run_writes_nothing(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    path = notebook(
        tmp_path, second=f"open({str(ready)!r}, 'w').close()\nimport time; time.sleep(99)"
    )
    command = [
        sys.executable, "-m", "tests.cli.command", "generate", str(path), "--cell", str(TASK),
        "--local-model", "none",
    ]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        while not ready.exists():
            await asyncio.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert (process.returncode, out) == (130, "")
    assert "Stopped; nothing was written." in err


async def test_the_row_that_differs_is_marked_on_both_sides(
    tmp_path: Path, exeds_lab: Run, model: Model
) -> None:
    url = model(texts(GOOD.replace(".sum()", ".max()")))
    done = exeds_lab(
        "generate", notebook(tmp_path), "--cell", TASK, "--expect", TABLE,
        "--candidates", 1, "--base-url", url, "--model", "scripted",
    )  # fmt: skip

    assert done.code == 1, done.err
    marked = [line for line in done.out.splitlines() if line.count("≠") == 2]
    assert len(marked) == 1
    assert "3.5" in marked[0]
    assert "2.0" in marked[0]
