"""The workbench: evaluates code on the user's values and keeps what fits the goal."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from exeds_lab.generate.embedded.search.goal import Fit, Goal
from exeds_lab.generate.embedded.search.sampling import plausible, sampled
from exeds_lab.generate.embedded.search.words import Words

T = TypeVar("T")
MOST_LOOKED_AT = 200
"""Cells of a column whose texts are looked for in the task."""


class OutOfTime(Exception):
    """The budget is used up."""


class Idea(NamedTuple):
    """A piece of code worth trying."""

    code: str
    depth: int = 1
    """How many finishing steps (sort, head, round …) may follow."""
    handicap: float = 0.0
    """What speaks against it, in points of the words' hint."""


class Solution(NamedTuple):
    """A program that gives what is wanted."""

    code: str
    score: float
    misses: int
    """In how many ways its form still differs; 0: not at all."""


class Bench:
    """Evaluates code by name, each text once, within a budget of CPU seconds."""

    def __init__(self, names: dict[str, Any], goal: Goal, words: Words, seconds: float) -> None:
        self.names = {name: sampled(value, goal) for name, value in names.items()}
        """What is enumerated on: the user's values, large ones by some of their rows."""
        self.is_sampled = any(self.names[name] is not names[name] for name in names)
        self.scope: dict[str, Any] = {"pd": pd, "np": np, **self.names}
        self._full: dict[str, Any] = {"pd": pd, "np": np, **names}
        self._real: dict[str, Any] = {}
        self.goal = goal
        self.words = words
        labels, self.cells = texts_of(self.names)
        self.topics = {text for text in labels | self.cells if words.has(text)}
        """Column labels and cell texts that the task names: a program should use them."""
        self.solutions: dict[str, Solution] = {}
        self.preambles: dict[str, str] = {}
        """Code that binds an intermediate name, by that name."""
        self.tried = 0
        self._values: dict[str, Any] = {}
        self._aliases: dict[str, str] = {}
        self._kept: dict[tuple[str, ...], Any] = {}
        self._hints: dict[str, float] = {}
        self._start = time.process_time()
        self._seconds = seconds
        self.until(1.0)

    def until(self, fraction: float) -> None:
        """From now on, run out of time when this part of the whole budget is used."""
        self._limit = self._start + self._seconds * fraction

    def value(self, code: str) -> Any:
        """The value of an expression; None when it raises.

        Raises:
            OutOfTime: the budget is used up.
        """
        if code in self._values:
            return self._values[code]
        if time.process_time() > self._limit:
            raise OutOfTime
        self.tried += 1
        found = evaluated(self._shortened(code), self.scope)
        self._values[code] = found
        return found

    def real(self, code: str) -> Any:
        """As `value`, on all rows.

        Raises:
            OutOfTime: the budget is used up.
        """
        if not self.is_sampled:
            return self.value(code)
        if code not in self._real:
            if time.process_time() > self._limit:
                raise OutOfTime
            self._real[code] = evaluated(self.program(code), self._full)
        return self._real[code]

    def vectors(self, codes: Iterator[str]) -> Iterator[tuple[str, pd.Series]]:
        """Those expressions that give a series, with it."""
        for code in codes:
            found = self.value(code)
            if isinstance(found, pd.Series):
                yield code, found

    def alias(self, code: str) -> None:
        """Evaluate a costly expression once, wherever it stands in other code."""
        if code not in self._aliases:
            name = f"_exeds_{len(self._aliases)}"
            self.scope[name] = self.value(code)
            self._aliases[code] = name

    def keep(self, name: tuple[str, ...], make: Callable[[], T]) -> T:
        """What `make` gives, made once under this name."""
        if name not in self._kept:
            self._kept[name] = make()
        found: T = self._kept[name]
        return found

    def hint(self, code: str) -> float:
        """How much the task's words speak for this code."""
        if code not in self._hints:
            self._hints[code] = self.words.hint(code)
        return self._hints[code]

    def ordered(self, ideas: Iterable[Idea]) -> Iterator[Idea]:
        """Ideas that the words speak for first."""
        yield from sorted(ideas, key=self._lateness)

    def likeliest(self, codes: list[str], most: int) -> list[str]:
        """The codes that the words speak for most, short ones first."""
        ordered = sorted(codes, key=lambda code: 0.02 * len(code) - self.hint(code))
        return ordered[:most]

    def fit(self, code: str) -> Fit | None:
        """Evaluate and compare; what fits is kept as a solution."""
        found = self.value(code)
        if self.is_sampled and found is not None:
            found = self.real(code) if plausible(found, self.goal) else None
        if found is None:
            return None
        fit = self.goal.fit(found)
        if fit is not None and not fit.rounding and not fit.order:
            self._keep(code, fit)
        return fit

    def bind(self, wish: str, code: str) -> str | None:
        """Give an intermediate table a name that the user does not have; None if it fails."""
        found = self.value(code)
        if not isinstance(found, (pd.DataFrame, pd.Series)):
            return None
        name = wish
        while name in self.scope:
            name = next_name(name)
        self.scope[name] = found
        self.preambles[name] = f"{name} = {code}"
        return name

    def program(self, code: str) -> str:
        """The code with the lines before it that bind its intermediate names."""
        lines: list[str] = []
        for name in reversed(self.preambles):
            text = "\n".join([code, *lines])
            if re.search(rf"\b{name}\b", text):
                lines.insert(0, self.preambles[name])
        return "\n".join([*lines, code])

    def _strangers(self, program: str) -> int:
        """How many of its constants are cells of a table that the task does not name."""
        quoted = set(re.findall(r'"([^"]*)"', program))
        return sum(text in self.cells and text not in self.topics for text in quoted)

    def _lateness(self, idea: Idea) -> float:
        return idea.handicap + 0.01 * len(idea.code) - self.hint(idea.code)

    def _shortened(self, code: str) -> str:
        for text, name in self._aliases.items():
            code = code.replace(text, name)
        return code

    def _keep(self, code: str, fit: Fit) -> None:
        program = self.program(code)
        steps = len(re.findall(r"\.[a-z_]+\(|\]\[|\b(?:np|pd)\.[a-z_]+\(", program))
        unused = sum(topic not in program for topic in self.topics)
        score = self.hint(program) - 0.015 * len(program) - 0.6 * steps - 0.4 * unused
        score -= 1.2 * fit.misses + 0.7 * self._strangers(program)
        self.solutions.setdefault(code, Solution(code, score, fit.misses))


def evaluated(program: str, scope: dict[str, Any]) -> Any:
    """The value of a program's last line; None when it raises."""
    *before, last = program.split("\n")
    try:
        if before:
            scope = dict(scope)
            exec("\n".join(before), scope)
        return eval(last, scope)
    except Exception:  # noqa: BLE001  whatever the user's values raise: this code does not serve
        return None


def texts_of(names: dict[str, Any]) -> tuple[set[str], set[str]]:
    """The labels of the tables, and the texts in their first cells."""
    labels: set[str] = set()
    cells: set[str] = set()
    for frame in names.values():
        if not isinstance(frame, pd.DataFrame):
            continue
        labels.update(label for label in frame.columns.tolist() if type(label) is str)
        head = frame.head(MOST_LOOKED_AT)
        for place in range(frame.shape[1]):
            cells.update(cell for cell in head.iloc[:, place].tolist() if isinstance(cell, str))
    return labels, cells - labels


def next_name(name: str) -> str:
    """`joined` -> `joined_2` -> `joined_3`."""
    stem, _, number = name.rpartition("_")
    return f"{stem}_{int(number) + 1}" if stem and number.isdigit() else f"{name}_2"
