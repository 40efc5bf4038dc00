"""Strategies over arrays, lists and bare series."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.literal import literal

CALLS = ("sum", "mean", "std", "max", "min", "argmax", "argmin", "cumsum", "var", "prod")
FUNCTIONS = (
    "sort",
    "unique",
    "diff",
    "log",
    "sqrt",
    "abs",
    "argsort",
    "median",
    "linalg.inv",
    "linalg.det",
    "flip",
    "exp",
    "cumprod",
    "round",
)
AXES = ("", "axis=0", "axis=1")
MOST_KEPT = 60


def array_codes(bench: Bench, x: str) -> Iterator[str]:
    """Expressions one step from an array."""
    found = bench.value(x)
    yield from (f"{x}.{call}({axis})" for call in CALLS for axis in AXES)
    yield from (f"np.{function}({x})" for function in FUNCTIONS)
    yield from (f"np.median({x}, axis={axis})" for axis in (0, 1))
    yield from scaled(x)
    yield from (f"{x}.T", f"{x}.ravel()", f"{x}[::-1]", f"{x} ** 2", f"{x}.size", f"{x}.shape")
    yield f"np.argsort({x})[::-1]"
    yield f"np.sort({x})[::-1]"
    yield f"np.linalg.norm({x})"
    yield f"np.nonzero({x})[0]"
    yield f"np.isnan({x}).sum()"
    yield f"{x}[~np.isnan({x})]"
    yield f"np.nanmean({x})"
    yield f"np.where(np.isnan({x}), np.nanmean({x}), {x})"
    yield f"np.unique({x}, return_counts=True)[1]"
    yield from with_numbers(bench, x)
    if isinstance(found, np.ndarray) and found.ndim == 2:
        yield from matrix_codes(x, found.shape)


def scaled(x: str) -> Iterator[str]:
    """Centred, standardised, stretched to 0 … 1, as shares."""
    for axis in ("axis=0", "", "axis=1, keepdims=True"):
        yield f"({x} - {x}.mean({axis})) / {x}.std({axis})"
        yield f"({x} - {x}.min({axis})) / ({x}.max({axis}) - {x}.min({axis}))"
        yield f"{x} - {x}.mean({axis})"
        yield f"{x} / {x}.sum({axis})"
        yield f"{x} / {x}.max({axis})"
        yield f"{x}.max({axis}) - {x}.min({axis})"
    yield f"{x} / np.linalg.norm({x}, axis=1, keepdims=True)"


def with_numbers(bench: Bench, x: str) -> Iterator[str]:
    """Arithmetic, comparisons and cuts with the numbers of the text."""
    for number in map(literal, bench.words.numbers):
        yield from (f"{x} {sign} {number}" for sign in ("*", "+", "-", "/", "%", "**"))
        for sign in (">", "<", ">=", "<=", "=="):
            yield f"{x}[{x} {sign} {number}]"
            yield f"({x} {sign} {number}).sum()"
            yield f"({x} {sign} {number}).mean()"
            yield f"{x} {sign} {number}"
            yield f"np.nonzero({x} {sign} {number})[0]"
        yield f"{x}[{x} % {number} == 0]"
        yield f"np.percentile({x}, {number})"
        yield f"np.round({x}, {number})"
        yield f"np.clip({x}, 0, {number})"
        for other in map(literal, bench.words.numbers):
            yield f"np.where({x} < {number}, {other}, {x})"
            yield f"np.where({x} > {number}, {other}, {x})"
            if other != number:
                yield f"np.clip({x}, {number}, {other})"
    for count in bench.words.counts:
        yield from (f"{x}[:{count}]", f"{x}[-{count}:]", f"{x}.reshape({count}, -1)")
        yield f"{x}.reshape(-1, {count})"
        yield f"np.sort({x})[::-1][:{count}]"
        yield f"np.sort({x})[-{count}:]"
        yield f'np.convolve({x}, np.ones({count}) / {count}, mode="valid")'
        yield f"{x}[::{count}]"
        yield f"{x}.reshape(-1, {count}).mean(axis=1)"
        yield f"{x}.reshape(-1, {count}).sum(axis=1)"


def matrix_codes(x: str, shape: tuple[int, ...]) -> Iterator[str]:
    """Rows, columns and diagonals."""
    for place in range(min(6, shape[1])):
        yield f"{x}[:, {place}]"
        yield f"{x}[{x}[:, {place}].argsort()]"
        yield f"{x}[{x}[:, {place}].argsort()[::-1]]"
    yield from (f"{x}[{place}]" for place in range(min(6, shape[0])))
    yield from (f"{x}[:, ::-1]", f"np.diag({x})", f"np.trace({x})", f"np.linalg.norm({x}, axis=1)")
    yield f"{x}[{x}.sum(axis=1).argmax()]"
    yield f"{x}[np.argsort({x}.sum(axis=1))]"
    yield f"np.cov({x}, rowvar=False)"
    yield f"np.corrcoef({x}, rowvar=False)"


def pair_codes(a: str, b: str) -> Iterator[str]:
    """Two arrays combined."""
    yield from (f"{a} {sign} {b}" for sign in ("+", "-", "*", "/", "@"))
    yield from (f"np.{call}([{a}, {b}])" for call in ("concatenate", "vstack", "hstack"))
    yield f"np.column_stack([{a}, {b}])"
    yield f"np.dot({a}, {b})"
    yield f"np.outer({a}, {b})"
    yield f"np.intersect1d({a}, {b})"
    yield f"np.setdiff1d({a}, {b})"
    yield f"np.union1d({a}, {b})"
    yield f"np.corrcoef({a}, {b})[0, 1]"
    yield f"np.sqrt((({a} - {b}) ** 2).mean())"
    yield f"np.abs({a} - {b}).mean()"
    yield f"np.linalg.norm({a} - {b})"
    yield f"np.linalg.solve({a}, {b})"
    yield f"({a} == {b}).mean()"
    yield f"({a} == {b}).sum()"
    yield f"{a}[np.argsort({b})]"
    yield f"{a}[{b}]"
    yield f"np.average({a}, weights={b})"
    yield f"{a}[{b}.argmax()]"


def arrays(bench: Bench, names: list[str]) -> Iterator[str]:
    """Two steps from each array, and pairs of arrays."""
    for a, b in itertools.permutations(names, 2):
        yield from pair_codes(a, b)
    for name in names:
        level = [name]
        for _ in range(2):
            following = []
            for x in level:
                for code in array_codes(bench, x):
                    yield code
                    found = bench.value(code)
                    if isinstance(found, np.ndarray) and found.ndim:
                        following.append(code if " " not in code else f"({code})")
            level = following[:MOST_KEPT]


def list_codes(bench: Bench, x: str) -> Iterator[str]:
    """Expressions over a list."""
    yield from (f"{call}({x})" for call in ("sum", "len", "max", "min", "sorted", "set"))
    yield f"sum({x}) / len({x})"
    yield f"sorted({x}, reverse=True)"
    yield f"{x}[::-1]"
    yield f"list(dict.fromkeys({x}))"
    yield f"len(set({x}))"
    yield f"sorted(set({x}))"
    yield f"max(set({x}), key={x}.count)"
    yield f"max({x}, key=len)"
    yield f"sorted({x}, key=len)"
    yield f"[len(item) for item in {x}]"
    yield f"{{item: {x}.count(item) for item in {x}}}"
    yield f"{{item: len(item) for item in {x}}}"
    yield f"[item for group in {x} for item in group]"
    yield f"[item for item in {x} if item % 2 == 0]"
    yield f"[item for item in {x} if item % 2]"
    yield f"[item ** 2 for item in {x}]"
    yield f"sum(item ** 2 for item in {x})"
    for call in ("upper", "lower", "title", "strip"):
        yield f"[item.{call}() for item in {x}]"
    for number in map(literal, bench.words.numbers):
        yield from (f"[item {sign} {number} for item in {x}]" for sign in "*+-/")
        for sign in (">", ">=", "<", "<="):
            yield f"[item for item in {x} if item {sign} {number}]"
            yield f"sum(item {sign} {number} for item in {x})"
            yield f"[item for item in {x} if len(item) {sign} {number}]"
    for count in bench.words.counts:
        yield from (
            f"sorted({x}, reverse=True)[:{count}]",
            f"sorted({x})[:{count}]",
            f"{x}[:{count}]",
        )
