"""Tasks and expectations that the prompt tests share."""

from __future__ import annotations

from typing import Any

from exeds_lab.model.record import content_id
from exeds_lab.model.spec import (
    ANALYST,
    Check,
    Expectation,
    Expected,
    LastValue,
    TableExpected,
    Target,
    UnchangedExpected,
)
from exeds_lab.model.task import (
    ColumnDescription,
    ContextCell,
    Task,
    ValueDescription,
    Variable,
)


def cell(number: int, source: str, kind: Any = "code") -> ContextCell:
    return ContextCell(
        id=f"cell-{number}",
        kind=kind,
        source=source,
        execution_count=number if kind == "code" else None,
        edited_since_run=False,
    )


def frame(name: str, rows: int, columns: dict[str, tuple[str, str]]) -> Variable:
    described = tuple(
        ColumnDescription(name=label, dtype=dtype, example=example, missing=0)
        for label, (dtype, example) in columns.items()
    )
    return Variable(
        name=name,
        description=ValueDescription(
            type="DataFrame",
            module="pandas",
            shape=(rows, len(columns)),
            columns=described,
            preview="(a frame)",
            html=None,
            size_bytes=None,
        ),
    )


def scalar(name: str, kind: str, preview: str) -> Variable:
    return Variable(
        name=name,
        description=ValueDescription(
            type=kind,
            module="builtins",
            shape=None,
            columns=None,
            preview=preview,
            html=None,
            size_bytes=None,
        ),
    )


def task(intent: str, cells: tuple[ContextCell, ...], variables: tuple[Variable, ...]) -> Task:
    return Task(
        id=content_id(intent),
        intent=intent,
        cells=cells,
        variables=variables,
        notebook="sales.ipynb",
        cell_id="task",
    )


def encoded_table(columns: dict[str, list[Any]], **changes: Any) -> dict[str, Any]:
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    table = {
        "$": "table",
        "form": "DataFrame",
        "columns": list(columns),
        "dtypes": ["str" if isinstance(cells[0], str) else None for cells in columns.values()],
        "index": None,
        "index_names": None,
        "rows": rows,
        "name": None,
        "decimals": None,
    }
    return table | changes


def check(expected: Expected, target: Target | None = None, declared: bool = True) -> Check:
    return Check(
        name=f"check {expected.kind}",
        target=target or LastValue(),
        expected=expected,
        declared=declared,
    )


def expectation(*checks: Check, **policy: Any) -> Expectation:
    return Expectation(
        checks=checks,
        policy=ANALYST.model_copy(update=policy),
        origin="declared" if checks else "none",
        source="",
        preview=(),
    )


SALES = frame(
    "sales",
    1204,
    {
        "region": ("str", "North"),
        "revenue": ("float64", "18240.5"),
        "day": ("datetime64[ns]", "2026-01-05"),
    },
)
REVENUE = expectation(
    check(
        TableExpected(
            value=encoded_table({"region": ["North", "South"], "revenue": [18240.5, 15118.0]}),
            only_rows=False,
            only_columns=False,
        )
    ),
    check(UnchangedExpected(name="sales"), declared=False),
)
