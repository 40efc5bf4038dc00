"""A real OpenAI-compatible HTTP server on loopback whose replies are scripted.

    python -m tests.servers.openai_server [--port 0] [--script FILE] [--key KEY] [--model NAME]

prints one line of JSON, `{"url": "http://127.0.0.1:PORT/v1", "control": "http://…/control"}`, and
serves until it is terminated. Give `url` as base URL. `--key` makes it ask for that key, `--model`
(default `scripted`) is the only model it knows; `--port 0` takes a free port.

The script is a JSON list of replies; each field of `openai_script.Reply` may be given:

    [{"text": "```python\\ndf.groupby('city').sum()\\n```", "gate": 20, "chunk": 5},
     {"match": "median", "texts": ["```python\\n1\\n```", "```python\\n2\\n```"]},
     {"fault": "429", "retry_after": "0.1"},
     {"fault": "refuse-parameter", "parameters": ["temperature"], "times": 9}]

A reply with `match` answers every request that contains that text; the others answer one request
each, in order, and the last one goes on serving.

Control, by GET or POST:

    /control/state              JSON: requests seen (body, query, headers but the key), connections
                                that are open, replies being sent, held, abandoned by the client
    /control/release            lets every held stream, and those held later, go on
    /control/release?count=1    lets one held stream go on
    /control/wait?held=1        answers when that many streams are held; also requests=N,
                                abandoned=N (at least) and connections=N (at most)

Faults:

    401, 403            the key is refused           404-path        there is no such path
    404-model           there is no such model       429, 429-quota  too many requests, no quota
    500                 a failure of the server      502-html        a gateway's page
    context-length      400, prompt too long         redirect        307 to /elsewhere
    drop                half the reply, then the connection is dropped
    silent              half the reply, then nothing until released
    silent-before-headers                            nothing at all until released
    no-finish           the reply ends without finish_reason
    no-done             the reply has its finish_reason, but the stream is held open
    bad-json, bad-chunk JSON cut in half, as the whole reply or in one piece of the stream
    html                a page instead of JSON       empty-choices   a reply without choices
    error-in-stream     an error object after half the reply
    not-stream          one JSON object although a stream was asked for
    ignore-n            one choice whatever `n` is   refuse-n        400 when `n` is above 1
    refuse-parameter    400 when one of `parameters` is given, naming it
    status              `status` and `body` as the script gives them
"""

from __future__ import annotations

import argparse
import asyncio
import json
import ssl
from pathlib import Path
from typing import Any, Self

from tornado.httpserver import HTTPServer
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from tests.servers.openai_reply import DROP, ERRORS, HOLD, PAGE, chunk, pieces, usage, whole
from tests.servers.openai_script import Reply, Script, read_script


