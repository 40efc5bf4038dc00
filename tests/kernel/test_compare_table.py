"""Tables against tables: one golden case a kind of difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from exeds_lab.model.execution import (
    CellDiff,
    CellsDifference,
    ColumnsDifference,
    DtypeDifference,
    FormDifference,
    IndexDifference,
    MissingKindDifference,
    NameDifference,
    OrderDifference,
    RowsDifference,
    TypeDifference,
)
from exeds_lab.model.spec import ANALYST, STRICT
from tests.kernel.measuring import compared, kinds, verdict

SALES = pd.DataFrame({"region": ["N", "S", "E"], "revenue": [1.5, 2.0, 3.25]})


def cell(row: int, column: str, expected: str, actual: str, error: float | None) -> CellDiff:
    return CellDiff(
        row=row,
        row_label=str(row),
        column=column,
        expected=expected,
        actual=actual,
        abs_error=error,
    )


def test_a_cell_that_differs_is_told_in_both_readings_of_rows() -> None:
    facts = compared(SALES, SALES.replace({"revenue": {2.0: 2.5}}))

    one = (cell(1, "revenue", "2.0", "2.5", 0.5),)
    assert facts.differences == (
        CellsDifference(rows="position", columns="name", cells=one, total=1),
        CellsDifference(rows="sorted", columns="name", cells=one, total=1),
    )


def test_rows_missing_and_extra_are_listed() -> None:
    facts = compared(SALES, pd.concat([SALES.iloc[:2], SALES.iloc[:1], SALES.iloc[:1]]))

    assert facts.differences[:1] == (
        RowsDifference(
            missing=("2: E, 3.25",),
            extra=("0: N, 1.5", "0: N, 1.5"),
            expected_rows=3,
            actual_rows=4,
        ),
    )


def test_columns_missing_and_extra_are_listed() -> None:
    facts = compared(SALES, SALES.rename(columns={"revenue": "Revenue"}).assign(n=1))

    assert facts.differences[:1] == (
        ColumnsDifference(missing=("revenue",), extra=("Revenue", "n")),
    )
    assert facts.near == ("the column names differ in upper and lower case or blanks only",)


def test_rows_and_columns_in_another_order_are_told_apart() -> None:
    facts = compared(SALES, SALES[["revenue", "region"]].iloc[[1, 0, 2]].reset_index(drop=True))

    orders = [one for one in facts.differences if isinstance(one, OrderDifference)]
    assert orders == [
        OrderDifference(
            axis="columns",
            moved=2,
            expected=("region", "revenue"),
            actual=("revenue", "region"),
        ),
        OrderDifference(
            axis="rows",
            moved=2,
            expected=("0: N, 1.5", "1: S, 2.0", "2: E, 3.25"),
            actual=("0: 2.0, S", "1: 1.5, N", "2: 3.25, E"),
        ),
    ]
    assert set(facts.near) == {"columns in another order", "equal after sorting"}


@pytest.mark.parametrize(
    ("column", "other", "same_kind"),
    [
        ([1, 2], "int32", True),
        ([1, 2], "Int64", True),
        ([1, 2], "int64[pyarrow]", True),
        ([1, 2], "float64", False),
        ([1, 2], "object", True),
        ([True, False], "boolean", True),
        ([0.5, 1.5], "float32", True),
        (["a", "b"], "string", True),
        (["a", "b"], "string[pyarrow]", True),
        (["a", "b"], "category", False),
    ],
)
def test_a_dtype_is_compared_by_kind(column: Any, other: str, same_kind: bool) -> None:
    frame = pd.DataFrame({"c": column})
    facts = compared(frame, frame.astype(other))

    assert facts.differences == (
        DtypeDifference(
            column="c",
            expected=str(frame.dtypes["c"]),
            actual=str(frame.astype(other).dtypes["c"]),
            same_kind=same_kind,
        ),
    )
    assert verdict(frame, frame.astype(other)).status == ("passed" if same_kind else "failed")
    assert verdict(frame, frame.astype(other), STRICT).status == "failed"


def test_bools_are_no_numbers_and_texts_no_numbers_under_any_policy() -> None:
    ignoring = ANALYST.model_copy(update={"check_dtypes": "ignored"})
    frame = pd.DataFrame({"c": [1, 0]})

    others = [frame.astype(kind) for kind in ("bool", "str", "object", "float64")]
    assert [verdict(frame, other, ignoring).status for other in others] == [
        "failed",
        "failed",
        "passed",
        "passed",
    ]


def test_numbers_of_two_types_in_object_columns_are_a_dtype_difference() -> None:
    one = pd.DataFrame({"c": [1, "a"]}, dtype="object")
    two = pd.DataFrame({"c": [1.0, "a"]}, dtype="object")

    assert compared(one, two).differences == (
        DtypeDifference(column="c", expected="int", actual="float", same_kind=False),
    )


def test_an_index_is_declared_or_not() -> None:
    labelled = SALES.set_axis(["a", "b", "c"])
    default = "0, 1, 2 …"

    assert compared(SALES, labelled).differences == (
        IndexDifference(expected=default, actual="a, b, c", declared=False),
    )
    assert compared(labelled, SALES).differences == (
        IndexDifference(expected="a, b, c", actual=default, declared=True),
    )
    assert compared(labelled, labelled.set_axis(["a", "b", "d"])).differences == (
        IndexDifference(expected="a, b, c", actual="a, b, d", declared=True),
    )


def test_labels_of_another_type_are_found() -> None:
    whole = pd.Series([1, 2], index=[5, 6])

    assert kinds(compared(whole, whole.set_axis([5.0, 6.0]))) == ["dtype"]
    assert kinds(compared(whole, whole.set_axis(["5", "6"]))) == ["index"]
    assert kinds(compared(pd.Series([1, 2]), pd.Series([1, 2], index=[False, True]))) == ["index"]


def test_names_of_series_and_index_are_found() -> None:
    series = pd.Series([1], index=pd.Index(["a"], name="key"), name="n")

    assert compared(series, series.rename("m").rename_axis(None)).differences == (
        NameDifference(what="series", expected="n", actual="m"),
        NameDifference(what="index", expected="key", actual="(none)"),
    )


def test_kinds_of_missing_value_are_told_once_a_column() -> None:
    one = pd.DataFrame({"c": [None, None, 1]}, dtype="object")
    two = pd.DataFrame({"c": [np.nan, pd.NA, 1]}, dtype="object")

    assert compared(one, two).differences == (
        MissingKindDifference(path="c[0]", expected="None", actual="nan"),
    )


@pytest.mark.parametrize(
    ("actual", "conversion"),
    [
        (SALES.set_index("region"), "region is the index, not a column"),
        (SALES.set_index("region")["revenue"], "region is the index, not a column"),
        (SALES.to_dict("records"), "a list of dicts, not a table"),
        (SALES.to_dict("list"), "a dict of columns, not a table"),
    ],
    ids=["index", "series", "records", "lists"],
)
def test_the_right_table_in_another_form_is_a_form_difference(actual: Any, conversion: str) -> None:
    facts = compared(SALES, actual)
    forms = [one.conversion for one in facts.differences if isinstance(one, FormDifference)]

    assert forms == [conversion]
    assert verdict(SALES, actual).headline == f"Right value, wrong form: {conversion}"
    assert verdict(SALES, actual).accept == "check_container"


@pytest.mark.parametrize(
    ("actual", "conversion"),
    [
        (SALES.set_index("region"), "a one-column table, not a Series"),
        (SALES, "a table, not a Series"),
        (dict(zip(SALES["region"], SALES["revenue"], strict=True)), "a dict, not a Series"),
    ],
    ids=["one column", "two columns", "dict"],
)
def test_the_right_series_in_another_form_is_a_form_difference(
    actual: Any, conversion: str
) -> None:
    facts = compared(SALES.set_index("region")["revenue"], actual)
    forms = [one.conversion for one in facts.differences if isinstance(one, FormDifference)]

    assert forms == [conversion]


def test_another_form_with_another_value_is_another_type() -> None:
    other = SALES.assign(revenue=0.0).to_dict("records")

    assert compared(SALES, other).differences == (
        TypeDifference(expected="DataFrame", actual="list"),
    )


def test_a_column_that_should_be_the_index_is_a_form_difference() -> None:
    facts = compared(SALES.set_index("region"), SALES)

    assert [one.conversion for one in facts.differences if isinstance(one, FormDifference)] == [
        "region is a column, not the index"
    ]


@pytest.mark.parametrize(
    ("change", "near"),
    [
        (lambda frame: frame.assign(revenue=frame["revenue"] * 100), "equal up to a factor of 100"),
        (lambda frame: frame.assign(revenue=-frame["revenue"]), "equal up to the sign"),
        (
            lambda frame: frame.assign(revenue=frame["revenue"] + 0.004),
            "equal if rounded to 2 decimals",
        ),
        (lambda frame: frame.T, "transposed: rows and columns are swapped"),
        (
            lambda frame: frame.assign(region=frame["region"].str.lower()),
            "equal up to upper and lower case",
        ),
        (
            lambda frame: frame.iloc[[1, 2, 0]].assign(revenue=[2.0, 3.25, 9.0]),
            "after sorting only 1 cell differs",
        ),
    ],
)
def test_near_misses_are_named(change: Any, near: str) -> None:
    assert near in compared(SALES, change(SALES)).near
    assert verdict(SALES, change(SALES)).status == "failed"


def test_only_these_rows_may_stand_among_others_in_the_same_order() -> None:
    among = pd.concat([SALES, SALES.assign(revenue=9.0)]).reset_index(drop=True)
    picked = SALES.iloc[[0, 2]].reset_index(drop=True)

    assert verdict(picked, among, only_rows=True).status == "passed"
    assert kinds(compared(picked, among.iloc[::-1].reset_index(drop=True), only_rows=True)) == [
        "order"
    ]
    missing = compared(picked.assign(revenue=[1.5, 7.0]), among, only_rows=True)
    assert missing.differences == (
        RowsDifference(missing=("1: E, 7.0",), extra=(), expected_rows=2, actual_rows=6),
    )


def test_a_row_expected_twice_must_be_there_twice() -> None:
    twice = pd.concat([SALES.iloc[:1], SALES.iloc[:1]]).reset_index(drop=True)

    assert verdict(twice, SALES, only_rows=True).status == "failed"


def test_rows_with_declared_labels_are_found_by_them() -> None:
    labelled = SALES.set_index("region")
    facts = compared(labelled.loc[["E"]].assign(revenue=4.0), labelled, only_rows=True)

    cells = [one.cells for one in facts.differences if isinstance(one, CellsDifference)]
    assert cells[0] == (
        CellDiff(
            row=0,
            row_label="E",
            column="revenue",
            expected="4.0",
            actual="3.25",
            abs_error=0.75,
        ),
    )


def test_only_these_columns_may_stand_among_others() -> None:
    policy = ANALYST.model_copy(update={"check_column_names": False})
    wide = SALES.assign(n=1)

    assert verdict(SALES, wide, only_columns=True).status == "passed"
    assert verdict(SALES[["revenue"]], SALES[["region"]], policy, only_columns=True).status == (
        "failed"
    )
    swapped = wide.rename(columns={"region": "revenue", "revenue": "region"})
    assert verdict(SALES, swapped, policy, only_columns=True).status == "failed"


def test_rows_are_searched_in_ten_million() -> None:
    numbers = np.arange(10_000_000)
    huge = pd.DataFrame({"n": numbers, "third": numbers / 3.0})
    there = pd.DataFrame({"n": [5, 9_999_999], "third": [5 / 3, 3333333.0]})

    assert verdict(there, huge, only_rows=True).status == "passed"
    assert verdict(there.assign(third=0.0), huge, only_rows=True).headline == (
        "Wrong value: 2 rows are missing"
    )
    assert verdict(there, huge).headline == "Wrong shape: 10,000,000 rows instead of 2"


def test_columns_of_one_name_are_matched_in_their_order() -> None:
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])

    assert kinds(compared(twice, twice)) == []
    assert verdict(twice, twice.iloc[:, ::-1]).status == "failed"
    assert verdict(twice, twice.iloc[:, :1]).status == "failed"


def test_the_same_instant_in_another_zone_is_a_dtype_difference() -> None:
    utc = pd.DataFrame({"t": pd.to_datetime(["2024-07-01 12:00"]).tz_localize("UTC")})
    berlin = utc.assign(t=utc["t"].dt.tz_convert("Europe/Berlin"))
    naive = utc.assign(t=utc["t"].dt.tz_localize(None))

    assert kinds(compared(utc, berlin)) == ["dtype"]
    assert "cells" in kinds(compared(utc, naive))
    assert [verdict(utc, other).status for other in (berlin, naive)] == ["failed", "failed"]


def test_many_differing_columns_are_never_cut_into_a_mere_renaming() -> None:
    one = pd.DataFrame([[0] * 300], columns=[f"a{at}" for at in range(300)])
    two = pd.DataFrame([[0] * 290], columns=[f"b{at}" for at in range(290)])
    policy = ANALYST.model_copy(update={"check_column_names": False})

    assert verdict(one, two, policy).status == "failed"


def test_many_harmless_dtypes_do_not_hide_a_harmful_one() -> None:
    frame = pd.DataFrame({f"c{at}": [1] for at in range(60)})
    other = frame.astype(dict.fromkeys(frame.columns[:-1], "int32") | {"c59": "float64"})

    assert verdict(frame, other).status == "failed"
