"""One executor for each kernel of this server, for as long as that kernel lives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exeds_lab.config import Config
from exeds_lab.errors import KernelNotFound, KernelUnsupported
from exeds_lab.execute.executor import Executor, OnOutput, ReadValue, TrialRequest
from exeds_lab.execute.live import LiveExecutor
from exeds_lab.model.execution import Execution
from exeds_lab.model.task import Variable


class BoundedExecutor:
    """An executor that runs so many trials of one kernel at once, whoever asks for them."""

    def __init__(self, executor: Executor, parallel: int) -> None:
        self._executor = executor
        self._slots = asyncio.Semaphore(parallel)

    async def variables(self) -> tuple[Variable, ...]:
        """See Executor."""
        return await self._executor.variables()

    async def read(self, expression: str) -> ReadValue:
        """See Executor."""
        return await self._executor.read(expression)

    async def run(self, request: TrialRequest, on_output: OnOutput | None = None) -> Execution:
        """See Executor; waits for a free slot first."""
        async with self._slots:
            return await self._executor.run(request, on_output)

    async def close(self) -> None:
        """See Executor."""
        await self._executor.close()


@dataclass(frozen=True)
class _Held:
    executor: Executor
    life: tuple[Any, Any]
    """The kernel's manager and process; another one means that it was restarted."""


class Kernels:
    """Executors by kernel id. Used in the server's event loop alone.

    Args:
        manager: the server's own kernel manager; kernels behind a gateway are refused.
        config: how long to wait for a busy kernel, how many trials at once.
    """

    def __init__(
        self,
        manager: Any,
        config: Config,
        make: Callable[[Any, float], Executor] = LiveExecutor,
    ) -> None:
        self._manager = manager
        self._config = config
        self._make = make
        self._held: dict[str, _Held] = {}

    async def executor(self, kernel_id: str) -> Executor:
        """The executor of a kernel.

        Raises:
            KernelNotFound: this server has no such kernel.
            KernelUnsupported: the kernel runs elsewhere or is not Python.
        """
        await self._forget_gone()
        if kernel_id not in self._manager:
            raise KernelNotFound(
                f"This server has no kernel {kernel_id!r} (any more).",
                "Start a kernel for the notebook and run its cells again.",
            )
        kernel = self._manager.get_kernel(kernel_id)
        self._refuse_unsupported(kernel)
        life = _life(kernel)
        held = self._held.get(kernel_id)
        if held is None or held.life != life:
            executor = BoundedExecutor(
                self._make(kernel, self._config.queue_s), self._config.parallel
            )
            self._held[kernel_id] = held = _Held(executor, life)
        return held.executor

    async def close(self) -> None:
        """Let go of all kernels; they keep running."""
        held, self._held = self._held, {}
        for each in held.values():
            await each.executor.close()

    def _refuse_unsupported(self, kernel: Any) -> None:
        if "gateway" in type(self._manager).__module__:
            raise KernelUnsupported(
                "The kernel runs on a gateway, where code cannot be checked.",
                "Use a kernel of this server; generating works without checking.",
            )
        spec = kernel.kernel_spec
        language = spec.language if spec is not None else "python"
        if language.lower() != "python":
            raise KernelUnsupported(
                f"Checking works for Python kernels; this one speaks {language}.",
                "You can still generate code and insert it unchecked.",
            )

    async def _forget_gone(self) -> None:
        """Let go of the executors of kernels that were shut down or restarted."""
        for kernel_id, held in list(self._held.items()):
            alive = kernel_id in self._manager
            if alive and _life(self._manager.get_kernel(kernel_id)) == held.life:
                continue
            del self._held[kernel_id]
            await held.executor.close()


def _life(kernel: Any) -> tuple[Any, Any]:
    return kernel, getattr(kernel.provisioner, "pid", None)
