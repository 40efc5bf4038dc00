"""What servers of several makers say when they refuse, and how they say that a reply is done."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from exeds_lab.model.candidate import Usage
from tests.generate.asking import ask_scripted
from tests.servers.openai_script import Reply

REFUSALS: dict[str, tuple[int, Any, str]] = {
    "no model, Ollama": (
        404,
        {"error": {"message": 'model "scripted" not found, try pulling it first'}},
        "model",
    ),
    "no model, vLLM": (
        404,
        {"object": "error", "message": "The model `scripted` does not exist.", "code": 404},
        "model",
    ),
    "no model, a router": (
        400,
        {"error": {"message": "scripted is not a valid model ID", "code": 400}},
        "model",
    ),
    "no model, a desktop server": (
        400,
        {"error": 'Invalid model identifier "scripted". No such model is loaded'},
        "model",
    ),
    "no model, a gateway": (
        400,
        {"error": {"message": "unknown model", "param": "model", "code": None}},
        "model",
    ),
    "no path, FastAPI": (404, {"detail": "Not Found"}, "path"),
    "no path, nothing said": (404, None, "path"),
    "wrong method": (405, {"detail": "Method Not Allowed"}, "path"),
    "wrong key in a list": (
        400,
        [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}],
        "key",
    ),
    "no balance": (402, {"error": {"message": "Insufficient Balance"}}, "quota"),
    "too long, text inference": (
        422,
        {"error": "Input validation error: `inputs` must have less than 4096 tokens"},
        "model",
    ),
    "too long, llama.cpp": (
        400,
        {"error": {"message": "the request exceeds the available context size", "code": 400}},
        "model",
    ),
    "too large a body": (413, {"error": {"message": "Request Entity Too Large"}}, "model"),
    "loading": (503, {"error": {"message": "Loading model", "code": 503}}, "server"),
    "not implemented": (501, {"error": {"message": "no chat template"}}, "server"),
    "something else": (400, {"error": {"message": "messages must alternate"}}, "server"),
    "a number instead of words": (400, 7, "server"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_the_layer_is_read_from_what_the_server_says(name: str) -> None:
    status, body, layer = REFUSALS[name]
    reply = Reply(fault="status", status=status, body=body, times=9)
    heard, _ = asyncio.run(ask_scripted(reply, max_retries=0))
    assert heard.told[0] == layer


PARAMETERS: dict[str, tuple[int, Any, str]] = {
    "a value that is not supported": (
        400,
        {
            "error": {
                "message": "Unsupported value: 'temperature' does not support 0 with this model. "
                "Only the default (1) value is supported.",
                "param": "temperature",
                "code": "unsupported_value",
            }
        },
        "temperature",
    ),
    "a name that is not supported": (
        400,
        {
            "error": {
                "message": "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead.",
                "param": "max_tokens",
            }
        },
        "max_tokens",
    ),
    "an argument that is not recognised": (
        400,
        {"error": {"message": "Unrecognized request argument supplied: stream_options"}},
        "stream_options",
    ),
    "a field that is forbidden, FastAPI": (
        422,
        {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "no"}]},
        "stream_options",
    ),
    "a field that is forbidden, nested": (
        422,
        {"message": {"detail": [{"loc": ["body", "temperature"], "msg": "no"}]}},
        "temperature",
    ),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_refused_parameter_is_left_out(name: str) -> None:
    status, body, parameter = PARAMETERS[name]
    refusal = Reply(fault="status", status=status, body=body)
    heard, server = asyncio.run(ask_scripted(refusal, Reply(text="1")))
    first, second = (set(request["body"]) for request in server.requests)
    assert (heard.codes, first - second) == (["1"], {parameter})


@pytest.mark.parametrize(
    ("reason", "problem"),
    [
        ("STOP", None),
        ("eos_token", None),
        ("MAX_TOKENS", "The reply was cut off at the limit of 100 tokens: raise max_tokens."),
        ("SAFETY", "The server's content filter stopped the reply."),
        ("error", "The server gave up before the reply was complete."),
    ],
)
def test_reasons_to_finish_are_read_in_every_spelling(reason: str, problem: str | None) -> None:
    heard, _ = asyncio.run(ask_scripted(Reply(text="1", finish=reason)))
    assert [c.problem for c in heard.candidates] == [problem]


def whole(message: dict[str, Any], **more: Any) -> Reply:
    """A reply that is one JSON object, sent with status 200."""
    body = {"choices": [{"index": 0, "message": message, **more}]}
    return Reply(fault="status", status=200, body=body)


def test_a_tool_call_is_no_code() -> None:
    heard, _ = asyncio.run(ask_scripted(whole({"content": None}, finish_reason="tool_calls")))
    assert [c.problem for c in heard.candidates] == [
        "The model called a tool instead of writing code."
    ]


def test_a_refusal_that_is_sent_apart_is_told() -> None:
    heard, _ = asyncio.run(ask_scripted(whole({"content": None, "refusal": "I will\nnot."})))
    assert [c.problem for c in heard.candidates] == ["The model declined: \u201cI will not.\u201d"]


def test_content_in_parts_is_joined_without_the_thinking() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "```python\n"},
        {"type": "text", "text": "1\n```"},
    ]
    heard, _ = asyncio.run(ask_scripted(whole({"content": parts})))
    assert (heard.text, heard.codes) == ({0: "```python\n1\n```"}, ["1"])


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        7,
        "text",
        {"choices": None},
        {"choices": 3},
        {"choices": ["text"]},
        {"choices": [{"message": None}]},
        {"choices": [{"index": "a", "message": {"content": "1"}}]},
    ],
)
def test_json_that_is_no_completion_is_no_crash(body: Any) -> None:
    heard, _ = asyncio.run(ask_scripted(Reply(fault="status", status=200, body=body)))
    assert heard.told[0] == "reply"


def test_tokens_that_are_half_told_are_half_known() -> None:
    body = {
        "choices": [{"index": 0, "message": {"content": "1"}}],
        "usage": {"completion_tokens": 4},
    }
    heard, _ = asyncio.run(ask_scripted(Reply(fault="status", status=200, body=body)))
    assert heard.candidates[0].usage == Usage(prompt_tokens=None, completion_tokens=4)
