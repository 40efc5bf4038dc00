"""Where an OpenAI-compatible server is, read from the settings."""

from __future__ import annotations

import ipaddress
import urllib.request
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, urlsplit, urlunsplit

from exeds_lab.config import OpenAISettings
from exeds_lab.errors import GeneratorError

DEFAULT_URL = "https://api.openai.com/v1"
"""Used when no base URL is set."""

_PASTED_PATHS = ("/chat/completions", "/completions", "/models", "/responses")


@dataclass(frozen=True)
class Endpoint:
    """An address that can be asked."""

    url: str
    """Base URL without query and without a trailing slash."""
    query: dict[str, str]
    """Query parameters of every request, e.g. an `api-version`."""
    host: str
    """Host, with the port when it is not the scheme's own; no user name, no password."""
    key: str = field(repr=False)
    """Empty when none is set."""

    @property
    def is_tls(self) -> bool:
        """Whether the address begins with https."""
        return self.url.startswith("https:")

    @property
    def is_loopback(self) -> bool:
        """Whether the server is this machine."""
        return _is_loopback(urlsplit(self.url).hostname or "")

    @property
    def proxy(self) -> str | None:
        """Host and port of the proxy that the environment names for it; None when none serves."""
        parts = urlsplit(self.url)
        name = parts.hostname or ""
        proxies = urllib.request.getproxies()
        found = proxies.get(parts.scheme) or proxies.get("all")
        if not found or self.is_loopback or urllib.request.proxy_bypass(name):
            return None
        return _host(urlsplit(found if "//" in found else f"http://{found}"))

    def scrubbed(self, text: str) -> str:
        """`text` without the key and without the password of the address."""
        secrets = (self.key, urlsplit(self.url).password or "")
        for secret in secrets:
            text = text.replace(secret, "[key]") if secret else text
        return text


def endpoint_of(settings: OpenAISettings) -> Endpoint:
    """The endpoint that the settings name.

    Raises:
        GeneratorError: the base URL (layer `path`) or the key (layer `key`) cannot be used.
    """
    written = (settings.base_url or "").strip() or DEFAULT_URL
    parts = _parts(written)
    path = parts.path.rstrip("/")
    for pasted in _PASTED_PATHS:
        path = path.removesuffix(pasted)
    return Endpoint(
        url=urlunsplit((parts.scheme, parts.netloc, path, "", "")),
        query=dict(parse_qsl(parts.query)),
        host=_host(parts),
        key=_usable_key(settings.api_key),
    )


def _parts(written: str) -> SplitResult:
    try:
        parts = urlsplit(written)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise GeneratorError(
            "The base URL of the model is not an address that begins with http:// or https://.",
            "Set it to something like https://api.example.com/v1 or http://localhost:11434/v1.",
            layer="path",
            retryable=False,
        )
    return parts


def _usable_key(written: str | None) -> str:
    key = (written or "").strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise GeneratorError(
            "The API key holds blanks or characters that no key has.",
            "Copy the key again, without quotes and line breaks.",
            layer="key",
            retryable=False,
        )
    return key


def _host(parts: SplitResult) -> str:
    name = parts.hostname or ""
    name = f"[{name}]" if ":" in name else name
    own_port = {"http": 80, "https": 443}.get(parts.scheme)
    return name if parts.port in (None, own_port) else f"{name}:{parts.port}"


def _is_loopback(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
