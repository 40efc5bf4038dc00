"""What goes in when not everything fits: the nearest cells, the variables spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from exeds_lab.model.task import ContextCell, Variable
from exeds_lab.prompt.describe import MOST_COLUMNS, variable_text
from exeds_lab.prompt.fence import fence
from exeds_lab.prompt.tokens import estimate

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Selection:
    """The texts that fit, in the order of the notebook."""

    texts: tuple[str, ...]
    tokens: int
    cut: str | None
    """What was left out, in words; None when nothing was."""


def cell_text(cell: ContextCell) -> str:
    """One cell between fences."""
    return fence(cell.source, "python" if cell.kind == "code" else "markdown")


def select_cells(cells: Sequence[ContextCell], budget: int) -> Selection:
    """Keep the cells nearest to the task, as many as fit, and keep their order."""
    filled = [cell for cell in cells if cell.source.strip()]
    kept: list[str] = []
    used = 0
    for cell in reversed(filled):
        text = cell_text(cell)
        cost = estimate(text) + 2
        if used + cost > budget:
            break
        kept.append(text)
        used += cost
    left_out = len(filled) - len(kept)
    cut = f"the {_count(left_out, 'cell')} farthest from the task" if left_out else None
    return Selection(tuple(reversed(kept)), used, cut)


def select_variables(variables: Sequence[Variable], words: str, budget: int) -> Selection:
    """Keep the variables named in `words` first, then the others, newest first.

    A table that does not fit whole is tried with fewer columns before it is left out.
    """
    spoken = set(_WORD.findall(words))
    order = sorted(
        range(len(variables)), key=lambda place: (variables[place].name not in spoken, -place)
    )
    kept: dict[int, str] = {}
    used = 0
    shortened = 0
    for place in order:
        for columns in (MOST_COLUMNS, 10):
            text = variable_text(variables[place], columns)
            cost = estimate(text) + 1
            if used + cost <= budget:
                kept[place] = text
                used += cost
                shortened += columns != MOST_COLUMNS
                break
    return Selection(
        tuple(kept[place] for place in sorted(kept)),
        used,
        _variables_cut(len(variables) - len(kept), shortened),
    )


def _variables_cut(left_out: int, shortened: int) -> str | None:
    parts = [
        _count(left_out, "variable") if left_out else "",
        f"columns of {_count(shortened, 'table')}" if shortened else "",
    ]
    return " and ".join(part for part in parts if part) or None


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
