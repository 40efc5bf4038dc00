"""How many small tasks the search solves: right on visible and on hidden data, form included."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import tasks_aside
import tasks_known

from exeds_lab.generate.embedded.search.main import find, goal_of
from exeds_lab.kernel.encode import encode

SECONDS = 2.0
"""Of CPU time, as by default."""
pytestmark = pytest.mark.timeout(600)


def space(data):
    names = {"pd": pd, "np": np}
    exec(data, names)
    return names


def value_of(code, names):
    *before, last = code.split("\n")
    exec("\n".join(before), names)
    return eval(last, names)


def is_right(example):
    """Whether the first program gives the answer on the hidden data, in its form."""
    names = space(example.visible)
    tables = [name for name in names if name not in ("pd", "np", "__builtins__")]
    expected = encode(value_of(example.answer, dict(names)))
    request = {"names": tables, "expected": expected, "text": example.task, "seconds": SECONDS}
    programs = find(request, names)["programs"]
    hidden = goal_of(encode(value_of(example.answer, space(example.hidden))))
    if not programs:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fit = hidden.fit(value_of(programs[0]["code"], space(example.hidden)))
        except (KeyError, ValueError, TypeError, IndexError):
            return False
    return fit is not None and fit.misses == 0


def test_nearly_all_tasks_that_it_was_built_with():
    wrong = [one.name for one in tasks_known.EXAMPLES if not is_right(one)]

    assert len(wrong) <= 1, wrong


def test_about_half_of_the_tasks_kept_aside():
    right = [one.name for one in tasks_aside.EXAMPLES if is_right(one)]

    assert len(right) >= 9, right
