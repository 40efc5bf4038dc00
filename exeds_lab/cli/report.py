"""Verdicts for people: one line a candidate, then the chosen one with both sides."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from exeds_lab.cli.differences import rendered
from exeds_lab.model.attempt import Attempt, Trial
from exeds_lab.model.execution import CellsDifference, Effects, Raised
from exeds_lab.model.task import ValueDescription
from exeds_lab.model.verdict import CheckResult

SIGNS = {"passed": "✔", "partial": "◐", "failed": "✖", "unchecked": "○", "not_run": "·"}
"""The sign of each verdict status; a colour only repeats it."""

_STYLES = {"passed": "green", "partial": "yellow", "failed": "red"}
_PREVIEW_LINES = 14


def headline(trial: Trial) -> Text:
    """`✔ 1  Passed   0.05 s`."""
    verdict = trial.verdict
    number = trial.candidate.index + 1
    text = Text(f"{SIGNS[verdict.status]} {number}  ", style=_STYLES.get(verdict.status, ""))
    text.append(verdict.headline)
    text.append(f"   {trial.execution.total_s:.2f} s", style="dim")
    return text


def print_attempt(console: Console, attempt: Attempt) -> None:
    """All verdicts, the best candidate's code, and why a failing one fails."""
    for trial in attempt.trials:
        console.print(headline(trial))
        if trial.candidate.note:
            console.print(Text(f"     {trial.candidate.note}", style="dim"))
    if attempt.best is None:
        return
    best = attempt.trials[attempt.best]
    print_trial(console, best)
    failing = [t for t in attempt.trials if t.verdict.status in ("failed", "partial")]
    if failing and best.verdict.status == "passed":
        print_trial(console, failing[0])


def print_trial(console: Console, trial: Trial) -> None:
    """One candidate: its code, what differs, what it would change."""
    console.print()
    console.print(Text(f"Candidate {trial.candidate.index + 1}: ", style="bold") + _said(trial))
    if trial.candidate.code:
        console.print(
            Syntax(trial.candidate.code, "python", background_color="default", word_wrap=True)
        )
    for result in trial.verdict.results:
        if not result.passed:
            console.print(_failed_check(result))
    if trial.verdict.status in ("passed", "unchecked") and trial.execution.result is not None:
        console.print(_side("result", trial.execution.result, set()))
    outcome = trial.execution.outcome
    if isinstance(outcome, Raised):
        where = "" if outcome.line is None else f" (line {outcome.line})"
        console.print(Text(f"  {outcome.ename}: {outcome.evalue}{where}"))
    if trial.execution.effects is not None:
        console.print(Text(effects_text(trial.execution.effects), style="dim"))


def effects_text(effects: Effects) -> str:
    """`0 of 14 variables changed · creates: result · wrote no files`."""
    changed = len(effects.rebound) + len(effects.deleted) + len(effects.mutated)
    parts = [f"would change {changed} of {effects.variables} variables"]
    if changed:
        names = [*effects.rebound, *effects.deleted, *(m.name for m in effects.mutated)]
        parts.append("changes: " + ", ".join(names))
    if effects.created:
        parts.append("creates: " + ", ".join(effects.created))
    files = [f"{file.action} {file.what}" for file in effects.files]
    parts.append(", ".join(files) if files else "writes no files")
    return " · ".join(parts)


def _said(trial: Trial) -> Text:
    status = trial.verdict.status
    return Text(f"{SIGNS[status]} {trial.verdict.headline}", style=_STYLES.get(status, ""))


def _failed_check(result: CheckResult) -> RenderableType:
    parts: list[RenderableType] = [Text(f"✖ {result.check}", style="bold")]
    facts = result.facts
    if facts is not None and facts.expected is not None and facts.actual is not None:
        parts.append(_beside(facts.expected, facts.actual, _rows(result)))
    parts += [rendered(difference) for difference in result.counted]
    parts += [Text(f"  near: {near}") for near in (facts.near if facts is not None else ())]
    return Group(*parts)


def _rows(result: CheckResult) -> set[int]:
    """The rows with differing cells, where both sides are shown in the same order."""
    found = (d for d in result.counted if isinstance(d, CellsDifference) and d.rows == "position")
    return {cell.row for difference in found for cell in difference.cells}


def _beside(expected: ValueDescription, actual: ValueDescription, rows: set[int]) -> RenderableType:
    """Both sides as the notebook would print them, expected first."""
    return Columns(
        [_side("expected", expected, rows), _side("actual", actual, rows)], padding=(0, 4)
    )


def _side(title: str, value: ValueDescription, rows: set[int]) -> RenderableType:
    table = Table(title=f"{title}: {value.type}", show_header=False, title_justify="left")
    table.add_column(no_wrap=True)
    lines = value.preview.splitlines() or [""]
    footer = lines[-1].startswith("[")
    whole = value.columns is not None and len(lines) - footer == 1 + (value.shape or (0,))[0]
    for place, line in enumerate(lines[:_PREVIEW_LINES]):
        differs = whole and place - 1 in rows
        table.add_row(Text(f"{'≠' if differs else ' '} {line}", style="bold" if differs else ""))
    if len(lines) > _PREVIEW_LINES:
        table.add_row(Text("  …"))
    return table
