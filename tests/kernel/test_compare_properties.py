"""What must hold for every value: nothing wrong passes, and nothing is changed by looking."""

from __future__ import annotations

import copy
from typing import Any

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exeds_lab.kernel.encode import encode
from exeds_lab.model.spec import ANALYST, STRICT, ComparePolicy
from tests.kernel.frames import TEXTS, changed, frames
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
    }
)
"""Everything but the content is let pass."""
POLICIES = pytest.mark.parametrize(
    "policy", [ANALYST, STRICT, LOOSEST], ids=["analyst", "strict", "loosest"]
)
EXAMPLES = settings(max_examples=60, deadline=None)


@EXAMPLES
@given(frames())
def test_a_frame_equals_its_own_encoding_in_every_respect(frame: pd.DataFrame) -> None:
    facts = compared(frame, frame.copy(), STRICT)

    assert (facts.differences, facts.near) == ((), ())
    assert verdict(frame, frame.copy(), STRICT).status == "passed"


@EXAMPLES
@given(frames(min_columns=1))
def test_every_column_equals_its_own_encoding(frame: pd.DataFrame) -> None:
    series = frame.iloc[:, 0]

    assert compared(series, series.copy(), STRICT).differences == ()


@POLICIES
@EXAMPLES
@given(frames(min_rows=1, min_columns=1), st.data())
def test_one_changed_cell_never_passes(
    policy: ComparePolicy, frame: pd.DataFrame, data: Any
) -> None:
    row = data.draw(st.integers(0, len(frame) - 1))
    column = data.draw(st.integers(0, len(frame.columns) - 1))
    other = frame.copy()
    series = other.iloc[:, column].astype("object")
    new = changed(series.iloc[row])
    assume(new is not None and new is not pd.NA)
    series.iloc[row] = new
    dtype = frame.dtypes.iloc[column]
    other.isetitem(column, series if dtype == "category" else series.astype(dtype))

    assert verdict(frame, other, policy).status == "failed"


@POLICIES
@EXAMPLES
@given(frames(min_rows=1, min_columns=1), st.data())
def test_a_row_more_or_less_never_passes(
    policy: ComparePolicy, frame: pd.DataFrame, data: Any
) -> None:
    at = data.draw(st.integers(0, len(frame) - 1))
    less = frame.drop(index=frame.index[at])
    more = pd.concat([frame, frame.iloc[[at]]])

    assert [verdict(frame, other, policy).status for other in (less, more)] == ["failed"] * 2


@POLICIES
@EXAMPLES
@given(frames(min_rows=1, min_columns=2))
def test_a_column_more_or_less_never_passes(policy: ComparePolicy, frame: pd.DataFrame) -> None:
    assume("new" not in frame.columns)
    # An index that holds the very values of a column may stand for it, where any form is accepted.
    assume([str(one) for one in frame.iloc[:, 0]] != [str(one) for one in frame.index])
    less = frame.iloc[:, 1:]
    more = frame.assign(new=1)

    assert [verdict(frame, other, policy).status for other in (less, more)] == ["failed"] * 2


@EXAMPLES
@given(frames(min_columns=1), TEXTS)
def test_another_column_name_fails_unless_names_are_not_compared(
    frame: pd.DataFrame, name: str
) -> None:
    assume(name not in frame.columns)
    other = frame.rename(columns={frame.columns[0]: name})

    assert verdict(frame, other, ANALYST).status == "failed"
    assert "columns" in kinds(compared(frame, other))
    assert verdict(frame, other, LOOSEST).status == "passed"


@EXAMPLES
@given(frames(min_rows=2, min_columns=1), st.randoms(use_true_random=False))
def test_rows_in_another_order_are_an_order_difference_alone(
    frame: pd.DataFrame, random: Any
) -> None:
    places = list(range(len(frame)))
    random.shuffle(places)
    frame = frame.reset_index(drop=True)
    other = frame.iloc[places].reset_index(drop=True)
    assume(encode(frame)["rows"] != encode(other)["rows"])

    assert kinds(compared(frame, other, STRICT)) == ["order"]
    result = verdict(frame, other)
    assert (result.status, result.headline, result.accept) == (
        "failed",
        "Wrong order: equal after sorting",
        "check_row_order",
    )


@EXAMPLES
@given(frames(min_rows=2, min_columns=1), st.randoms(use_true_random=False))
def test_rows_that_moved_with_their_labels_are_an_order_difference_alone(
    frame: pd.DataFrame, random: Any
) -> None:
    frame.index = pd.Index([f"row {at}" for at in range(len(frame))])
    places = list(range(len(frame)))
    random.shuffle(places)
    assume(places != sorted(places))

    assert kinds(compared(frame, frame.iloc[places], STRICT)) == ["order"]


@EXAMPLES
@given(frames(min_rows=1, min_columns=2))
def test_columns_in_another_order_are_found(frame: pd.DataFrame) -> None:
    other = frame.iloc[:, ::-1]
    assert verdict(frame, other).accept in ("check_column_order", "check_column_names")
    assert verdict(frame, other).headline == "Wrong order: columns in another order"


@EXAMPLES
@given(frames(min_columns=1))
def test_neither_side_is_changed(frame: pd.DataFrame) -> None:
    other = frame.iloc[::-1]
    before = [copy.deepcopy(frame), copy.deepcopy(other)]
    cells = [[id(cell) for cell in frame[name].array] for name in frame if frame[name].dtype == "O"]

    compared(frame, other)
    compared([1], other)

    pd.testing.assert_frame_equal(frame, before[0])
    pd.testing.assert_frame_equal(other, before[1])
    after = [[id(cell) for cell in frame[name].array] for name in frame if frame[name].dtype == "O"]
    assert after == cells


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXTS
    | st.binary(max_size=4)
    | st.complex_numbers(allow_nan=False)
    | st.decimals(allow_nan=False)
    | st.fractions()
    | st.datetimes().map(lambda when: when.replace(fold=0))
    | st.dates()
    | st.times().map(lambda when: when.replace(fold=0))
    | st.timedeltas()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(TEXTS | st.integers(), inner, max_size=4)
    ),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_a_value_equals_its_own_encoding_in_every_respect(value: Any) -> None:
    assert compared(value, copy.deepcopy(value), STRICT).differences == ()


@settings(max_examples=300, deadline=None)
@given(VALUES, VALUES)
def test_two_values_pass_only_if_python_says_that_they_are_equal(one: Any, two: Any) -> None:
    same = repr(one) == repr(two) or one == two

    assert verdict(one, two, STRICT).status == "failed" or same


@settings(max_examples=100, deadline=None)
@given(st.sets(st.integers() | TEXTS, max_size=5), st.sets(st.integers() | TEXTS, max_size=5))
def test_sets_pass_only_if_equal(one: set[Any], two: set[Any]) -> None:
    assert (verdict(one, two, LOOSEST).status == "passed") == (one == two)
