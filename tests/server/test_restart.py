"""A server that is ended and started again between two attempts: real processes, real HTTP."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from tests.server.scenario import asked, decoded, events_of, result

TOKEN = "restart"
NOTEBOOK = "mes données 1.ipynb"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


def call(port: int, path: str, body: Any = None) -> tuple[int, str]:
    """GET, or POST when there is a body."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/{path}",
        data=None if body is None else body.encode(),
        headers={"Authorization": f"token {TOKEN}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@contextlib.contextmanager
def server(port: int, folder: Path) -> Iterator[None]:
    """A Jupyter server of its own, ended at the end."""
    options = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--no-browser"]
    options += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
    options += ["--allow-root"] if os.getuid() == 0 else []
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyter_server", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(urllib.error.URLError):
                call(port, "api")
                break
        yield
    finally:
        process.terminate()
        process.wait(30)


def kernel_of(port: int) -> str:
    status, body = call(port, "api/kernels", json.dumps({"name": "python3"}))
    assert status == 201
    kernel_id: str = json.loads(body)["id"]
    return kernel_id


def attempt(port: int, kernel_id: str) -> tuple[int, str]:
    request = asked(kernel_id, code="1 + 1", variables=())
    return call(port, "exeds-lab/api/attempt", request.model_dump_json())


def test_after_a_restart_the_old_kernel_is_named_gone_and_a_new_one_serves(tmp_path: Path) -> None:
    notebook = tmp_path / NOTEBOOK
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("a = 1")]), notebook)
    before = notebook.read_bytes()
    port = free_port()

    with server(port, tmp_path):
        old = kernel_of(port)
        status, body = attempt(port, old)
        assert (status, result(events_of(body)).status) == (200, "finished")
    with server(port, tmp_path):
        status, body = attempt(port, old)
        assert (status, decoded(body)["name"], decoded(body)["next_step"]) == (
            404,
            "KernelNotFound",
            "Start a kernel for the notebook and run its cells again.",
        )
        status, body = attempt(port, kernel_of(port))
        assert (status, result(events_of(body)).trials[0].verdict.headline) == (
            200,
            "Ran, unchecked: nothing was declared",
        )
    assert notebook.read_bytes() == before
