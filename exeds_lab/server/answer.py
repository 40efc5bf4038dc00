"""One request: body to record, operation, reply or stream, and errors to their status."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from pydantic import ValidationError
from tornado.iostream import StreamClosedError

from exeds_lab.errors import (
    ConfigError,
    ExedsError,
    ExpectationError,
    GeneratorError,
    KernelBusy,
    KernelDied,
    KernelNotFound,
    KernelUnsupported,
    ModelFileError,
    NotebookError,
)
from exeds_lab.model import wire
from exeds_lab.model.attempt import Problem
from exeds_lab.model.record import Record
from exeds_lab.pipeline import problem_of
from exeds_lab.server import operations
from exeds_lab.server.gate import RouteHandler
from exeds_lab.server.service import service_of

EVENT_STREAM = "text/event-stream; charset=utf-8"

HEARTBEAT_S = 15.0
"""Seconds of silence after which a comment is sent, so that no proxy closes the stream."""

STATUSES: dict[type[ExedsError], int] = {
    ExpectationError: 400,
    ConfigError: 400,
    NotebookError: 404,
    KernelNotFound: 404,
    KernelBusy: 409,
    KernelDied: 409,
    KernelUnsupported: 422,
    ModelFileError: 503,
    GeneratorError: 502,
    ExedsError: 500,
}
"""HTTP status of each failure; the nearest class that is listed counts."""


def status_of(error: ExedsError) -> int:
    """The HTTP status of a failure of ours."""
    return next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)


async def answer(handler: RouteHandler) -> None:
    """Answer one request; failures of ours become their Problem, with its status."""
    try:
        body = _body(handler)
        service = service_of(handler.settings)
        if handler.route.stream:
            await _stream(handler, operations.STREAMS[handler.route.operation](service, body))
        else:
            reply = await operations.REPLIES[handler.route.operation](service, body)
            handler.finish(reply.model_dump_json())
    except ValidationError as error:
        _refuse(handler, 400, _not_understood(error))
    except ExedsError as error:
        _refuse(handler, status_of(error), problem_of(error))


def _body(handler: RouteHandler) -> Any:
    if handler.route.body is None:
        return None
    record: type[Record] = getattr(wire, handler.route.body)
    return record.model_validate_json(handler.request.body)


def _refuse(handler: RouteHandler, status: int, problem: Problem) -> None:
    handler.set_status(status)
    handler.finish(problem.model_dump_json())


def _not_understood(error: ValidationError) -> Problem:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return Problem(
        name="BadRequest",
        reason=f"{where}: {first['msg']}" if where else first["msg"],
        next_step="The page and the server may be of different versions: reload the page.",
        layer=None,
        retryable=False,
        line=None,
        column=None,
    )


async def _stream(handler: RouteHandler, events: AsyncGenerator[wire.Event, None]) -> None:
    handler.set_header("Content-Type", EVENT_STREAM)
    handler.set_header("Cache-Control", "no-store")
    handler.set_header("X-Accel-Buffering", "no")
    try:
        async with aclosing(frames(events, HEARTBEAT_S)) as texts:
            async for text in texts:
                handler.write(text)
                await handler.flush()
    except StreamClosedError:
        return
    handler.finish(set_content_type=EVENT_STREAM)


async def frames(
    events: AsyncGenerator[wire.Event, None], heartbeat_s: float
) -> AsyncGenerator[str, None]:
    """Events as server-sent events; a comment after every `heartbeat_s` of silence.

    Closing this, or cancelling the task that consumes it, ends `events` before it returns.
    """
    coming = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            done, _ = await asyncio.wait([coming], timeout=heartbeat_s)
            if not done:
                yield ": still working\n\n"
                continue
            event = coming.result()
            if event is None:
                return
            yield f"event: {event.event}\ndata: {event.model_dump_json()}\n\n"
            coming = asyncio.ensure_future(anext(events, None))
    finally:
        coming.cancel()
        await asyncio.wait([coming])
        await events.aclose()
