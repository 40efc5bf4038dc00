"""What the server tests share: a user's kernel, requests, and the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from exeds_lab.model.attempt import Attempt
from exeds_lab.model.spec import ANALYST, Expectation
from exeds_lab.model.wire import AttemptFinished, AttemptRequest, Event

NOTHING = Expectation(checks=(), policy=ANALYST, origin="none", source="", preview=())
EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class Kernel:
    """A real ipykernel of the server, with a client of the user's own."""

    def __init__(self, kernel_id: str, manager: Any, run: Callable[[Any], Any]) -> None:
        self.id = kernel_id
        self.manager = manager
        self._run = run
        self.client = manager.get_kernel(kernel_id).client()
        self.client.start_channels()
        run(self.client.wait_for_ready(timeout=60))

    def execute(self, code: str) -> None:
        """Run a cell of the user and wait for its end."""
        self._run(self.execute_async(code))

    async def execute_async(self, code: str) -> None:
        message = self.client.execute(code)
        while True:
            reply = await self.client.get_shell_msg(timeout=60)
            if reply["parent_header"]["msg_id"] == message:
                assert reply["content"]["status"] == "ok", reply["content"]
                return

    async def value(self, expression: str) -> str:
        """The repr of an expression, asked silently."""
        message = self.client.execute(
            "", silent=True, store_history=False, user_expressions={"v": expression}
        )
        while True:
            reply = await self.client.get_shell_msg(timeout=60)
            if reply["parent_header"]["msg_id"] == message:
                found: str = reply["content"]["user_expressions"]["v"]["data"]["text/plain"]
                return found


def asked(kernel_id: str | None, **changes: Any) -> AttemptRequest:
    """A request for three candidates."""
    request = AttemptRequest(
        intent="Add a and b",
        cells=(),
        variables=("a", "b"),
        notebook="mes données 1.ipynb",
        cell_id="task",
        kernel_id=kernel_id,
        expectation=NOTHING,
        candidates=3,
        code=None,
    )
    return request.model_copy(update=changes)


def events_of(stream: str) -> list[Event]:
    """The events of a stream of server-sent events; comments are left out."""
    found = []
    for block in stream.split("\n\n"):
        lines = block.split("\n")
        if lines[0].startswith("event: "):
            assert len(lines) == 2
            event = EVENT.validate_json(lines[1].removeprefix("data: "))
            assert lines[0] == f"event: {event.event}"
            found.append(event)
    return found


def result(events: list[Event]) -> Attempt:
    """The attempt that the last event tells of."""
    last = events[-1]
    assert isinstance(last, AttemptFinished)
    return last.attempt


def decoded(body: str) -> Any:
    """A JSON body."""
    return json.loads(body)
