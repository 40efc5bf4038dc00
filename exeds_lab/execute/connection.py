"""Our own sockets to a kernel, and whose message is whose."""

from __future__ import annotations

import asyncio
import inspect
import time
from queue import Empty
from typing import Any, Protocol

from jupyter_client.session import Session

from exeds_lab.errors import KernelDied

Message = dict[str, Any]

_LOOK_S = 0.25
"""Seconds between two looks at whether the kernel lives."""
_NUDGE_S = 0.5
_CONNECT_S = 60.0
_CHANNELS = ("shell", "iopub", "control")


class KernelHandle(Protocol):
    """The part of an asynchronous jupyter_client KernelManager that we use."""

    session: Any

    def client(self, **kwargs: Any) -> Any:
        """Make a client of this kernel."""

    def is_alive(self) -> Any:
        """Whether its process runs."""


class Inbox:
    """The messages that answer one message of ours."""

    def __init__(self, connection: Connection, generation: object) -> None:
        self._connection = connection
        self._generation = generation
        self._queue: asyncio.Queue[Message] = asyncio.Queue()

    def put(self, message: Message) -> None:
        """Add a message; `channel` names where it came from."""
        self._queue.put_nowait(message)

    async def get(self, wait_s: float) -> Message | None:
        """Return the next message, or None after `wait_s` seconds.

        Raises:
            KernelDied: the kernel died or restarted meanwhile.
        """
        until = time.monotonic() + wait_s
        while True:
            left = until - time.monotonic()
            try:
                return await asyncio.wait_for(self._queue.get(), max(0.0, min(_LOOK_S, left)))
            except TimeoutError:
                await self._connection.check_alive(self._generation)
                if left <= _LOOK_S:
                    return None


class Connection:
    """Sockets of our own to one kernel.

    Contract: used on one event loop. It has its own session, so the user's clients see nothing
    of it but a short busy and idle.
    """

    def __init__(self, kernel: KernelHandle) -> None:
        self._kernel = kernel
        self._client: Any = None
        self._readers: list[asyncio.Task[None]] = []
        self._inboxes: dict[str, Inbox] = {}
        self._opening = asyncio.Lock()
        self._kernel_session: str | None = None
        self._restarts = 0

    async def open(self) -> None:
        """Connect, once, and wait until the kernel's events reach us.

        Raises:
            KernelDied: there is no such kernel, or it does not answer.
        """
        async with self._opening:
            if self._client is not None:
                return
            await self.check_alive(self.generation())
            key = self._kernel.session.key
            scheme = self._kernel.session.signature_scheme
            session = Session(key=key, signature_scheme=scheme, username="exeds-lab")
            client = self._kernel.client(session=session)
            client.start_channels(stdin=False, hb=False)
            self._client = client
            self._readers = [asyncio.create_task(self._read(name)) for name in _CHANNELS]
            try:
                await self._nudge()
            except BaseException:
                await self.close()
                raise

    def send(self, channel: str, kind: str, content: dict[str, Any]) -> tuple[str, Inbox]:
        """Send a message; return its id and the inbox of what answers it.

        Raises:
            KernelDied: the sockets were closed meanwhile.
        """
        if self._client is None:
            raise KernelDied("The connection to the kernel was closed.", "Run again.")
        session = self._client.session
        message = session.msg(kind, content)
        identifier = str(message["header"]["msg_id"])
        inbox = self._inboxes[identifier] = Inbox(self, self.generation())
        # Not `channel.send`: it sends beside the asynchronous socket, which then may miss that
        # something arrived at the same moment, and its reader sleeps on.
        getattr(self._client, f"{channel}_channel").socket.send_multipart(
            session.serialize(message)
        )
        return identifier, inbox

    def forget(self, identifier: str) -> None:
        """Nobody reads this inbox any more."""
        self._inboxes.pop(identifier, None)

    def generation(self) -> object:
        """Return what is equal as long as it is the same process of the kernel."""
        provisioner = getattr(self._kernel, "provisioner", None)
        process = getattr(provisioner, "process", None)
        return (id(provisioner), getattr(process, "pid", None), self._restarts)

    async def check_alive(self, generation: object) -> None:
        """Raise KernelDied unless the kernel is alive and still the same process."""
        alive = self._kernel.is_alive()
        if inspect.isawaitable(alive):
            alive = await alive
        if not alive:
            raise KernelDied(
                "The kernel is not running.", "Start or restart the kernel, then run again."
            )
        if generation != self.generation():
            raise KernelDied(
                "The kernel was restarted meanwhile.", "Run the cells above again, then run again."
            )

    async def close(self) -> None:
        """Close the sockets; may be called twice."""
        readers, self._readers = self._readers, []
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        client, self._client = self._client, None
        if client is not None:
            client.stop_channels()

    async def _nudge(self) -> None:
        """Ask on the control channel until the question's echo comes on IOPub.

        A subscription needs a moment; events published before it are lost.
        """
        until = time.monotonic() + _CONNECT_S
        while time.monotonic() < until:
            identifier, inbox = self.send("control", "kernel_info_request", {})
            next_try = time.monotonic() + _NUDGE_S
            while (left := next_try - time.monotonic()) > 0:
                message = await inbox.get(left)
                if message is not None and message["channel"] == "iopub":
                    self.forget(identifier)
                    return
            self.forget(identifier)
        raise KernelDied("The kernel does not answer.", "Restart the kernel, then run again.")

    async def _read(self, name: str) -> None:
        channel = getattr(self._client, f"{name}_channel")
        while True:
            try:
                message = await channel.get_msg(timeout=None)
            except Empty:
                continue
            except (ValueError, KeyError, TypeError):  # not signed by the kernel, or garbled
                continue
            self._notice_restart(name, message)
            inbox = self._inboxes.get(message["parent_header"].get("msg_id", ""))
            if inbox is not None:
                message["channel"] = name
                inbox.put(message)

    def _notice_restart(self, name: str, message: Message) -> None:
        """A kernel process has one session; another one means another process."""
        session = message["header"].get("session")
        if name != "iopub" or message["header"]["msg_type"] != "status":
            return
        if self._kernel_session not in (None, session):
            self._restarts += 1
        self._kernel_session = session
