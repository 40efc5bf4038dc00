"""The doctor names the layer that fails, what works before it, and what to do."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from exeds_lab.generate.doctor import Finding, diagnose
from tests.generate.asking import KEY, settings
from tests.servers.forward_proxy import ForwardProxy
from tests.servers.openai_script import Reply
from tests.servers.openai_server import ModelServer
from tests.servers.private_ca import private_ca

ANSWER = Reply(text="ok")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


async def findings_at(server: ModelServer, **changes: Any) -> tuple[Finding, ...]:
    return await diagnose(settings(server.url, **changes))


def diagnosed(*replies: Reply, key: str | None = None, **changes: Any) -> list[tuple[str, str]]:
    """Layer and status of each finding with a server that has this script."""

    async def ask() -> list[tuple[str, str]]:
        async with ModelServer(list(replies), key=key) as server:
            return summary(await findings_at(server, **changes))

    return asyncio.run(ask())


def summary(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(finding.layer, finding.status) for finding in findings]


def test_a_healthy_endpoint_is_fine_in_every_layer() -> None:
    async def ask() -> None:
        async with ModelServer([ANSWER], key=KEY) as server:
            findings = await findings_at(server)
            host = f"127.0.0.1:{server.port}"
            texts = [
                ("connect", f"{host} can be reached."),
                ("key", "The API key is accepted."),
                ("path", f"{host} takes chat requests at this base URL."),
                ("model", f"{host} has the model 'scripted'."),
                ("quota", f"{host} takes requests now."),
                ("stream", f"The answer of {host} is complete."),
            ]
            assert [(f.layer, f.text) for f in findings] == texts
            assert {(f.status, f.next_step) for f in findings} == {("ok", None)}
            assert [f.layer for f in findings if f.seconds is not None] == ["stream"]
            assert server.requests[0]["body"]["max_tokens"] == 16

    asyncio.run(ask())


def test_an_answer_cut_off_is_an_answer() -> None:
    assert diagnosed(Reply(text="", finish="length"))[-1] == ("stream", "ok")


FAILING = {
    "401": ("key", ["connect"], ["path", "model", "quota"]),
    "404-path": ("path", ["connect"], ["key", "model", "quota"]),
    "html": ("path", ["connect"], ["key", "model", "quota"]),
    "404-model": ("model", ["connect", "key", "path"], ["quota"]),
    "429-quota": ("quota", ["connect", "key", "path"], ["model"]),
    "429": ("quota", ["connect", "key", "path"], ["model"]),
    "500": ("server", ["connect"], ["key", "path", "model", "quota"]),
    "bad-json": ("reply", ["connect"], ["key", "path", "model", "quota"]),
    "drop": ("stream", ["connect", "key", "path", "model", "quota"], []),
    "no-finish": ("stream", ["connect", "key", "path", "model", "quota"], []),
    "silent-before-headers": ("timeout", ["connect"], ["key", "path", "model", "quota"]),
}


@pytest.mark.parametrize("fault", FAILING)
def test_the_failing_layer_is_named_once(fault: str) -> None:
    failed, working, unknown = FAILING[fault]
    assert diagnosed(Reply(fault=fault, times=99), timeout_s=0.5) == [
        *((layer, "ok") for layer in working),
        (failed, "failed"),
        *((layer, "unknown") for layer in unknown),
    ]


def test_a_passing_failure_is_not_waited_for() -> None:
    async def ask() -> None:
        async with ModelServer([Reply(fault="429", retry_after="50", times=9)]) as server:
            await findings_at(server)
            assert len(server.requests) == 1

    asyncio.run(ask())


def test_a_wrong_model_is_told_with_those_that_exist() -> None:
    async def ask() -> None:
        async with ModelServer([ANSWER]) as server:
            failed = (await findings_at(server, model="script"))[3]
            assert failed == Finding(
                layer="model",
                status="failed",
                text=f"127.0.0.1:{server.port} has no model 'script' (404: The model `script` "
                "does not exist).",
                next_step="Did you mean scripted? Set the model to one that the server lists: "
                "scripted.",
                seconds=None,
            )

    asyncio.run(ask())


def test_a_base_url_without_v1_is_told_with_the_right_one() -> None:
    async def ask() -> None:
        async with ModelServer([ANSWER]) as server:
            root = server.url.removesuffix("/v1")
            steps = [f.next_step for f in await diagnose(settings(root)) if f.status == "failed"]
            assert steps == [f"Set the base URL to {server.url}: the server answers there."]

    asyncio.run(ask())


def test_a_base_url_that_is_none_is_the_only_finding() -> None:
    findings = asyncio.run(diagnose(settings("localhost:8000")))
    assert summary(findings) == [("path", "failed")]


def test_an_unknown_name_leaves_the_rest_unknown() -> None:
    findings = asyncio.run(diagnose(settings("https://no-such-host.invalid/v1")))
    assert summary(findings) == [
        ("dns", "failed"),
        *((layer, "unknown") for layer in ("connect", "tls", "key", "path", "model", "quota")),
    ]


def test_a_proxy_that_wants_a_login_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> list[tuple[str, str]]:
        async with ForwardProxy({}, login="me:pass") as proxy:
            monkeypatch.setenv("HTTPS_PROXY", proxy.url)
            return summary(await diagnose(settings("https://model.example/v1")))

    assert asyncio.run(ask()) == [
        ("proxy", "failed"),
        *((layer, "unknown") for layer in ("tls", "key", "path", "model", "quota")),
    ]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl command")
def test_a_certificate_that_nobody_trusts_is_named(tmp_path: Path) -> None:
    async def ask() -> list[tuple[str, str]]:
        ca = private_ca(tmp_path, ("IP:127.0.0.1",))
        async with ModelServer([ANSWER], tls=ca.server) as server:
            return summary(await findings_at(server))

    assert asyncio.run(ask()) == [
        ("connect", "ok"),
        ("tls", "failed"),
        *((layer, "unknown") for layer in ("key", "path", "model", "quota")),
    ]


def test_no_finding_tells_the_key() -> None:
    async def ask() -> None:
        for fault in ("401", "403", "500"):
            async with ModelServer([Reply(fault=fault, times=9)]) as server:
                assert KEY not in repr(await findings_at(server))

    asyncio.run(ask())
