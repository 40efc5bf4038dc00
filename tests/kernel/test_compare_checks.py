"""Text, schema, expression, exception, unchanged and absent targets."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from exeds_lab.kernel.encode import encode
from exeds_lab.model.execution import (
    AbsentDifference,
    ChangedDifference,
    ExceptionDifference,
    ExpressionDifference,
    IncomparableDifference,
    TextDifference,
    TypeDifference,
)
from exeds_lab.model.spec import (
    ExceptionExpected,
    ExpectedColumn,
    ExpressionExpected,
    LastValue,
    NamedVariable,
    SchemaExpected,
    Stdout,
    TextExpected,
    UnchangedExpected,
)
from tests.kernel.measuring import check, effects, expecting, facts_of, kinds, seen


def text(expected: str, printed: str) -> Any:
    return facts_of(check(TextExpected(text=expected), Stdout()), seen(stdout=printed))


@pytest.mark.parametrize(
    ("expected", "printed", "only"),
    [
        ("total 3", "Total 3", "case"),
        ("total 3", "total 3 \r\n\n", "whitespace"),
        ("\na\nb", "a  \nb\n", "whitespace"),
        ("total 3", "Total 3\n", "case and whitespace"),
        ("total 3", "total  3", "words"),
        ("total 3", " total 3", "words"),
        ("0.84", "0.840", "words"),
        ("", "x", "words"),
    ],
)
def test_texts_tell_what_alone_differs(expected: str, printed: str, only: Any) -> None:
    assert text(expected, printed).differences == (
        TextDifference(expected=expected, actual=printed, only=only),
    )


def test_equal_texts_have_no_difference_and_long_ones_are_cut() -> None:
    assert text("a\n", "a\n").differences == ()
    (difference,) = text("a" * 30_000, "b" * 30_000).differences
    assert len(difference.expected) == len(difference.actual) == 20_000
    assert text("total: 3", "Hello\ntotal: 3\n").near == (
        "the expected text is there, among other text",
    )


def test_the_last_value_as_text_is_what_the_notebook_shows() -> None:
    def shown(value: Any, wanted: str) -> list[str]:
        return kinds(facts_of(check(TextExpected(text=wanted)), seen(value)))

    assert shown("a", "a") == []
    assert shown([1, 2], "[1, 2]") == []
    assert shown([1, 2], "[1,2]") == ["text"]


FRAME = pd.DataFrame({"city": ["a", "b"], "total": [0.5, 1.5]})


OBJECTS = FRAME.astype({"city": "object"})
DAYS = pd.DataFrame({"t": pd.to_datetime(["2024-01-01"])})


def schema(actual: Any, kind: str, **changes: Any) -> list[str]:
    given: dict[str, Any] = {"type": kind, "columns": None, "shape": None, "dtype": None}
    if "columns" in changes:
        pairs = changes["columns"].items()
        changes["columns"] = tuple(ExpectedColumn(name=name, dtype=one) for name, one in pairs)
    return kinds(facts_of(check(SchemaExpected(**{**given, **changes})), seen(actual)))


@pytest.mark.parametrize(
    ("actual", "kind", "changes", "differences"),
    [
        (FRAME, "DataFrame", {}, []),
        (FRAME, "DataFrame", {"columns": {"city": "str", "total": "float64"}}, []),
        (FRAME, "DataFrame", {"columns": {"city": None, "total": "float"}}, []),
        (FRAME, "DataFrame", {"columns": {"city": "str", "total": "int64"}}, ["dtype"]),
        (FRAME, "DataFrame", {"columns": {"total": None, "city": None}}, ["order"]),
        (FRAME, "DataFrame", {"columns": {"city": None, "sum": None}}, ["columns"]),
        (FRAME, "DataFrame", {"columns": {"city": None}}, ["columns"]),
        (FRAME, "DataFrame", {"shape": (2, 2)}, []),
        (FRAME, "DataFrame", {"shape": (2, None)}, []),
        (FRAME, "DataFrame", {"shape": (None, 2)}, []),
        (FRAME, "DataFrame", {"shape": (3, None)}, ["shape"]),
        (FRAME["total"], "Series", {"shape": (2,), "dtype": "float64"}, []),
        (FRAME["total"], "Series", {"dtype": "int64"}, ["dtype"]),
        (FRAME["total"], "DataFrame", {}, ["type"]),
        (OBJECTS, "DataFrame", {"columns": {"city": "str", "total": None}}, []),
        (pd.DataFrame({"c": [1, "a"]}), "DataFrame", {"columns": {"c": "str"}}, ["dtype"]),
        (DAYS, "DataFrame", {"columns": {"t": "datetime"}}, []),
        (np.zeros((2, 3)), "ndarray", {"shape": (2, 3), "dtype": "float64"}, []),
        (np.zeros((2, 3)), "ndarray", {"shape": (3, 2)}, ["shape"]),
        ([1, 2, 3], "list", {"shape": (3,), "dtype": "int"}, []),
        ([1, True], "list", {"dtype": "int"}, ["dtype"]),
        ([1, 2], "tuple", {}, ["type"]),
        (3, "int", {}, []),
        (True, "int", {}, ["type"]),
        (np.int64(3), "int", {}, ["dtype"]),
        (np.float64(3), "int", {}, ["type"]),
        (3, "int", {"shape": (1,)}, ["incomparable"]),
        (None, "NoneType", {}, []),
        (type("DataFrame", (), {})(), "DataFrame", {}, ["type"]),
        (type("int", (int,), {})(3), "int", {}, ["type"]),
    ],
)  # fmt: skip
def test_a_schema_compares_type_columns_dtypes_and_shape(
    actual: Any, kind: str, changes: dict[str, Any], differences: list[str]
) -> None:
    assert schema(actual, kind, **changes) == differences


def expression(source: str, what: Any) -> Any:
    return facts_of(check(ExpressionExpected(expression=source)), what)


def test_an_expression_shows_the_values_of_its_parts() -> None:
    what = seen([1, 2], namespace={"df": FRAME}, before={"df": FRAME})

    assert expression("len(result) == len(df)", what).differences == ()
    (difference,) = expression("len(result) == df.total.max() + 1", what).differences
    assert difference == ExpressionDifference(
        expression="len(result) == df.total.max() + 1",
        values=(
            ("len(result)", "2"),
            ("result", "[1, 2]"),
            ("df.total.max() + 1", repr(np.float64(2.5))),
            ("df.total.max()", repr(np.float64(1.5))),
            ("df.total", "0    0.5\n1    1.5\nName: total, dtype: float64"),
            ("df", repr(FRAME)),
        ),
        error=None,
    )


def test_an_expression_sees_the_variables_before_the_run() -> None:
    what = seen(3, namespace={"n": 2}, before={"n": 1})

    assert expression("before.n == 1 and n == 2", what).differences == ()
    (difference,) = expression("before.m == 1", what).differences
    assert difference.error == "AttributeError: there was no variable m before the run"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("result['q'] > 1", "KeyError: 'q'"),
        ("missing > 1", "NameError: name 'missing' is not defined"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("exit()", None),
        ("result ==", None),
        ("(_ for _ in ()).throw(SystemExit)", "SystemExit"),
    ],
)
def test_an_expression_that_raises_is_an_error(source: str, error: str | None) -> None:
    (difference,) = expression(source, seen({})).differences

    assert isinstance(difference, ExpressionDifference)
    assert difference.error == error if error is not None else difference.error is not None


@pytest.mark.parametrize(
    "source", ["result", "1", "'yes'", "[True]", "result == result", "None", "pd.NA", "...", "len"]
)
def test_anything_but_a_bool_is_no_answer(source: str) -> None:
    what = seen(pd.Series([1, 1]), namespace={"pd": pd})

    assert kinds(expression(source, what)) == ["incomparable"]


def test_a_bool_of_numpy_is_an_answer() -> None:
    what = seen(FRAME)

    assert kinds(expression("(result.total > 0).all()", what)) == []
    assert kinds(expression("(result.total > 1).all()", what)) == ["expression"]
    assert kinds(expression("all(x > 0 for x in result.total)", what)) == []
    assert kinds(expression("sorted(result.city, key=lambda c: -ord(c))[0] == 'b'", what)) == []


def test_a_result_left_over_from_before_is_none_of_this_candidate() -> None:
    left_over = seen(None, has_result=False, namespace={"result": 3}, before={"result": 3})
    assigned = seen(
        None, has_result=False, namespace={"result": 3}, effects=effects(created=["result"])
    )

    assert kinds(expression("result == 3", left_over)) == ["expression"]
    assert kinds(expression("result == 3", assigned)) == []


def test_a_builtin_that_the_candidate_overwrote_is_called_as_pythons_own() -> None:
    what = seen([1, 2], namespace={"sum": 3, "len": lambda _: 99}, before={})

    assert kinds(expression("sum(result) == 3 and len(result) == 2", what)) == []


def test_a_class_of_the_candidate_that_judges_itself_is_no_answer() -> None:
    class Yes:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    Yes.__module__ = "__main__"

    assert kinds(expression("result == 3", seen(Yes()))) == ["incomparable"]
    assert kinds(expression("result == 3", seen(Yes(), before={"Yes": Yes}))) == []


ERROR = {
    "ename": "KeyError",
    "evalue": "'x'",
    "mro": ["KeyError", "LookupError", "Exception", "BaseException", "object"],
}


@pytest.mark.parametrize(
    ("kind", "pattern", "error", "actual"),
    [
        ("KeyError", None, ERROR, None),
        ("LookupError", "x", ERROR, None),
        ("builtins.KeyError", None, ERROR, None),
        ("ValueError", None, ERROR, "KeyError: 'x'"),
        ("KeyError", "^y", ERROR, "KeyError: 'x'"),
        ("KeyError", None, None, "nothing was raised"),
    ],
)
def test_an_exception_is_compared_by_class_and_message(
    kind: str, pattern: str | None, error: Any, actual: str | None
) -> None:
    expected = ExceptionExpected(type=kind, pattern=pattern)
    facts = facts_of(check(expected), seen(has_result=False, error=error))

    wanted = kind if pattern is None else f'{kind} matching "{pattern}"'
    assert facts.differences == (
        () if actual is None else (ExceptionDifference(expected=wanted, actual=actual),)
    )


def unchanged(name: str, changes: Any, **what: Any) -> Any:
    given = None if changes is None else effects(**changes)
    expected = UnchangedExpected(name=name)
    came_out = {"namespace": {"df": FRAME}, "before": {"df": FRAME}, **what}
    return facts_of(check(expected, NamedVariable(name=name)), seen(effects=given, **came_out))


@pytest.mark.parametrize(
    ("changes", "how"),
    [
        ({"rebound": ["df"]}, "assigned anew"),
        ({"deleted": ["df"]}, "deleted"),
        ({"mutated": [{"name": "df", "how": "3 rows fewer"}]}, "3 rows fewer"),
    ],
)
def test_a_changed_variable_is_told_with_its_change(changes: Any, how: str) -> None:
    assert unchanged("df", changes).differences == (ChangedDifference(name="df", how=how),)
    assert unchanged("df", {"created": ["x"], "rebound": ["y"]}).differences == ()


def test_what_could_not_be_followed_is_not_claimed_to_be_unchanged() -> None:
    unproven = unchanged("df", {"unproven": ["df"]})

    assert unproven.differences == (
        IncomparableDifference(
            expected="unchanged", actual="not known", why="what df holds could not be followed"
        ),
    )
    assert kinds(unchanged("df", None)) == ["incomparable"]
    assert kinds(unchanged("dff", {})) == ["absent"]


def test_a_module_or_function_is_unchanged_when_the_name_still_means_it() -> None:
    for code in (math, unchanged, len):
        same = {"namespace": {"f": code}, "before": {"f": code}}
        other = {"namespace": {"f": json}, "before": {"f": code}}
        assert kinds(unchanged("f", {"unproven": ["f"]}, **same)) == []
        assert kinds(unchanged("f", {"unproven": ["f"]}, **other)) == ["incomparable"]


@pytest.mark.parametrize(
    ("target", "what", "absent", "hint"),
    [
        (LastValue(), {}, "there is no last value", None),
        (LastValue(), {"stdout": "3\n"}, "there is no last value", "printed instead of returned"),
        (
            LastValue(),
            {"namespace": {"x": 3}, "effects": effects(created=["x"])},
            "there is no last value",
            "right value in the variable x",
        ),
        (LastValue(), {"error": ERROR}, "there is no last value", "it raised KeyError"),
        (NamedVariable(name="y"), {}, "there is no variable y", None),
        (
            NamedVariable(name="y"),
            {"has_result": True, "result": 3},
            "there is no variable y",
            "the right value is the last value",
        ),
        (
            NamedVariable(name="y"),
            {"namespace": {"y": 3}, "error": ERROR},
            "there is no variable y",
            "it raised KeyError",
        ),
        (Stdout(), {}, "nothing was printed", None),
    ],
)
def test_an_absent_target_is_told_with_where_the_value_is(
    target: Any, what: Any, absent: str, hint: str | None
) -> None:
    facts = facts_of(check(expecting(3), target), seen(**{"has_result": False, **what}))

    assert facts.differences == (AbsentDifference(what=absent, hint=hint),)


def test_a_variable_that_the_candidate_left_alone_is_no_result_of_it() -> None:
    def looked_at(**changes: Any) -> Any:
        there = {"namespace": {"df": FRAME}, "before": {"df": FRAME}}
        what = seen(effects=effects(**changes), **there)
        return facts_of(check(expecting(FRAME), NamedVariable(name="df")), what).differences

    left_alone = AbsentDifference(what="df is what it was before", hint="the code does not set it")
    assert looked_at() == (left_alone,)
    assert looked_at(rebound=["df"]) == ()
    assert looked_at(mutated=[{"name": "df", "how": "content changed"}]) == ()
    assert looked_at(unproven=["df"]) == ()


def test_a_last_value_before_an_error_does_not_count() -> None:
    facts = facts_of(check(expecting(3)), seen(3, error=ERROR))

    assert kinds(facts) == ["absent"]


def test_a_printed_table_is_recognised() -> None:
    facts = facts_of(check(expecting(FRAME)), seen(None, stdout=f"Result:\n{FRAME}\n"))

    assert facts.differences == (TypeDifference(expected="DataFrame", actual="None"),)
    assert facts.near == ("printed instead of returned",)


def test_a_value_may_be_expected_in_what_was_printed() -> None:
    def printed(stdout: str) -> list[str]:
        return kinds(facts_of(check(expecting([1, 2]), Stdout()), seen(stdout=stdout)))

    assert printed("[1, 2]\n") == []
    assert printed("[2, 1]") == ["order"]
    assert printed("one, two") == ["type"]
    assert kinds(facts_of(check(expecting(FRAME), Stdout()), seen(stdout="x"))) == ["incomparable"]


def test_both_sides_are_described_as_the_notebook_would_show_them() -> None:
    facts = facts_of(check(expecting(FRAME)), seen(3))

    assert facts.expected is not None
    assert (facts.expected.type, facts.expected.shape) == ("DataFrame", (2, 2))
    assert facts.actual is not None
    assert (facts.actual.type, facts.actual.preview) == ("int", "3")
    assert encode(FRAME)["columns"] == ["city", "total"]
