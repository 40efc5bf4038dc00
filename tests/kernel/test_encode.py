"""Values <-> JSON."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import json
import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from exeds_lab.kernel.encode import (
    EncodeError,
    TooLargeError,
    count_cells,
    decode_plain,
    encode,
    observe,
)
from tests.kernel.frames import frames
from tests.kernel.test_compare_properties import VALUES


class Point(NamedTuple):
    x: int
    y: int


class Subclass(dict):
    pass


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (0.5, 0.5),
        ("é", "é"),
        ([1, [2]], [1, [2]]),
        (math.nan, {"$": "float", "v": "nan"}),
        (-math.inf, {"$": "float", "v": "-inf"}),
        (1 + 2j, {"$": "complex", "v": [1.0, 2.0]}),
        (decimal.Decimal("1.10"), {"$": "decimal", "v": "1.10"}),
        (fractions.Fraction(1, 3), {"$": "fraction", "v": "1/3"}),
        (datetime.date(2024, 1, 31), {"$": "date", "v": "2024-01-31"}),
        (datetime.timedelta(seconds=1), {"$": "timedelta", "ns": 1_000_000_000}),
        (b"a", {"$": "bytes", "v": "YQ=="}),
        ((1, 2), {"$": "tuple", "v": [1, 2]}),
        ({2, 1}, {"$": "set", "v": [1, 2]}),
        (frozenset([1]), {"$": "set", "v": [1]}),
        ({"a": (1,)}, {"$": "dict", "v": [["a", {"$": "tuple", "v": [1]}]]}),
        (Point(1, 2), {"$": "like", "type": "Point", "v": {"$": "tuple", "v": [1, 2]}}),
        (range(2), {"$": "like", "type": "range", "v": [0, 1]}),
        (
            collections.Counter("a"),
            {"$": "like", "type": "Counter", "v": {"$": "dict", "v": [["a", 1]]}},
        ),
        (np.int64(3), {"$": "scalar", "dtype": "int64", "v": 3}),
        (np.float32(0.5), {"$": "scalar", "dtype": "float32", "v": 0.5}),
        (np.bool_(True), {"$": "scalar", "dtype": "bool", "v": True}),
        (np.str_("a"), {"$": "scalar", "dtype": "str", "v": "a"}),
        (np.datetime64("2024-01-31"), {"$": "datetime", "v": "2024-01-31T00:00:00"}),
        (np.datetime64("NaT"), {"$": "na", "v": "NaT"}),
        (pd.NaT, {"$": "na", "v": "NaT"}),
        (pd.NA, {"$": "na", "v": "NA"}),
        (pd.Timestamp("2024-01-31 12:00"), {"$": "datetime", "v": "2024-01-31T12:00:00"}),
        (pd.Timedelta("1ms"), {"$": "timedelta", "ns": 1_000_000}),
        (pd.Period("2024-01"), {"$": "period", "v": "2024-01", "freq": "M"}),
        (
            pd.Interval(0, 5),
            {"$": "interval", "left": 0, "right": 5, "closed": "right"},
        ),
        (
            np.arange(4).reshape(2, 2),
            {"$": "array", "dtype": "int64", "shape": [2, 2], "v": [0, 1, 2, 3]},
        ),
    ],
    ids=repr,
)
def test_each_type_has_its_encoding(value: Any, encoded: Any) -> None:
    assert encode(value) == encoded
    assert json.loads(json.dumps(encode(value), allow_nan=False)) == encoded


def test_a_frame_is_encoded_with_dtypes_index_and_names() -> None:
    frame = pd.DataFrame(
        {"n": [1, 2], "x": [0.5, math.nan]}, index=pd.Index(["a", "b"], name="key")
    )

    assert encode(frame) == {
        "$": "table",
        "form": "DataFrame",
        "columns": ["n", "x"],
        "dtypes": ["int64", "float64"],
        "index": ["a", "b"],
        "index_names": ["key"],
        "rows": [[1, 0.5], [2, {"$": "float", "v": "nan"}]],
        "name": None,
        "decimals": None,
    }


def test_a_default_index_is_null_also_when_it_is_written_out() -> None:
    written = pd.Series([5, 6], index=[0, 1])

    assert [encode(one)["index"] for one in (pd.Series([5, 6]), written)] == [None, None]
    assert encode(pd.Series([5, 6], index=[1, 0]))["index"] == [1, 0]


def test_levels_of_labels_are_tuples() -> None:
    frame = pd.DataFrame({("a", "b"): [1]}, index=pd.MultiIndex.from_tuples([("x", 1)]))
    encoded = encode(frame)

    assert encoded["columns"] == [{"$": "tuple", "v": ["a", "b"]}]
    assert encoded["index"] == [{"$": "tuple", "v": ["x", 1]}]
    assert encoded["index_names"] == [None, None]


def test_an_ordered_categorical_tells_its_order() -> None:
    sizes = pd.Series(pd.Categorical(["s"], categories=["s", "m"], ordered=True))

    assert encode(sizes)["dtypes"] == ["category[s < m]"]


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_values_come_back_as_they_were(value: Any) -> None:
    there = decode_plain(json.loads(json.dumps(encode(value), allow_nan=False)))

    assert repr(there) == repr(value)


@settings(max_examples=50, deadline=None)
@given(frames())
def test_frames_are_pure_json(frame: pd.DataFrame) -> None:
    text = json.dumps(encode(frame), allow_nan=False)

    assert json.loads(text) == encode(frame)


def test_a_table_decodes_into_a_dict_of_columns_and_a_series_into_a_list() -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]}, dtype="object")

    assert decode_plain(encode(frame)) == {"a": [1, 2], "b": ["x", None]}
    assert decode_plain(encode(frame["a"])) == [1, 2]


def test_too_many_cells_are_refused_before_they_are_looked_at() -> None:
    with pytest.raises(TooLargeError, match="more than 50,000 cells"):
        encode(pd.DataFrame({"a": np.arange(10_000_000)}))


@pytest.mark.parametrize(
    "value",
    [object(), Subclass(a=1), [object()], "\ud800", 10**5000, lambda: 1, np.ma.array([1])],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_known_exactly_is_refused(value: Any) -> None:
    with pytest.raises(EncodeError, match="a value of type"):
        encode(value)


def test_observing_puts_opaque_in_place_of_what_is_not_known() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise ValueError

    assert observe([1, Odd()], 100) == [
        1,
        {"$": "opaque", "type": "Odd", "text": "<Odd>"},
    ]
    with pytest.raises(EncodeError, match="cannot be decoded"):
        decode_plain(observe(Odd(), 100))


def test_a_list_that_holds_itself_ends() -> None:
    endless: list[Any] = []
    endless.append(endless)

    with pytest.raises(EncodeError, match="nested too deeply"):
        encode(endless)


def test_a_subclass_is_not_the_class_whatever_it_says_of_itself() -> None:
    class Liar(int):
        __class__ = int  # type: ignore[assignment]

    assert observe(Liar(3), 10)["$"] == "opaque"
    assert observe(type("DataFrame", (pd.DataFrame,), {})(), 10)["$"] == "opaque"


def test_cells_are_counted_as_they_are_limited() -> None:
    counts = [count_cells(encode(one)) for one in (3, [1, 2], {"a": 1}, pd.Series([1, 2, 3]))]

    assert counts == [1, 2, 4, 6]
