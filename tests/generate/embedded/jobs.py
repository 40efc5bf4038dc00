"""Jobs for the embedded generator."""

from __future__ import annotations

from exeds_lab.generate.generator import GenerationJob
from exeds_lab.model.candidate import Message, Prompt
from exeds_lab.model.spec import (
    ANALYST,
    Check,
    Expectation,
    LastValue,
    NamedVariable,
    TableExpected,
    ValueExpected,
)
from exeds_lab.model.task import Task, ValueDescription, Variable


def job(intent, check, run, count=3, names=("df",), user=None):
    checks = () if check is None else (check,)
    origin = "none" if check is None else "declared"
    messages = (
        Message(role="system", content="You write one cell of Python."),
        Message(role="user", content=user or f"Task: {intent}"),
    )
    return GenerationJob(
        task=Task(
            id="t",
            intent=intent,
            cells=(),
            variables=tuple(variable(name) for name in names),
            notebook=None,
            cell_id=None,
        ),
        expectation=Expectation(
            checks=checks, policy=ANALYST, origin=origin, source="", preview=()
        ),
        prompt=Prompt(messages=messages, parts=(), tokens=20, budget=2000, fingerprint="f"),
        count=count,
        run=run,
    )


def variable(name, type_name="DataFrame"):
    return Variable(
        name=name,
        description=ValueDescription(
            type=type_name,
            module="pandas",
            shape=None,
            columns=None,
            preview="…",
            html=None,
            size_bytes=None,
        ),
    )


def value_check(value, variable=None):
    return check(ValueExpected(value=value), variable)


def table_check(columns, rows, variable=None):
    table = {
        "$": "table",
        "form": "DataFrame",
        "columns": columns,
        "dtypes": [None] * len(columns),
        "index": None,
        "index_names": None,
        "rows": rows,
        "name": None,
        "decimals": None,
    }
    return check(TableExpected(value=table, only_rows=False, only_columns=False), variable)


def check(expected, variable):
    target = LastValue() if variable is None else NamedVariable(name=variable)
    return Check(name="result", target=target, expected=expected, declared=True)
