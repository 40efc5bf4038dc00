"""Kernels for the tests of execution."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from live_kernel import SETUP, LiveKernel


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveKernel]:
    """One live kernel for the tests of a module, in a folder with two files.

    EXEDS_LAB_KERNEL_PYTHON names another interpreter for it, with an ipykernel of its own.
    """
    folder = tmp_path_factory.mktemp("höme of the notebook")
    (folder / "data.csv").write_text("a,b\n1,2\n3,4\n")
    (folder / "keep.txt").write_text("precious")
    live = LiveKernel(folder, python=os.environ.get("EXEDS_LAB_KERNEL_PYTHON", ""))
    yield live
    live.close()


@pytest.fixture(scope="module")
def notebook(kernel: LiveKernel) -> LiveKernel:
    """That kernel after the user's first cell, SETUP."""
    assert kernel.execute(SETUP)["status"] == "ok"
    return kernel
