"""What happened when a candidate ran: one trial.

`kernel/trial.py` writes these as JSON; they are validated here on arrival.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from exeds_lab.model.record import Record
from exeds_lab.model.task import ValueDescription


class Limits(Record):
    """What one trial may use."""

    timeout_s: float
    """Wall seconds."""
    memory_mb: int
    """Growth of private memory over that of the live kernel, in MiB."""
    output_bytes: int
    """Text kept; the rest is dropped and said so."""
    processes: int
    """Processes that a candidate may have at once."""


class Completed(Record):
    """It ran to the end (Executability counts these)."""

    outcome: Literal["completed"] = "completed"


class Raised(Record):
    """It raised."""

    outcome: Literal["raised"] = "raised"
    ename: str
    evalue: str
    traceback: tuple[str, ...]
    """Plain lines, pointing into the candidate."""
    line: int | None
    """1-based line of the candidate; None when it is not known."""


class TimedOut(Record):
    """It was stopped at its time limit."""

    outcome: Literal["timed_out"] = "timed_out"
    limit_s: float
    line: int | None
    """Where it was, if it let itself be interrupted."""


class Killed(Record):
    """Its process ended before it was done."""

    outcome: Literal["killed"] = "killed"
    signal: str | None
    """`SIGSEGV` …; None when it exited by itself."""
    exit_code: int | None
    """What it gave to `os._exit`; None when a signal ended it."""
    why: str
    """In words: `used more than 2,048 MB`, `left through os._exit(3)`, `stopped by the user` …"""


class NotRun(Record):
    """It never ran."""

    outcome: Literal["not_run"] = "not_run"
    why: str


Outcome = Annotated[Completed | Raised | TimedOut | Killed | NotRun, Field(discriminator="outcome")]
"""How a trial ended."""


class Mutation(Record):
    """A variable changed in place."""

    name: str
    how: str
    """In words, e.g. `columns added: total`, `3 rows fewer`, `content changed`."""


class FileEffect(Record):
    """What a trial did, or wanted to do, outside its process."""

    action: Literal["written", "deleted", "vetoed"]
    what: str
    """A path, or for `vetoed` the call with its first argument."""


class Effects(Record):
    """What the candidate would change, found in the trial; the live kernel has none of it."""

    created: tuple[str, ...]
    rebound: tuple[str, ...]
    deleted: tuple[str, ...]
    mutated: tuple[Mutation, ...]
    unproven: tuple[str, ...]
    """Names whose content could not be followed; nothing is claimed of them."""
    variables: int
    """How many variables the user had before."""
    files: tuple[FileEffect, ...]


class CellDiff(Record):
    """One cell of a table that differs."""

    row: int
    """0-based row in the expected table."""
    row_label: str
    column: str
    expected: str
    actual: str
    abs_error: float | None
    """|actual - expected| of numbers; None for everything else."""


class ValueDifference(Record):
    """A value that is not what it should be."""

    kind: Literal["value"] = "value"
    path: str
    """Where, e.g. `[2]['a']`; empty for the value itself."""
    expected: str
    actual: str
    abs_error: float | None
    rel_error: float | None


class CellsDifference(Record):
    """Cells of a table that differ."""

    kind: Literal["cells"] = "cells"
    rows: Literal["position", "sorted"]
    """How rows were matched: as they stand, or after sorting both sides by all columns."""
    columns: Literal["name", "position"]
    """How columns were matched."""
    cells: tuple[CellDiff, ...]
    """The first 200."""
    total: int
    """How many differ in all."""


class RowsDifference(Record):
    """Rows that are missing or too many."""

    kind: Literal["rows"] = "rows"
    missing: tuple[str, ...]
    """Rows expected and not there, as text; the first 50."""
    extra: tuple[str, ...]
    """Rows there and not expected; the first 50."""
    expected_rows: int
    actual_rows: int


class ColumnsDifference(Record):
    """Columns that are missing, too many or named otherwise."""

    kind: Literal["columns"] = "columns"
    missing: tuple[str, ...]
    extra: tuple[str, ...]


class OrderDifference(Record):
    """Equal content in another order."""

    kind: Literal["order"] = "order"
    axis: Literal["rows", "columns"]
    moved: int
    """How many stand elsewhere."""
    expected: tuple[str, ...]
    """The first 50 labels or rows in the expected order."""
    actual: tuple[str, ...]


class ShapeDifference(Record):
    """Another number of rows, columns or elements."""

    kind: Literal["shape"] = "shape"
    expected: str
    actual: str


class DtypeDifference(Record):
    """Another dtype with values that may be equal."""

    kind: Literal["dtype"] = "dtype"
    column: str
    """Empty for a Series or array."""
    expected: str
    actual: str
    same_kind: bool
    """Whether both are of one kind (int32 and int64; object text and str)."""


class IndexDifference(Record):
    """Another index."""

    kind: Literal["index"] = "index"
    expected: str
    actual: str
    declared: bool
    """Whether the expectation declared an index other than 0, 1, 2 …"""


class NameDifference(Record):
    """Another name of a Series or of an index level."""

    kind: Literal["name"] = "name"
    what: str
    """`series` or `index`."""
    expected: str
    actual: str


class TypeDifference(Record):
    """Another type."""

    kind: Literal["type"] = "type"
    expected: str
    actual: str


class FormDifference(Record):
    """The right value in another form: equal after the conversion named."""

    kind: Literal["form"] = "form"
    expected: str
    actual: str
    conversion: str
    """In words, e.g. `region is the index, not a column`, `a one-column table, not a Series`."""


class MissingKindDifference(Record):
    """Another kind of missing value (NaN, None, NaT, NA)."""

    kind: Literal["missing_kind"] = "missing_kind"
    path: str
    expected: str
    actual: str


class TextDifference(Record):
    """Another text."""

    kind: Literal["text"] = "text"
    expected: str
    """At most 20,000 characters."""
    actual: str
    only: Literal["case", "whitespace", "case and whitespace", "words"]
    """All that differs; `words` when the texts really differ."""


class ExpressionDifference(Record):
    """A check that is not true."""

    kind: Literal["expression"] = "expression"
    expression: str
    values: tuple[tuple[str, str], ...]
    """Sub-expressions with their values, e.g. (`len(result)`, `3`)."""
    error: str | None
    """`KeyError: 'x'` when the check itself raised; None when it was merely not true."""


class ExceptionDifference(Record):
    """Another exception, or none."""

    kind: Literal["exception"] = "exception"
    expected: str
    actual: str


class ChangedDifference(Record):
    """A variable that must not change would be changed."""

    kind: Literal["changed"] = "changed"
    name: str
    how: str


class AbsentDifference(Record):
    """The target is not there: no last value, no such variable, nothing printed."""

    kind: Literal["absent"] = "absent"
    what: str
    hint: str | None
    """Where the right value was found instead, e.g. `it was printed`, `in the variable df2`."""


class IncomparableDifference(Record):
    """The two cannot be compared: never a pass."""

    kind: Literal["incomparable"] = "incomparable"
    expected: str
    actual: str
    why: str


Difference = Annotated[
    ValueDifference
    | CellsDifference
    | RowsDifference
    | ColumnsDifference
    | OrderDifference
    | ShapeDifference
    | DtypeDifference
    | IndexDifference
    | NameDifference
    | TypeDifference
    | FormDifference
    | MissingKindDifference
    | TextDifference
    | ExpressionDifference
    | ExceptionDifference
    | ChangedDifference
    | AbsentDifference
    | IncomparableDifference,
    Field(discriminator="kind"),
]
"""One fact in which actual and expected differ, measured by `kernel/compare.py` without judgement:
which of them count is for the policy to say."""


class CheckFacts(Record):
    """All that was measured for one check. No differences: the target is as expected."""

    check: str
    """The check's name."""
    differences: tuple[Difference, ...]
    near: tuple[str, ...]
    """Near misses in words: `equal after sorting`, `equal up to a factor of 100` …"""
    expected: ValueDescription | None
    """The expected side as the notebook would show it; None where there is no value."""
    actual: ValueDescription | None
    """The actual side; None where there is no value."""


class Execution(Record):
    """One trial of one candidate."""

    outcome: Outcome
    outputs: tuple[dict[str, JsonValue], ...]
    """An nbformat 4 output list."""
    truncated: bool
    """Whether outputs were cut at the limit."""
    result: ValueDescription | None
    """The last value; None when there was none."""
    facts: tuple[CheckFacts, ...]
    """One entry a check, in order; empty when the candidate did not get that far."""
    effects: Effects | None
    """None when the process ended before they could be computed."""
    duration_s: float
    """Seconds that the candidate itself ran."""
    total_s: float
    """Seconds of the whole trial, fork to reply."""
    limits: Limits
    strategy: Literal["fork", "none"]
    """How it was kept apart from the live kernel."""
    strategy_reason: str
    """Why this strategy, in words."""
    protections: tuple[str, ...]
    """What was in force: `fork`, `audit hook`, `Landlock`, `overlay`, `no network` …"""
    kernel: str
    """Python and ipykernel versions of the kernel."""
