"""The command `exeds-lab`: exit code 0 passed, 1 not passed, 2 a failure of ours, 130 stopped."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import click

from exeds_lab import __version__
from exeds_lab.errors import ExedsError
from exeds_lab.model.attempt import Problem
from exeds_lab.pipeline import problem_of

FAILED = 2
"""Exit code of a failure of ours."""

STOPPED = 130
"""Exit code after Ctrl-C."""


_COMMANDS = ("check", "demo", "doctor", "generate", "model")


class _Commands(click.Group):
    """Loads a command when it is asked for: reading notebooks alone takes seconds to import."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 click's signature
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"exeds_lab.cli.{cmd_name}"), cmd_name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="exeds-lab")
def cli() -> None:
    """Code you can check before you keep it.

    Exit code: 0 passed, 1 not passed, 2 exeds-lab itself failed (its reason is printed).
    """


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line.

    Returns:
        The exit code; a failure's reason and next step were printed on stderr, and with `--json`
        as a record on stdout too.
    """
    try:
        code = cli.main(args=arguments, prog_name="exeds-lab", standalone_mode=False)
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.UsageError as error:
        usage = error.ctx.get_usage() if error.ctx is not None else ""
        return _failed(arguments, _usage_problem(error.format_message()), usage)
    except click.ClickException as error:
        return _failed(arguments, _usage_problem(error.format_message()), "")
    except ExedsError as error:
        return _failed(arguments, problem_of(error), "")
    except (KeyboardInterrupt, click.Abort):
        click.echo("Stopped; nothing was written.", err=True)
        return STOPPED
    except Exception as error:  # noqa: BLE001 the last door: exit code 1 would say "not passed"
        return _failed(arguments, problem_of(error), "")
    return code if isinstance(code, int) else 0


def _usage_problem(reason: str) -> Problem:
    return Problem(
        name="UsageError",
        reason=reason,
        next_step="See `exeds-lab --help`.",
        layer=None,
        retryable=False,
        line=None,
        column=None,
    )


def _failed(arguments: list[str], problem: Problem, usage: str) -> int:
    if usage:
        click.echo(usage, err=True)
    where = "" if problem.line is None else f" (line {problem.line}, column {problem.column or 1})"
    click.echo(f"{problem.name}: {problem.reason}{where}", err=True)
    click.echo(problem.next_step, err=True)
    if "--json" in arguments:
        click.echo(json.dumps({"problem": problem.model_dump(mode="json")}))
    return FAILED
