"""The task: an intent, and the part of the notebook that it may use."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from exeds_lab.model.record import Record


class ContextCell(Record):
    """One cell of the notebook that may go into the prompt."""

    id: str
    """The notebook's cell id."""
    kind: Literal["code", "markdown"]
    source: str
    execution_count: int | None
    """The number shown in the cell's prompt; None when it was never run."""
    edited_since_run: bool
    """Whether the source differs from what was last run."""


class ColumnDescription(Record):
    """One column of a table, as the prompt and the panel show it."""

    name: str
    """The label, as text."""
    dtype: str
    example: str | None
    """The first value that is not missing, as text of at most 60 characters; None if none."""
    missing: int | None
    """How many values are missing; None when not counted."""


class ValueDescription(Record):
    """What is known of a value without its content: `kernel/describe.py` makes it."""

    type: str
    """The class name, e.g. `DataFrame`."""
    module: str
    """The module of the class, e.g. `pandas`."""
    shape: tuple[int, ...] | None
    """Rows, columns and so on; the length for a list or dict; None where there is none."""
    columns: tuple[ColumnDescription, ...] | None
    """The first 200 columns of a table; None for everything else."""
    preview: str
    """The value as text, at most 2,000 characters; never empty."""
    html: str | None
    """The rich text that the notebook would show (untrusted), bounded; None where there is none."""
    size_bytes: int | None
    """Memory held, where that is cheap to know."""


class Variable(Record):
    """A name in the kernel's namespace."""

    name: str
    description: ValueDescription


class Task(Record):
    """A task as written by the user, with its context."""

    id: str
    """Content id of intent, cells and variables."""
    intent: str
    """What is wanted, in the user's words (markdown)."""
    cells: tuple[ContextCell, ...]
    """The prior cells chosen for the prompt, in notebook order."""
    variables: tuple[Variable, ...]
    """The variables chosen for the prompt."""
    notebook: str | None
    """Path of the notebook; None when there is none."""
    cell_id: str | None
    """Id of the task's cell; None when the task was typed."""


EncodedValue = JsonValue
"""A value as JSON, as `kernel/encode.py` writes it.

None, bool, int, finite float and str stand for themselves, a list for a list. Everything else
is an object with the key `$` naming its kind (see the table in `kernel/encode.py`). There is
never a NaN in JSON and never a pickle.
"""
