"""Text -> expectation: kinds, values, schemas, checks, exceptions, names and previews."""

from __future__ import annotations

import datetime
import decimal
import math
from typing import Any

import pandas as pd
import pytest

from exeds_lab.errors import ExpectationError
from exeds_lab.expect.literal import read_literal
from exeds_lab.expect.parse import detect, from_value, parse, without_prefix
from exeds_lab.expect.policy import policy_line
from exeds_lab.kernel.describe import describe
from exeds_lab.kernel.encode import encode
from exeds_lab.model.spec import (
    ANALYST,
    STRICT,
    Check,
    ExceptionExpected,
    Expectation,
    ExpectedColumn,
    LastValue,
    NamedVariable,
    SchemaExpected,
    Stdout,
    TableExpected,
    UnchangedExpected,
    ValueExpected,
)
from exeds_lab.model.task import ValueDescription
from tests.expect.declaring import declared, problem, request


def test_nothing_declared_has_only_the_checks_that_we_add() -> None:
    assert declared("none", "", unchanged=("df", "df")) == Expectation(
        checks=(
            Check(
                name="df unchanged",
                target=NamedVariable(name="df"),
                expected=UnchangedExpected(name="df"),
                declared=False,
            ),
        ),
        policy=ANALYST,
        origin="none",
        source="",
        preview=(),
    )


def test_a_value_is_declared_with_its_preview() -> None:
    assert declared("value", " 0.84 ") == Expectation(
        checks=(
            Check(
                name="result is the value",
                target=LastValue(),
                expected=ValueExpected(value=0.84),
                declared=True,
            ),
        ),
        policy=ANALYST,
        origin="declared",
        source=" 0.84 ",
        preview=(
            ValueDescription(
                type="float",
                module="builtins",
                shape=None,
                columns=None,
                preview="0.84",
                html=None,
                size_bytes=None,
            ),
        ),
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-2.5e3", -2500.0),
        ("'a'", "a"),
        ("[1, [2, None]]", [1, [2, None]]),
        ("{'a': (1, 2)}", {"a": (1, 2)}),
        ("{1, 2}", {1, 2}),
        ("set()", set()),
        ("frozenset({1})", frozenset({1})),
        ("inf", math.inf),
        ("-np.inf", -math.inf),
        ("[true, false, null]", [True, False, None]),
        ("1+2j", 1 + 2j),
        ("b'x'", b"x"),
        ("date(2024, 1, 31)", datetime.date(2024, 1, 31)),
        ("datetime.timedelta(days=1)", datetime.timedelta(days=1)),
        ("Decimal('1.10')", decimal.Decimal("1.10")),
        ("\n\n[1,\n 2]\n", [1, 2]),
    ],
)
def test_a_value_is_read_as_python_or_json_writes_it(text: str, value: Any) -> None:
    assert read_literal(text) == value
    assert type(read_literal(text)) is type(value)


def test_nan_is_a_value() -> None:
    assert math.isnan(read_literal("nan"))
    assert math.isnan(read_literal("[np.nan]")[0])


@pytest.mark.parametrize(
    ("text", "reason", "line", "column"),
    [
        ("1,204", "1,204 can be the number 1204 or the tuple (1, 204).", None, None),
        ("2024-01-31", "2024-01-31 can be a date or a text.", None, None),
        ("12%", "12% is no Python value.", None, None),
        ("North", "North is no value.", 1, 1),
        ("New York", "New York is no value.", None, None),
        ("[1,\n2,,3]", "This is no Python value: invalid syntax.", 2, 3),
        ("\n[1, x]", "x is no value.", 2, 5),
        ("[1, len('a')]", "len cannot be called here.", 1, 5),
        ("2 * 3", "2 * 3 is to be computed, not a value.", 1, 1),
        ("{**a}", "** is no plain value.", 1, 1),
        ("date(2024, 13, 1)", "date(2024, 13, 1) is no value: month must be in 1..12.", 1, 1),
        ("{[1]: 2}", "{[1]: 2} is no value: unhashable type: 'list'.", 1, 1),
        ("__import__('os')", "__import__ cannot be called here.", 1, 1),
        ("", "There is no value.", None, None),
        ("[x for x in y]", "[x for x in y] is no plain value.", 1, 1),
    ],
)
def test_a_value_that_cannot_be_read_says_where(
    text: str, reason: str, line: int | None, column: int | None
) -> None:
    assert problem("value", text) == (reason, line, column)


