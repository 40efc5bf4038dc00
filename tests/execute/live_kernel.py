"""A real ipykernel with a user in front of it, for tests that are not asynchronous themselves."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from jupyter_client.manager import AsyncKernelManager

from exeds_lab.execute.executor import TrialRequest
from exeds_lab.execute.live import LiveExecutor
from exeds_lab.model.execution import Execution, Limits
from exeds_lab.model.spec import ANALYST, Check, LastValue, ValueExpected

LIMITS = Limits(timeout_s=10.0, memory_mb=1024, output_bytes=1 << 16, processes=32)
QUICK = LIMITS.model_copy(update={"timeout_s": 1.0})

SETUP = """
import asyncio, os, sys, time, threading
import numpy as np, pandas as pd
df = pd.DataFrame({"a": [3, 1, 2], "b": ["x", "y", None]})
big = np.ones(1_000_000)
items = [1, [2, 3]]
def double(x):
    return 2 * x
class Thing:
    def __init__(self):
        self.size = 1
thing = Thing()
"""

_DIGEST = """
(lambda i, j, h, os, p, g: j.dumps({
    "variables": {n: h.sha256(p.dumps(v)).hexdigest() if n != "handle" else v.tell()
                  for n, v in sorted(g.user_ns.items())
                  if n[0] != "_" and n not in ("In", "Out", "exit", "quit", "get_ipython", "open")
                  and type(v).__name__ not in ("module", "function")},
    "ids": h.sha256(repr(sorted((n, id(v)) for n, v in g.user_ns.items()
                    if n[0] != "_")).encode()).hexdigest(),
    "In": list(g.user_ns["In"]), "Out": {str(n): repr(v) for n, v in g.user_ns["Out"].items()},
    "_": repr(g.user_ns["_"]), "count": g.execution_count, "cwd": os.getcwd(),
    "folder": {n: open(n, "rb").read().hex() for n in sorted(os.listdir("."))},
    "environ": h.sha256(repr(sorted(os.environ.items())).encode()).hexdigest(),
    "random": repr(i("numpy").random.get_state()[1][:5]) + str(i("random").getstate()[1][:5]),
    "figures": i("matplotlib.pyplot").pyplot.get_fignums(),
    "filters": len(i("warnings").filters), "recursion": i("sys").getrecursionlimit(),
    "history": g.history_manager.session_number,
}))(__import__, __import__("json"), __import__("hashlib"), __import__("os"),
    __import__("pickle"), get_ipython())
"""


class LiveKernel:
    """A kernel with a user's client and an executor of ours; one thread, one event loop."""

    def __init__(self, cwd: Path, wall: str = "", python: str = "") -> None:
        """`wall`: system calls denied to it, see walled_kernel; `python`: its interpreter."""
        self._runner = asyncio.Runner()
        self.cwd = cwd
        self.waited: list[str] = []
        self.manager = AsyncKernelManager(kernel_name="python3")
        argv = self.manager.kernel_spec.argv
        argv[0] = python or sys.executable
        if wall:
            argv[1:1] = [str(Path(__file__).with_name("walled_kernel.py")), wall]
        self.wait(self._start())

    async def _start(self) -> None:
        await self.manager.start_kernel(cwd=str(self.cwd))
        self.user = self.manager.client()
        self.user.start_channels()
        await self.user.wait_for_ready(timeout=60)
        self.executor = LiveExecutor(self.manager, 30.0, self.waited.append)

    def wait(self, awaitable: Awaitable[Any]) -> Any:
        """Run something asynchronous to its end."""

        async def run() -> Any:
            return await awaitable

        return self._runner.run(run())

    def close(self) -> None:
        """End the kernel."""

        async def stop() -> None:
            await self.executor.close()
            self.user.stop_channels()
            await self.manager.shutdown_kernel(now=True)

        self.wait(stop())
        self._runner.close()

    def execute(self, code: str) -> dict[str, Any]:
        """Run a cell as the user does; returns the reply."""
        return self.wait(self.execute_async(code))

    async def execute_async(self, code: str, silent: bool = False, **expressions: str) -> Any:
        """Run a cell as the user does."""
        reply = await self.user.execute_interactive(
            code,
            silent=silent,
            store_history=not silent,
            user_expressions=expressions,
            allow_stdin=False,
            timeout=60,
            output_hook=lambda _: None,
        )
        return reply["content"]

    def value(self, expression: str) -> Any:
        """A value of the kernel's that JSON can carry, without leaving a trace there."""
        content = self.wait(self.execute_async("", silent=True, v=f"repr({expression})"))
        answer = content["user_expressions"]["v"]
        assert answer["status"] == "ok", answer
        text = eval(answer["data"]["text/plain"])
        return eval(text)

    def digest(self) -> dict[str, Any]:
        """Everything of the live kernel that a trial must not change."""
        content = self.wait(self.execute_async("", silent=True, v=_DIGEST.replace("\n", " ")))
        answer = content["user_expressions"]["v"]
        assert answer["status"] == "ok", answer
        return json.loads(eval(answer["data"]["text/plain"]))

    def trial(
        self,
        code: str,
        limits: Limits = LIMITS,
        checks: tuple[Check, ...] = (),
        on_output: Callable[[dict[str, Any]], None] | None = None,
    ) -> Execution:
        """Run a candidate."""
        request = TrialRequest(code, checks, ANALYST, limits)
        return self.wait(self.executor.run(request, on_output))


def text(execution: Execution, name: str = "stdout") -> str:
    """All text of a stream."""
    return "".join(
        str(output["text"])
        for output in execution.outputs
        if output["output_type"] == "stream" and output["name"] == name
    )


def shown(execution: Execution) -> list[Any]:
    """Each output in short."""
    return [
        output.get("text") or output.get("data", {}).get("text/plain") or output.get("ename")
        for output in execution.outputs
    ]


def value_is(value: Any) -> Check:
    """The last value is this."""
    return Check(
        name="value", target=LastValue(), expected=ValueExpected(value=value), declared=True
    )
