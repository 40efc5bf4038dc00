"""The right content in the wrong form: the steps that give it the declared one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.goal import Fit, Goal
from exeds_lab.generate.embedded.search.grid import Atom
from exeds_lab.generate.embedded.search.literal import literal

MOST_STEPS = 4
CAST = {"number": "int", "int": "int", "float": "float", "text": "str", "bool": "bool"}


def convert(bench: Bench, code: str, fit: Fit) -> None:
    """Offer the program in ever better form until nothing gets nearer."""
    seen = {code}
    waiting = [(code, fit)]
    for _ in range(MOST_STEPS):
        found: list[tuple[str, Fit]] = []
        for at, near in waiting:
            for step in steps(bench, at, near):
                if step in seen:
                    continue
                seen.add(step)
                better = bench.fit(step)
                if better is not None and better.misses < near.misses:
                    found.append((step, better))
        if not found:
            return
        found.sort(key=lambda pair: pair[1].misses)
        if found[0][1].misses == 0:
            return
        waiting = found[:4]


def steps(bench: Bench, code: str, fit: Fit) -> Iterator[str]:
    """What to append for the first thing that differs."""
    goal, inside = bench.goal, bracketed(code)
    if fit.rounding:
        yield from roundings(code, inside, goal, fit)
        return
    if fit.order:
        yield from sortings(bench, inside, fit)
    if fit.actual.form == goal.form:
        yield from same_form(inside, goal, fit)
    elif goal.form == "frame":
        yield from to_frame(inside, goal, fit)
    elif goal.form == "series":
        yield from to_series(inside, fit)
    elif goal.form in ("list", "array", "dict"):
        yield from to_plain(inside, goal, fit)
    elif goal.form == "scalar":
        yield f"{inside}.iloc[0]" if fit.actual.form in ("series", "frame") else f"{inside}[0]"
        yield f"{inside}.item()"
    if fit.kinds:
        yield from casts(code, inside, goal)


def bracketed(code: str) -> str:
    """The code as something that a method can be called on."""
    depth, quoted = 0, ""
    for sign in code:
        if quoted:
            quoted = "" if sign == quoted else quoted
        elif sign in "\"'":
            quoted = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth == 0 and sign in " ~-":
            return f"({code})"
    return code


def roundings(code: str, inside: str, goal: Goal, fit: Fit) -> Iterator[str]:
    """Rounded to the digits that are visible."""
    digits = goal.digits
    if fit.actual.form == "scalar":
        yield f"round({code}, {digits})" if digits else f"round({code})"
    elif digits:
        yield f"{inside}.round({digits})"
    else:
        yield f"{inside}.round().astype(int)" if "int" in goal.grid.kinds else f"{inside}.round()"
        yield f"{inside}.astype(int)"


def sortings(bench: Bench, inside: str, fit: Fit) -> Iterator[str]:
    """Sorted by the values, the index, or one or two columns."""
    if fit.actual.form == "series":
        yield f"{inside}.sort_values(ascending=False)"
        yield f"{inside}.sort_values()"
        yield f"{inside}.sort_index()"
        yield f"{inside}.sort_index(ascending=False)"
        if fit.actual.index:
            yield f"{inside}.loc[{literal(wanted_index(bench.goal, fit))}]"
        return
    labels = [label for label in fit.actual.columns or [] if label is not None]
    for label in labels:
        for down in ("", ", ascending=False"):
            yield f"{inside}.sort_values({literal(label)}{down})"
            yield f'{inside}.sort_values({literal(label)}{down}, kind="stable")'
    yield f"{inside}.sort_index()"
    yield f"{inside}.sort_index(ascending=False)"
    for pair in itertools.permutations(labels[:6], 2):
        for ways in ("[True, False]", "[False, True]", "True", "False"):
            yield f"{inside}.sort_values({literal(list(pair))}, ascending={ways})"


def wanted_index(goal: Goal, fit: Fit) -> list[Atom]:
    """The labels in the wanted order, from the goal's index or its first column."""
    level = goal.grid.index[0] if goal.grid.index else goal.grid.cells[0]
    return list(level) if fit.actual_indexed else []


def same_form(inside: str, goal: Goal, fit: Fit) -> Iterator[str]:
    """A table or series whose index, columns or names differ."""
    if goal.form == "frame":
        if fit.index:
            yield from frame_index(inside, goal, fit)
        if fit.picked is not None and not fit.actual_indexed:
            labels = [(fit.actual.columns or [])[place] for place in fit.picked]
            yield f"{inside}[{literal(labels)}]"
        if fit.names and not fit.index:
            yield from renamed(inside, goal, fit)
    elif goal.form == "series" and fit.index:
        yield f"{inside}.reset_index(drop=True)"


