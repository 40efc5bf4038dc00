"""Pasted tables: what they claim, and what they do not."""

from __future__ import annotations

from typing import Any

import pandas as pd

from exeds_lab.kernel.encode import encode
from exeds_lab.model.spec import STRICT, TableExpected
from tests.kernel.measuring import check, compared, facts_of, kinds, seen


def pasted(frame: pd.DataFrame, **changes: Any) -> TableExpected:
    """A table that makes no claim of types, as one that was pasted."""
    value = encode(frame)
    value |= {"dtypes": [None] * len(frame.columns), "index_names": None, **changes}
    return TableExpected(value=value, only_rows=False, only_columns=False)


def test_a_pasted_date_or_period_stands_for_the_value_that_prints_so() -> None:
    frame = pd.DataFrame(
        {
            "day": pd.to_datetime(["2024-01-31"]),
            "month": [pd.Period("2024-01")],
            "span": [pd.Timedelta("1 day")],
            "band": [pd.Interval(0, 5)],
            "mixed": [[1, "a"]],
        }
    )
    texts = pd.DataFrame(
        {
            "day": ["2024-01-31"],
            "month": ["2024-01"],
            "span": ["1 days"],
            "band": ["(0, 5]"],
            "mixed": ["[1, 'a']"],
        }
    )

    assert facts_of(check(pasted(texts)), seen(frame), STRICT).differences == ()
    other = frame.assign(day=frame["day"] + pd.Timedelta("1s"))
    assert "cells" in kinds(facts_of(check(pasted(texts)), seen(other)))


def test_a_pasted_number_is_no_text_and_a_pasted_integer_no_neighbour() -> None:
    ids = pd.DataFrame({"id": [10115, 12345678901]})
    expected = pasted(ids)

    assert kinds(facts_of(check(expected), seen(ids.astype("float64")))) == []
    assert "cells" in kinds(facts_of(check(expected), seen(ids.astype("str"))))
    assert "cells" in kinds(
        facts_of(check(expected), seen(ids.assign(id=[10115.0, 12345678902.0])))
    )


def test_a_printed_number_claims_the_decimals_that_were_visible() -> None:
    third = pd.DataFrame({"x": [0.333333]})
    expected = pasted(third, decimals=[6])

    passing = [1 / 3, 0.3333334]
    failing = [0.33334, 0.3333338, 0.333]

    def found(x: float) -> list[str]:
        return kinds(facts_of(check(expected), seen(pd.DataFrame({"x": [x]}))))

    assert [found(x) for x in passing] == [[], []]
    assert all("cells" in found(x) for x in failing)


def test_a_pasted_header_stands_for_the_label_that_prints_so() -> None:
    years = pd.DataFrame([[1, 2]], columns=[2020, 2021])
    texts = years.set_axis(["2020", "2021"], axis=1)

    assert facts_of(check(pasted(texts)), seen(years)).differences == ()
    assert kinds(compared(texts, years)) == ["columns"]
