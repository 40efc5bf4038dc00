"""Some rows of large values: enough to enumerate on, with those that the goal shows among them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from exeds_lab.generate.embedded.search.goal import Goal
from exeds_lab.generate.embedded.search.grid import grid_of

MOST_ROWS = 20_000
"""Longer values are sampled."""
SHOWN_ROWS = 5_000
"""Rows at most that are kept because the goal seems to show them."""


def sampled(value: Any, goal: Goal) -> Any:
    """The value itself, or some of its rows in their order."""
    if len(value) <= MOST_ROWS:
        return value
    chosen = np.linspace(0, len(value) - 1, MOST_ROWS).astype(int)
    if isinstance(value, pd.DataFrame):
        chosen = np.union1d(chosen, shown_rows(value, goal))
    if isinstance(value, (pd.DataFrame, pd.Series)):
        return value.iloc[chosen]
    return value[chosen] if isinstance(value, np.ndarray) else value[:MOST_ROWS]


def shown_rows(frame: pd.DataFrame, goal: Goal) -> np.ndarray:
    """Places of the rows whose cells all stand in the goal's columns of the same names."""
    mask = np.ones(len(frame), dtype=bool)
    common = [label for label in goal.columns if label in frame.columns]
    for label in common:
        mask &= frame[label].isin(goal.grid.cells[goal.columns.index(label)]).to_numpy()
    return np.flatnonzero(mask)[:SHOWN_ROWS] if common else np.array([], dtype=int)


def plausible(value: Any, goal: Goal) -> bool:
    """Whether what came out of some rows could become the goal with all rows: cheap checks."""
    grid = grid_of(value)
    if grid is None:
        return False
    if goal.form == "scalar" and grid.form != "scalar":
        return False
    columns = [*(grid.index or []), *grid.cells]
    if grid.length > max(goal.length, 1) or len(columns) < len(goal.grid.cells):
        return False
    texts = {cell for column in columns for cell in column if isinstance(cell, str)}
    # The best few of some rows need not be those of all rows, but most labels are.
    return 2 * len(texts & goal.texts) >= len(texts)
