"""`exeds-lab generate`: a task of a notebook, generated and checked without a browser."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from exeds_lab.cli.progress import Progress
from exeds_lab.cli.report import print_attempt
from exeds_lab.cli.settings import config_of, model_options, trial_options
from exeds_lab.config import Config
from exeds_lab.expect.parse import detect, without_prefix
from exeds_lab.generate.choose import choose
from exeds_lab.model.attempt import Attempt
from exeds_lab.model.wire import Event
from exeds_lab.notebook.files import read_notebook, write_notebook
from exeds_lab.notebook.generate import (
    Declaration,
    Listener,
    NotebookTask,
    generate_for,
    task_in,
    with_best,
)

PASSED, NOT_PASSED, FAILED, STOPPED = 0, 1, 2, 130
"""Exit codes of one attempt."""

_KINDS = ("auto", "value", "table", "schema", "checks", "text", "exception", "variable")


@click.command()
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option(
    "--cell",
    "index",
    type=int,
    required=True,
    metavar="N",
    help="0-based index of the task's markdown cell; code cells before it run once.",
)
@click.option("--task", "intent", metavar="TEXT", help="The task, instead of the cell's text.")
@click.option("--expect", metavar="TEXT", help="What should come out.")
@click.option(
    "--expect-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The same from a file, e.g. a CSV table.",
)
@click.option("--kind", type=click.Choice(_KINDS), default="auto", help="How to read it.")
@click.option("--target", default="last", help="What is looked at: last, stdout or a variable.")
@click.option(
    "--unchanged",
    multiple=True,
    metavar="NAME",
    help="A variable that must not change; default: all tables the task does not change.",
)
@click.option("--only-rows", is_flag=True, help="Other rows than those given may be there.")
@click.option("--only-columns", is_flag=True, help="Other columns may be there.")
@click.option("--candidates", type=click.IntRange(1, 32), metavar="K", help="How many to generate.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write a copy with the best one inserted."
)
@click.option("--keep-unverified", is_flag=True, help="Write --out though nothing passed.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole attempt as JSON.")
@model_options
@trial_options
def generate(notebook: Path, index: int, **options: Any) -> int:
    """Generate code for a task in NOTEBOOK, run each candidate apart, and compare.

    The cells before the task run once in a fresh kernel; each candidate runs in a fork of it.
    """
    config = config_of(options)
    task = task_in(
        notebook,
        read_notebook(notebook),
        index,
        options["intent"],
        _declaration(options),
        options["candidates"] or config.candidates,
    )
    attempt = run_attempt(task, config)
    written = _write(task, attempt, options["out"], options["keep_unverified"])
    if options["as_json"]:
        click.echo(json.dumps(as_json(attempt, written)))
    else:
        print_result(Console(), attempt, written)
        if options["out"] is not None and written is None:
            click.echo(f"{options['out']} was not written: add --keep-unverified to keep it.")
    return exit_code(attempt)


def run_attempt(task: NotebookTask, config: Config) -> Attempt:
    """Run one attempt with its progress on stderr; Ctrl-C stops it and keeps what arrived."""
    console = Console(stderr=True)
    with Progress(console) as progress:
        progress.say("Starting a kernel and running the cells before the task …")
        try:
            return asyncio.run(_stoppable(task, config, progress.hear))
        except asyncio.CancelledError:  # stopped before the attempt began
            raise KeyboardInterrupt from None


async def _stoppable(task: NotebookTask, config: Config, listener: Listener) -> Attempt:
    stop = asyncio.Event()
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    running = asyncio.current_task()

    def heard(event: Event) -> None:
        begun.set()
        listener(event)

    def interrupted() -> None:
        if begun.is_set() or running is None:
            stop.set()
        else:
            running.cancel()

    loop.add_signal_handler(signal.SIGINT, interrupted)
    generator = choose(config)
    try:
        return await generate_for(task, generator, config, heard, stop)
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        await generator.close()


def passed(attempt: Attempt) -> bool:
    """Whether the best candidate passed."""
    best = attempt.best
    return best is not None and attempt.trials[best].verdict.status == "passed"


def exit_code(attempt: Attempt) -> int:
    """0 passed, 1 not passed, 2 a failure of ours, 130 stopped."""
    if attempt.status == "stopped":
        return STOPPED
    if passed(attempt):
        return PASSED
    return FAILED if attempt.status == "failed" else NOT_PASSED


def as_json(attempt: Attempt, written: Path | None) -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "passed": passed(attempt),
        "attempt": attempt.model_dump(mode="json"),
        "out": None if written is None else str(written),
    }


def print_result(console: Console, attempt: Attempt, written: Path | None) -> None:
    """The verdicts, our own failure if there was one, and what was written."""
    print_attempt(console, attempt)
    console.print()
    if attempt.problem is not None:
        console.print(f"{attempt.problem.name}: {attempt.problem.reason}", markup=False)
        console.print(attempt.problem.next_step, markup=False)
    best = None if attempt.best is None else attempt.trials[attempt.best]
    said = "No candidate." if best is None else best.verdict.headline
    console.print(f"{said} ({attempt.duration_s:.1f} s)", markup=False, style="bold")
    if written is not None:
        console.print(f"Wrote {written}", markup=False)


def _declaration(options: dict[str, Any]) -> Declaration | None:
    text, file, kind = options["expect"], options["expect_file"], options["kind"]
    if text is not None and file is not None:
        raise click.UsageError("Give --expect or --expect-file, not both.")
    if text is None and file is not None:
        text = file.read_text(encoding="utf-8")
    if text is None and not options["unchanged"]:
        return None
    if text is None:
        kind = "none"
    elif kind == "auto":
        kind, text = detect(text), without_prefix(text)
    return Declaration(
        kind=kind,
        text=text or "",
        target=options["target"],
        unchanged=options["unchanged"] or None,
        only_rows=options["only_rows"],
        only_columns=options["only_columns"],
    )


def _write(
    task: NotebookTask, attempt: Attempt, out: Path | None, keep_unverified: bool
) -> Path | None:
    if out is None or not (passed(attempt) or keep_unverified):
        return None
    write_notebook(with_best(task, attempt), out)
    return out
