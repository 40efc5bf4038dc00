"""Trials in forks of the user's live kernel."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from exeds_lab.errors import ExpectationError
from exeds_lab.execute.channel import Channel, OnWaiting
from exeds_lab.execute.connection import KernelHandle
from exeds_lab.execute.executor import OnOutput, ReadValue, TrialRequest
from exeds_lab.model.execution import Execution
from exeds_lab.model.task import ValueDescription, Variable

_LOOK_S = 60.0
"""Seconds for describing variables or reading one; the fork's own limit is far lower."""
_AROUND_S = 60.0
"""Seconds beyond a trial's time limit for setting up, comparing and reporting."""
_VARIABLES = TypeAdapter(tuple[Variable, ...])


class LiveExecutor:
    """An Executor over a kernel that somebody else owns.

    `LiveExecutor(kernel_manager, queue_s)`: the (asynchronous) kernel manager of that kernel, as
    `await kernel_manager_of_server.get_kernel(kernel_id)` gives it, and the seconds that a request
    waits for a busy kernel. `on_waiting` is told in words, once a request, that it waits.

    Contract: used on one event loop; several calls may run at once. It never touches the user's
    namespace, history, counter or clients. `close` leaves the kernel running.
    """

    def __init__(
        self, kernel: KernelHandle, queue_s: float, on_waiting: OnWaiting | None = None
    ) -> None:
        self._channel = Channel(kernel, queue_s, on_waiting)

    async def variables(self) -> tuple[Variable, ...]:
        """See Executor."""
        reply = await self._channel.request({"do": "variables"}, _LOOK_S)
        return _VARIABLES.validate_python(reply["variables"])

    async def read(self, expression: str) -> ReadValue:
        """See Executor."""
        reply = await self._channel.request({"do": "read", "expression": expression}, _LOOK_S)
        problem = reply.get("problem")
        if problem is not None:
            raise ExpectationError(problem["reason"], problem["next_step"])
        return ReadValue(
            value=reply["value"],
            description=ValueDescription.model_validate(reply["description"]),
        )

    async def run(self, request: TrialRequest, on_output: OnOutput | None = None) -> Execution:
        """See Executor."""

        def tell(event: dict[str, Any]) -> None:
            if on_output is not None and event["event"] == "outputs":
                for output in event["outputs"]:
                    on_output(output)

        body = {
            "do": "trial",
            "code": request.code,
            "checks": [check.model_dump(mode="json") for check in request.checks],
            "policy": request.policy.model_dump(mode="json"),
            "limits": request.limits.model_dump(mode="json"),
        }
        reply = await self._channel.request(body, request.limits.timeout_s + _AROUND_S, tell)
        return Execution.model_validate(reply["execution"])

    async def probe(self) -> dict[str, Any]:
        """Return what this kernel can do: `can_fork`, `why`, `protections`, versions."""
        reply = await self._channel.request({"do": "probe"}, _LOOK_S)
        return {name: value for name, value in reply.items() if name != "event"}

    async def close(self) -> None:
        """Close our sockets; the kernel stays."""
        await self._channel.close()
