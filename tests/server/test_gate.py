"""Who may enter: every route wants a login, and from a browser the XSRF token."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jupyter_server.utils import url_path_join
from tornado.httpclient import HTTPClientError

from exeds_lab.server.routes import NAMESPACE, ROUTES, Route


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
async def test_every_route_wants_a_login(route: Route, jp_fetch: Any) -> None:
    with pytest.raises(HTTPClientError) as caught:
        await jp_fetch(
            *NAMESPACE,
            route.path,
            method=route.method,
            body="{}" if route.method == "POST" else None,
            headers={"Authorization": "token wrong"},
        )

    assert caught.value.code == 403


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
async def test_every_route_answers_its_own_method_only(route: Route, jp_fetch: Any) -> None:
    other = "GET" if route.method == "POST" else "POST"
    with pytest.raises(HTTPClientError) as caught:
        await jp_fetch(*NAMESPACE, route.path, method=other, body="{}" if other == "POST" else None)

    assert caught.value.code == 405


def _cookies(jar: dict[str, str]) -> dict[str, str]:
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in jar.items())}


@pytest.fixture
def browser(
    jp_serverapp: Any, jp_base_url: str, http_server_client: Any, jp_asyncio_loop: Any
) -> Any:
    """A client that is logged in by cookie, as a browser is."""
    token = jp_serverapp.identity_provider.token

    async def log_in() -> dict[str, str]:
        jar: dict[str, str] = {}
        for path in (f"login?token={token}", "login"):
            response = await http_server_client.fetch(
                url_path_join(jp_base_url, path),
                headers=_cookies(jar),
                follow_redirects=False,
                raise_error=False,
            )
            for header in response.headers.get_list("Set-Cookie"):
                name, value = header.split(";")[0].split("=", 1)
                if value.strip('"'):
                    jar[name] = value
        return jar

    jar = jp_asyncio_loop.run_until_complete(log_in())

    async def post(cookies: dict[str, str], **headers: str) -> int:
        response = await http_server_client.fetch(
            url_path_join(jp_base_url, *NAMESPACE, "judge"),
            method="POST",
            body=json.dumps({"nothing": "useful"}),
            headers={**_cookies(cookies), **headers},
            raise_error=False,
        )
        return int(response.code)

    return jar, post


async def test_a_browser_needs_the_xsrf_token_a_login_and_the_same_origin(browser: Any) -> None:
    """400 means that the request came through and its body was read."""
    jar, post = browser
    token = jar["_xsrf"] = "ab" * 16  # double submit: cookie and header must agree
    foreign = {"X-XSRFToken": token, "Origin": "http://evil.example"}

    assert await post(jar) == 403
    assert await post(jar, **{"X-XSRFToken": token}) == 400
    assert await post({"_xsrf": token}, **{"X-XSRFToken": token}) == 403
    assert await post(jar, **foreign) == 404
