"""Changes in place, in words. Run in a fork, because only there the pagemap proves anything."""

from __future__ import annotations

import datetime
import os
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from exeds_lab.kernel.effects import _SPECIALS
from exeds_lab.kernel.traces import Tracer


class Plain:
    """An object with attributes."""

    def __init__(self) -> None:
        self.size = 1
        self.inner = [1]


class Slotted:
    """An object without a dict."""

    __slots__ = ("size",)


def in_fork(make: Any, code: str) -> str:
    """Trace a value, change it, and tell how: `proven: words`."""
    value = make()
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            trace = Tracer(_SPECIALS).trace(value)
            warnings.simplefilter("ignore")
            exec(code, {"v": value, "np": np, "pd": pd})
            words = trace.change()
            os.write(writing, f"{trace.proven}: {words}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(pid, 0)
    with open(reading) as file:  # noqa: PTH123  a descriptor
        return file.read()


def frame() -> pd.DataFrame:
    return pd.DataFrame({"a": [3, 1, 2], "b": ["x", None, "z"], "c": [0.5, 1.5, 2.5]})


def large() -> pd.DataFrame:
    return pd.DataFrame({"a": np.arange(200_000), "b": np.ones(200_000)})


CHANGES: list[tuple[Any, str, str | None]] = [
    (lambda: [1, 2], "v.append(3)", "1 item more"),
    (lambda: [1, 2], "v[0] = 5", "1 of 2 items replaced or moved"),
    (lambda: [1, 2, 3], "v.clear()", "3 items fewer"),
    (lambda: [1, [2]], "v[1].append(3)", "[1]: 1 item more"),
    (lambda: (1, [2]), "v[1].append(3)", "[1]: 1 item more"),
    (lambda: {"a": 1}, "v['b'] = 2", "keys added: b"),
    (lambda: {"a": 1}, "del v['a']", "keys removed: a"),
    (lambda: {"a": 1}, "v['a'] = 2", "keys with another value: a"),
    (lambda: {"a": 1, "b": 2}, "v['a'] = v.pop('a')", "keys in another order"),
    (lambda: {"a": {"b": [1]}}, "v['a']['b'].append(2)", "a: b: 1 item more"),
    (lambda: {1, 2}, "v.add(3)", "1 item more"),
    (lambda: {1, 2}, "v.remove(1); v.add(9)", "items replaced"),
    (lambda: bytearray(b"ab"), "v[0] = 0", "content changed"),
    (Plain, "v.size = 2", "attributes with another value: size"),
    (Plain, "v.new = 2", "attributes added: new"),
    (Plain, "v.inner.append(2)", "inner: 1 item more"),
    (lambda: np.zeros(3), "v[1] = 1", "content changed"),
    (lambda: np.ones(500_000), "v[250_000] = 5", "content changed"),
    (lambda: np.ones((900, 900)).T, "v[5, 5] = 5", "content changed"),
    (lambda: np.array([1, "a"], dtype=object), "v[0] = 2", "content changed"),
    (frame, "v['d'] = 1", "columns added: d"),
    (frame, "v.drop(columns='a', inplace=True)", "columns removed: a"),
    (frame, "v.columns = ['x', 'b', 'c']", "columns renamed: a → x"),
    (frame, "v.rename(columns={'a': 'x'}, inplace=True)", "columns renamed: a → x"),
    (frame, "v.loc[3] = [1, 'y', 2.0]", "1 row more"),
    (frame, "v.drop(index=[0, 1], inplace=True)", "2 rows fewer"),
    (frame, "v.loc[0, 'a'] = 9", "content changed"),
    (frame, "v.loc[0, 'b'] = 'q'", "content changed"),
    (frame, "v['a'] = v['a'].astype(float)", "a: int64 became float64"),
    (frame, "v.sort_values('a', inplace=True)", "index changed"),
    (frame, "v.index.name = 'i'", "names of the index changed"),
    (frame, "v.attrs['k'] = 1", "keys added: k"),
    (frame, "v['c'] = v['c'] * 2", "content changed in: c"),
    (large, "v.loc[100_000, 'b'] = 5", "content changed"),
    (lambda: pd.Series([1, 2]), "v[0] = 5", "content changed"),
    (lambda: pd.Series([1, 2], name="a"), "v.name = 'b'", "name changed"),
    (lambda: pd.Series([1, None], dtype="Int64"), "v[1] = 5", "content changed"),
    (lambda: pd.Series(["a", "b"], dtype="category"), "v[0] = 'b'", "content changed"),
]


@pytest.mark.parametrize(("make", "code", "words"), CHANGES)
def test_a_change_is_told_in_words(make: Any, code: str, words: str) -> None:
    assert in_fork(make, code) == f"True: {words}"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (frame, "v.describe(); v.sort_values('a'); v.values; v.groupby('a').sum(); repr(v)"),
        (frame, "v._consolidate_inplace()"),
        (lambda: frame().assign(d=1), "v._consolidate_inplace(); v.sum(numeric_only=True)"),
        (large, "v.sum(); v.mean(); v.head()"),
        (lambda: np.ones(500_000), "v.sum(); v + 1; v.copy()[:] = 0"),
        (lambda: [1, [2]], "sorted(v[1]); v + [3]; list(v)"),
        (lambda: {"a": [1]}, "dict(v); v.get('b')"),
        (lambda: pd.Index([1, 2]), "v.is_unique"),
        (lambda: datetime.date(2024, 1, 1), "v.year"),
        (lambda: 5, "v + 1"),
    ],
)
def test_reading_is_no_change(make: Any, code: str) -> None:
    assert in_fork(make, code) == "True: None"


def test_a_value_inside_itself_ends() -> None:
    def make() -> list[Any]:
        value: list[Any] = [1]
        value.append(value)
        return value

    assert in_fork(make, "v[0] = 2") == "True: 1 of 2 items replaced or moved"


@pytest.mark.parametrize(
    "make",
    [
        lambda: iter([1]),
        Slotted,
        lambda: pd.Series([[1], [2]]),
        lambda: [0] * 20_000,
        lambda: open(os.devnull),  # noqa: PTH123, SIM115
    ],
)
def test_what_cannot_be_followed_is_unproven(make: Any) -> None:
    assert in_fork(make, "") == "False: None"
