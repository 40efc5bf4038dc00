"""What the tests of the command line share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

SALES = """\
import pandas as pd
sales = pd.DataFrame({"region": ["N", "S", "N"], "revenue": [1.5, 5.0, 2.0]})
print("loaded")
"""
TABLE = "region,revenue\nS,5.0\nN,3.5\n"
WRONG_ORDER = "sales.groupby('region', as_index=False)['revenue'].sum()"
GOOD = f"{WRONG_ORDER}.sort_values('revenue', ascending=False)"
TASK = 2
"""Index of the task's cell."""


class Result(NamedTuple):
    """What one run of the command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def fenced(code: str) -> dict[str, Any]:
    """A scripted reply with this code."""
    return {"text": f"```python\n{code}\n```"}


def notebook(folder: Path, name: str = "Ventes d'été 1.ipynb", **code: str) -> Path:
    """A notebook with two code cells, a task, and a cell that would fail if it ran."""
    cells = [
        nbformat.v4.new_code_cell(SALES),
        nbformat.v4.new_code_cell(code.get("second", "top = 3")),
        nbformat.v4.new_markdown_cell("Total revenue per region, largest first"),
        nbformat.v4.new_code_cell("raise SystemError('never runs')"),
    ]
    path = folder / name
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path
