"""A notebook without a browser: its cells once in a fresh kernel, then forks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from live_kernel import LIMITS, text
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from exeds_lab.errors import KernelDied, KernelUnsupported, NotebookError
from exeds_lab.execute.executor import TrialRequest
from exeds_lab.execute.headless import HeadlessExecutor
from exeds_lab.model.execution import Completed, Execution
from exeds_lab.model.spec import ANALYST


def notebook(*cells: str, kernel: str = "python3") -> NotebookNode:
    """A notebook of a heading and code cells."""
    spec = {"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}}
    codes = [new_code_cell(cell) for cell in cells]
    return new_notebook(cells=[new_markdown_cell("# Title"), *codes], metadata=spec)


def within(
    folder: Path,
    book: NotebookNode,
    before: int,
    use: Callable[[HeadlessExecutor], Awaitable[Any]],
) -> Any:
    """Open an executor, use it, close it."""

    async def run() -> Any:
        async with HeadlessExecutor.open(book, before, folder, LIMITS, 30.0) as executor:
            return await use(executor)

    return asyncio.run(run())


async def ran(executor: HeadlessExecutor, code: str) -> Execution:
    """Run a candidate."""
    return await executor.run(TrialRequest(code, (), ANALYST, LIMITS))


def test_the_cells_before_run_once_and_every_trial_forks_from_that(tmp_path: Path) -> None:
    book = notebook(
        "x = 1", "x += 1\nprint('ran', flush=True)\nopen('log', 'a').write('ran ')", "x = 0"
    )

    async def use(executor: HeadlessExecutor) -> list[str]:
        first = await ran(executor, "x += 1; print(x)")
        second = await ran(executor, "x += 1; print(x)")
        return [text(first), text(second), *(v.name for v in await executor.variables())]

    assert within(tmp_path, book, 3, use) == ["3\n", "3\n", "x"]
    assert (tmp_path / "log").read_text() == "ran "


def test_it_works_in_the_notebooks_folder_whatever_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "Käse & notes"
    folder.mkdir()
    (folder / "data.txt").write_text("here")

    async def use(executor: HeadlessExecutor) -> str:
        return text(await ran(executor, "print(open('data.txt').read())"))

    assert within(folder, notebook("import os"), 2, use) == "here\n"


def test_a_cell_that_raises_is_named(tmp_path: Path) -> None:
    book = notebook("x = 1", "\n1 / 0", "y = 1")

    with pytest.raises(NotebookError) as raised:
        within(tmp_path, book, 4, lambda executor: ran(executor, "1"))

    assert raised.value.reason == "cell 2 ('1 / 0') raised ZeroDivisionError: division by zero"
    assert raised.value.next_step


def test_a_cell_that_may_raise_does_not_end_it(tmp_path: Path) -> None:
    book = notebook("1 / 0", "x = 2")
    book.cells[1].metadata["tags"] = ["raises-exception"]

    async def use(executor: HeadlessExecutor) -> Any:
        return (await ran(executor, "x")).outcome

    assert within(tmp_path, book, 3, use) == Completed()


def test_a_cell_that_kills_the_kernel_is_named(tmp_path: Path) -> None:
    with pytest.raises(KernelDied) as raised:
        within(tmp_path, notebook("import os", "os._exit(1)"), 3, lambda e: ran(e, "1"))

    assert "cell 2 ('os._exit(1)')" in raised.value.reason


def test_a_kernel_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(KernelUnsupported) as raised:
        within(tmp_path, notebook("1", kernel="no-such"), 1, lambda e: ran(e, "1"))

    assert "'no-such'" in raised.value.reason


def test_the_kernel_ends_with_the_block(tmp_path: Path) -> None:
    async def use(executor: HeadlessExecutor) -> int:
        return int(text(await ran(executor, "import os; print(os.getppid())")))

    pid = within(tmp_path, notebook(), 1, use)

    assert not Path(f"/proc/{pid}").exists()


def test_the_kernel_ends_when_the_block_is_cancelled(tmp_path: Path) -> None:
    pids: list[int] = []

    async def use(executor: HeadlessExecutor) -> None:
        pids.append(int(text(await ran(executor, "import os; print(os.getppid())"))))
        await asyncio.sleep(60)

    async def cancel() -> None:
        task = asyncio.create_task(open_and(use))
        while not pids:
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def open_and(use: Callable[[HeadlessExecutor], Awaitable[None]]) -> None:
        async with HeadlessExecutor.open(notebook(), 1, tmp_path, LIMITS, 30.0) as executor:
            await use(executor)

    asyncio.run(cancel())

    assert not Path(f"/proc/{pids[0]}").exists()


def test_two_notebooks_do_not_disturb_each_other(tmp_path: Path) -> None:
    async def one(value: int) -> str:
        book = notebook(f"x = {value}")
        async with HeadlessExecutor.open(book, 2, tmp_path, LIMITS, 30.0) as executor:
            return text(await ran(executor, "import time; time.sleep(0.5); print(x)"))

    async def both() -> list[str]:
        return await asyncio.gather(one(1), one(2))

    assert asyncio.run(both()) == ["1\n", "2\n"]


def test_requests_at_once_are_all_answered(tmp_path: Path) -> None:
    """A reply that arrived while another request was sent was once missed."""

    async def use(executor: HeadlessExecutor) -> Any:
        async def many() -> int:
            return sum([len(await executor.variables()) for _ in range(40)])

        return await asyncio.gather(*(many() for _ in range(4)))

    assert within(tmp_path, notebook("x = 1"), 2, use) == [40] * 4
