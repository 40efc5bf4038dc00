"""The bodies that the scripted server sends: whole replies, and streams piece by piece."""

from __future__ import annotations

import math
from typing import Any

from tests.servers.openai_script import Reply

HOLD = "hold"
"""In place of a piece: the stream is held here until released."""
DROP = "drop"
"""In place of a piece: the connection is dropped here."""

ERRORS: dict[str, tuple[int, dict[str, Any]]] = {
    "401": (401, {"message": "Incorrect API key provided: {key}", "code": "invalid_api_key"}),
    "403": (403, {"message": "Country not supported for {key}", "code": "unsupported_country"}),
    "404-model": (
        404,
        {"message": "The model `{model}` does not exist", "code": "model_not_found"},
    ),
    "429": (429, {"message": "Rate limit reached", "code": "rate_limit_exceeded"}),
    "429-quota": (429, {"message": "You exceeded your quota", "code": "insufficient_quota"}),
    "500": (500, {"message": "The server had an error", "code": None}),
    "context-length": (
        400,
        {"message": "Maximum context length is 4096 tokens", "code": "context_length_exceeded"},
    ),
}
"""Status and error object of each fault that is an error from the start."""
PAGE = "<!DOCTYPE html><html><title>Welcome</title><body>Sign in</body></html>"
"""What a web server shows to people."""


def whole(reply: Reply, count: int, model: str) -> dict[str, Any]:
    """The reply in one piece."""
    choices = [
        {
            "index": i,
            "message": {"role": "assistant", "content": reply.text_of(i)},
            "finish_reason": reply.finish,
        }
        for i in range(count)
    ]
    return {**_frame("chat.completion", model), "choices": choices, "usage": usage(reply, count)}


def usage(reply: Reply, count: int) -> dict[str, int]:
    """Seven tokens for the prompt and one for each character written."""
    written = sum(len(reply.text_of(i)) for i in range(count))
    return {"prompt_tokens": 7, "completion_tokens": written, "total_tokens": 7 + written}


def chunk(piece: dict[str, Any], model: str) -> dict[str, Any]:
    """A piece as it is sent in a stream."""
    return {**_frame("chat.completion.chunk", model), **piece}


def pieces(reply: Reply, count: int) -> list[Any]:
    """What a stream sends, the choices in turn, up to the fault that ends it half way."""
    sent: list[Any] = []
    if reply.reasoning:
        sent += [_delta(i, {"reasoning_content": reply.reasoning}) for i in range(count)]
    longest = max((len(reply.text_of(i)) for i in range(count)), default=0)
    # At least two pieces, so that there is a middle at which to fail.
    size = max(1, min(reply.chunk, math.ceil(longest / 2)))
    for start in range(0, max(longest, 1), size):
        if reply.gate is not None and start <= reply.gate < start + size:
            sent.append(HOLD)
        if start >= longest / 2 and (fault := _fault(reply)):
            return [*sent, *fault]
        for i in range(count):
            sent += _of_choice(reply, i, start, size)
    return sent


def _of_choice(reply: Reply, i: int, start: int, size: int) -> list[Any]:
    text = reply.text_of(i)
    if start >= max(len(text), 1):
        return []
    sent = [_delta(i, {"content": text[start : start + size]})]
    if start + size >= len(text):
        sent.append(_delta(i, {}, None if reply.fault == "no-finish" else reply.finish))
    return sent


def _fault(reply: Reply) -> list[Any]:
    return {
        "drop": [DROP],
        "silent": [HOLD],
        "bad-chunk": [{"cut": True}],
        "error-in-stream": [{"error": {"message": "Out of memory", "code": "overloaded"}}],
    }.get(reply.fault or "", [])


def _frame(kind: str, model: str) -> dict[str, Any]:
    return {"id": "c1", "object": kind, "created": 0, "model": model}


def _delta(index: int, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": delta, "finish_reason": finish}]}
