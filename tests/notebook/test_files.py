from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

from exeds_lab.errors import NotebookError
from exeds_lab.notebook.files import cell_at, insert_code, read_notebook, write_notebook


def notebook(minor: int = 5, **changes: Any) -> dict[str, Any]:
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "source": ["a = 1\n", "b = 2"],
            "outputs": [],
            "execution_count": None,
        },
        {"cell_type": "markdown", "metadata": {}, "source": "Sum, größte zuerst"},
    ]
    if minor >= 5:
        cells = [cell | {"id": f"cell-{place}"} for place, cell in enumerate(cells)]
    return {"nbformat": 4, "nbformat_minor": minor, "metadata": {}, "cells": cells} | changes


def saved(folder: Path, data: Any, name: str = "n.ipynb") -> Path:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_a_path_with_blanks_and_unicode_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path, notebook(), "mes données - été 1.ipynb")

    assert [cell.source for cell in read_notebook(path).cells] == [
        "a = 1\nb = 2",
        "Sum, größte zuerst",
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            "{",
            "it is not JSON (line 1, column 2: Expecting property name enclosed in double quotes)",
        ),
        ("[1]", "it has no format number"),
        (notebook(cells=[{"cell_type": "code"}]), "'metadata' is a required property"),
        (notebook(cells=3), "its cells are not a list of cells"),
        (notebook(cells=[3]), "its cells are not a list of cells"),
    ],
)
def test_what_is_no_notebook_is_refused_with_the_place(
    tmp_path: Path, data: Any, reason: str | None
) -> None:
    path = saved(tmp_path, data)
    with pytest.raises(NotebookError) as caught:
        read_notebook(path)

    assert caught.value.reason.startswith(f"{path} is not a notebook: {reason or ''}")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotebookError, match=r"There is no file .*gone\.ipynb"):
        read_notebook(tmp_path / "gone.ipynb")


def test_a_folder_and_binary_files_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "b.ipynb"
    binary.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(NotebookError, match="cannot be read: Is a directory"):
        read_notebook(tmp_path)
    with pytest.raises(NotebookError, match="it is not UTF-8 text"):
        read_notebook(binary)


def test_another_format_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = saved(tmp_path, notebook(nbformat=3))
    with pytest.raises(NotebookError) as caught:
        read_notebook(path)

    assert (
        caught.value.next_step == "Open it in JupyterLab and save it, which brings it up to date."
    )


def test_a_cell_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotebookError) as caught:
        cell_at(read_notebook(saved(tmp_path, notebook())), 2)

    assert caught.value.reason == ("There is no cell 2: the notebook has 2 cells, counted from 0.")


@pytest.mark.parametrize("minor", [2, 4, 5])
def test_inserting_makes_a_valid_copy_and_leaves_the_original(tmp_path: Path, minor: int) -> None:
    original = read_notebook(saved(tmp_path, notebook(minor)))
    copy = insert_code(original, 2, "a + b", {"exeds_lab": {"x": 1}})
    path = tmp_path / "out.ipynb"
    write_notebook(copy, path)

    assert len(original.cells) == 2
    assert [cell.source for cell in read_notebook(path).cells] == [
        "a = 1\nb = 2",
        "Sum, größte zuerst",
        "a + b",
    ]
    nbformat.validate(nbformat.read(path, as_version=4))


def test_writing_replaces_the_file_and_keeps_its_mode(tmp_path: Path) -> None:
    path = saved(tmp_path, notebook())
    path.chmod(0o640)
    write_notebook(read_notebook(path), path)

    assert path.stat().st_mode & 0o777 == 0o640
    assert [child.name for child in tmp_path.iterdir()] == ["n.ipynb"]


def test_a_folder_that_is_not_there_is_an_error_of_the_notebook(tmp_path: Path) -> None:
    original = read_notebook(saved(tmp_path, notebook()))
    with pytest.raises(NotebookError, match="cannot be written: No such file or directory"):
        write_notebook(original, tmp_path / "gone" / "n.ipynb")
