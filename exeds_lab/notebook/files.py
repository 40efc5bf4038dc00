"""Notebooks on disk: read and validated, written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from exeds_lab.errors import NotebookError
from exeds_lab.model.task import ContextCell

_V4: Any = nbformat.v4  # its functions carry no types
_MAJOR = 4
_MINOR_WITH_IDS = 5


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook of format 4 and validate it.

    Raises:
        NotebookError: it is not there, cannot be read, is not JSON or not a notebook of format 4.
    """
    text = _text(path)
    data = _json(path, text)
    if not isinstance(data, dict) or "nbformat" not in data:
        raise _invalid(path, "it has no format number")
    if data["nbformat"] != _MAJOR:
        raise NotebookError(
            f"{path} is a notebook of format {data['nbformat']}; format {_MAJOR} is needed.",
            "Open it in JupyterLab and save it, which brings it up to date.",
        )
    cells = data.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise _invalid(path, "its cells are not a list of cells")
    try:
        return _valid(data)
    except nbformat.ValidationError as error:
        raise _invalid(path, str(error).splitlines()[0]) from None


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook: the file is either the old one or the whole new one, never half.

    Raises:
        NotebookError: the folder is not there or cannot be written.
    """
    text = _V4.writes(notebook) + "\n"
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=".exeds-lab-", delete=False
        ) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        _replace(Path(file.name), path)
    except OSError as error:
        raise NotebookError(
            f"{path} cannot be written: {error.strerror}.", "Choose another place for it."
        ) from None


def cell_at(notebook: NotebookNode, index: int) -> NotebookNode:
    """The cell at a 0-based index.

    Raises:
        NotebookError: there is no such cell.
    """
    if not 0 <= index < len(notebook.cells):
        raise NotebookError(
            f"There is no cell {index}: the notebook has {len(notebook.cells)} cells, "
            "counted from 0.",
            "Give the 0-based index of the markdown cell with the task.",
        )
    cell: NotebookNode = notebook.cells[index]
    return cell


def cell_id(cell: NotebookNode) -> str | None:
    """The cell's id; None in notebooks older than format 4.5."""
    found = cell.get("id")
    return None if found is None else str(found)


def context_cells(cells: Sequence[NotebookNode]) -> tuple[ContextCell, ...]:
    """Code and markdown cells as context of a task, in order."""
    return tuple(
        ContextCell(
            id=cell_id(cell) or f"cell-{place}",
            kind="code" if cell.cell_type == "code" else "markdown",
            source=cell.source,
            execution_count=cell.get("execution_count"),
            edited_since_run=False,
        )
        for place, cell in enumerate(cells)
        if cell.cell_type in ("code", "markdown")
    )


def insert_code(
    notebook: NotebookNode, index: int, code: str, metadata: dict[str, Any]
) -> NotebookNode:
    """A copy of the notebook with a new code cell before the cell at `index`."""
    copy: NotebookNode = _V4.reads(_V4.writes(notebook))
    cell = _V4.new_code_cell(code, metadata=metadata)
    if copy.nbformat_minor < _MINOR_WITH_IDS:
        del cell["id"]
    copy.cells.insert(index, cell)
    return copy


def _valid(data: dict[str, Any]) -> NotebookNode:
    with warnings.catch_warnings():  # missing ids are filled in, which nbformat warns about
        warnings.simplefilter("ignore")
        _, data = nbformat.validator.normalize(data)
        nbformat.validate(data)
    notebook: NotebookNode = _V4.reads(json.dumps(data))
    return notebook


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotebookError(f"There is no file {path}.", "Check the path.") from None
    except OSError as error:
        raise NotebookError(
            f"{path} cannot be read: {error.strerror}.", "Check the path and its permissions."
        ) from None
    except UnicodeDecodeError:
        raise _invalid(path, "it is not UTF-8 text") from None


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _invalid(path, f"it is not JSON ({where}: {error.msg})") from None


def _invalid(path: Path, why: str) -> NotebookError:
    return NotebookError(
        f"{path} is not a notebook: {why}.", "Open it in JupyterLab to see whether it is damaged."
    )


def _replace(new: Path, path: Path) -> None:
    if path.exists():
        new.chmod(path.stat().st_mode & 0o777)
    else:
        new.chmod(0o666 & ~_umask())
    new.replace(path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
