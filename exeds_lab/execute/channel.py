"""One request, events, one reply."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exeds_lab.errors import KernelBusy, KernelError, KernelUnsupported
from exeds_lab.execute.connection import Connection, Inbox, KernelHandle, Message
from exeds_lab.execute.payload import payload

EVENT = "application/vnd.exeds-lab.event+json"
CANCEL = "exeds_lab_cancel_request"
OnEvent = Callable[[dict[str, Any]], None]
OnWaiting = Callable[[str], None]
"""Told in words, once a request, that the kernel is busy and we wait for it."""

_WAITING_S = 0.5
"""A kernel that has not begun after so long counts as busy."""
_CANCEL_S = 0.4
"""What the kernel gets to end a trial before we end its process ourselves."""
_EXPRESSION = "exeds_lab"


class Channel:
    """Asks one kernel's agent.

    Contract: used on one event loop; several requests may be under way at once; `close` when none
    is. Requests under way fail with KernelDied when the kernel dies or restarts; the next one
    loads the agent into the new process. Cancelling the task that awaits `request` ends the trial
    and every process it started before the cancellation is seen by the caller.
    """

    def __init__(
        self, kernel: KernelHandle, queue_s: float, on_waiting: OnWaiting | None = None
    ) -> None:
        """`queue_s`: seconds that a request waits for a busy kernel."""
        self._connection = Connection(kernel)
        self._queue_s = queue_s
        self._on_waiting = on_waiting

    async def request(
        self, body: dict[str, Any], answer_s: float, on_event: OnEvent | None = None
    ) -> dict[str, Any]:
        """Send one request and return its last event.

        Args:
            body: what the agent understands; it gets an `id` here.
            answer_s: seconds that the answer may take once the kernel has taken the request.
            on_event: called with every event but the last.

        Raises:
            KernelBusy: the kernel did not take it in time; it will not run it later either.
            KernelDied: the kernel died or was restarted.
            KernelUnsupported: it is no Python kernel with IPython.
            KernelError: the agent failed or fell silent.
        """
        await self._connection.open()
        exchange = _Exchange(self._connection, body, on_event)
        try:
            await exchange.deliver(self._queue_s, self._on_waiting)
            return await exchange.answer(answer_s)
        finally:
            await asyncio.shield(asyncio.ensure_future(exchange.end()))

    async def close(self) -> None:
        """Close the sockets; may be called twice."""
        await self._connection.close()


class _Exchange:
    """One request on its way: queued, taken, answered."""

    def __init__(
        self, connection: Connection, body: dict[str, Any], on_event: OnEvent | None
    ) -> None:
        self._connection = connection
        self._body = {**body, "id": uuid.uuid4().hex}
        self._on_event = on_event
        self._sent: list[str] = []
        self._inbox: Inbox | None = None
        self._early: list[dict[str, Any]] = []
        self._process: dict[str, Any] | None = None
        self._answered = False

    async def deliver(self, queue_s: float, on_waiting: OnWaiting | None) -> None:
        """Have the agent take the request, loading the agent first where it is missing."""
        until = time.monotonic() + queue_s
        bundle = payload()
        while True:
            value = await self._evaluate(bundle.request(self._body), until, on_waiting)
            if value == "'taken'":
                return
            if value == "'missing'":
                await self._evaluate(bundle.bootstrap, until, on_waiting)
            # else: an error in the user's cell threw away what was queued behind it; again

    async def answer(self, answer_s: float) -> dict[str, Any]:
        """Wait for the last event."""
        until = time.monotonic() + answer_s
        for event in self._early:
            if self._is_last(event):
                return event
        assert self._inbox is not None
        while (left := until - time.monotonic()) > 0:
            message = await self._inbox.get(left)
            answer = _event(message)
            if answer is not None and self._is_last(answer):
                return answer
        raise KernelError(
            "The kernel took the request and then fell silent.",
            "Interrupt or restart the kernel, then run again.",
        )

    async def end(self) -> None:
        """Forget the request; without an answer, end what runs for it first."""
        if not self._answered:
            with contextlib.suppress(KernelError):
                await self._cancel()
            _kill(self._process)
        for identifier in self._sent:
            self._connection.forget(identifier)

    async def _evaluate(
        self, expression: str, until: float, on_waiting: OnWaiting | None
    ) -> str | None:
        """Evaluate silently on the main shell; None when the kernel threw the request away."""
        content = {
            "code": "",
            "silent": True,
            "store_history": False,
            "user_expressions": {_EXPRESSION: expression},
            # False would make input() fail in a cell that runs meanwhile: ipykernel keeps one flag.
            "allow_stdin": True,
            "stop_on_error": False,
        }
        identifier, inbox = self._connection.send("shell", "execute_request", content)
        self._sent.append(identifier)
        self._inbox = inbox
        self._early = []
        begun = time.monotonic()
        while (left := until - time.monotonic()) > 0:
            patience = _WAITING_S - (time.monotonic() - begun) if on_waiting else left
            message = await inbox.get(min(left, max(0.0, patience) if on_waiting else left))
            if message is None and on_waiting is not None:
                on_waiting("The kernel is busy; the request waits until it is free.")
                on_waiting = None
            elif message is not None and message["channel"] == "shell":
                return self._value(message["content"])
            elif (event := _event(message)) is not None:
                self._early.append(event)
        raise KernelBusy(
            "The kernel is busy with another cell.", "Wait until it is idle, or interrupt it."
        )

    def _value(self, reply: dict[str, Any]) -> str | None:
        if reply["status"] == "aborted":
            return None
        answer = reply.get("user_expressions", {}).get(_EXPRESSION, {})
        if reply["status"] == "ok" and answer.get("status") == "ok":
            return str(answer["data"]["text/plain"])
        self._answered = True  # nothing runs for it
        what = answer.get("evalue") or reply.get("evalue") or "it evaluates no Python"
        raise KernelUnsupported(
            f"This kernel cannot check code: {what}.",
            "Choose a Python kernel (ipykernel 6.29 or newer).",
        )

    def _is_last(self, event: dict[str, Any]) -> bool:
        kind = event["event"]
        if kind == "failed":
            self._answered = True
            raise KernelError(f"The trial could not start: {event['why']}.", "Restart the kernel.")
        if kind == "done":
            self._answered = True
            return True
        if kind == "born":
            self._process = event["process"]
        elif self._on_event is not None:
            self._on_event(event)
        return False

    async def _cancel(self) -> None:
        """Ask the kernel, on the channel that it serves while a cell runs."""
        identifier, _ = self._connection.send("control", CANCEL, {"id": self._body["id"]})
        self._sent.append(identifier)
        until = time.monotonic() + _CANCEL_S
        while self._inbox is not None and (left := until - time.monotonic()) > 0:
            event = _event(await self._inbox.get(left))
            if event is not None and event["event"] in ("done", "cancelled"):
                return
            if event is not None and event["event"] == "born":
                self._process = event["process"]


def _event(message: Message | None) -> dict[str, Any] | None:
    if message is None or message["header"]["msg_type"] != "display_data":
        return None
    event = message["content"]["data"].get(EVENT)
    return event if isinstance(event, dict) else None


def _kill(process: dict[str, Any] | None) -> None:
    """End a trial's process from here, where the kernel is on this machine.

    The kernel serves a cancel only when its interpreter is free; this needs the system alone.
    """
    if process is None or process["space"] is None or not _is_here(process):
        return
    for end in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            end(process["pid"], signal.SIGKILL)


def _is_here(process: dict[str, Any]) -> bool:
    """Whether that pid is, on this machine and in our namespace, still the process meant."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        if process["space"] != boot + " " + str(Path("/proc/self/ns/pid").readlink()):
            return False
        stat = Path(f"/proc/{process['pid']}/stat").read_text(errors="replace")
        return bool(int(stat.rpartition(")")[2].split()[19]) == process["started"])
    except (OSError, ValueError, IndexError):
        return False
