"""Values -> descriptions."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from exeds_lab.kernel.describe import describe, describe_encoded
from exeds_lab.kernel.encode import encode
from exeds_lab.model.task import ColumnDescription, ValueDescription
from tests.kernel.frames import frames
from tests.kernel.test_compare_properties import VALUES


def described(value: Any) -> ValueDescription:
    text = json.dumps(describe(value), allow_nan=False)
    description = ValueDescription.model_validate_json(text)
    assert 0 < len(description.preview) <= 2_000
    return description


def test_a_frame_is_described_by_its_columns() -> None:
    frame = pd.DataFrame({"city": [None, "Bonn"], "n": [1, 2]}).astype({"city": "object"})

    description = described(frame)

    assert (description.type, description.module, description.shape) == (
        "DataFrame",
        "pandas",
        (2, 2),
    )
    assert description.columns == (
        ColumnDescription(name="city", dtype="object", example="Bonn", missing=1),
        ColumnDescription(name="n", dtype="int64", example="1", missing=0),
    )
    assert "[2 rows x 2 columns]" in description.preview
    assert description.html is not None
    assert "<table" in description.html


@pytest.mark.parametrize(
    ("value", "kind", "shape", "preview"),
    [
        (3, "int", None, "3"),
        ("a", "str", None, "'a'"),
        ([1, 2], "list", (2,), "[1, 2]"),
        ({"a": 1}, "dict", (1,), "{'a': 1}"),
        ((), "tuple", (0,), "()"),
        (None, "NoneType", None, "None"),
        (np.zeros((2, 3)), "ndarray", (2, 3), "array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])"),
        (np.float64(0.5), "float64", None, "0.5"),
        (print, "builtin_function_or_method", None, "<built-in function print>"),
    ],
    ids=repr,
)
def test_other_values_are_described_by_their_text(
    value: Any, kind: str, shape: Any, preview: str
) -> None:
    description = described(value)

    assert (description.type, description.shape, description.preview) == (kind, shape, preview)


@pytest.fixture
def free_alarm() -> Iterator[None]:
    """The alarm as it is in a kernel; the test runner's own is put back."""
    handler = signal.signal(signal.SIGALRM, signal.SIG_DFL)
    left = signal.setitimer(signal.ITIMER_REAL, 0)
    yield
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, *left)


class Raises:
    def __repr__(self) -> str:
        raise RuntimeError("no")

    def __len__(self) -> int:
        raise RuntimeError("no")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    __hash__ = None  # type: ignore[assignment]


class Exits:
    def __repr__(self) -> str:
        raise SystemExit


class Loops:
    def __repr__(self) -> str:
        while True:
            try:
                time.sleep(60)
            except Exception:  # noqa: BLE001
                continue


class Lies:
    def __repr__(self) -> Any:
        return 3

    @property
    def __class__(self) -> Any:
        return pd.DataFrame


class Surrogate:
    def __repr__(self) -> str:
        return "\ud800"


@pytest.mark.parametrize("kind", [Raises, Exits, Loops, Lies])
@pytest.mark.usefixtures("free_alarm")
def test_an_object_that_cannot_be_asked_is_described_by_its_type(kind: type) -> None:
    description = described(kind())

    assert (description.type, description.preview) == (kind.__name__, f"<{kind.__name__}>")


def test_a_repr_that_utf8_cannot_carry_is_escaped() -> None:
    assert described(Surrogate()).preview == "\\ud800"


def test_a_column_of_objects_that_raise_does_not_hide_the_frame() -> None:
    frame = pd.DataFrame({"a": [Raises(), Raises()], "b": [1, 2]})

    description = described(frame)

    assert description.shape == (2, 2)
    assert description.columns is not None
    assert [column.example for column in description.columns] == ["<Raises>", "1"]


@pytest.mark.parametrize(
    "value",
    [
        pd.DataFrame(np.zeros((3, 10_000))),
        pd.DataFrame({"a": np.arange(10_000_000)}),
        pd.Series(np.arange(10_000_000)),
        np.zeros(10_000_000),
        list(range(5_000_000)),
        dict.fromkeys(range(1_000_000)),
        "a" * 50_000_000,
        [[0] * 1000] * 1000,
    ],
    ids=["wide", "long", "series", "array", "list", "dict", "text", "nested"],
)
def test_large_values_are_described_quickly(value: Any) -> None:
    start = time.perf_counter()
    description = described(value)

    assert time.perf_counter() - start < 3.0
    assert description.html is None or len(description.html) <= 110_000
    assert description.columns is None or len(description.columns) <= 200


@settings(max_examples=50, deadline=None)
@given(frames())
def test_any_frame_is_described(frame: pd.DataFrame) -> None:
    assert described(frame).shape == frame.shape


@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_a_plain_value_and_its_encoding_are_described_alike(value: Any) -> None:
    one, two = describe(value), describe_encoded(encode(value))

    assert (one["preview"], one["shape"]) == (two["preview"], two["shape"])
    assert one["type"] == ("NoneType" if value is None else two["type"])


def test_html_of_an_encoded_table_is_escaped() -> None:
    frame = pd.DataFrame({"<b>": ["<script>alert(1)</script>"]}, index=["<i>"])
    html = describe_encoded(encode(frame))["html"]

    assert "<script>" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;" in html
