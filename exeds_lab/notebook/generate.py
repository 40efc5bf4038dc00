"""A task of a notebook, headless: cells before it run once in a fresh kernel, then the attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nbformat import NotebookNode

from exeds_lab.config import Config
from exeds_lab.declare import declare, guarded
from exeds_lab.errors import ExedsError, NotebookError
from exeds_lab.execute.executor import Executor
from exeds_lab.execute.headless import HeadlessExecutor
from exeds_lab.generate.generator import Generator
from exeds_lab.model.attempt import Attempt
from exeds_lab.model.spec import ANALYST, Expectation
from exeds_lab.model.wire import AttemptFinished, AttemptRequest, Event, ExpectationRequest
from exeds_lab.notebook.files import cell_at, cell_id, context_cells, insert_code
from exeds_lab.notebook.provenance import as_metadata, provenance_of, read_expectation
from exeds_lab.pipeline import attempt

Kind = Literal["none", "value", "table", "schema", "checks", "text", "exception", "variable"]
"""How an expectation is declared at the terminal."""


@dataclass(frozen=True)
class Declaration:
    """What should come out, as typed."""

    kind: Kind
    text: str
    target: str
    """`last`, `stdout` or a variable's name."""
    unchanged: tuple[str, ...] | None
    """Variables that must not change; None: all tables but those the task speaks of changing."""
    only_rows: bool
    only_columns: bool


@dataclass(frozen=True)
class NotebookTask:
    """One task in a notebook."""

    path: Path
    notebook: NotebookNode
    index: int
    """0-based index of the task's cell; code cells before it run."""
    intent: str
    declaration: Declaration | None
    """None: what the task's cell carries in its metadata, else nothing."""
    candidates: int


Listener = Callable[[Event], None]
"""Called with each event of the attempt."""


def task_in(
    path: Path,
    notebook: NotebookNode,
    index: int,
    intent: str | None,
    declaration: Declaration | None,
    candidates: int,
) -> NotebookTask:
    """A task; its text is taken from the markdown cell at `index` unless it is given.

    Raises:
        NotebookError: there is no such cell, or it holds no task.
    """
    cell = cell_at(notebook, index)
    if intent is None and cell.cell_type != "markdown":
        raise NotebookError(
            f"Cell {index} is a {cell.cell_type} cell, so it holds no task.",
            "Give the index of a markdown cell (counted from 0), or the task with --task.",
        )
    text = cell.source if intent is None else intent
    if not text.strip():
        raise NotebookError("The task is empty.", "Write it into the cell, or give --task.")
    return NotebookTask(path, notebook, index, text, declaration, candidates)


async def generate_for(
    task: NotebookTask,
    generator: Generator,
    config: Config,
    listener: Listener,
    stop: asyncio.Event | None = None,
) -> Attempt:
    """Run the cells before the task in a fresh kernel, then one attempt in forks of it.

    Raises:
        NotebookError: a cell before the task fails.
        ExpectationError: what was declared cannot be read.
        KernelError: no kernel can be had.
    """
    async with HeadlessExecutor.open(
        task.notebook, task.index, task.path.parent, config.limits, config.queue_s
    ) as executor:
        variables = await executor.variables()
        request = AttemptRequest(
            intent=task.intent,
            cells=context_cells(task.notebook.cells[: task.index]),
            variables=tuple(variable.name for variable in variables),
            notebook=task.path.name,
            cell_id=cell_id(cell_at(task.notebook, task.index)),
            kernel_id=None,
            expectation=await _expectation(task, executor),
            candidates=task.candidates,
            code=None,
        )
        return await finished(request, generator, executor, config, listener, stop)


async def finished(
    request: AttemptRequest,
    generator: Generator | None,
    executor: Executor,
    config: Config,
    listener: Listener,
    stop: asyncio.Event | None = None,
) -> Attempt:
    """Consume an attempt to its end; without a generator the request must bring its code."""
    events = attempt(request, generator=generator, executor=executor, config=config, stop=stop)
    result: Attempt | None = None
    async for event in events:
        listener(event)
        if isinstance(event, AttemptFinished):
            result = event.attempt
    if result is None:
        raise ExedsError("The attempt ended without a result.", "Please report this.")
    return result


def with_best(task: NotebookTask, attempt: Attempt) -> NotebookNode:
    """A copy of the notebook with the best candidate below the task, and what it remembers.

    Raises:
        NotebookError: no candidate has code.
    """
    best = None if attempt.best is None else attempt.trials[attempt.best]
    if best is None or not best.candidate.code:
        raise NotebookError("No candidate has code to insert.", "Try again or reword the task.")
    metadata = as_metadata(provenance_of(attempt, best))
    return insert_code(task.notebook, task.index + 1, best.candidate.code, metadata)


async def _expectation(task: NotebookTask, executor: Executor) -> Expectation:
    declared = task.declaration
    if declared is None:
        kept = read_expectation(cell_at(task.notebook, task.index).metadata)
        if kept is not None:
            return kept
        declared = Declaration("none", "", "last", None, False, False)
    unchanged = declared.unchanged
    if unchanged is None:
        unchanged = guarded(await executor.variables(), task.intent, declared.target)
    return await declare(
        ExpectationRequest(
            kind=declared.kind,
            text=declared.text,
            target=declared.target,
            kernel_id=None,
            execution_count=None,
            unchanged=unchanged,
            only_rows=declared.only_rows,
            only_columns=declared.only_columns,
            policy=ANALYST,
        ),
        executor,
    )
