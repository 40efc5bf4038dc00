"""Values against values, and objects that lie about themselves."""

from __future__ import annotations

import collections
import datetime
import decimal
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from exeds_lab.model.execution import (
    DtypeDifference,
    FormDifference,
    IncomparableDifference,
    MissingKindDifference,
    OrderDifference,
    ShapeDifference,
    TypeDifference,
    ValueDifference,
)
from exeds_lab.model.spec import ANALYST, STRICT
from tests.kernel.measuring import compared, kinds, verdict

LOOSEST = ANALYST.model_copy(
    update={
        "check_row_order": False,
        "check_column_order": False,
        "check_column_names": False,
        "check_dtypes": "ignored",
        "check_index": "ignored",
        "check_container": False,
        "check_case": False,
        "rel_tol": 0.01,
    }
)


def value(path: str, expected: str, actual: str, error: float | None) -> ValueDifference:
    relative = None if error is None else pytest.approx(error / float(expected))
    return ValueDifference.model_construct(
        kind="value",
        path=path,
        expected=expected,
        actual=actual,
        abs_error=error if error is None else pytest.approx(error),
        rel_error=relative,
    )


@pytest.mark.parametrize(
    ("expected", "actual", "difference"),
    [
        (0.84, 0.9, value("", "0.84", "0.9", 0.06)),
        ([1, 2, 4], [1, 2, 3], value("[2]", "4", "3", 1.0)),
        ({"a": {"b": [1]}}, {"a": {"b": [2]}}, value("['a']['b'][0]", "1", "2", 1.0)),
        ({"a": 1}, {"b": 1}, value("['a']", "1", "missing", None)),
        ({1, 2}, {1, 3}, value("", "with 2", "with 3", None)),
        ("N", "S", value("", "'N'", "'S'", None)),
        ([True], [1], value("[0]", "True", "1", None)),
        ([None], [0], value("[0]", "None", "0", None)),
        (np.array([[1, 2]]), np.array([[1, 3]]), value("[0, 1]", "2", "3", 1.0)),
        (True, 1, TypeDifference(expected="bool", actual="int")),
        (3, None, TypeDifference(expected="int", actual="None")),
        (3, "3", TypeDifference(expected="int", actual="str")),
        (
            datetime.date(2024, 1, 1),
            datetime.datetime(2024, 1, 1),  # noqa: DTZ001 - a naive one is meant
            TypeDifference(expected="date", actual="datetime"),
        ),
        ([1, 2], [1], ShapeDifference(expected="2 elements", actual="1 element")),
        (np.zeros((2, 3)), np.zeros((3, 2)), ShapeDifference(expected="(2, 3)", actual="(3, 2)")),
        (3, 3.0, DtypeDifference(column="", expected="int", actual="float", same_kind=False)),
        (
            [0.5],
            [np.float64(0.5)],
            DtypeDifference(column="[0]", expected="float", actual="float64", same_kind=True),
        ),
        (math.nan, None, MissingKindDifference(path="", expected="nan", actual="None")),
        (pd.NaT, pd.NA, MissingKindDifference(path="", expected="NaT", actual="NA")),
        (
            [1, 2],
            (1, 2),
            FormDifference(expected="list", actual="tuple", conversion="a tuple, not a list"),
        ),
        (
            {"a": 1},
            collections.Counter("a"),
            FormDifference(expected="dict", actual="Counter", conversion="a Counter, not a dict"),
        ),
        (
            [1, 2],
            [2, 1],
            OrderDifference(axis="rows", moved=2, expected=("1", "2"), actual=("2", "1")),
        ),
    ],
    ids=repr,
)  # fmt: skip
def test_each_difference_says_where_and_both_sides(
    expected: Any, actual: Any, difference: Any
) -> None:
    facts = compared(expected, actual)

    assert facts.differences[:1] == (difference,)
    assert verdict(expected, actual, STRICT).status == "failed"


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (0.1 + 0.2, 0.3),
        (0.0, -0.0),
        (math.inf, math.inf),
        (math.nan, math.nan),
        (decimal.Decimal("1.10"), decimal.Decimal("1.1")),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (3, np.int64(3)),
        ([0.5], [np.float64(0.5)]),
        (math.nan, None),
        ({1: "a"}, {np.int64(1): "a"}),
    ],
    ids=repr,
)
def test_what_an_analyst_calls_equal_passes(expected: Any, actual: Any) -> None:
    assert verdict(expected, actual).status == "passed"


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (10**20, 10**20 + 1),
        (2**53, 2**53 + 1),
        (math.inf, -math.inf),
        (math.inf, 1.7e308),
        (0, math.nan),
        (12345678901, 12345678902.0),
        (2**53 + 1, float(2**53)),
        ("é", "e\u0301"),
        ("a", "a "),
        ([1], [[1]]),
        ([], [[]]),
        ([], ()),
        ({}, set()),
        (0.0, 1e-9),
        ([1, 2, 2], [1, 1, 2]),
        (1, True),
        (pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-01", tz="UTC")),
        (5, pd.Series([5])),
        (0.05, 5.0),
        (0.84, 84.0),
    ],
    ids=repr,
)
def test_what_is_not_equal_never_passes(expected: Any, actual: Any) -> None:
    loosest = LOOSEST.model_copy(update={"rel_tol": 1e-9})
    statuses = [verdict(expected, actual, policy).status for policy in (ANALYST, STRICT)]

    assert statuses == ["failed", "failed"]
    if (expected, actual) != ([], ()):
        assert verdict(expected, actual, loosest).status == "failed"