def frame_index(inside: str, goal: Goal, fit: Fit) -> Iterator[str]:
    """An index that should be columns, columns that should be the index, or one too many."""
    if fit.actual_indexed and not fit.goal_indexed:
        names = fit.actual.index_names
        wanted = goal.columns[: len(names)]
        if names == wanted:
            yield f"{inside}.reset_index()"
        elif fit.picked is None:
            yield f"{inside}.rename_axis({axis_names(wanted)}).reset_index()"
        yield f"{inside}.reset_index()"
    elif fit.goal_indexed and not fit.actual_indexed:
        labels = (fit.actual.columns or [])[: len(goal.grid.index or [])]
        yield f"{inside}.set_index({literal(labels[0] if len(labels) == 1 else labels)})"
    else:
        yield f"{inside}.reset_index(drop=True)"


def renamed(inside: str, goal: Goal, fit: Fit) -> Iterator[str]:
    """Columns renamed to the wanted labels."""
    have = list(fit.actual.columns or [])
    places = fit.picked if fit.picked is not None else range(len(have))
    have = [have[place] for place in places if place < len(have)]
    if len(have) == len(goal.columns) and len(set(have)) == len(have):
        changed = {a: b for a, b in zip(have, goal.columns) if a != b}
        yield f"{inside}.rename(columns={literal(changed)})"
    yield f"{inside}.set_axis({literal(goal.columns)}, axis=1)"


def to_frame(inside: str, goal: Goal, fit: Fit) -> Iterator[str]:
    """A table from a series, an array or a dict."""
    grid, columns = fit.actual, goal.columns
    if grid.form == "series" and fit.actual_indexed and not fit.goal_indexed:
        yield from series_with_index(inside, grid.index_names, columns, grid.columns)
    elif grid.form == "series":
        name = columns[0] if columns else None
        yield (
            f"{inside}.to_frame()"
            if grid.columns == [name]
            else (f"{inside}.to_frame({literal(name)})")
        )
        yield f"{inside}.to_frame({literal(name)}).reset_index(drop=True)"
    elif grid.form in ("array", "list"):
        yield f"pd.DataFrame({inside}, columns={literal(columns)})"


def series_with_index(
    inside: str, names: list[Atom], columns: list[Atom], name: list[Atom] | None
) -> Iterator[str]:
    """The index of a series as columns of a table, named as wanted."""
    levels, last = columns[: len(names)], columns[-1]
    start = inside if names == levels else f"{inside}.rename_axis({axis_names(levels)})"
    if name == [last]:
        yield f"{start}.reset_index()"
    else:
        yield f"{start}.reset_index(name={literal(last)})"


def axis_names(labels: list[Atom]) -> str:
    """The argument of `rename_axis`."""
    return literal(labels[0] if len(labels) == 1 else labels)


def to_series(inside: str, fit: Fit) -> Iterator[str]:
    """A series from a table, an array or a list."""
    grid = fit.actual
    if grid.form == "frame":
        labels = list(grid.columns or [])
        if fit.goal_indexed and not fit.actual_indexed and len(labels) >= 2:
            yield f"{inside}.set_index({literal(labels[0])})[{literal(labels[-1])}]"
        if labels:
            yield f"{inside}[{literal(labels[-1])}]"
        yield f'{inside}.squeeze("columns")'
    elif grid.form in ("array", "list", "dict"):
        yield f"pd.Series({inside})"


def to_plain(inside: str, goal: Goal, fit: Fit) -> Iterator[str]:
    """A list, array or dict."""
    grid = fit.actual
    if goal.form == "list":
        yield f"{inside}.tolist()"
        yield f"list({inside})"
    elif goal.form == "array":
        yield f"{inside}.to_numpy()" if grid.form in ("series", "frame") else f"np.array({inside})"
    else:
        yield f"{inside}.to_dict()"
        labels: list[Any] = list(grid.columns or [])
        if grid.form == "frame" and len(labels) == 2:
            yield f"dict(zip({inside}[{literal(labels[0])}], {inside}[{literal(labels[1])}]))"


def casts(code: str, inside: str, goal: Goal) -> Iterator[str]:
    """Another dtype."""
    kinds = [kind for kind in goal.kinds if kind]
    for kind in dict.fromkeys(kinds):
        if kind not in CAST:
            continue
        if goal.form == "scalar":
            yield f"{CAST[kind]}({code})"
        elif goal.form != "frame" or len(set(kinds)) == 1:
            yield f"{inside}.astype({CAST[kind]})"
    if goal.form == "frame" and len(kinds) == len(goal.columns):
        changed = {label: CAST[kind] for label, kind in zip(goal.columns, kinds) if kind in CAST}
        yield f"{inside}.astype({literal(changed)})"
