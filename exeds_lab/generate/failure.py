"""A failed request, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exeds_lab.errors import GeneratorError
from exeds_lab.generate.endpoint import Endpoint


@dataclass(frozen=True)
class Failure:
    """A failed request."""

    error: GeneratorError
    lost: bool = False
    """Whether to ask again at once: too many requests, a failing server, a lost connection."""
    wait_s: float | None = None
    """Seconds that the server asked to wait; None when it did not say."""
    complaint: str | None = None
    """What the server says of the request when it refused it as wrong; None otherwise."""
    named: str | None = None
    """The field of the request that the server names as wrong."""


@dataclass(frozen=True)
class Asked:
    """What was asked of whom; failures are told in its words."""

    endpoint: Endpoint
    model: str
    timeout_s: float


def failure(
    reason: str, next_step: str, layer: str, *, retryable: bool = False, **more: Any
) -> Failure:
    """A failure whose error has these words."""
    return Failure(GeneratorError(reason, next_step, layer, retryable), **more)


def no_reply(what: str, asked: Asked) -> Failure:
    """The server answered 200 with something that is no reply."""
    return failure(
        f"{asked.endpoint.host} answered with {what}.",
        "Check that the base URL is that of an OpenAI-compatible server; try again if it is.",
        "reply",
        retryable=True,
    )


def web_page(asked: Asked) -> Failure:
    """The server answered 200 with a page for people."""
    return failure(
        f"{asked.endpoint.host} answered with a web page instead of a reply.",
        f"Correct the base URL: {path_hint(asked.endpoint)}",
        "path",
    )


def broken_stream(what: str, asked: Asked) -> Failure:
    """A reply that ended before it was complete."""
    return failure(
        f"The reply of {asked.endpoint.host} broke off: {what}.",
        "Try again; if it happens again, look at the log of the model's server.",
        "stream",
        retryable=True,
        lost=True,
    )


def unknown(error: Exception, asked: Asked) -> Failure:
    """The client gave up for a reason of its own."""
    said = quoted(str(error), asked.endpoint)
    return failure(
        f"The request to {asked.endpoint.host} could not be sent{said}.",
        "Check the settings of the generator and the OPENAI_ variables of the environment.",
        "server",
    )


def proxy_refused(said: str, endpoint: Endpoint) -> Failure:
    """The proxy wants to know who asks, or does not let the request through."""
    return failure(
        f"The proxy {endpoint.proxy or 'in between'} refused the request{said}.",
        "Put the proxy's user name and password in HTTP_PROXY and HTTPS_PROXY "
        "(http://user:password@host:port), or name the model's host in NO_PROXY.",
        "proxy",
    )


def path_hint(endpoint: Endpoint) -> str:
    """What to try as base URL, as the end of a sentence."""
    if endpoint.url.endswith("/v1"):
        return "it must be the part before /chat/completions in the server's documentation."
    return f"most servers want /v1 at its end, as in {endpoint.scrubbed(endpoint.url)}/v1."


def quoted(text: str, endpoint: Endpoint) -> str:
    """What the server said, as the end of a sentence; empty when it said nothing."""
    line = " ".join(endpoint.scrubbed(text).split())
    line = "".join(char for char in line if char.isprintable())
    return f": {line if len(line) <= 240 else line[:239] + '…'}" if line else ""
