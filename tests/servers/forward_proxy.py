"""A forward proxy on loopback: CONNECT for https, absolute addresses for http."""

from __future__ import annotations

import asyncio
import base64
from typing import Self
from urllib.parse import urlsplit


class ForwardProxy:
    """Leads names that exist nowhere to ports of this machine: `async with ForwardProxy({...})`.

    Args:
        routes: port of this machine for each `host:port`; everything else gets a 502.
        login: `user:password` that it asks for; None: it asks for none.
    """

    def __init__(self, routes: dict[str, int], login: str | None = None) -> None:
        self._routes = routes
        self._login = login
        self.asked: list[str] = []
        """The first line of each request."""
        self.port = 0
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """What HTTP_PROXY should say, without a login."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, client: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            await self._lead_on(client, answer)
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            answer.close()
            self._serving.discard(task)

    async def _lead_on(self, client: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        head = (await client.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *headers = head.split("\r\n")
        self.asked.append(first)
        method, target, version = first.split(" ")
        if not self._is_allowed(headers):
            answer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return await answer.drain()
        address = urlsplit(f"//{target}" if method == "CONNECT" else target)
        port = self._routes.get(f"{address.hostname}:{address.port or 80}")
        if port is None:
            answer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return await answer.drain()
        upstream, onward = await asyncio.open_connection("127.0.0.1", port)
        try:
            if method == "CONNECT":
                answer.write(f"{version} 200 Connection established\r\n\r\n".encode())
            else:
                path = f"{address.path}?{address.query}" if address.query else address.path
                onward.write("\r\n".join([f"{method} {path} {version}", *headers]).encode())
            await _both_ways((client, onward), (upstream, answer))
        finally:
            onward.close()

    def _is_allowed(self, headers: list[str]) -> bool:
        if self._login is None:
            return True
        token = base64.b64encode(self._login.encode()).decode()
        return f"proxy-authorization: basic {token}".lower() in (h.lower() for h in headers)


async def _both_ways(*pairs: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
    """Copies until either side ends."""
    copies = [asyncio.create_task(_copy(*pair)) for pair in pairs]
    await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
    for copy in copies:
        copy.cancel()
    await asyncio.gather(*copies, return_exceptions=True)


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        sink.write(data)
        await sink.drain()
