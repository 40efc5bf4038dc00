"""Pasted tables of every kind."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from tests.expect.declaring import pasted, problem, rows, table

NAN = {"$": "float", "v": "nan"}
WRAPPED = "   a  b \\\n0  1  2  \n\n   c\n0  3"
PART = "0    1\n1    2\nName: x, Length: 5, dtype: int64"


def test_csv_makes_no_claim_of_dtypes_or_index() -> None:
    assert table("city,n\nBonn,1\nKöln,2\n") == {
        "$": "table",
        "form": "DataFrame",
        "columns": ["city", "n"],
        "dtypes": [None, None],
        "index": None,
        "index_names": None,
        "rows": [["Bonn", 1], ["Köln", 2]],
        "name": None,
        "decimals": None,
    }


@pytest.mark.parametrize(
    "text",
    [
        "city,n\nBonn,1\nKöln,2",
        "\ufeffcity,n\r\nBonn,1\r\nKöln,2\r\n",
        "city\tn\nBonn\t1\nKöln\t2\n",
        "city;n\nBonn;1\nKöln;2\n",
        "\n\ncity, n\nBonn, 1\n\nKöln, 2\n\n",
        '"city","n"\n"Bonn",1\n"Köln",2',
        "| city | n |\n|------|---:|\n| Bonn | 1 |\n| Köln | 2 |",
        "city | n\n-----|---\nBonn | 1\nKöln | 2",
        "   city  n\n0  Bonn  1\n1  Köln  2",
        "   city  n\n0  Bonn  1\n1  Köln  2\n\n[2 rows x 2 columns]",
        "city  n\nBonn  1\nKöln  2",
        '[{"city": "Bonn", "n": 1}, {"city": "Köln", "n": 2}]',
        "{'city': ['Bonn', 'Köln'], 'n': [1, 2]}",
        '{"columns": ["city", "n"], "index": [0, 1], "data": [["Bonn", 1], ["Köln", 2]]}',
        "<table><tr><th>city</th><th>n</th></tr><tr><td>Bonn</td><td>1</td></tr>"
        "<tr><td>K&ouml;ln</td><td>2</td></tr></table>",
    ],
)
def test_every_format_gives_the_same_table(text: str) -> None:
    found = table(text)

    assert (found["columns"], found["rows"]) == (["city", "n"], [["Bonn", 1], ["Köln", 2]])
    assert found["index"] is None


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1", "-2", "+3"], [1, -2, 3]),
        (["1", "2.5"], [1.0, 2.5]),
        (["1e3", "2"], [1000.0, 2.0]),
        (["007", "12"], ["007", "12"]),
        (["1,204", "3,000,000"], [1204, 3000000]),
        (["1,204.50", "2.00"], [1204.5, 2.0]),
        (["1.204,50", "3,00"], [1204.5, 3.0]),
        (["1.204.000", "1,5"], [1204000.0, 1.5]),
        (["1'204", "2'000'000"], [1204, 2000000]),
        (["1 204", "2"], [1204, 2]),
        (["1.204", "2.5"], [1.204, 2.5]),
        (["0,5", "1,25"], [0.5, 1.25]),
        (["12%", "3%"], ["12%", "3%"]),
        (["$5", "$6"], ["$5", "$6"]),
        (["True", "False"], [True, False]),
        (["1", "x"], ["1", "x"]),
        (["1", "", "NaN", "NA", "null", "-", "\u2013"], [1, NAN, NAN, NAN, NAN, NAN, NAN]),
        (["x", "", "None", "-"], ["x", None, None, "-"]),
        (["inf", "-inf"], [{"$": "float", "v": "inf"}, {"$": "float", "v": "-inf"}]),
        (["2024-01-31", "2024-02-01"], ["2024-01-31", "2024-02-01"]),
        (["12345678901234567890", "1"], [12345678901234567890, 1]),
    ],
    ids=repr,
)
def test_cells_are_read_column_by_column(cells: list[str], values: list[Any]) -> None:
    text = "\n".join(["k\tc", *(f"a\t{cell}" for cell in cells)])

    assert [row[1] for row in rows(text)] == values


def test_a_comma_before_three_digits_is_asked_about_unless_the_table_tells() -> None:
    asked = problem("table", "a\tb\nx\t1,204\n")

    assert asked == ("1,204 in b can be 1204 or 1.204.", 2, None)
    assert rows("a\tb\tc\nx\t1,204\t0.5\n") == [["x", 1204, 0.5]]
    assert rows("a\tb\tc\nx\t1,204\t0,5\n") == [["x", 1.204, 0.5]]
    assert rows('a,b\nx,"1,204"\n') == [["x", 1204]]


def test_two_decimal_marks_in_one_table_are_refused() -> None:
    reason, line, _ = problem("table", "a\tb\n0.5\t0,5\n")

    assert (reason, line) == ("0.5 has a decimal point and 0,5 a decimal comma.", 2)


def test_quoted_cells_are_text_and_may_hold_anything() -> None:
    text = 'a,b\n"1","x,""y""\nz"\n"","2"\n'

    assert rows(text) == [["1", 'x,"y"\nz'], ["", "2"]]


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("a,b\n1,2\n3\n", "This row has 1 cell, but the header has 2.", 3),
        ("a,b\n1,2\n\n3,4,5\n", "This row has 3 cells, but the header has 2.", 4),
        ('a,b\n"x\ny",1\n"z,2\n', "A quoted cell is not closed.", 4),
        ('a,b\n"x"y,1\n', "There is text after a closing quote.", 2),
        ("| a | b |\n|---|---|\n| 1 |\n", "This row has 1 cell, but the header has 2.", 3),
        ("", "There is no table.", None),
        ("  \n ", "There is no table.", None),
        (WRAPPED, "This printed table is wrapped over several blocks.", 1),
        ("   a\n0  1\n\n[2 rows x 1 columns]", "It says 2 rows, but 1 are pasted.", None),
        ("   a\n0  1\n\n[1 rows x 2 columns]", "It says 2 columns, but 1 were found.", None),
        (PART, "It says 5 values, but 2 are pasted.", None),
        ("<table></table>", "This HTML has no table with rows.", None),
        (
            "<table><tr><th colspan=2>a</th></tr><tr><td>1</td><td>2</td></tr></table>",
            "A header of this table spans several columns.",
            1,
        ),
        ("[1, 2]", "This is no table: expected a list of records or a dict of columns.", None),
        ('{"a": [1], "b": [1, 2]}', "The columns are not equally long.", None),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_where(text: str, reason: str, line: int | None) -> None:
    assert problem("table", text) == (reason, line, None)


def test_an_empty_table_has_its_columns() -> None:
    for text in ("a,b\n", "a\tb", "| a | b |\n|---|---|\n"):
        found = table(text)
        assert (found["columns"], found["rows"]) == (["a", "b"], [])


def test_an_index_column_is_one_without_a_header() -> None:
    for text in (
        ",n\nx,1\ny,2\n",
        "|   | n |\n|---|---|\n| x | 1 |\n| y | 2 |",
        "   n\nx  1\ny  2",
        pd.DataFrame({"n": [1, 2]}, index=["x", "y"]).to_html(),
    ):
        found = table(text)
        assert (found["columns"], found["index"], found["rows"]) == (["n"], ["x", "y"], [[1], [2]])


def test_a_printed_index_keeps_its_name() -> None:
    frame = pd.DataFrame({"n": [1, 2]}, index=pd.Index(["x y", "z w"], name="key"))

    for text in (frame.to_string(), frame.to_html(), repr(frame["n"])):
        found = table(text)
        assert (found["index"], found["index_names"]) == (["x y", "z w"], ["key"])


def test_several_index_levels_are_filled_down() -> None:
    frame = pd.DataFrame({"k": list("aab"), "j": [1, 2, 1], "v": [0.5, 1.5, 2.5]})
    frame = frame.set_index(["k", "j"])
    labels = [{"$": "tuple", "v": list(label)} for label in frame.index]

    for text in (repr(frame), frame.to_html(), repr(frame["v"])):
        found = table(text)
        assert (found["index"], found["index_names"]) == (labels, ["k", "j"])
        assert found["rows"] == [[0.5], [1.5], [2.5]]


def test_a_shortened_print_claims_only_what_it_shows_and_its_size() -> None:
    frame = pd.DataFrame({"a": range(100), "b": range(100)})
    tall = pasted(repr(frame))

    assert (tall.only_rows, tall.only_columns, tall.total) == (True, False, (100, 2))
    assert isinstance(tall.value, dict)
    assert tall.value["index"] == [0, 1, 2, 3, 4, 95, 96, 97, 98, 99]


def test_a_wide_print_with_dots_claims_only_its_columns() -> None:
    text = "   a  ...  z\n0  1  ...  2\n\n[1 rows x 26 columns]"
    found = pasted(text)

    assert (found.only_rows, found.only_columns, found.total) == (False, True, (1, 26))
    assert table(text)["columns"] == ["a", "z"]


def test_a_printed_float_claims_the_decimals_that_pandas_prints() -> None:
    frame = pd.DataFrame({"third": [1 / 3, 2.0], "half": [0.5, 1.5], "n": [1, 2]})

    assert table(frame.to_string())["decimals"] == [6, 6, None]
    assert table(frame.to_html())["decimals"] == [6, 6, None]
    assert table(frame.to_csv())["decimals"] is None


def test_a_float_in_scientific_notation_claims_its_mantissa() -> None:
    text = pd.DataFrame({"x": [1.204e9, 1.5e-7]}).to_string()

    assert rows(text) == [
        [{"$": "shown", "v": 1.204e9, "decimals": -3}],
        [{"$": "shown", "v": 1.5e-7, "decimals": 13}],
    ]


def test_a_text_that_the_print_cut_off_is_refused() -> None:
    frame = pd.DataFrame({"t": ["word " * 20]})

    for text in (frame.to_string(max_colwidth=50), frame._repr_html_()):
        reason, line, _ = problem("table", text)
        assert reason == "The text word word word word… is cut off in the print."
        assert "word word" in text.split("\n")[line + 1 if "<" in text else line - 1]


def test_a_printed_series_is_one() -> None:
    series = pd.Series([1.5, 2.5], index=["a b", "c"], name="n")
    found = table(repr(series))

    assert (found["form"], found["name"], found["columns"]) == ("Series", "n", ["n"])
    assert (found["index"], found["rows"]) == (["a b", "c"], [[1.5], [2.5]])
    texts = table(repr(pd.Series(["1", "2"], dtype="object")))
    assert (texts["rows"], texts["name"]) == ([["1"], ["2"]], None)


def test_the_name_of_the_columns_axis_is_no_column() -> None:
    frame = pd.DataFrame({"k": ["a", "b"], "c": ["x", "y"], "v": [1, 2]})
    pivot = frame.pivot_table(index="k", columns="c", values="v", fill_value=0)
    found = table(repr(pivot))

    assert (found["columns"], found["index"], found["index_names"]) == (
        ["x", "y"],
        ["a", "b"],
        ["k"],
    )