class AlwaysEqual:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(3)

    def __repr__(self) -> str:
        return "3"

    def __bool__(self) -> bool:
        return True

    def __float__(self) -> float:
        return 3.0

    __index__ = __int__ = lambda self: 3


class SaysItIsInt(AlwaysEqual):
    @property
    def __class__(self) -> Any:
        return int


class Raising:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class EqualInt(int):
    __eq__ = AlwaysEqual.__eq__
    __hash__ = int.__hash__


class EqualText(str):
    __eq__ = AlwaysEqual.__eq__
    __hash__ = str.__hash__
    __slots__ = ()


class EqualList(list):
    __eq__ = AlwaysEqual.__eq__
    __hash__ = None  # type: ignore[assignment]


class EqualFrame(pd.DataFrame):
    __eq__ = AlwaysEqual.__eq__

    def equals(self, other: object) -> bool:
        return True


class Metaclass(type):
    __eq__ = AlwaysEqual.__eq__

    def __hash__(cls) -> int:
        return hash(int)

    def __instancecheck__(cls, instance: object) -> bool:
        return True


class OfMetaclass(metaclass=Metaclass):
    pass


FRAME = pd.DataFrame({"a": [1, 2]})


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (3, AlwaysEqual()),
        (3, SaysItIsInt()),
        (3, Raising()),
        (3, EqualInt(4)),
        (3, EqualInt(3)),
        (3, OfMetaclass()),
        (3, OfMetaclass),
        ("a", EqualText("b")),
        ([3], EqualList([4])),
        ([3], [AlwaysEqual()]),
        ({"a": 3}, {"a": AlwaysEqual()}),
        ({"a": 3}, {AlwaysEqual(): 3}),
        ({3}, {AlwaysEqual()}),
        (FRAME, EqualFrame({"a": [1, 3]})),
        (FRAME, EqualFrame({"a": [1, 2]})),
        (FRAME, pd.DataFrame({"a": [AlwaysEqual(), AlwaysEqual()]})),
        (FRAME["a"], pd.Series([1, AlwaysEqual()], name="a")),
        (np.array([3]), np.array([AlwaysEqual()])),
        (np.array([3]), np.ma.array([3], mask=[True])),
    ],
    ids=lambda one: type(one).__name__,
)
def test_an_object_that_lies_about_itself_never_passes(expected: Any, actual: Any) -> None:
    assert [verdict(expected, actual, one).status for one in (ANALYST, STRICT, LOOSEST)] == [
        "failed",
        "failed",
        "failed",
    ]


def test_a_label_that_lies_is_another_label() -> None:
    assert verdict(FRAME, pd.DataFrame({AlwaysEqual(): [1, 2]})).status == "failed"


def test_endless_values_end() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    loop: dict[Any, Any] = {}
    loop[1] = loop

    assert verdict([1, [1]], endless).status == "failed"
    assert verdict({1: 1}, loop).status == "failed"


@pytest.mark.parametrize("expected", [3, [1, 2], "a", {"a": 1}, np.array([1]), FRAME, FRAME["a"]])
@pytest.mark.parametrize(
    "actual",
    [
        range(10_000_000),
        np.zeros(10_000_000),
        np.zeros((2, 5_000_000)),
        pd.Series(np.zeros(5_000_000)),
        pd.DataFrame(np.zeros((1000, 1000))),
        "a" * 1_000_000,
        [[0] * 1000] * 1000,
    ],
    ids=["range", "array", "flat", "series", "frame", "text", "nested"],
)
def test_a_huge_actual_is_told_by_its_size(expected: Any, actual: Any) -> None:
    facts = compared(expected, actual)

    assert kinds(facts)
    assert verdict(expected, actual, LOOSEST).status == "failed"


def test_many_values_are_listed_up_to_a_bound_and_counted_beyond() -> None:
    facts = compared(list(range(1000)), list(range(1, 1001)))

    assert len(facts.differences) == 51
    assert facts.differences[-1] == ValueDifference(
        path="…",
        expected="950 more differ",
        actual="950 more differ",
        abs_error=None,
        rel_error=None,
    )
    tolerant = ANALYST.model_copy(update={"abs_tol": 1e9})
    assert verdict([float(one) for one in range(1000)], [0.0] * 1000, tolerant).status == "passed"


@pytest.mark.parametrize(
    ("expected", "actual", "near"),
    [
        (0.84, 84.0, "equal up to a factor of 100"),
        (0.333, 1 / 3, "equal if rounded to 3 decimals"),
        ("north", "North", "equal up to upper and lower case"),
        ("New York", "NewYork", "equal up to blanks"),
        ("é", "e\u0301", "equal after Unicode normalisation"),
        (3, "3", "equal as text, but one is int and one str"),
        (3, [3], "the right value inside a list of one"),
        ([1, 2], [2, 1], "equal after sorting"),
    ],
)
def test_near_misses_are_named(expected: Any, actual: Any, near: str) -> None:
    assert near in compared(expected, actual).near


def test_a_failure_of_the_comparison_itself_is_never_a_pass() -> None:
    from exeds_lab.kernel.compare import measure
    from tests.kernel.measuring import seen

    broken = {"name": "c", "target": {}, "expected": {"kind": "value"}, "declared": True}
    facts = measure(broken, {"rel_tol": 0.0, "abs_tol": 0.0}, seen(3))

    assert [IncomparableDifference.model_validate(one).why for one in facts["differences"]] == [
        "comparing them failed: KeyError: KeyError('target')"
    ]
