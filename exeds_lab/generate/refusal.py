"""What a server that answers says is wrong."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from exeds_lab.generate.endpoint import Endpoint
from exeds_lab.generate.failure import (
    Asked,
    Failure,
    broken_stream,
    failure,
    path_hint,
    proxy_refused,
    quoted,
)
from exeds_lab.generate.retry import retry_after

if TYPE_CHECKING:
    import openai

_NO_MODEL = re.compile(
    r"model\b.{0,120}?\b(?:not exist|not found|no such|unknown|not a valid|invalid|not available"
    r"|not supported|unavailable|no access|not have access|not loaded|pulling)"
    r"|\b(?:invalid|unknown|no such|unsupported) model\b|not a valid model",
    re.IGNORECASE | re.DOTALL,
)
_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size)|too (?:long|large|many tokens)|maximum.{0,20}tokens"
    r"|(?:fewer|less) than .{0,12}tokens",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"api.?key.{0,40}(?:not valid|invalid|missing|incorrect|expired)|(?:invalid|missing) api.?key",
    re.IGNORECASE,
)
_NO_QUOTA = re.compile(
    r"insufficient|billing|quota|credit|balance|spend|payment|plan\b", re.IGNORECASE
)


def from_status(error: openai.APIStatusError, asked: Asked) -> Failure:
    """The failure that an HTTP status means."""
    said = _said(error, asked.endpoint)
    status = error.status_code
    if status == 401 or status == 403:
        return _key_refused(status, said, asked)
    if status == 407:
        return proxy_refused(said, asked.endpoint)
    if status in (402, 429):
        return _no_more(error, said, asked)
    if status in (404, 405) or 300 <= status < 400:
        return _not_there(error, said, asked)
    if status in (400, 413, 422):
        return _wrong_request(error, said, asked)
    return _server_failed(error, said, asked)


def _key_refused(status: int, said: str, asked: Asked) -> Failure:
    host = asked.endpoint.host
    if not asked.endpoint.key:
        return failure(
            f"{host} wants an API key and none is set ({status}{said}).",
            "Set the API key, in the environment or in the configuration of the server.",
            "key",
        )
    what = "refused the API key" if status == 401 else "does not allow this with the API key"
    return failure(
        f"{host} {what} ({status}{said}).",
        "Check that the key is whole, still valid, and meant for this address and model.",
        "key",
    )


def _no_more(error: openai.APIStatusError, said: str, asked: Asked) -> Failure:
    wait_s = retry_after(error.response.headers)
    spent = error.status_code == 402 or _NO_QUOTA.search(f"{error.code} {error.type}") is not None
    if spent:
        return failure(
            f"The quota of this API key is used up ({error.status_code}{said}).",
            "Look at usage and billing of the account, or use another key or model.",
            "quota",
        )
    waits = "a minute" if wait_s is None else f"{wait_s:.0f} s"
    return failure(
        f"{asked.endpoint.host} takes no more requests for now (429{said}).",
        f"Wait {waits} and try again, or ask for fewer candidates.",
        "quota",
        retryable=True,
        lost=True,
        wait_s=wait_s,
    )


def _not_there(error: openai.APIStatusError, said: str, asked: Asked) -> Failure:
    if _is_about_model(error, asked):
        return _no_model(error.status_code, said, asked)
    return failure(
        f"{asked.endpoint.host} has nothing at {asked.endpoint.url}/chat/completions "
        f"({error.status_code}{said}).",
        f"Correct the base URL: {path_hint(asked.endpoint)}",
        "path",
    )


def _no_model(status: int, said: str, asked: Asked) -> Failure:
    return failure(
        f"{asked.endpoint.host} has no model {asked.model!r} ({status}{said}).",
        "Set the name of a model that this server offers; `exeds-lab doctor` lists them.",
        "model",
    )


def _wrong_request(error: openai.APIStatusError, said: str, asked: Asked) -> Failure:
    text = _message(error)
    certainly = error.code == "context_length_exceeded" or error.status_code == 413
    if certainly or _TOO_LONG.search(text):
        return failure(
            f"The prompt is longer than {asked.model!r} can take ({error.status_code}{said}).",
            "Untick cells or variables in the context, or use a model that takes more.",
            "model",
            complaint=None if certainly else text,
        )
    if _NO_KEY.search(text):
        return _key_refused(401, said, asked)
    if _is_about_model(error, asked):
        return _no_model(error.status_code, said, asked)
    return failure(
        f"{asked.endpoint.host} refused the request ({error.status_code}{said}).",
        "Check the name of the model and the settings of the generator.",
        "server",
        complaint=text,
        named=error.param or _named_in(error.body),
    )


def _server_failed(error: openai.APIStatusError, said: str, asked: Asked) -> Failure:
    status = error.status_code
    passing = status in (408, 409, 425) or status >= 500
    behind = f" (through the proxy {asked.endpoint.proxy})" if asked.endpoint.proxy else ""
    return failure(
        f"{asked.endpoint.host}{behind} failed ({status}{said}).",
        "Try again in a minute; if it is your own server, look at its log.",
        "server",
        retryable=passing,
        lost=passing and status not in (501, 505),
        wait_s=retry_after(error.response.headers),
        complaint=_message(error) if status in (500, 501) else None,
    )


def _is_about_model(error: openai.APIStatusError, asked: Asked) -> bool:
    if error.param not in (None, "model"):
        return False
    text = _message(error)
    names_it = asked.model in text and error.status_code == 404
    return error.code == "model_not_found" or names_it or _NO_MODEL.search(text) is not None


def from_stream(error: openai.APIError, asked: Asked) -> Failure:
    """The failure that an error object in the middle of a stream means."""
    said = _said(error, asked.endpoint)
    if _NO_QUOTA.search(f"{error.code} {error.type}"):
        return failure(
            f"The quota of this API key is used up{said}.",
            "Look at usage and billing of the account, or use another key or model.",
            "quota",
        )
    return broken_stream(f"the server reported an error{said}", asked)


def _message(error: openai.APIError) -> str:
    """What the server says, wherever in its answer it says it; empty for a page."""
    match error.body:
        case {"message": str(text)} | {"detail": str(text)} | {"error": str(text)} | str(text):
            return "" if "<html" in text.lower() else text
        case [{"error": {"message": str(text)}}, *_]:
            return text
        case None:
            return ""
    return json.dumps(error.body)


def _named_in(body: object) -> str | None:
    """The field named by a validation error of FastAPI: `detail[].loc`."""
    match body:
        case {"detail": [{"loc": [*_, str(name)]}, *_]}:
            return name
    return None


def _said(error: openai.APIError, endpoint: Endpoint) -> str:
    return quoted(_message(error), endpoint)
