from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exeds_lab import __version__
from exeds_lab.cli.main import run
from tests.cli.scenario import notebook


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize("name", ["check", "demo", "doctor", "generate", "model"])
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: exeds-lab {name}")


def test_the_help_names_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-h"]) == 0
    assert "0 passed, 1 not passed, 2 exeds-lab itself failed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such-command"], "No such command 'no-such-command'."),
        (["generate"], "Missing argument 'NOTEBOOK'."),
        (["generate", "x.ipynb"], "Missing option '--cell'."),
        (["generate", "x.ipynb", "--cell", "one"], "'one' is not a valid integer."),
        (["generate", "gone.ipynb", "--cell", "1"], "There is no file gone.ipynb."),
        (["check", "gone.ipynb"], "There is no file gone.ipynb."),
        (["model", "path", "huge"], "The weights of 'huge' are not on this computer."),
    ],
)
def test_our_own_failures_leave_with_2_and_say_why(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


def test_with_json_a_failure_is_a_record_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "gone.ipynb", "--json"]) == 2
    assert json.loads(capsys.readouterr().out) == {
        "problem": {
            "name": "NotebookError",
            "reason": "There is no file gone.ipynb.",
            "next_step": "Check the path.",
            "layer": None,
            "retryable": False,
            "line": None,
            "column": None,
        }
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cell", "9"], "There is no cell 9: the notebook has 4 cells, counted from 0."),
        (["--cell", "0"], "Cell 0 is a code cell, so it holds no task."),
        (["--cell", "2", "--task", " "], "The task is empty."),
        (["--cell", "2", "--base-url", "http://localhost"], "An endpoint is set, but no model."),
        (["--cell", "2", "--timeout", "0"], "The setting 'trial_timeout_s' must be above zero."),
    ],
)
def test_a_task_that_is_not_there_is_refused_before_a_kernel_starts(
    options: list[str], said: str, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EXEDS_LAB_MODEL", raising=False)

    assert run(["generate", str(notebook(tmp_path)), *options]) == 2
    assert said in capsys.readouterr().err
