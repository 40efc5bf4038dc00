"""Candidates from a real OpenAI-compatible server on loopback."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import aclosing

import pytest

from exeds_lab.generate.generator import TextDelta
from exeds_lab.generate.openai import OpenAIGenerator
from exeds_lab.model.candidate import Candidate, GeneratorInfo, Usage
from exeds_lab.model.record import content_id
from tests.generate.asking import KEY, ask, ask_scripted, heard_from, job, settings
from tests.servers.openai_script import Reply
from tests.servers.openai_server import ModelServer

ONE = Reply(text="Here:\n```python\ndf.sum()\n```")
THREE = Reply(texts=("```python\na = 1\n```", "```python\nb = 2\n```", "I cannot."))


def test_importing_the_generator_does_not_import_the_client() -> None:
    program = (
        "import sys, exeds_lab.generate.openai, exeds_lab.generate.choose\n"
        "print(sorted({'openai', 'httpx', 'httpx2', 'IPython'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert done.stdout.decode() == "[]\n"


def test_one_candidate_is_streamed_and_complete() -> None:
    async def ask_once() -> None:
        async with ModelServer([ONE], key=KEY) as server:
            heard = await ask(server)
            host = f"127.0.0.1:{server.port}"
            info = GeneratorInfo(
                kind="openai",
                model="scripted",
                label=f"scripted at {host}",
                leaves_machine=False,
            )
            assert server.keys == [f"Bearer {KEY}"]
            assert heard.text == {0: ONE.text}
            assert heard.candidates == [
                Candidate(
                    id=content_id("df.sum()", "scripted"),
                    index=0,
                    code="df.sum()",
                    reply=ONE.text,
                    problem=None,
                    generator=info,
                    note=None,
                    temperature=0.0,
                    usage=Usage(prompt_tokens=7, completion_tokens=len(ONE.text)),
                    duration_s=0.0,
                )
            ]
            assert [request["body"] for request in server.requests] == [
                {
                    "model": "scripted",
                    "messages": [{"role": "user", "content": "sum it"}],
                    "temperature": 0.0,
                    "stream": True,
                    "stream_options": {"include_usage": True},
                    "max_tokens": 100,
                }
            ]

    asyncio.run(ask_once())


def test_several_candidates_come_from_one_request() -> None:
    heard, server = asyncio.run(ask_scripted(THREE, count=3))
    assert heard.text == dict(enumerate(THREE.texts))
    assert heard.codes == ["a = 1", "b = 2", ""]
    assert [c.problem for c in heard.candidates] == [
        None,
        None,
        "The model declined: \u201cI cannot.\u201d",
    ]
    assert [c.temperature for c in heard.candidates] == [0.7, 0.7, 0.7]
    assert [request["body"]["n"] for request in server.requests] == [3]


def test_the_tokens_of_several_replies_are_told_once() -> None:
    heard, _ = asyncio.run(ask_scripted(THREE, count=3))
    total = Usage(prompt_tokens=7, completion_tokens=sum(map(len, THREE.texts)))
    told = [(c.usage, c.note) for c in heard.candidates if c.usage is not None]
    assert told == [(total, "The tokens are those of 3 replies.")]


@pytest.mark.parametrize(("fault", "asked"), [("ignore-n", [3, 1, 1]), ("refuse-n", [3, 1, 1, 1])])
def test_a_server_without_n_is_asked_once_a_candidate_and_that_is_remembered(
    fault: str, asked: list[int]
) -> None:
    async def ask_twice() -> None:
        reply = Reply(text="```python\n1\n```", fault=fault, times=99)
        async with ModelServer([reply]) as server:
            generator = OpenAIGenerator(settings(server.url))
            first = await heard_from(generator, job(3))
            second = await heard_from(generator, job(2))
            await generator.close()
            assert (first.codes, second.codes) == (["1", "1", "1"], ["1", "1"])
            counts = [request["body"].get("n", 1) for request in server.requests]
            assert counts == [*asked, 1, 1]

    asyncio.run(ask_twice())


def test_a_server_that_is_refused_n_for_another_reason_tells_that_reason() -> None:
    heard, server = asyncio.run(ask_scripted(Reply(fault="context-length", times=99), count=2))
    assert heard.told[:3] == (
        "model",
        False,
        "The prompt is longer than 'scripted' can take (400: Maximum context length is 4096 "
        "tokens).",
    )
    assert len(server.requests) == 1


def test_a_failure_of_one_candidate_does_not_lose_the_others() -> None:
    async def ask_three() -> None:
        good = Reply(text="```python\n1\n```", fault="ignore-n")
        bad = Reply(text="```python\n2\n```", fault="drop")
        async with ModelServer([good, good, bad]) as server:
            heard = await ask(server, 3)
            assert heard.error is None
            assert sorted(heard.codes) == ["", "1", "1"]
            assert [c.problem for c in heard.candidates if c.problem] == [
                f"The reply of 127.0.0.1:{server.port} broke off: the connection was closed. Try "
                "again; if it happens again, look at the log of the model's server."
            ]
            assert [c.reply for c in heard.candidates if c.problem] == ["```pytho"]

    asyncio.run(ask_three())


def test_a_stream_that_breaks_off_keeps_the_choices_that_were_complete() -> None:
    long = "```python\n" + "x = 1\n" * 9 + "```"
    heard, _ = asyncio.run(ask_scripted(Reply(texts=("1", long), fault="drop"), count=2))
    assert heard.error is None
    assert heard.codes == ["1", ""]


def test_refused_parameters_are_left_out_and_stay_left_out() -> None:
    async def ask_twice() -> None:
        names = ("temperature", "max_tokens", "stream_options")
        reply = Reply(text="1", fault="refuse-parameter", parameters=names, times=99)
        async with ModelServer([reply]) as server:
            generator = OpenAIGenerator(settings(server.url))
            first = await heard_from(generator, job())
            await heard_from(generator, job())
            await generator.close()
            assert [c.temperature for c in first.candidates] == [None]
            sent = [set(request["body"]) - {"model", "messages"} for request in server.requests]
            assert sent == [
                {"stream", "stream_options", "temperature", "max_tokens"},
                {"stream", "stream_options", "max_tokens"},
                {"stream", "stream_options", "max_completion_tokens"},
                {"stream", "max_completion_tokens"},
                {"stream", "max_completion_tokens"},
            ]

    asyncio.run(ask_twice())


def test_a_server_that_cannot_stream_is_asked_for_the_whole() -> None:
    reply = Reply(text="1", fault="refuse-parameter", parameters=("stream",), times=9)
    heard, server = asyncio.run(ask_scripted(reply))
    assert heard.codes == ["1"]
    assert heard.candidates[0].usage == Usage(prompt_tokens=7, completion_tokens=1)
    assert "stream" not in server.requests[-1]["body"]


def test_a_whole_reply_to_a_request_for_a_stream_is_read() -> None:
    heard, _ = asyncio.run(ask_scripted(Reply(text="1", fault="not-stream")))
    assert (heard.text, heard.codes) == ({0: "1"}, ["1"])


def test_thinking_is_shown_and_kept_out_of_the_code() -> None:
    text = "<think>\n```python\nbad()\n```\n</think>\n```python\ngood()\n```"
    heard, _ = asyncio.run(ask_scripted(Reply(text=text, reasoning="hm")))
    assert (heard.text, heard.codes) == ({0: text}, ["good()"])


@pytest.mark.parametrize(
    ("finish", "problem"),
    [
        ("length", "The reply was cut off at the limit of 100 tokens: raise max_tokens."),
        ("content_filter", "The server's content filter stopped the reply."),
    ],
)
def test_a_reply_that_was_stopped_is_never_code(finish: str, problem: str) -> None:
    heard, _ = asyncio.run(ask_scripted(Reply(text="```python\n1\n```", finish=finish)))
    assert [(c.code, c.problem) for c in heard.candidates] == [("", problem)]


def test_a_complete_reply_does_not_wait_for_the_end_of_its_stream() -> None:
    heard, _ = asyncio.run(ask_scripted(Reply(text="1", fault="no-done"), timeout_s=60))
    assert [(c.code, c.usage) for c in heard.candidates] == [("1", None)]


def test_text_arrives_while_the_rest_is_still_held_back() -> None:
    async def read_the_beginning() -> None:
        reply = Reply(text="```python\n12345678\n```", chunk=5, gate=10)
        async with ModelServer([reply]) as server:
            generator = OpenAIGenerator(settings(server.url))
            async with aclosing(generator.generate(job())) as events:
                first = await anext(events)
                await server.wait(held=1)
                assert first == TextDelta(0, "```py")
                await server.release()
                rest = [event async for event in events]
            await generator.close()
            assert rest[-1].code == "12345678"

    asyncio.run(read_the_beginning())


@pytest.mark.parametrize("fault", ["silent", "silent-before-headers"])
@pytest.mark.parametrize("count", [1, 3])
def test_cancelling_closes_the_connection(fault: str, count: int) -> None:
    async def cancel_it() -> None:
        async with ModelServer([Reply(fault=fault, times=9)]) as server:
            generator = OpenAIGenerator(settings(server.url, timeout_s=60))
            work = asyncio.create_task(heard_from(generator, job(count)))
            await server.wait(held=1)
            assert len(server.connections) == 1
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            await server.wait(connections=0, abandoned=1)
            assert work.cancelled()
            await generator.close()

    asyncio.run(cancel_it())


def test_closing_the_iterator_closes_every_connection() -> None:
    async def close_it() -> None:
        refusal = Reply(fault="refuse-n")
        async with ModelServer([refusal, Reply(gate=12, times=3)]) as server:
            generator = OpenAIGenerator(settings(server.url, timeout_s=60))
            async with aclosing(generator.generate(job(3))) as events:
                await anext(events)
                await server.wait(held=3)
            await server.wait(connections=0, abandoned=3)
            await generator.close()

    asyncio.run(close_it())


def test_one_generator_serves_several_attempts_at_once() -> None:
    async def ask_two() -> None:
        replies = [Reply(match="first", text="1", gate=0), Reply(match="second", text="2")]
        async with ModelServer(replies) as server:
            generator = OpenAIGenerator(settings(server.url))
            first = asyncio.create_task(heard_from(generator, job(text="first")))
            await server.wait(held=1)
            second = await heard_from(generator, job(text="second"))
            await server.release()
            assert ((await first).codes, second.codes) == (["1"], ["2"])
            await generator.close()

    asyncio.run(ask_two())


def test_a_blank_key_is_allowed() -> None:
    for key in (None, "", "  "):
        heard, server = asyncio.run(ask_scripted(Reply(text="1"), api_key=key))
        assert heard.codes == ["1"]
        assert server.keys == [""]


def test_a_query_in_the_base_url_goes_with_every_request() -> None:
    async def ask_with_query() -> None:
        async with ModelServer([Reply(text="1")]) as server:
            generator = OpenAIGenerator(settings(f"{server.url}/chat/completions?api-version=3"))
            heard = await heard_from(generator, job())
            await generator.close()
            assert heard.codes == ["1"]
            assert server.requests[0]["query"] == "api-version=3"

    asyncio.run(ask_with_query())
