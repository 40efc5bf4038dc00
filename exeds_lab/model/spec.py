"""What should come out: expectations, the checks they are made of, and how strictly to compare.

A check is one test case of PassRatio (CodeScore): it looks at one target and holds or not.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from exeds_lab.model.record import Record
from exeds_lab.model.task import EncodedValue, ValueDescription


class LastValue(Record):
    """Look at the value of the candidate's last expression, or of its last assignment."""

    target: Literal["last_value"] = "last_value"


class NamedVariable(Record):
    """Look at a variable after the candidate ran."""

    target: Literal["variable"] = "variable"
    name: str


class Stdout(Record):
    """Look at the text printed."""

    target: Literal["stdout"] = "stdout"


Target = Annotated[LastValue | NamedVariable | Stdout, Field(discriminator="target")]
"""Where a check looks."""


class ValueExpected(Record):
    """The target equals this value."""

    kind: Literal["value"] = "value"
    value: EncodedValue


class TableExpected(Record):
    """The target is this table (a DataFrame or a Series)."""

    kind: Literal["table"] = "table"
    value: EncodedValue
    """An encoded table (`$` = `table`)."""
    only_rows: bool
    """Whether only the rows given must be there; others may be too."""
    only_columns: bool
    """Whether only the columns given must be there; others may be too."""


class ExpectedColumn(Record):
    """A column of a declared schema."""

    name: str
    dtype: str | None
    """`int64`, `float64`, `str`, `bool`, `datetime`, `category` or any dtype; None = any."""


class SchemaExpected(Record):
    """The target has this type and shape (TypeDesc of GIFT4Code)."""

    kind: Literal["schema"] = "schema"
    type: str
    """`DataFrame`, `Series`, `ndarray`, `list`, `int` and so on."""
    columns: tuple[ExpectedColumn, ...] | None
    """In order; None = any columns."""
    shape: tuple[int | None, ...] | None
    """Rows, columns …; a None inside = any length; None = any shape."""
    dtype: str | None
    """Of a Series or array; None = any."""


class ExpressionExpected(Record):
    """A Python expression that must be true.

    It sees `result` (the last value), the names after the run, and `before` (the user's
    variables before it: `before.df`).
    """

    kind: Literal["expression"] = "expression"
    expression: str


class TextExpected(Record):
    """The target, as text, equals this text."""

    kind: Literal["text"] = "text"
    text: str


class ExceptionExpected(Record):
    """The candidate raises."""

    kind: Literal["exception"] = "exception"
    type: str
    """Class name, e.g. `ValueError`; a subclass counts."""
    pattern: str | None
    """Regular expression searched in the message; None = any message."""


class UnchangedExpected(Record):
    """A variable of the user is not changed, neither rebound nor in place."""

    kind: Literal["unchanged"] = "unchanged"
    name: str


Expected = Annotated[
    ValueExpected
    | TableExpected
    | SchemaExpected
    | ExpressionExpected
    | TextExpected
    | ExceptionExpected
    | UnchangedExpected,
    Field(discriminator="kind"),
]
"""What a check wants to see."""


class Check(Record):
    """One test case."""

    name: str
    """Short, unique in its expectation, e.g. `result is the table`, `df unchanged`."""
    target: Target
    expected: Expected
    declared: bool
    """True when the user said so; False for what we add by default (`df unchanged`).
    An expectation without a declared check gives `unchecked`, never `passed`."""


class ComparePolicy(Record):
    """How strictly values are compared. The names are those of polars.testing."""

    check_row_order: bool
    check_column_order: bool
    check_column_names: bool
    """False: columns are matched by position."""
    check_dtypes: Literal["exact", "kind", "ignored"]
    """`kind`: any integer equals any integer, any text any text; `ignored`: 1 equals 1.0."""
    check_index: Literal["exact", "declared", "ignored"]
    """`declared`: the index is compared when the expectation declares one."""
    check_names: bool
    """Name of a Series, names of the index levels."""
    check_container: bool
    """False: a list, an array, a Series and a one-column table with equal values are equal, and
    an index may stand as columns."""
    check_missing_kind: bool
    """False: NaN, None, NaT and NA are the same missing value."""
    rel_tol: float
    """Relative tolerance of floats."""
    abs_tol: float
    """Absolute tolerance of floats."""
    check_case: bool
    """Of text targets."""
    check_whitespace: bool
    """Of text targets; False: trailing blanks and blank lines at the ends do not matter."""


ANALYST = ComparePolicy(
    check_row_order=True,
    check_column_order=True,
    check_column_names=True,
    check_dtypes="kind",
    check_index="declared",
    check_names=False,
    check_container=True,
    check_missing_kind=False,
    rel_tol=1e-9,
    abs_tol=1e-12,
    check_case=True,
    check_whitespace=False,
)
"""The default: what a careful analyst would choose."""

STRICT = ANALYST.model_copy(
    update={
        "check_dtypes": "exact",
        "check_index": "exact",
        "check_names": True,
        "check_missing_kind": True,
        "rel_tol": 0.0,
        "abs_tol": 0.0,
        "check_whitespace": True,
    }
)
"""Everything counts."""


class Expectation(Record):
    """What should come out of a task, as declared."""

    checks: tuple[Check, ...]
    """Empty when nothing is declared."""
    policy: ComparePolicy
    origin: Literal["none", "declared", "variable", "cell_output", "picked"]
    """How it was declared."""
    source: str
    """The text as typed, so that it can be edited again; empty when there was none."""
    preview: tuple[ValueDescription, ...]
    """The declared values as the notebook would show them, in the order of their checks."""
