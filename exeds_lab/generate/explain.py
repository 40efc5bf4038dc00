"""Every exception that the client raises, told in plain words.

Failures that a server tells of are in `refusal`, those on the way to it in `outage`.
"""

from __future__ import annotations

import json
import sys

from exeds_lab.generate.failure import Asked, Failure, no_reply, unknown
from exeds_lab.generate.outage import from_transport
from exeds_lab.generate.refusal import from_status, from_stream


def client_errors() -> tuple[type[Exception], ...]:
    """What the client and the HTTP library under it may raise.

    The library is looked up rather than imported: which one it is depends on the client's version.
    """
    import openai  # noqa: PLC0415 - slow to load, so only where it is used

    loaded = [sys.modules[name] for name in ("httpx2", "httpx") if name in sys.modules]
    bases: list[type[Exception]] = [
        getattr(module, name) for module in loaded for name in ("HTTPError", "InvalidURL")
    ]
    return (openai.OpenAIError, OSError, EOFError, ValueError, *bases)


def explained(error: Exception, asked: Asked) -> Failure:
    """The failure that an exception of `client_errors` means."""
    import openai  # noqa: PLC0415 - slow to load, so only where it is used

    if isinstance(error, openai.APIStatusError):
        return from_status(error, asked)
    if isinstance(error, openai.APIResponseValidationError | ValueError):
        return _from_reply(error, asked)
    if isinstance(error, openai.APIError) and not isinstance(error, openai.APIConnectionError):
        return from_stream(error, asked)
    if isinstance(error, openai.OpenAIError) and not isinstance(error, openai.APIError):
        return unknown(error, asked)
    return from_transport(error, asked)


def _from_reply(error: Exception, asked: Asked) -> Failure:
    if isinstance(error, json.JSONDecodeError):
        return no_reply("JSON that cannot be read", asked)
    return no_reply("something that is not a chat completion", asked)
