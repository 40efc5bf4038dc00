"""Every kind of difference as a person at a terminal sees it."""

from __future__ import annotations

import io
from typing import Any, get_args

import pytest
from rich.console import Console

from exeds_lab.cli.differences import rendered
from exeds_lab.cli.report import effects_text
from exeds_lab.model import execution as e

EXAMPLES: dict[Any, tuple[Any, list[str]]] = {
    e.ValueDifference: (
        e.ValueDifference(path="[2]", expected="1.5", actual="1.0", abs_error=0.5, rel_error=0.33),
        ["≠ [2]", "1.5", "1.0   (off by 0.5)"],
    ),
    e.CellsDifference: (
        e.CellsDifference(
            rows="sorted",
            columns="name",
            cells=(
                e.CellDiff(
                    row=0, row_label="N", column="n", expected="1", actual="[red]2", abs_error=1.0
                ),
            ),
            total=30,
        ),
        ["30 cells differ after sorting both sides:", "≠ N", "[red]2", "… and 10 more cells"],
    ),
    e.RowsDifference: (
        e.RowsDifference(missing=("a",), extra=("b",), expected_rows=2, actual_rows=2),
        ["2 rows expected, 2 found:", "- a", "+ b"],
    ),
    e.ColumnsDifference: (e.ColumnsDifference(missing=("a",), extra=()), ["Columns:", "- a"]),
    e.OrderDifference: (
        e.OrderDifference(axis="rows", moved=2, expected=("a", "b", "c"), actual=("b", "a", "c")),
        ["2 rows are in another place:", "≠ 1", "≠ 2", "  3"],
    ),
    e.ShapeDifference: (e.ShapeDifference(expected="3 rows", actual="4 rows"), ["≠ shape"]),
    e.DtypeDifference: (
        e.DtypeDifference(column="n", expected="int64", actual="float64", same_kind=False),
        ["≠ dtype n", "int64", "float64"],
    ),
    e.IndexDifference: (
        e.IndexDifference(expected="a, b", actual="0, 1", declared=True),
        ["≠ index"],
    ),
    e.NameDifference: (
        e.NameDifference(what="series", expected="a", actual="b"),
        ["≠ name of series"],
    ),
    e.TypeDifference: (e.TypeDifference(expected="list", actual="tuple"), ["≠ type"]),
    e.FormDifference: (
        e.FormDifference(expected="DataFrame", actual="Series", conversion="region is the index"),
        ["≠ form", "region is the index"],
    ),
    e.MissingKindDifference: (
        e.MissingKindDifference(path="[0]", expected="NaN", actual="None"),
        ["≠ [0]"],
    ),
    e.TextDifference: (
        e.TextDifference(expected="a\nb", actual="a\nB", only="case"),
        ["The texts differ in case only", "- b", "+ B"],
    ),
    e.ExpressionDifference: (
        e.ExpressionDifference(expression="len(x) == 3", values=(("len(x)", "2"),), error="E: e"),
        ["≠ not true: len(x) == 3", "len(x) = 2", "it raised E: e"],
    ),
    e.ExceptionDifference: (
        e.ExceptionDifference(expected="ValueError", actual="nothing"),
        ["≠ exception"],
    ),
    e.ChangedDifference: (
        e.ChangedDifference(name="df", how="3 rows fewer"),
        ["≠ df must not change: 3 rows fewer"],
    ),
    e.AbsentDifference: (
        e.AbsentDifference(what="no last value", hint="it was printed"),
        ["- no last value (it was printed)"],
    ),
    e.IncomparableDifference: (
        e.IncomparableDifference(expected="1", actual="?", why="its == raises"),
        ["≠ cannot be compared", "its == raises"],
    ),
}


def test_every_kind_of_difference_has_an_example() -> None:
    assert set(EXAMPLES) == set(get_args(get_args(e.Difference)[0]))


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_both_sides_and_a_sign_are_printed_without_colours(kind: Any) -> None:
    difference, wanted = EXAMPLES[kind]
    out = io.StringIO()
    Console(file=out, width=100).print(rendered(difference))

    for text in wanted:
        assert text in out.getvalue()


def test_what_a_candidate_would_change_is_one_line() -> None:
    effects = e.Effects(
        created=("top",),
        rebound=("n",),
        deleted=(),
        mutated=(e.Mutation(name="df", how="columns added: total"),),
        unproven=(),
        variables=14,
        files=(e.FileEffect(action="written", what="out.csv"),),
    )

    assert effects_text(effects) == (
        "would change 2 of 14 variables · changes: n, df · creates: top · written out.csv"
    )
