"""The short form of a schema."""

from __future__ import annotations

import pytest

from exeds_lab.errors import ExpectationError
from exeds_lab.expect.parse import detect
from exeds_lab.expect.schema import read_schema
from exeds_lab.model.spec import ExpectedColumn, SchemaExpected


def test_columns_with_dtypes_and_a_number_of_rows_are_read() -> None:
    assert read_schema("DataFrame[city: str, total: float64] x 12 rows") == SchemaExpected(
        type="DataFrame",
        columns=(
            ExpectedColumn(name="city", dtype="str"),
            ExpectedColumn(name="total", dtype="float64"),
        ),
        shape=(12, 2),
        dtype=None,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int", SchemaExpected(type="int", columns=None, shape=None, dtype=None)),
        ("list x 3", SchemaExpected(type="list", columns=None, shape=(3,), dtype=None)),
        (
            "Series[float64] x 5",
            SchemaExpected(type="Series", columns=None, shape=(5,), dtype="float64"),
        ),
    ],
)
def test_other_types_are_read(text: str, expected: SchemaExpected) -> None:
    assert read_schema(text) == expected


def test_a_bracket_never_closed_is_still_meant_as_a_schema_and_is_shown() -> None:
    text = "DataFrame[city: str, price"

    assert detect(text) == "schema"
    with pytest.raises(ExpectationError) as caught:
        read_schema(text)
    assert (caught.value.reason, caught.value.line, caught.value.column) == (
        "This bracket is never closed.",
        1,
        10,
    )
