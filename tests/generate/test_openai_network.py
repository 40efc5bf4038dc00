"""Names, connections, proxies and certificates between us and a model's server."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from exeds_lab.generate.endpoint import endpoint_of
from exeds_lab.generate.openai import OpenAIGenerator
from tests.generate.asking import Heard, heard_from, job, settings
from tests.servers.forward_proxy import ForwardProxy
from tests.servers.openai_script import Reply
from tests.servers.openai_server import ModelServer
from tests.servers.private_ca import PrivateCa, private_ca

ANSWER = Reply(text="```python\n1\n```")

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl command")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes away what the machine that runs the tests has set."""
    for name in (*PROXY_VARIABLES, "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(scope="module")
def ca(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateCa]:
    yield private_ca(tmp_path_factory.mktemp("ca"), ("DNS:model.example", "IP:127.0.0.1"))


async def ask_at(url: str, **changes: Any) -> Heard:
    generator = OpenAIGenerator(settings(url, **changes))
    try:
        return await heard_from(generator, job())
    finally:
        await generator.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_a_name_that_nobody_knows_is_told() -> None:
    heard = asyncio.run(ask_at("https://no-such-host.invalid/v1"))
    assert heard.told == (
        "dns",
        True,
        "The name no-such-host.invalid is not known.",
        "Check the spelling of the base URL and the network connection of this machine; behind a "
        "company's proxy set HTTPS_PROXY.",
    )


def test_a_server_that_is_not_running_is_told() -> None:
    port = free_port()
    heard = asyncio.run(ask_at(f"http://127.0.0.1:{port}/v1"))
    assert heard.told == (
        "connect",
        True,
        f"127.0.0.1:{port} refuses the connection.",
        "Start the model's server, and check scheme, host and port of the base URL.",
    )


@needs_openssl
def test_https_is_asked_with_the_authority_that_the_environment_names(
    ca: PrivateCa, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> Heard:
        async with ModelServer([ANSWER], tls=ca.server) as server:
            return await ask_at(server.url)

    monkeypatch.setenv("SSL_CERT_FILE", str(ca.certificate))
    assert asyncio.run(ask()).codes == ["1"]


@needs_openssl
def test_a_certificate_that_nobody_trusts_is_told(ca: PrivateCa) -> None:
    async def ask() -> tuple[Heard, int]:
        async with ModelServer([ANSWER], tls=ca.server) as server:
            return await ask_at(server.url), server.port

    heard, port = asyncio.run(ask())
    layer, retryable, reason, next_step = heard.told
    assert (layer, retryable) == ("tls", False)
    assert reason.startswith(f"The certificate of 127.0.0.1:{port} is not trusted (")
    assert next_step == (
        "If your company or server has a CA of its own, set SSL_CERT_FILE to its certificates "
        "(PEM) and restart."
    )


@needs_openssl
def test_a_certificate_for_another_name_is_told(
    ca: PrivateCa, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> Heard:
        async with ModelServer([ANSWER], tls=ca.server) as server:
            return await ask_at(f"https://localhost:{server.port}/v1")

    monkeypatch.setenv("SSL_CERT_FILE", str(ca.certificate))
    assert asyncio.run(ask()).told[0] == "tls"


def test_a_certificate_file_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file.pem")
    heard = asyncio.run(ask_at("https://api.example.com/v1"))
    assert heard.told == (
        "tls",
        False,
        "The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read.",
        "Correct the variable: it must name a file of certificates (PEM) that this server may "
        "read.",
    )


def test_a_server_without_tls_asked_by_https_is_told() -> None:
    async def ask() -> Heard:
        async def say_something_else(reader: Any, writer: Any) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(say_something_else, "127.0.0.1", 0)
        async with server:
            return await ask_at(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")

    layer, _, _, next_step = asyncio.run(ask()).told
    assert (layer, next_step) == (
        "tls",
        "Write http:// in the base URL if the server has no certificate.",
    )


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_the_proxy_of_the_environment_is_used(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variable == "HTTP_PROXY":
        # In a CGI environment this variable would come from the request.
        monkeypatch.delenv("REQUEST_METHOD", raising=False)

    async def ask() -> tuple[Heard, list[str]]:
        async with ModelServer([ANSWER]) as server:
            routes = {"model.example:80": server.port}
            async with ForwardProxy(routes, login="me:pass") as proxy:
                monkeypatch.setenv(variable, f"http://me:pass@127.0.0.1:{proxy.port}")
                return await ask_at("http://model.example/v1"), proxy.asked

    heard, asked = asyncio.run(ask())
    assert heard.codes == ["1"]
    assert asked == ["POST http://model.example/v1/chat/completions HTTP/1.1"]


@needs_openssl
def test_https_goes_through_the_proxy_unread(
    ca: PrivateCa, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> tuple[Heard, list[str]]:
        routes = {"model.example:443": 0}
        async with (
            ModelServer([ANSWER], tls=ca.server) as server,
            ForwardProxy(routes) as proxy,
        ):
            routes["model.example:443"] = server.port
            monkeypatch.setenv("HTTPS_PROXY", proxy.url)
            return await ask_at("https://model.example/v1"), proxy.asked

    monkeypatch.setenv("SSL_CERT_FILE", str(ca.certificate))
    heard, asked = asyncio.run(ask())
    assert heard.codes == ["1"]
    assert asked == ["CONNECT model.example:443 HTTP/1.1"]


@pytest.mark.parametrize("url", ["http://model.example/v1", "https://model.example/v1"])
def test_a_proxy_that_wants_a_login_is_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> tuple[Heard, int]:
        async with ForwardProxy({}, login="me:pass") as proxy:
            for name in ("HTTP_PROXY", "HTTPS_PROXY"):
                monkeypatch.setenv(name, f"http://me:wrong-secret@127.0.0.1:{proxy.port}")
            return await ask_at(url), proxy.port

    heard, port = asyncio.run(ask())
    layer, retryable, reason, next_step = heard.told
    assert (layer, retryable) == ("proxy", False)
    assert reason.startswith(f"The proxy 127.0.0.1:{port} refused the request")
    assert "wrong-secret" not in reason
    assert next_step == (
        "Put the proxy's user name and password in HTTP_PROXY and HTTPS_PROXY "
        "(http://user:password@host:port), or name the model's host in NO_PROXY."
    )


@pytest.mark.parametrize(
    ("proxy", "reason"),
    [
        ("http://127.0.0.1:PORT", "The proxy 127.0.0.1:PORT refuses the connection."),
        ("http://no-such.invalid:3128", "The name of the proxy no-such.invalid:3128 is not known."),
        ("gopher://x", "The proxy that the environment names cannot be used."),
    ],
)
def test_a_proxy_that_does_not_serve_is_told(
    proxy: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = str(free_port())
    monkeypatch.setenv("HTTPS_PROXY", proxy.replace("PORT", port))
    heard = asyncio.run(ask_at("https://model.example/v1"))
    assert (heard.told[0], heard.told[2]) == ("proxy", reason.replace("PORT", port))


@pytest.mark.parametrize("no_proxy", ["model.invalid", ".invalid", "other, model.invalid", "*"])
def test_no_proxy_leads_past_the_proxy(no_proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> tuple[Heard, list[str]]:
        async with ForwardProxy({}) as proxy:
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            monkeypatch.setenv("NO_PROXY", no_proxy)
            return await ask_at("http://model.invalid/v1"), proxy.asked

    heard, asked = asyncio.run(ask())
    assert (heard.told[0], heard.told[2], asked) == (
        "dns",
        "The name model.invalid is not known.",
        [],
    )


def test_a_server_on_this_machine_is_never_asked_through_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the prompt would leave the machine although `leaves_machine` is false."""

    async def ask() -> tuple[Heard, list[str]]:
        async with ModelServer([ANSWER]) as server, ForwardProxy({}) as proxy:
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            monkeypatch.setenv("ALL_PROXY", proxy.url)
            return await ask_at(server.url), proxy.asked

    heard, asked = asyncio.run(ask())
    assert (heard.codes, asked) == (["1"], [])


@pytest.mark.parametrize(
    ("url", "host", "leaves"),
    [
        (None, "api.openai.com", True),
        ("https://api.example.com/v1/", "api.example.com", True),
        ("https://user:secret@api.example.com:8443/v1", "api.example.com:8443", True),
        ("http://localhost:11434/v1", "localhost:11434", False),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", False),
        ("http://[::1]:8000/v1", "[::1]:8000", False),
        ("http://0.0.0.0:8000/v1", "0.0.0.0:8000", False),
        ("http://192.168.0.2:8000/v1", "192.168.0.2:8000", True),
        ("http://localhost.example.com/v1", "localhost.example.com", True),
    ],
)
def test_the_label_says_where_the_model_is(url: str | None, host: str, leaves: bool) -> None:
    info = OpenAIGenerator(settings(url, model="gpt-4o-mini")).info
    assert (info.label, info.leaves_machine) == (f"gpt-4o-mini at {host}", leaves)


@pytest.mark.parametrize(
    "written",
    [
        "https://h/v1",
        " https://h/v1/ ",
        "https://h/v1/chat/completions",
        "https://h/v1/models",
        "https://h/v1/?x=1#y",
    ],
)
def test_what_was_pasted_around_the_base_url_is_left_out(written: str) -> None:
    assert endpoint_of(settings(written)).url == "https://h/v1"
