"""The `openai` client for one endpoint, and one chat request through it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from exeds_lab.generate.choices import Choices, Piece
from exeds_lab.generate.endpoint import Endpoint
from exeds_lab.generate.explain import client_errors
from exeds_lab.generate.failure import Asked, Failure, failure, no_reply, web_page

if TYPE_CHECKING:
    import openai

_CONNECT_S = 10.0
"""The longest that a connection may take to come about."""


_NO_CERTIFICATES = failure(
    "The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read.",
    "Correct the variable: it must name a file of certificates (PEM) that this server may read.",
    "tls",
)
_NO_PROXY = failure(
    "The proxy that the environment names cannot be used.",
    "Correct HTTP_PROXY, HTTPS_PROXY and ALL_PROXY: http://host:port is understood, and socks5 "
    "where the package socksio is installed.",
    "proxy",
)


class RequestFailedError(Exception):
    """A failure that the client has no exception for. Never leaves this package."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.error.reason)
        self.failure = failure


def client_of(endpoint: Endpoint, timeout_s: float) -> openai.AsyncOpenAI:
    """A client that asks each request once and gives up after `timeout_s` of silence.

    Proxies and certificates come from the environment, as the HTTP library reads it. A server on
    this machine is never asked through a proxy: that is what `leaves_machine` promises.

    Raises:
        RequestFailedError: the environment names certificates or a proxy that cannot be used.
    """
    import openai  # noqa: PLC0415 - slow to load, so only where it is used

    directly = {"all://": None, "http://": None, "https://": None}
    unusable_proxy: tuple[type[Exception], ...] = (ImportError, *client_errors())
    try:
        http_client = openai.DefaultAsyncHttpxClient(
            mounts=directly if endpoint.is_loopback else None
        )
    except OSError:
        raise RequestFailedError(_NO_CERTIFICATES) from None
    except unusable_proxy:
        # Its message may hold the proxy's password.
        raise RequestFailedError(_NO_PROXY) from None
    return openai.AsyncOpenAI(
        # The client takes no blank key; `chat` sees to it that this one is not sent.
        api_key=endpoint.key or "none",
        base_url=endpoint.url,
        default_query=endpoint.query,
        max_retries=0,
        timeout=openai.Timeout(timeout_s, connect=min(timeout_s, _CONNECT_S)),
        http_client=http_client,
    )


async def chat(
    client: openai.AsyncOpenAI, body: dict[str, Any], choices: Choices, asked: Asked
) -> AsyncGenerator[list[Piece]]:
    """Send a chat request; put its reply into `choices` and yield the text of each part of it.

    Closing the iterator closes the connection.

    Raises:
        RequestFailedError: the server answered with something else.
        Exception: whatever `client_errors` lists.
    """
    import openai  # noqa: PLC0415 - slow to load, so only where it is used

    answer = await client.chat.completions.create(**body, extra_headers=_headers(asked))
    if not isinstance(answer, openai.AsyncStream):
        yield _understood(choices, answer, asked)
        return
    async with answer as stream:
        kind = stream.response.headers.get("content-type", "")
        if "json" in kind or "html" in kind:
            text = (await stream.response.aread()).decode("utf-8", "replace")
            yield _understood(choices, _whole(text, asked), asked)
            return
        async for chunk in stream:
            yield _understood(choices, chunk, asked)


async def offered_models(client: openai.AsyncOpenAI, asked: Asked) -> tuple[str, ...] | None:
    """The names of the models that the server lists; None when it gives no such list."""
    no_list: tuple[type[Exception], ...] = (*client_errors(), AttributeError, TypeError)
    try:
        page = await client.models.list(extra_headers=_headers(asked))
        return tuple(str(model.id) for model in page.data)
    except no_list:
        return None


def _headers(asked: Asked) -> dict[str, Any]:
    import openai  # noqa: PLC0415 - as above

    return {} if asked.endpoint.key else {"Authorization": openai.Omit()}


def _understood(choices: Choices, answer: Any, asked: Asked) -> list[Piece]:
    """The text of a whole reply or of a chunk. The client lets any JSON through as either."""
    from openai.types.chat import ChatCompletion, ChatCompletionChunk  # noqa: PLC0415 - as above

    try:
        if isinstance(answer, ChatCompletionChunk):
            return list(choices.take_chunk(answer))
        if isinstance(answer, ChatCompletion):
            return list(choices.take_whole(answer))
    except (AttributeError, TypeError):
        pass
    raise RequestFailedError(no_reply("something that is not a chat completion", asked))


def _whole(text: str, asked: Asked) -> Any:
    """The reply in a body that is no stream although a stream was asked for."""
    from openai.types.chat import ChatCompletion  # noqa: PLC0415 - as above

    if text.lstrip().startswith("<"):
        raise RequestFailedError(web_page(asked))
    body = json.loads(text)
    if not isinstance(body, dict) or "choices" not in body:
        return None
    return ChatCompletion.construct(**body)
