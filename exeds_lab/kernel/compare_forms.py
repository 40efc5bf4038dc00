"""The right value in another form: conversions that a colleague would do without a word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from exeds_lab.kernel.compare_nested import Walk, article, elements, tag
from exeds_lab.kernel.compare_table import TableOptions, compare_tables
from exeds_lab.kernel.facts import Facts
from exeds_lab.kernel.near import near_numbers
from exeds_lab.kernel.render import cell_text, kind_name, label_text


class Converted(NamedTuple):
    """The actual value in the form that was expected."""

    value: Any
    words: str
    """What the actual value is instead, e.g. `a Series, not a one-column table`."""


def compare_encoded(expected: Any, actual: Any, options: TableOptions) -> Facts:
    """Compare two encoded values, also after the conversions that keep what they say."""
    facts = _compare_as_they_are(expected, actual, options)
    if not facts.is_hard() and "columns" not in facts.kinds():
        return facts
    found = [
        (_compare_as_they_are(expected, converted.value, options), converted.words)
        for converted in _conversions(expected, actual)
    ]
    for inner, words in found:
        if not inner.is_hard() and "columns" not in inner.kinds():
            return _with_form(inner, expected, actual, words)
    for inner, words in found if facts.is_hard() else ():
        if not inner.is_hard():
            return _with_form(inner, expected, actual, words)
    return facts


def _compare_as_they_are(expected: Any, actual: Any, options: TableOptions) -> Facts:
    if tag(expected) == tag(actual) == "table" and expected["form"] == actual["form"]:
        return compare_tables(expected, actual, options)
    facts = Facts()
    if tag(expected) == "table":
        facts.add("type", expected=kind_name(expected), actual=kind_name(actual))
        return facts
    walk = Walk(facts, options.tolerance)
    walk.compare(expected, actual, "")
    near_numbers(facts, walk.numbers)
    return facts


def _with_form(inner: Facts, expected: Any, actual: Any, words: str) -> Facts:
    facts = Facts()
    facts.add("form", expected=kind_name(expected), actual=kind_name(actual), conversion=words)
    facts.add_all(inner)
    return facts


def _conversions(expected: Any, actual: Any) -> Iterator[Converted]:
    if tag(expected) == "table" and expected["form"] == "DataFrame":
        yield from _to_frame(expected, actual)
    elif tag(expected) == "table":
        yield from _to_series(expected, actual)
    elif tag(expected) == "dict" and tag(actual) == "table" and len(actual["columns"]) == 1:
        pairs = [[label, row[0]] for label, row in zip(_labels(actual), actual["rows"])]
        yield Converted({"$": "dict", "v": pairs}, f"a {actual['form']}, not a dict")


def _to_frame(expected: Any, actual: Any) -> Iterator[Converted]:
    if tag(actual) == "table":
        frame = actual
        words = ""
        if actual["form"] == "Series":
            frame = _series_as_frame(expected, actual)
            words = "a Series, not a one-column table"
            yield Converted(frame, words)
        yield from _moved_index(expected, frame)
    elif tag(actual) == "list" and actual and all(tag(item) == "dict" for item in actual):
        yield from _records(actual)
    elif tag(actual) == "dict" and actual["v"]:
        yield from _dict_of_columns(actual)
    elif elements(actual) is not None and len(expected["columns"]) == 1:
        table = _one_column(expected["columns"][0], elements(actual) or [], "DataFrame")
        yield Converted(table, f"{article(kind_name(actual))}, not a one-column table")


def _series_as_frame(expected: Any, series: Any) -> Any:
    """A nameless Series takes the label of the last expected column: it has none of its own."""
    name = series["name"]
    if name is None and expected["columns"]:
        name = expected["columns"][-1]
    return {**series, "form": "DataFrame", "columns": [name], "name": None}


def _moved_index(expected: Any, frame: Any) -> Iterator[Converted]:
    levels = frame["index_names"] or [None]
    missing = len(expected["columns"]) - len(frame["columns"])
    if frame["index"] is not None and missing == len(levels):
        names = _level_names(expected, frame)
        words = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} the index, not "
        yield Converted(
            _reset(frame, names), words + ("a column" if len(names) == 1 else "columns")
        )
    wanted = expected["index_names"] or [None]
    if expected["index"] is not None and frame["index"] is None and -missing == len(wanted):
        yield from _index_from_columns(expected, frame, wanted)


def _level_names(expected: Any, frame: Any) -> list[str]:
    """The names of the index levels; a nameless one takes that of the column in its place."""
    taken = {label_text(label) for label in frame["columns"]}
    free = [label_text(one) for one in expected["columns"] if label_text(one) not in taken]
    names = frame["index_names"] or [None]
    return [free.pop(0) if name is None and free else str(name) for name in names]


def _reset(frame: Any, names: list[str]) -> Any:
    levels = [_parts(label) for label in frame["index"]]
    return {
        **frame,
        "columns": [*names, *frame["columns"]],
        "dtypes": [*("object" for _ in names), *frame["dtypes"]],
        "rows": [[*label, *row] for label, row in zip(levels, frame["rows"])],
        "index": None,
        "index_names": [None],
    }


def _parts(label: Any) -> list[Any]:
    return list(label["v"]) if tag(label) == "tuple" else [label]


def _index_from_columns(expected: Any, frame: Any, wanted: list[str | None]) -> Iterator[Converted]:
    texts = [label_text(label) for label in frame["columns"]]
    kept = {label_text(label) for label in expected["columns"]}
    places = [at for at, text in enumerate(texts) if text not in kept]
    if len(places) != len(wanted):
        return
    rest = [at for at in range(len(texts)) if at not in places]
    labels = [[row[at] for at in places] for row in frame["rows"]]
    names = [texts[at] for at in places]
    moved = {
        **frame,
        "columns": [frame["columns"][at] for at in rest],
        "dtypes": [frame["dtypes"][at] for at in rest],
        "rows": [[row[at] for at in rest] for row in frame["rows"]],
        "index": [one[0] if len(one) == 1 else {"$": "tuple", "v": one} for one in labels],
        "index_names": names,
    }
    verb = "is a column" if len(names) == 1 else "are columns"
    yield Converted(moved, f"{' and '.join(names)} {verb}, not the index")


def _records(actual: list[Any]) -> Iterator[Converted]:
    keys = [key for key, _ in actual[0]["v"]]
    rows = []
    for record in actual:
        if [key for key, _ in record["v"]] != keys:
            return
        rows.append([item for _, item in record["v"]])
    yield Converted(_table(keys, rows, "DataFrame"), "a list of dicts, not a table")


def _dict_of_columns(actual: Any) -> Iterator[Converted]:
    columns = [elements(item) for _, item in actual["v"]]
    filled = [column for column in columns if column is not None]
    if len(filled) != len(columns) or len({len(column) for column in filled}) != 1:
        return
    keys = [key for key, _ in actual["v"]]
    rows = [list(row) for row in zip(*filled)]
    yield Converted(_table(keys, rows, "DataFrame"), "a dict of columns, not a table")


def _to_series(expected: Any, actual: Any) -> Iterator[Converted]:
    name = expected["name"]
    if tag(actual) == "table":
        if len(actual["columns"]) == 1:
            yield Converted(_frame_as_series(actual), "a one-column table, not a Series")
        for converted in _moved_index({**expected, "columns": [name]}, actual):
            if len(converted.value["columns"]) == 1:
                yield Converted(_frame_as_series(converted.value), "a table, not a Series")
        if len(actual["columns"]) == 2 and expected["index"] is not None:
            yield from _label_value_table(actual)
    elif tag(actual) == "dict":
        series = _one_column(None, [item for _, item in actual["v"]], "Series")
        yield Converted(
            {**series, "index": [key for key, _ in actual["v"]]}, "a dict, not a Series"
        )
    elif elements(actual) is not None:
        series = _one_column(None, elements(actual) or [], "Series")
        yield Converted(series, f"{article(kind_name(actual))}, not a Series")


def _label_value_table(actual: Any) -> Iterator[Converted]:
    series = _one_column(actual["columns"][1], [row[1] for row in actual["rows"]], "Series")
    series["dtypes"] = [actual["dtypes"][1]]
    series["index"] = [row[0] for row in actual["rows"]]
    series["index_names"] = [cell_text(actual["columns"][0])]
    words = f"a table with {label_text(actual['columns'][0])} as a column, not a Series"
    yield Converted(series, words)


def _frame_as_series(frame: Any) -> Any:
    return {**frame, "form": "Series", "name": frame["columns"][0]}


def _one_column(label: Any, cells: list[Any], form: str) -> Any:
    return _table([label], [[cell] for cell in cells], form)


def _table(columns: list[Any], rows: list[list[Any]], form: str) -> Any:
    """A table made of loose cells: `object` stands for whatever the cells are."""
    return {
        "$": "table",
        "form": form,
        "columns": columns,
        "dtypes": ["object" for _ in columns],
        "index": None,
        "index_names": None,
        "rows": [[_loose(cell) for cell in row] for row in rows],
        "name": columns[0] if form == "Series" else None,
        "decimals": None,
    }


def _loose(cell: Any) -> Any:
    return cell["v"] if type(cell) is dict and cell["$"] == "scalar" else cell


def _labels(table: Any) -> list[Any]:
    return list(range(len(table["rows"]))) if table["index"] is None else table["index"]
