"""What stands between us and a model: asks one real question and names what fails.

for finding in await diagnose(settings):
    print(finding.status, finding.text, finding.next_step or "")
"""

from __future__ import annotations

import difflib
import ipaddress
import time
from contextlib import aclosing
from typing import Literal, cast
from urllib.parse import urlsplit

from exeds_lab.config import OpenAISettings
from exeds_lab.errors import GeneratorError
from exeds_lab.generate.client import RequestFailedError, client_of, offered_models
from exeds_lab.generate.endpoint import Endpoint, endpoint_of
from exeds_lab.generate.failure import Asked
from exeds_lab.generate.generator import GenerationJob, TextDelta
from exeds_lab.generate.openai import OpenAIGenerator
from exeds_lab.model.candidate import Message, Prompt
from exeds_lab.model.record import Record
from exeds_lab.model.spec import ANALYST, Expectation
from exeds_lab.model.task import Task

Layer = Literal[
    "dns",
    "connect",
    "proxy",
    "tls",
    "key",
    "path",
    "model",
    "quota",
    "server",
    "stream",
    "reply",
    "timeout",
]

_QUESTION = "Reply with the word ok."
_LONGEST_ANSWER = 16
"""Tokens: the answer does not matter."""

_NETWORK = ("proxy", "dns", "connect", "tls")
_PROVEN: dict[str, tuple[str, ...]] = {
    "connect": ("dns",),
    "tls": ("proxy", "dns", "connect"),
    "key": _NETWORK,
    "path": _NETWORK,
    "server": _NETWORK,
    "timeout": _NETWORK,
    "reply": _NETWORK,
    "model": (*_NETWORK, "key", "path"),
    "quota": (*_NETWORK, "key", "path"),
    "stream": (*_NETWORK, "key", "path", "model", "quota"),
}
"""What must be in order for a layer to fail the way it did."""


class Finding(Record):
    """What is known of one layer."""

    layer: Layer
    status: Literal["ok", "failed", "unknown"]
    """`unknown`: something before it failed, so it was not reached."""
    text: str
    """One sentence."""
    next_step: str | None
    """What to do; None unless it failed."""
    seconds: float | None
    """Seconds until the first word of the answer; None for every other layer."""


async def diagnose(settings: OpenAISettings) -> tuple[Finding, ...]:
    """Ask the endpoint a short question and tell how far it came, layer by layer.

    Sends a request that costs a few tokens. At most one finding has failed; layers that do not
    exist here (no proxy, no TLS) have none. Raises nothing: every failure is a finding.
    """
    short = settings.model_copy(update={"max_retries": 0, "max_tokens": _LONGEST_ANSWER})
    try:
        endpoint = endpoint_of(settings)
    except GeneratorError as error:
        return (_failed(error, error.next_step),)
    try:
        seconds = await _ask(short)
    except GeneratorError as error:
        return await _failing(error, settings, endpoint)
    healthy = tuple(_fine(layer, settings, endpoint) for layer in _layers(endpoint))
    text = f"The answer of {endpoint.host} is complete."
    return (*healthy, _finding("stream", "ok", text, seconds=seconds))


async def _ask(settings: OpenAISettings) -> float:
    """Seconds until the first word of the answer."""
    generator = OpenAIGenerator(settings)
    started = time.monotonic()
    first: float | None = None
    try:
        async with aclosing(generator.generate(_question())) as events:
            async for event in events:
                if isinstance(event, TextDelta) and first is None:
                    first = time.monotonic() - started
    finally:
        await generator.close()
    return first if first is not None else time.monotonic() - started


def _question() -> GenerationJob:
    task = Task(id="", intent=_QUESTION, cells=(), variables=(), notebook=None, cell_id=None)
    nothing = Expectation(checks=(), policy=ANALYST, origin="none", source="", preview=())
    message = Message(role="user", content=_QUESTION)
    prompt = Prompt(messages=(message,), parts=(), tokens=8, budget=8, fingerprint="")
    return GenerationJob(task, nothing, prompt, count=1, run=None)


