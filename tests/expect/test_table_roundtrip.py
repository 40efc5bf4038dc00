"""What pandas writes is read back as the frame it was: it passes, and another one does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exeds_lab.errors import ExpectationError
from exeds_lab.expect.table import read_table
from exeds_lab.judge.verdict import judge
from exeds_lab.model.spec import TableExpected
from exeds_lab.model.verdict import Verdict
from tests.kernel.frames import changed
from tests.kernel.measuring import check, executed, expectation, facts_of, seen

_ODD = frozenset(("-", "..", "...", "nan", "inf", "None", "True", "False"))


def _is_plain(word: str) -> bool:
    is_number = not word.replace(".", "").replace("-", "").strip("e")
    return bool(word) and word not in _ODD and not is_number and "  " not in word


WORDS = st.text("abcdef ÄöéXYZ-_/.", min_size=1, max_size=10).map(str.strip).filter(_is_plain)
NUMBERS = st.floats(-1e5, 1e5, allow_nan=False).map(lambda x: round(x, 4))
COLUMNS: dict[str, Any] = {
    "int": st.integers(-(10**6), 10**6),
    "float": NUMBERS | st.just(float("nan")),
    "text": WORDS,
    "bool": st.booleans(),
    "day": st.dates(pd.Timestamp("1990-01-01").date(), pd.Timestamp("2040-01-01").date()),
}


@st.composite
def plain_frames(draw: Any) -> pd.DataFrame:
    height = draw(st.integers(1, 6))
    columns = {}
    for name in draw(st.lists(WORDS, min_size=1, max_size=4, unique=True)):
        kind = draw(st.sampled_from(sorted(COLUMNS)))
        cells = draw(st.lists(COLUMNS[kind], min_size=height, max_size=height))
        columns[name] = pd.to_datetime(cells) if kind == "day" else cells
    frame = pd.DataFrame(columns)
    if draw(st.booleans()):
        labels = draw(st.lists(WORDS, min_size=height, max_size=height, unique=True))
        frame.index = pd.Index(labels)
    return frame


def markdown(frame: pd.DataFrame) -> str:
    """As `to_markdown` writes it, which needs a library of its own."""
    lines = [["", *frame.columns], ["---"] * (len(frame.columns) + 1)]
    for label, row in zip(frame.index, frame.to_numpy(object), strict=True):
        lines.append([str(label), *map(str, row)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


WRITERS: dict[str, Callable[[pd.DataFrame], str]] = {
    "csv": lambda frame: frame.to_csv(),
    "tabs": lambda frame: frame.to_csv(sep="\t"),
    "semicolons": lambda frame: frame.to_csv(sep=";", decimal=","),
    "markdown": markdown,
    "string": lambda frame: frame.to_string(),
    "html": lambda frame: frame.to_html(),
}


def judged(text: str, actual: Any) -> Verdict:
    pasted = read_table(text)
    expected = TableExpected(
        value=pasted.value, only_rows=pasted.only_rows, only_columns=pasted.only_columns
    )
    one = check(expected)
    return judge(executed((facts_of(one, seen(actual)),)), expectation(one))


@pytest.mark.parametrize("writer", sorted(WRITERS))
@settings(max_examples=60, deadline=None)
@given(plain_frames())
def test_a_frame_passes_against_what_pandas_wrote(writer: str, frame: pd.DataFrame) -> None:
    assert judged(WRITERS[writer](frame), frame).headline == "Passed"


@pytest.mark.parametrize("writer", sorted(WRITERS))
@settings(max_examples=40, deadline=None)
@given(plain_frames(), st.data())
def test_another_cell_fails_against_what_pandas_wrote(
    writer: str, frame: pd.DataFrame, data: Any
) -> None:
    row = data.draw(st.integers(0, len(frame) - 1))
    column = data.draw(st.integers(0, len(frame.columns) - 1))
    cells = frame.iloc[:, column].tolist()
    cells[row] = changed(cells[row])
    assume(cells[row] is not None)
    other = frame.copy()
    other.isetitem(column, pd.Series(cells, index=frame.index))

    assert judged(WRITERS[writer](frame), other).status == "failed"


@settings(max_examples=60, deadline=None)
@given(plain_frames())
def test_a_printed_column_passes(frame: pd.DataFrame) -> None:
    series = frame.iloc[:, 0]

    assert judged(repr(series), series).headline == "Passed"


@settings(max_examples=200, deadline=None)
@given(st.text("ab,;\t|\n \"'-.<>[]{}01", max_size=40))
def test_any_text_is_read_or_refused_with_a_reason(text: str) -> None:
    try:
        value = read_table(text).value
    except ExpectationError as error:
        assert error.reason
        assert error.next_step
    else:
        assert isinstance(value, dict)
        assert value["$"] == "table"