def columns(**dtypes: str | None) -> tuple[ExpectedColumn, ...]:
    return tuple(ExpectedColumn(name=name, dtype=dtype) for name, dtype in dtypes.items())


ZONED = columns(a="datetime64[ns, UTC]")


@pytest.mark.parametrize(
    ("text", "kind", "named", "shape", "dtype"),
    [
        ("DataFrame", "DataFrame", None, None, None),
        ("pd.DataFrame", "DataFrame", None, None, None),
        (
            "DataFrame[city: str, total: float64] x 12 rows",
            "DataFrame",
            columns(city="str", total="float64"),
            (12, 2),
            None,
        ),
        ("DataFrame[city, total]", "DataFrame", columns(city=None, total=None), None, None),
        ("DataFrame x 1,204 rows", "DataFrame", None, (1204, None), None),
        ("DataFrame \u00d7 12 rows x 3 columns", "DataFrame", None, (12, 3), None),
        ("DataFrame x 12 x 3", "DataFrame", None, (12, 3), None),
        ("DataFrame x 3 columns", "DataFrame", None, (None, 3), None),
        ("DataFrame[a: datetime64[ns, UTC]]", "DataFrame", ZONED, None, None),
        ("DataFrame['a, b': int]", "DataFrame", columns(**{"a, b": "int"}), None, None),
        ("Series[float64] x 5", "Series", None, (5,), "float64"),
        ("ndarray[int64] x 2 x 3", "ndarray", None, (2, 3), "int64"),
        ("list[int] x 3", "list", None, (3,), "int"),
        ("int", "int", None, None, None),
        ("None", "NoneType", None, None, None),
    ],
)  # fmt: skip
def test_a_schema_has_a_short_form(
    text: str, kind: str, named: Any, shape: Any, dtype: str | None
) -> None:
    (check,) = declared("schema", text).checks

    assert check.expected == SchemaExpected(type=kind, columns=named, shape=shape, dtype=dtype)


@pytest.mark.parametrize(
    ("text", "reason", "column"),
    [
        ("12 rows", "This is no schema.", None),
        ("DataFrame x many", "x many is no size.", None),
        ("DataFrame[a:, b]", "The column a has no type after its colon.", 11),
        ("DataFrame[a,,b]", "A column has no name.", 13),
    ],
)
def test_a_schema_that_cannot_be_read_says_where(
    text: str, reason: str, column: int | None
) -> None:
    assert problem("schema", text) == (reason, None if column is None else 1, column)


def test_checks_are_one_a_line_with_names_of_their_own() -> None:
    text = "len(result) == 3  # three\nassert result[0] == ';'; result\n\nresult == 1\nresult == 1"
    names = [check.name for check in declared("checks", text).checks]

    assert names == [
        "len(result) == 3",
        "result[0] == ';'",
        "result",
        "result == 1",
        "result == 1 (2)",
    ]


@pytest.mark.parametrize(
    ("text", "reason", "line", "column"),
    [
        ("a == 1\nresult = 3", "This check cannot be read: invalid syntax.", 2, 8),
        ("len(result", "This check cannot be read: '(' was never closed.", 1, 4),
        ("a == 1; b ==", "This check cannot be read: invalid syntax.", 1, 13),
        ("True", "True is always the same: it checks nothing.", 1, 1),
        ("# nothing", "There is no check.", None, None),
    ],
)
def test_a_check_that_cannot_be_read_says_where(
    text: str, reason: str, line: int | None, column: int | None
) -> None:
    found = problem("checks", text)
    if "invalid syntax" in reason:
        found = (found[0].replace(" Maybe you meant '==' or ':=' instead of '='?", ""), *found[1:])
    assert found[:2] == (reason, line)
    assert (found[2] is None) == (column is None)


@pytest.mark.parametrize(
    ("text", "kind", "pattern"),
    [
        ("ValueError", "ValueError", None),
        ('ValueError matching "no such (city|town)"', "ValueError", "no such (city|town)"),
        ("json.JSONDecodeError", "json.JSONDecodeError", None),
        (r"KeyError matching r'\d+'", "KeyError", r"\d+"),
        ("ValueError: no such city", "ValueError", "no such city"),
    ],
)
def test_an_exception_is_a_class_and_a_pattern(text: str, kind: str, pattern: Any) -> None:
    (check,) = declared("exception", text).checks

    assert check.expected == ExceptionExpected(type=kind, pattern=pattern)