async def _failing(
    error: GeneratorError, settings: OpenAISettings, endpoint: Endpoint
) -> tuple[Finding, ...]:
    """What is proven to work, what failed, and what is unknown behind it."""
    proven = _PROVEN.get(error.layer, ())
    layers = [layer for layer in _layers(endpoint) if layer != error.layer]
    working = [_fine(layer, settings, endpoint) for layer in layers if layer in proven]
    beyond = [
        _finding(layer, "unknown", f"Not known: {_UNKNOWN[layer]}.")
        for layer in layers
        if layer not in proven
    ]
    return (*working, _failed(error, await _better_step(error, settings, endpoint)), *beyond)


_UNKNOWN: dict[str, str] = {
    "proxy": "whether the proxy leads to the server",
    "dns": "whether the name is known",
    "connect": "whether the server can be reached",
    "tls": "whether the certificate is trusted",
    "key": "whether the key is accepted",
    "path": "whether the path is right",
    "model": "whether the server has the model",
    "quota": "whether the quota suffices",
}


def _layers(endpoint: Endpoint) -> list[Layer]:
    """The layers before the answer itself that a request to this endpoint passes."""
    layers: list[Layer] = []
    if endpoint.proxy:
        layers += ["proxy"]
    else:
        layers += ["connect"] if _is_address(endpoint) else ["dns", "connect"]
    if endpoint.is_tls:
        layers += ["tls"]
    return [*layers, "key", "path", "model", "quota"]


def _is_address(endpoint: Endpoint) -> bool:
    name = urlsplit(endpoint.url).hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _fine(layer: Layer, settings: OpenAISettings, endpoint: Endpoint) -> Finding:
    host = endpoint.host
    texts: dict[str, str] = {
        "proxy": f"The proxy {endpoint.proxy} leads to {host}.",
        "dns": f"The name {host} is known.",
        "connect": f"{host} can be reached.",
        "tls": f"The certificate of {host} is trusted.",
        "key": "The API key is accepted." if endpoint.key else "No API key is set or wanted.",
        "path": f"{host} takes chat requests at this base URL.",
        "model": f"{host} has the model {settings.model!r}.",
        "quota": f"{host} takes requests now.",
    }
    return _finding(layer, "ok", texts[layer])


def _failed(error: GeneratorError, next_step: str) -> Finding:
    return _finding(cast("Layer", error.layer), "failed", error.reason, next_step)


def _finding(
    layer: Layer,
    status: Literal["ok", "failed", "unknown"],
    text: str,
    next_step: str | None = None,
    seconds: float | None = None,
) -> Finding:
    return Finding(layer=layer, status=status, text=text, next_step=next_step, seconds=seconds)


async def _better_step(error: GeneratorError, settings: OpenAISettings, endpoint: Endpoint) -> str:
    """The next step, made precise by what the server lists as its models."""
    if error.layer == "model":
        return _model_step(settings.model, await _models_at(endpoint, settings)) or error.next_step
    if error.layer == "path":
        for url in _other_urls(endpoint.url):
            other = Endpoint(url, endpoint.query, endpoint.host, endpoint.key)
            if await _models_at(other, settings):
                return f"Set the base URL to {endpoint.scrubbed(url)}: the server answers there."
    return error.next_step


def _other_urls(url: str) -> tuple[str, ...]:
    """Where else an API often is."""
    if url.endswith("/v1"):
        return (url.removesuffix("/v1"),)
    root = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    return tuple(dict.fromkeys((f"{url}/v1", f"{root}/v1", f"{root}/api/v1", f"{root}/openai/v1")))


async def _models_at(endpoint: Endpoint, settings: OpenAISettings) -> tuple[str, ...]:
    try:
        client = client_of(endpoint, settings.timeout_s)
    except RequestFailedError:
        return ()
    async with client:
        asked = Asked(endpoint, settings.model, settings.timeout_s)
        return await offered_models(client, asked) or ()


def _model_step(wanted: str, offered: tuple[str, ...]) -> str | None:
    if not offered:
        return None
    alike = difflib.get_close_matches(wanted, offered, n=1, cutoff=0.4)
    names = ", ".join(offered[:12]) + (
        f" and {len(offered) - 12} more" if len(offered) > 12 else ""
    )
    hint = f"Did you mean {alike[0]}? " if alike else ""
    return f"{hint}Set the model to one that the server lists: {names}."
