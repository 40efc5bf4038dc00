from __future__ import annotations

import pytest

from exeds_lab.declare import guarded
from exeds_lab.model.task import ColumnDescription, ValueDescription, Variable


def variable(name: str, table: bool = True) -> Variable:
    column = ColumnDescription(name="a", dtype="int64", example="1", missing=0)
    described = ValueDescription(
        type="DataFrame" if table else "int",
        module="",
        shape=None,
        columns=(column,) if table else None,
        preview="",
        html=None,
        size_bytes=None,
    )
    return Variable(name=name, description=described)


@pytest.mark.parametrize(
    ("intent", "target", "names"),
    [
        ("Total revenue per region from df", "last", ("df", "other")),
        ("Add a column total to df", "last", ("other",)),
        ("Rename the columns of other", "last", ("df",)),
        ("Sort in place", "last", ("df", "other")),
        ("Sum up", "df", ("other",)),
        ("Summe je Region", "last", ("df", "other")),
    ],
)
def test_tables_are_guarded_unless_the_task_speaks_of_changing_them(
    intent: str, target: str, names: tuple[str, ...]
) -> None:
    variables = (variable("df"), variable("n", table=False), variable("other"))

    assert guarded(variables, intent, target) == names
