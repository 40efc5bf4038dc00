"""`exeds-lab check`: does every specified cell of a notebook still give what was declared?"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from exeds_lab.cli.progress import Progress
from exeds_lab.cli.report import SIGNS, print_trial
from exeds_lab.cli.settings import config_of, trial_options
from exeds_lab.notebook.files import read_notebook
from exeds_lab.notebook.recheck import CheckedCell, NotebookReport, recheck

PASSED, NOT_PASSED, FAILED = 0, 1, 2


@click.command()
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
@trial_options
def check(notebook: Path, as_json: bool, **options: Any) -> int:
    """Verify again every specification stored in NOTEBOOK's cells.

    Exit code 1 when one no longer holds.
    """
    config = config_of(options)
    content = read_notebook(notebook)
    with Progress(Console(stderr=True)) as progress:
        progress.say("Running the notebook in a fresh kernel …")
        report = asyncio.run(recheck(notebook, content, config, lambda _: None))
    if as_json:
        click.echo(report.model_dump_json())
    else:
        print_report(Console(), report)
    return exit_code(report)


def exit_code(report: NotebookReport) -> int:
    """0 everything holds, 1 something does not, 2 something could not be checked."""
    if report.problem is not None:
        return FAILED
    return PASSED if report.holds else NOT_PASSED


def print_report(console: Console, report: NotebookReport) -> None:
    """One line a cell, and both sides of each that no longer holds."""
    for cell in report.cells:
        console.print(_line(cell))
        if cell.attempt.trials and not cell.holds:
            print_trial(console, cell.attempt.trials[0])
        if cell.problem is not None:
            console.print(f"  {cell.problem.reason} {cell.problem.next_step}", markup=False)
    if not report.cells:
        console.print("Nothing was checked: no cell holds a specification.", style="bold")
        return
    held = sum(cell.holds for cell in report.cells)
    said = f"{held} of {len(report.cells)} specifications hold"
    console.print(f"{said}; {report.unspecified} code cells have none.", style="bold")


def _line(cell: CheckedCell) -> Text:
    trials = cell.attempt.trials
    sign = SIGNS[trials[0].verdict.status] if trials else SIGNS["not_run"]
    said = trials[0].verdict.headline if trials else "not checked"
    was = "" if cell.before == "verified" else f" ({cell.before})"
    intent = cell.intent.strip().splitlines()[0] if cell.intent.strip() else ""
    return Text(f"{sign} cell {cell.index}: {said}{was}   {intent}")