def test_a_pattern_that_is_no_regular_expression_is_refused() -> None:
    reason, line, _ = problem("exception", 'ValueError matching "no (such"')

    assert (reason, line) == (
        "The pattern is no regular expression: missing ), unterminated subpattern.",
        1,
    )
    assert problem("exception", "3")[0] == "This is no exception."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "none"),
        ("0.84", "value"),
        ("[1, 2]", "value"),
        ("'North'", "value"),
        ("nan", "value"),
        ("int", "schema"),
        ("DataFrame[a: int] x 3", "schema"),
        ("list x 3", "schema"),
        ("ValueError", "exception"),
        ('ValueError matching "x"', "exception"),
        ("len(result) == 3", "checks"),
        ("result.sum() > 2; not result.empty", "checks"),
        ("a,b\n1,2", "table"),
        ("   a\n0  1\n1  2", "table"),
        ("0    1\n1    2\ndtype: int64", "table"),
        ('[{"a": 1}]', "table"),
        ("| a |\n|---|\n| 1 |", "table"),
        ("hello", "text"),
        ("hello world", "text"),
        ("a\nb", "text"),
        ("1,204", "text"),
        ("value: North", "value"),
        ("table: a,b", "table"),
        ("schema: int", "schema"),
        ("check: x", "checks"),
        ("text: 0.84", "text"),
        ("raises: ValueError", "exception"),
    ],
)
def test_the_kind_of_a_text_is_found(text: str, kind: str) -> None:
    assert detect(text) == kind


def test_a_prefix_is_cut_off_with_one_blank() -> None:
    texts = ["text:  a", "value:3", "table:\na,b", "no: prefix"]

    assert [without_prefix(text) for text in texts] == [" a", "3", "\na,b", "no: prefix"]


@pytest.mark.parametrize(
    ("target", "expected", "name"),
    [
        ("last", LastValue(), "result is the value"),
        ("stdout", Stdout(), "output is the value"),
        ("df2", NamedVariable(name="df2"), "df2 is the value"),
    ],
)
def test_a_target_is_the_last_value_the_output_or_a_variable(
    target: str, expected: Any, name: str
) -> None:
    (check,) = declared("value", "3", target=target).checks

    assert (check.target, check.name) == (expected, name)


def test_a_target_that_is_no_name_is_refused() -> None:
    with pytest.raises(ExpectationError, match="a b is no name of a variable"):
        parse(request("value", "3", target="a b"))


def test_a_shortened_print_also_declares_its_size() -> None:
    text = repr(pd.DataFrame({"a": range(100)}))
    table, size = declared("table", text).checks

    assert isinstance(table.expected, TableExpected)
    assert table.expected.only_rows
    assert size.name == "result has 100 rows and 1 columns"
    assert size.expected == SchemaExpected(
        type="DataFrame", columns=None, shape=(100, 1), dtype=None
    )


def test_a_value_of_the_kernel_becomes_an_expectation() -> None:
    frame = pd.DataFrame({"a": [1]})
    description = ValueDescription.model_validate(describe(frame))
    asked = request("variable", "df", only_rows=True, unchanged=("x",))

    expectation = from_value(encode(frame), description, asked)

    assert [check.name for check in expectation.checks] == ["result is the table", "x unchanged"]
    assert expectation.checks[0].expected == TableExpected(
        value=encode(frame), only_rows=True, only_columns=False
    )
    assert (expectation.origin, expectation.source) == ("variable", "df")
    assert expectation.preview == (description,)


def test_an_output_without_a_kernel_is_read_as_text() -> None:
    expectation = declared("output", "   a\n0  1\n1  2")

    assert expectation.origin == "cell_output"
    assert isinstance(expectation.checks[0].expected, TableExpected)
    assert problem("variable", "df")[0] == "A variable is read from the kernel."


def test_a_policy_is_one_line_in_words() -> None:
    assert policy_line(ANALYST) == (
        "row order matters · column order matters · columns by name · kinds of dtype · "
        "index if declared · names ignored · form matters · ±1e-09 of the value or ±1e-12"
    )
    assert policy_line(STRICT) == (
        "row order matters · column order matters · columns by name · dtypes exact · "
        "index matters · names matter · form matters · kind of missing value matters · "
        "blanks matter · numbers exact"
    )
