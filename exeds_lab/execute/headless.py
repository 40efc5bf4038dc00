"""Trials in forks of a kernel of our own, in which a notebook's cells ran once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import NoSuchKernel
from jupyter_client.manager import AsyncKernelManager
from nbformat import NotebookNode

from exeds_lab.errors import KernelDied, KernelError, KernelUnsupported, NotebookError
from exeds_lab.execute.channel import OnWaiting
from exeds_lab.execute.connection import Connection, Inbox
from exeds_lab.execute.executor import OnOutput, ReadValue, TrialRequest
from exeds_lab.execute.live import LiveExecutor
from exeds_lab.model.execution import Execution, Limits
from exeds_lab.model.task import Variable

_DEFAULT_KERNEL = "python3"
_LOOK_S = 1.0
_TOLERANT_TAG = "raises-exception"
_SKIPPED_TAG = "skip-execution"


class HeadlessExecutor:
    """An Executor over a fresh kernel, in which the cells of a notebook ran once.

    `async with HeadlessExecutor.open(notebook, before, cwd, limits, queue_s) as executor`: the
    kernel is the one that the notebook names, its working folder is `cwd`, and the code cells in
    front of cell number `before` run in it, in order. Every trial then forks from that one state.
    Leaving the block ends the kernel and what it started.

    Contract: used on one event loop; several calls may run at once.
    """

    def __init__(self, live: LiveExecutor, limits: Limits) -> None:
        self._live = live
        self.limits = limits
        """Limits that the caller means to use for trials; kept for its convenience."""

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        notebook: NotebookNode,
        before: int,
        cwd: Path,
        limits: Limits,
        queue_s: float,
        on_waiting: OnWaiting | None = None,
    ) -> AsyncIterator[HeadlessExecutor]:
        """Start a kernel and run the code cells in front of cell `before`.

        Args:
            notebook: nbformat 4.
            before: 0-based; cells of every kind count.
            cwd: the kernel's working folder, usually the notebook's.
            limits: see `limits`.
            queue_s: seconds that a request waits while the kernel is busy.
            on_waiting: told in words, once a request, that it waits.

        Raises:
            NotebookError: one of these cells raised; names the cell, counted from 0.
            KernelUnsupported: there is no such kernel, or it runs no Python.
            KernelError: it could not be started, or died.
        """
        kernel = await _start(_kernel_name(notebook), cwd)
        live = LiveExecutor(kernel, queue_s, on_waiting)
        try:
            await _run_cells(kernel, notebook, before)
            yield cls(live, limits)
        finally:
            await asyncio.shield(asyncio.ensure_future(_stop(live, kernel)))

    async def variables(self) -> tuple[Variable, ...]:
        """See Executor."""
        return await self._live.variables()

    async def read(self, expression: str) -> ReadValue:
        """See Executor."""
        return await self._live.read(expression)

    async def run(self, request: TrialRequest, on_output: OnOutput | None = None) -> Execution:
        """See Executor."""
        return await self._live.run(request, on_output)

    async def probe(self) -> dict[str, Any]:
        """See LiveExecutor."""
        return await self._live.probe()

    async def close(self) -> None:
        """Close our sockets; the kernel ends with the block that opened it."""
        await self._live.close()


def _kernel_name(notebook: NotebookNode) -> str:
    spec = notebook.get("metadata", {}).get("kernelspec", {})
    return str(spec.get("name") or _DEFAULT_KERNEL)


async def _start(name: str, cwd: Path) -> AsyncKernelManager:
    kernel = AsyncKernelManager(kernel_name=name)
    try:
        await kernel.start_kernel(cwd=str(cwd), extra_arguments=_quiet(kernel))
    except NoSuchKernel:
        raise KernelUnsupported(
            f"The notebook wants the kernel {name!r}, which is not installed here.",
            "Install that kernel, or choose another one in the notebook.",
        ) from None
    except (OSError, RuntimeError) as error:
        raise KernelError(
            f"The kernel {name!r} could not be started: {error}.",
            "Start it by hand once to see why: jupyter console.",
        ) from error
    return kernel


def _quiet(kernel: AsyncKernelManager) -> list[str]:
    """Keep ipykernel's own warnings (it speaks over loopback TCP, say) out of our output."""
    spec = kernel.kernel_spec
    launched = spec is not None and any("ipykernel" in part for part in spec.argv)
    return ["--IPKernelApp.log_level=40"] if launched else []


async def _stop(live: LiveExecutor, kernel: AsyncKernelManager) -> None:
    await live.close()
    await kernel.shutdown_kernel(now=True)
    kernel.cleanup_connection_file()


async def _run_cells(kernel: AsyncKernelManager, notebook: NotebookNode, before: int) -> None:
    connection = Connection(kernel)
    try:
        await connection.open()
        for number, cell in enumerate(notebook.cells[:before]):
            tags = cell.get("metadata", {}).get("tags", [])
            if cell.cell_type == "code" and cell.source.strip() and _SKIPPED_TAG not in tags:
                await _run_cell(connection, number, cell.source, _TOLERANT_TAG in tags)
    finally:
        await connection.close()


async def _run_cell(connection: Connection, number: int, source: str, tolerant: bool) -> None:
    content = {
        "code": source,
        "silent": False,
        "store_history": True,
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": not tolerant,
    }
    identifier, inbox = connection.send("shell", "execute_request", content)
    try:
        reply = await _reply(inbox)
    except KernelDied as error:
        raise KernelDied(
            f"{error.reason} It ended in {_named(number, source)}.",
            "Fix that cell, then run again.",
        ) from None
    finally:
        connection.forget(identifier)
    if reply["status"] != "ok" and not tolerant:
        raise NotebookError(
            f"{_named(number, source)} raised {reply.get('ename')}: {reply.get('evalue')}",
            "Fix that cell: the cells in front of the task must run.",
        )


async def _reply(inbox: Inbox) -> dict[str, Any]:
    while True:
        message = await inbox.get(_LOOK_S)
        if message is not None and message["channel"] == "shell":
            content: dict[str, Any] = message["content"]
            return content


def _named(number: int, source: str) -> str:
    first = next(line.strip() for line in source.splitlines() if line.strip())
    return f"cell {number} ({first[:60]!r})"
