"""The one handler behind every route: who may enter, what is asked, how failures are answered."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any, ClassVar

import tornado.web
from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join

from exeds_lab.server.routes import NAMESPACE, ROUTES, Route


class RouteHandler(APIHandler):
    """Answers one route. Everything but the door is imported at the first request."""

    auth_resource: ClassVar[str] = "exeds_lab"

    def initialize(self, route: Route) -> None:
        """Take the route that this handler was registered for."""
        super().initialize()
        self.route = route
        self.work: asyncio.Task[None] | None = None

    @tornado.web.authenticated
    @authorized
    async def get(self) -> None:
        """Answer a GET route."""
        await self._answer()

    @tornado.web.authenticated
    @authorized
    async def post(self) -> None:
        """Answer a POST route."""
        await self._answer()

    def on_connection_close(self) -> None:
        """The tab was closed or the user pressed Stop: end what is being done for it."""
        if self.work is not None:
            self.work.cancel()

    async def _answer(self) -> None:
        if self.request.method != self.route.method:
            raise tornado.web.HTTPError(405)
        answer: Any = await asyncio.to_thread(import_module, "exeds_lab.server.answer")
        self.work = asyncio.ensure_future(answer.answer(self))
        await asyncio.wait([self.work])
        if not self.work.cancelled():
            self.work.result()


def handlers(base_url: str) -> list[tuple[str, type[RouteHandler], dict[str, Route]]]:
    """What to register with the web application, from the table of routes."""
    return [
        (url_path_join(base_url, *NAMESPACE, route.path), RouteHandler, {"route": route})
        for route in ROUTES
    ]
