"""A verdict in words."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from exeds_lab.model.verdict import FailureKind
from tests.kernel.measuring import verdict


@pytest.mark.parametrize(
    ("expected", "actual", "failure", "headline"),
    [
        (
            pd.DataFrame({"a": [1.0, 2.0]}),
            pd.DataFrame({"a": [100.0, 200.0]}),
            FailureKind.WRONG_VALUE,
            "Wrong value: 2 of 2 cells differ; equal up to a factor of 100",
        ),
        (
            pd.DataFrame({"a": [1.0, 2.0]}),
            pd.DataFrame({"a": [1.0, 2.5]}),
            FailureKind.WRONG_VALUE,
            "Wrong value: 2.5 instead of 2.0 in a, row 1",
        ),
        (
            pd.DataFrame({"a": [1.0]}),
            pd.DataFrame({"A": [1.0], "n": [1]}),
            FailureKind.WRONG_COLUMNS,
            "Wrong columns: a missing, A, n too many; "
            "the column names differ in upper and lower case or blanks only",
        ),
        (
            pd.DataFrame({"a": [1.0]}),
            pd.DataFrame({"a": [1.0, 2.0]}),
            FailureKind.WRONG_SHAPE,
            "Wrong shape: 2 rows instead of 1",
        ),
        ([1], (1,), FailureKind.WRONG_FORM, "Right value, wrong form: a tuple, not a list"),
        (3, "3", FailureKind.WRONG_TYPE,
         "Wrong type: str, not int; equal as text, but one is int and one str"),
    ],
)  # fmt: skip
def test_headlines_say_what_a_colleague_would(
    expected: Any, actual: Any, failure: FailureKind, headline: str
) -> None:
    result = verdict(expected, actual)

    assert (result.failure, result.headline) == (failure, headline)