class ModelServer:
    """The server, inside the caller's event loop: `async with ModelServer([...]) as server`.

    Args:
        replies: the script.
        key: the key that it asks for; None: it looks at none.
        model: the only model that it knows.
        tls: serve https with this context.
    """

    def __init__(
        self,
        replies: list[Reply] | None = None,
        key: str | None = None,
        model: str = "scripted",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.script = Script(replies or [])
        self.key = key
        self.model = model
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        """The Authorization header of each chat request; empty where there was none."""
        self.sending = 0
        self.held = 0
        self.abandoned = 0
        self.connections: set[object] = set()
        self.port = 0
        self._passes = 0
        self._open_gates = False
        self._changed = asyncio.Condition()
        self._tls = tls
        self._server = _TrackingServer(self._application(), ssl_options=tls)
        self._server.owner = self

    def _application(self) -> Application:
        shared = {"server": self}
        return Application(
            [
                (r"/control/(\w+)", _Control, shared),
                (r"/v1/chat/completions", _ChatCompletions, shared),
                (r"/v1/models", _Models, shared),
            ],
            default_handler_class=_Nowhere,
            log_function=lambda handler: None,
        )

    @property
    def url(self) -> str:
        """The base URL to configure."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/v1"

    def listen(self, port: int = 0) -> None:
        """Serve on a loopback port; 0 takes a free one."""
        sockets = bind_sockets(port, "127.0.0.1")
        self.port = sockets[0].getsockname()[1]
        self._server.add_sockets(sockets)

    async def __aenter__(self) -> Self:
        self.listen()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.release()
        self._server.stop()
        await self._server.close_all_connections()

    async def changed(self) -> None:
        """Wake everyone who waits for a state."""
        async with self._changed:
            self._changed.notify_all()

    async def wait(self, **at_least: int) -> None:
        """Return when each of requests, held and abandoned is at least, connections at most, N."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._reached(at_least))

    def _reached(self, wanted: dict[str, int]) -> bool:
        now = {**self.state(), "requests": len(self.requests)}
        reached = {name: now[name] >= number for name, number in wanted.items()}
        if "connections" in wanted:
            reached["connections"] = now["connections"] <= wanted["connections"]
        return all(reached.values())

    def state(self) -> dict[str, Any]:
        """What /control/state answers."""
        return {
            "requests": self.requests,
            "connections": len(self.connections),
            "sending": self.sending,
            "held": self.held,
            "abandoned": self.abandoned,
        }

    async def release(self, count: int | None = None) -> None:
        """Let `count` held streams go on; None: all, and those held later."""
        self._open_gates = self._open_gates or count is None
        self._passes += count or 0
        await self.changed()

    async def hold(self) -> None:
        """Hold the caller until released."""
        self.held += 1
        async with self._changed:
            self._changed.notify_all()
            await self._changed.wait_for(lambda: self._open_gates or self._passes > 0)
            self._passes = max(0, self._passes - 1)
            self.held -= 1
            self._changed.notify_all()


class _TrackingServer(HTTPServer):
    """Knows which connections that carried a model request are still open."""

    owner: ModelServer

    def on_close(self, server_conn: object) -> None:
        super().on_close(server_conn)
        self.owner.connections.discard(server_conn)
        asyncio.ensure_future(self.owner.changed())  # noqa: RUF006


class _Handler(RequestHandler):
    server: ModelServer

    def initialize(self, server: ModelServer) -> None:
        self.server = server


class _Control(_Handler):
    async def get(self, action: str) -> None:
        if action == "release":
            count = self.get_query_argument("count", None)
            await self.server.release(int(count) if count else None)
        elif action == "wait":
            names = ("requests", "held", "abandoned", "connections")
            wanted = {name: self.get_query_argument(name, None) for name in names}
            await self.server.wait(**{k: int(v) for k, v in wanted.items() if v is not None})
        elif action != "state":
            self.set_status(404)
        self.finish(self.server.state())

    post = get


class _ApiHandler(_Handler):
    """Counts the connection, asks for the key, and says errors as the real API does."""

    reply = Reply()
    ended = False

    async def prepare(self) -> None:
        self.server.connections.add(self.request.server_connection)
        self.server.sending += 1
        if self.server.key and self.request.headers.get("Authorization") != (
            f"Bearer {self.server.key}"
        ):
            self.fail("401")

    def on_finish(self) -> None:
        self._end()

    def on_connection_close(self) -> None:
        if not self.ended:
            self.server.abandoned += 1
        self._end()

    def _end(self) -> None:
        if not self.ended:
            self.ended = True
            self.server.sending -= 1
            asyncio.ensure_future(self.server.changed())  # noqa: RUF006

    def fail(self, fault: str, **more: Any) -> None:
        status, error = ERRORS[fault]
        key = self.request.headers.get("Authorization", "").removeprefix("Bearer ")
        message = error["message"].replace("{key}", key)
        self.refuse(status, {**error, "message": message.replace("{model}", self.asked_model)})

    def refuse(self, status: int, error: dict[str, Any]) -> None:
        self.set_status(status)
        if self.reply.retry_after is not None:
            self.set_header("Retry-After", self.reply.retry_after)
        self.finish({"error": {"type": "invalid_request_error", "param": None, **error}})

    asked_model = ""


class _Nowhere(RequestHandler):
    def prepare(self) -> None:
        self.set_status(404)
        self.finish({"detail": "Not Found"})


class _Models(_ApiHandler):
    def get(self) -> None:
        model = {"id": self.server.model, "object": "model", "created": 0, "owned_by": "tests"}
        self.finish({"object": "list", "data": [model]})


class _ChatCompletions(_ApiHandler):
    async def post(self) -> None:
        body = json.loads(self.request.body)
        headers = {k: v for k, v in self.request.headers.get_all() if k != "Authorization"}
        self.server.requests.append({"body": body, "headers": headers, "query": self.request.query})
        self.server.keys.append(self.request.headers.get("Authorization", ""))
        await self.server.changed()
        self.asked_model = body["model"]
        prompt = "\n".join(message["content"] for message in body["messages"])
        self.reply = self.server.script.reply_for(prompt)
        if body["model"] != self.server.model:
            self.fail("404-model")
        elif not self._refused(body) and not await self._answered_whole():
            await self._complete(body)

    def _refused(self, body: dict[str, Any]) -> bool:
        fault = self.reply.fault or ""
        if fault in ERRORS:
            self.fail(fault)
        elif fault == "refuse-n" and body.get("n", 1) > 1:
            self.refuse(400, {"message": "'n' : number must be at most 1", "param": None})
        elif fault == "refuse-parameter" and (named := self._named(body)):
            message = f"Unsupported parameter: '{named}' is not supported with this model."
            self.refuse(400, {"message": message, "param": named, "code": "unsupported_parameter"})
        else:
            return False
        return True

    def _named(self, body: dict[str, Any]) -> str | None:
        return next((name for name in self.reply.parameters if name in body), None)

    async def _answered_whole(self) -> bool:
        fault = self.reply.fault
        if fault == "404-path":
            self.set_status(404)
            self.finish({"detail": "Not Found"})
        elif fault == "html":
            self.finish(PAGE)
        elif fault == "502-html":
            self.set_status(502)
            self.finish(PAGE)
        elif fault == "status":
            self.set_status(self.reply.status)
            self.set_header("Content-Type", "application/json")
            self.finish(json.dumps(self.reply.body))
        elif fault == "redirect":
            self.redirect("/elsewhere", status=307)
        elif fault == "bad-json":
            self.set_header("Content-Type", "application/json")
            self.finish('{"id": "1", "choices": [{"ind')
        elif fault == "silent-before-headers":
            await self.server.hold()
            self.finish()
        else:
            return False
        return True

    async def _complete(self, body: dict[str, Any]) -> None:
        count = 1 if self.reply.fault == "ignore-n" else body.get("n", 1)
        count = 0 if self.reply.fault == "empty-choices" else count
        if body.get("stream") and self.reply.fault != "not-stream":
            try:
                await self._stream(count, body)
            except StreamClosedError:
                return
        else:
            self.finish(whole(self.reply, count, self.server.model))

    async def _stream(self, count: int, body: dict[str, Any]) -> None:
        self.set_header("Content-Type", self.reply.content_type)
        await self.flush()
        for piece in pieces(self.reply, count):
            if piece == HOLD:
                await self.server.hold()
            elif piece == DROP:
                self.request.connection.stream.close()
                raise StreamClosedError
            else:
                await self._send(piece)
        await self._end_of_stream(count, body)

    async def _end_of_stream(self, count: int, body: dict[str, Any]) -> None:
        if self.reply.fault == "no-done":
            await self.server.hold()
        if (body.get("stream_options") or {}).get("include_usage"):
            await self._send({"choices": [], "usage": usage(self.reply, count)})
        self.write("data: [DONE]\n\n")
        self.finish()

    async def _send(self, piece: dict[str, Any]) -> None:
        text = json.dumps(chunk(piece, self.server.model))
        self.write(f"data: {text[: len(text) // 2] if 'cut' in piece else text}\n\n")
        await self.flush()


async def _serve(options: argparse.Namespace) -> None:
    replies = read_script(options.script) if options.script else []
    server = ModelServer(replies, key=options.key, model=options.model)
    server.listen(options.port)
    control = server.url.removesuffix("/v1") + "/control"
    print(json.dumps({"url": server.url, "control": control}), flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Serve from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--key")
    parser.add_argument("--model", default="scripted")
    try:
        asyncio.run(_serve(parser.parse_args()))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
