"""The search's door: a request in, one line of JSON out."""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import Any

import numpy as np
import pandas as pd

from exeds_lab.generate.embedded.search.behaviour import Behaviour, behaviours
from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.decode import decode_grid
from exeds_lab.generate.embedded.search.driver import search
from exeds_lab.generate.embedded.search.goal import Goal
from exeds_lab.generate.embedded.search.grid import MOST_CELLS
from exeds_lab.generate.embedded.search.words import Words

MOST_PROGRAMS = 12


def run(mark: str, request: dict[str, Any], namespace: dict[str, Any]) -> None:
    """Search and print what was found.

    Args:
        mark: stands before the line of JSON, so that it is found among other output.
        request: `names` (candidate variables), `expected` (an encoded value), `text` (the task),
            `seconds` (of CPU time).
        namespace: the user's.
    """
    sys.stdout.write(f"{mark}{json.dumps(find(request, namespace))}\n")


def find(request: dict[str, Any], namespace: dict[str, Any]) -> dict[str, Any]:
    """The programs found, and how many others fit."""
    start = time.process_time()
    goal = goal_of(request["expected"])
    names = usable(request["names"], namespace)
    found: list[Behaviour] = []
    programs: list[str] = []
    tried = 0
    if goal is not None and names:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            bench = Bench(names, goal, Words(request["text"]), request["seconds"])
            found = behaviours(bench, search(bench))
            tried = bench.tried
            programs = [finished(bench.program(one.best.code), namespace) for one in found]
    return {
        "programs": [
            {"code": code, "score": round(one.score, 3), "misses": one.best.misses}
            for code, one in zip(programs, found[:MOST_PROGRAMS])
        ],
        "fitting": len(found),
        "tried": tried,
        "cpu_s": round(time.process_time() - start, 3),
    }


def goal_of(encoded: Any) -> Goal | None:
    """The goal; None when the value is of a kind that is not searched for."""
    grid = decode_grid(encoded)
    if grid is None or not grid.cells or grid.length * len(grid.cells) > MOST_CELLS:
        return None
    decimals = encoded.get("decimals") if isinstance(encoded, dict) else None
    return Goal(grid, decimals)


def usable(names: list[str], namespace: dict[str, Any]) -> dict[str, Any]:
    """Those variables that a search can start from."""
    kinds = (pd.DataFrame, pd.Series, np.ndarray, list, tuple)
    return {n: namespace[n] for n in names if isinstance(namespace.get(n), kinds)}


def finished(program: str, namespace: dict[str, Any]) -> str:
    """The program with the imports that the notebook lacks."""
    lines = []
    for short, module in (("pd", pd), ("np", np)):
        if f"{short}." in program and namespace.get(short) is not module:
            lines.append(f"import {module.__name__} as {short}")
    return "\n".join([*lines, program])
