from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.scenario import Result

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither keys nor endpoints of whoever runs the tests."""
    for name in ("EXEDS_LAB_MODEL", "EXEDS_LAB_BASE_URL", "EXEDS_LAB_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def model(tmp_path: Path) -> Iterator[Callable[[list[dict[str, Any]]], str]]:
    """Start a real OpenAI-compatible server with a script; gives its base URL."""
    servers: list[subprocess.Popen[str]] = []

    def serve(replies: list[dict[str, Any]]) -> str:
        script = tmp_path / f"script-{len(servers)}.json"
        script.write_text(json.dumps(replies), encoding="utf-8")
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.servers.openai_server", "--script", str(script)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        servers.append(server)
        assert server.stdout is not None
        url: str = json.loads(server.stdout.readline())["url"]
        return url

    yield serve
    for server in servers:
        server.terminate()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()


@pytest.fixture
def exeds_lab(tmp_path: Path) -> Callable[..., Result]:
    """Run the command line as a user does: in a process of its own."""

    def run(*arguments: str | Path, **environment: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "tests.cli.command", *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run
