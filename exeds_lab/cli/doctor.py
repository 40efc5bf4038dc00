"""`exeds-lab doctor`: what works here, and what to do about the rest."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import click
from jupyter_core.paths import jupyter_config_path, jupyter_path
from nbformat import NotebookNode
from rich.console import Console
from rich.text import Text

from exeds_lab import __version__
from exeds_lab.cli.settings import config_of, model_options
from exeds_lab.config import Config
from exeds_lab.errors import ExedsError
from exeds_lab.execute.headless import HeadlessExecutor
from exeds_lab.generate.choose import choose
from exeds_lab.generate.doctor import diagnose
from exeds_lab.generate.embedded import weights

_EXTENSION = "exeds-lab"

State = Literal["ok", "note", "wrong"]
"""`note`: works with less; `wrong`: something does not work."""

_STATES: dict[str, State] = {"ok": "ok", "failed": "wrong", "unknown": "note"}
_SIGNS = {"ok": "✔", "note": "○", "wrong": "✖"}
_STYLES = {"ok": "green", "note": "", "wrong": "red"}


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    what: str
    state: State
    said: str
    next_step: str | None


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@model_options
def doctor(as_json: bool, **options: Any) -> int:
    """Say what works here: versions, kernel, protections, generator.

    Exit code 1 when something does not work.
    """
    config = config_of(options)
    findings = [front_end(), server_extension(), *asyncio.run(_running(config))]
    if as_json:
        click.echo(json.dumps({"findings": [asdict(finding) for finding in findings]}))
    else:
        _print(Console(), findings)
    return 1 if any(finding.state == "wrong" for finding in findings) else 0


def front_end() -> Finding:
    """Whether JupyterLab finds our front end, in the version of the server side."""
    for folder in jupyter_path("labextensions"):
        package = Path(folder) / _EXTENSION / "package.json"
        if package.is_file():
            found = str(json.loads(package.read_text(encoding="utf-8"))["version"])
            if _plain(found) == _plain(__version__):
                return Finding("versions", "ok", f"server and front end are {found}", None)
            said = f"the server is {__version__}, the front end {found}"
            step = "Install exeds-lab again, restart the server and reload the page."
            return Finding("versions", "wrong", said, step)
    said = f"the server is {__version__}; no front end is installed for JupyterLab"
    return Finding("versions", "wrong", said, "Install exeds-lab in JupyterLab's environment.")


def server_extension() -> Finding:
    """Whether Jupyter servers of this environment load our extension."""
    for folder in jupyter_config_path():
        file = Path(folder) / "jupyter_server_config.d" / "exeds_lab.json"
        if file.is_file():
            return Finding("server extension", "ok", f"enabled in {folder}", None)
    return Finding(
        "server extension",
        "wrong",
        "no configuration enables it",
        "Run `jupyter server extension enable exeds_lab`.",
    )


async def _running(config: Config) -> list[Finding]:
    return [*await _kernel(config), *await _generator(config)]


async def _kernel(config: Config) -> list[Finding]:
    """Start a kernel and ask what it can do."""
    empty = NotebookNode(  # type: ignore[no-untyped-call]
        cells=[], metadata={}, nbformat=4, nbformat_minor=5
    )
    try:
        async with HeadlessExecutor.open(
            empty, 0, Path.cwd(), config.limits, config.queue_s
        ) as executor:
            probe = await executor.probe()
    except ExedsError as error:
        return [Finding("kernel", "wrong", error.reason, error.next_step)]
    versions = f"Python {probe['python']}, ipykernel {probe['ipykernel']}"
    if not probe["can_fork"]:
        step = "Code can be generated here, not checked."
        return [Finding("kernel", "wrong", f"{versions}: {probe['why']}", step)]
    kernel = Finding("kernel", "ok", f"{versions}, can fork", None)
    protections = ", ".join(probe["protections"])
    return [kernel, Finding("protections", "ok", protections, None)]


async def _generator(config: Config) -> list[Finding]:
    if config.openai is None:
        return [_local(config)]
    generator = choose(config)
    info = generator.info
    await generator.close()
    where = "sends prompts to another machine" if info.leaves_machine else "stays on this machine"
    findings = [Finding("generator", "ok", f"{info.model}: {info.label} ({where})", None)]
    for layer in await diagnose(config.openai):
        what = f"model: {layer.layer}"
        findings.append(Finding(what, _STATES[layer.status], layer.text, layer.next_step))
    return findings


def _local(config: Config) -> Finding:
    which = config.embedded.model
    if which == "none":
        return Finding("generator", "note", "the built-in search alone, as configured", None)
    if find_spec("xllamacpp") is None:
        said = "the built-in search alone: the local model's runtime is not installed"
        return Finding("generator", "note", said, "Run `pip install 'exeds-lab[embedded]'`.")
    path = weights.path_of(which)
    if path is None:
        said = "the built-in search alone: the local model's weights are not here"
        return Finding("generator", "note", said, "Run `exeds-lab model get`.")
    return Finding("generator", "ok", f"built-in search and local model {path.name}", None)


def _plain(version: str) -> str:
    """Npm and Python write pre-releases differently: 0.1.0-alpha.1 is 0.1.0a1."""
    short = {"-alpha.": "a", "-beta.": "b", "-rc.": "rc"}
    for long, letters in short.items():
        version = version.replace(long, letters)
    return version


def _print(console: Console, findings: list[Finding]) -> None:
    for finding in findings:
        text = Text(f"{_SIGNS[finding.state]} {finding.what}: ", style=_STYLES[finding.state])
        text.append(finding.said)
        console.print(text)
        if finding.next_step is not None:
            console.print(Text(f"    {finding.next_step}"))
