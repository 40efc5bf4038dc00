"""Check a notebook again: does every cell still do what its specification says?

For each cell that carries a specification, the cells before it run in a fresh kernel; the cell's
present code then runs in a fork of it and is compared with the expectation stored in the cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from exeds_lab.config import Config
from exeds_lab.execute.headless import HeadlessExecutor
from exeds_lab.model.attempt import Attempt, Problem, Provenance
from exeds_lab.model.record import Record
from exeds_lab.model.wire import AttemptRequest
from exeds_lab.notebook.files import cell_id
from exeds_lab.notebook.generate import finished
from exeds_lab.notebook.provenance import State, read_provenance, state_of


class CheckedCell(Record):
    """One specified cell, checked again."""

    index: int
    """0-based place in the notebook."""
    cell_id: str | None
    intent: str
    before: State
    """What could be said of it before this check."""
    attempt: Attempt
    """The check: one trial, of the cell's present code."""

    @property
    def holds(self) -> bool:
        """Whether the present code gives what was declared."""
        trials = self.attempt.trials
        return bool(trials) and trials[0].verdict.status == "passed"

    @property
    def problem(self) -> Problem | None:
        """A failure of ours that kept it from being checked."""
        return self.attempt.problem


class NotebookReport(Record):
    """All specified cells of one notebook."""

    notebook: str
    cells: tuple[CheckedCell, ...]
    unspecified: int
    """Code cells without a specification."""

    @property
    def holds(self) -> bool:
        """Whether every specification still holds."""
        return all(cell.holds for cell in self.cells)

    @property
    def problem(self) -> Problem | None:
        """The first failure of ours."""
        return next((cell.problem for cell in self.cells if cell.problem is not None), None)


@dataclass(frozen=True)
class _Specified:
    index: int
    cell: NotebookNode
    provenance: Provenance


async def recheck(
    path: Path,
    notebook: NotebookNode,
    config: Config,
    listener: Callable[[CheckedCell], None],
) -> NotebookReport:
    """Check every specified cell of a notebook.

    Args:
        path: where the notebook lies; its cells run in that folder.
        notebook: as read.
        config: limits of a trial.
        listener: told each result as it comes.

    Raises:
        NotebookError: a stored specification cannot be read, or a cell before it fails.
        KernelError: no kernel can be had.
    """
    code = [(i, cell) for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    specified = [
        _Specified(index, cell, provenance)
        for index, cell in code
        if (provenance := read_provenance(cell.metadata)) is not None
    ]
    checked: list[CheckedCell] = []
    for each in specified:
        result = await _check(path, notebook, each, config)
        listener(result)
        checked.append(result)
    return NotebookReport(
        notebook=str(path), cells=tuple(checked), unspecified=len(code) - len(checked)
    )


async def _check(
    path: Path, notebook: NotebookNode, specified: _Specified, config: Config
) -> CheckedCell:
    provenance, source = specified.provenance, str(specified.cell.source)
    request = AttemptRequest(
        intent=provenance.intent,
        cells=(),
        variables=(),
        notebook=path.name,
        cell_id=provenance.task_cell_id,
        kernel_id=None,
        expectation=provenance.expectation,
        candidates=1,
        code=source,
    )
    async with HeadlessExecutor.open(
        notebook, specified.index, path.parent, config.limits, config.queue_s
    ) as executor:
        attempt = await finished(request, None, executor, config, lambda _: None)
    return CheckedCell(
        index=specified.index,
        cell_id=cell_id(specified.cell),
        intent=provenance.intent,
        before=state_of(provenance, source),
        attempt=attempt,
    )
