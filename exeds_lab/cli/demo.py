"""`exeds-lab demo`: the bundled notebook's task, generated and checked on this machine."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markdown import Markdown

from exeds_lab.cli.check import exit_code as check_code
from exeds_lab.cli.check import print_report
from exeds_lab.cli.generate import exit_code, print_result, run_attempt
from exeds_lab.cli.settings import config_of, model_options, trial_options
from exeds_lab.notebook.files import read_notebook, write_notebook
from exeds_lab.notebook.generate import task_in, with_best
from exeds_lab.notebook.provenance import read_expectation
from exeds_lab.notebook.recheck import recheck

NOTEBOOK = "first_check.ipynb"


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the notebook is copied to; default: a temporary folder.",
)
@model_options
@trial_options
def demo(folder: Path | None, **options: Any) -> int:
    """Generate and check the task of a bundled notebook; exit code 0 only when it passed."""
    config = config_of(options)
    with tempfile.TemporaryDirectory(prefix="exeds-lab-demo-") as temporary:
        path = copied_notebook(folder or Path(temporary))
        notebook = read_notebook(path)
        index = next(i for i, cell in enumerate(notebook.cells) if read_expectation(cell.metadata))
        task = task_in(path, notebook, index, None, None, config.candidates)
        console = Console()
        console.print(Markdown(task.intent))
        attempt = run_attempt(task, config)
        print_result(console, attempt, None)
        if exit_code(attempt) != 0:
            return exit_code(attempt)
        write_notebook(with_best(task, attempt), path)
        console.print("\nThe notebook with the inserted cell, checked again in a fresh kernel:")
        report = asyncio.run(recheck(path, read_notebook(path), config, lambda _: None))
        print_report(console, report)
        return check_code(report)


def copied_notebook(folder: Path) -> Path:
    """Copy the bundled notebook into `folder`, which is made when it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / NOTEBOOK
    with as_file(files("exeds_lab") / "demo" / NOTEBOOK) as bundled:
        shutil.copyfile(bundled, target)
    return target
