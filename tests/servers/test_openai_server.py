"""The scripted server as other test suites use it: from the command line, over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers.openai_script import Reply, Script, reply_from_json

SCRIPT = [
    {"match": "median", "texts": ["one", "two"], "gate": 1, "chunk": 1},
    {"text": "first"},
    {"fault": "429", "retry_after": "3"},
    {"text": "last"},
]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[dict[str, str]]:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT), "utf-8")
    command = [sys.executable, "-m", "tests.servers.openai_server", "--script", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())
        server.terminate()


def post(url: str, prompt: str, **more: Any) -> Any:
    body = {"model": "scripted", "messages": [{"role": "user", "content": prompt}], **more}
    request = urllib.request.Request(f"{url}/chat/completions", json.dumps(body).encode())
    return urllib.request.urlopen(request)


def control(served: dict[str, str], action: str) -> Any:
    with urllib.request.urlopen(f"{served['control']}/{action}") as answer:
        return json.load(answer)


def test_replies_come_in_order_and_the_last_serves_on(served: dict[str, str]) -> None:
    def told() -> str:
        with post(served["url"], "sum") as answer:
            return json.load(answer)["choices"][0]["message"]["content"]

    assert told() == "first"
    with pytest.raises(urllib.request.HTTPError) as caught:
        told()
    with caught.value as refused:
        assert (refused.code, refused.headers["Retry-After"]) == (429, "3")
    assert [told(), told()] == ["last", "last"]


def test_a_held_stream_goes_on_when_it_is_released(served: dict[str, str]) -> None:
    with post(served["url"], "the median", stream=True, n=2) as answer:
        state = control(served, "wait?held=1&requests=1")
        assert {k: v for k, v in state.items() if k != "requests"} == {
            "connections": 1,
            "sending": 1,
            "held": 1,
            "abandoned": 0,
        }
        assert control(served, "release?count=1")["requests"][0]["body"]["n"] == 2
        lines = answer.read().decode().splitlines()
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    parts = [chunk["choices"][0] for chunk in chunks]
    texts = ["", ""]
    for part in parts:
        texts[part["index"]] += part["delta"].get("content", "")
    assert (texts, lines[-2]) == (["one", "two"], "data: [DONE]")


def test_a_client_that_goes_away_is_seen(served: dict[str, str]) -> None:
    answer = post(served["url"], "the median", stream=True)
    control(served, "wait?held=1")
    answer.close()
    state = control(served, "wait?abandoned=1&connections=0")
    assert (state["connections"], state["abandoned"]) == (0, 1)


def test_a_script_for_other_prompts_alone_answers_nothing_else() -> None:
    script = Script([Reply(match="median")])
    assert script.reply_for("sum") == Reply(fault="404-path")


@pytest.mark.parametrize(
    ("fields", "problem"), [({"txt": "a"}, TypeError), ({"fault": "nothing"}, ValueError)]
)
def test_a_script_with_a_mistake_is_refused(fields: Any, problem: type[Exception]) -> None:
    with pytest.raises(problem):
        reply_from_json(fields)
