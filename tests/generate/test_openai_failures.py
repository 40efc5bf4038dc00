"""Every way in which a server can fail ends in a named layer, a reason and a next step."""

from __future__ import annotations

import asyncio
import email.utils
import time
import traceback

import pytest

from exeds_lab.errors import GeneratorError
from exeds_lab.generate.openai import OpenAIGenerator
from exeds_lab.generate.retry import backoff_s, retry_after
from tests.generate.asking import KEY, Heard, ask, ask_scripted, heard_from, job, settings
from tests.servers.openai_script import Reply
from tests.servers.openai_server import ModelServer

KEY_HINT = "Check that the key is whole, still valid, and meant for this address and model."
PATH_HINT = (
    "Correct the base URL: it must be the part before /chat/completions in the server's "
    "documentation."
)
MODEL_HINT = "Set the name of a model that this server offers; `exeds-lab doctor` lists them."
QUOTA_HINT = "Look at usage and billing of the account, or use another key or model."
SERVER_HINT = "Try again in a minute; if it is your own server, look at its log."
STREAM_HINT = "Try again; if it happens again, look at the log of the model's server."
REPLY_HINT = "Check that the base URL is that of an OpenAI-compatible server; try again if it is."
TIMEOUT_HINT = (
    "Try again, or raise the timeout: a large local model may need minutes for its first word."
)

FAILURES = {
    "401": (
        "key",
        False,
        "HOST refused the API key (401: Incorrect API key provided: [key]).",
        KEY_HINT,
    ),
    "403": (
        "key",
        False,
        "HOST does not allow this with the API key (403: Country not supported for [key]).",
        KEY_HINT,
    ),
    "404-path": (
        "path",
        False,
        "HOST has nothing at http://HOST/v1/chat/completions (404: Not Found).",
        PATH_HINT,
    ),
    "404-model": (
        "model",
        False,
        "HOST has no model 'scripted' (404: The model `scripted` does not exist).",
        MODEL_HINT,
    ),
    "429": (
        "quota",
        True,
        "HOST takes no more requests for now (429: Rate limit reached).",
        "Wait 90 s and try again, or ask for fewer candidates.",
    ),
    "429-quota": (
        "quota",
        False,
        "The quota of this API key is used up (429: You exceeded your quota).",
        QUOTA_HINT,
    ),
    "500": ("server", True, "HOST failed (500: The server had an error).", SERVER_HINT),
    "502-html": ("server", True, "HOST failed (502).", SERVER_HINT),
    "context-length": (
        "model",
        False,
        "The prompt is longer than 'scripted' can take (400: Maximum context length is 4096 "
        "tokens).",
        "Untick cells or variables in the context, or use a model that takes more.",
    ),
    "redirect": (
        "path",
        False,
        "HOST has nothing at http://HOST/v1/chat/completions (404: Not Found).",
        PATH_HINT,
    ),
    "drop": (
        "stream",
        True,
        "The reply of HOST broke off: the connection was closed.",
        STREAM_HINT,
    ),
    "no-finish": (
        "stream",
        True,
        "The reply of HOST broke off: it ended before it was complete.",
        STREAM_HINT,
    ),
    "error-in-stream": (
        "stream",
        True,
        "The reply of HOST broke off: the server reported an error: Out of memory.",
        STREAM_HINT,
    ),
    "bad-json": ("reply", True, "HOST answered with JSON that cannot be read.", REPLY_HINT),
    "bad-chunk": ("reply", True, "HOST answered with JSON that cannot be read.", REPLY_HINT),
    "empty-choices": ("reply", True, "HOST answered with a reply without choices.", REPLY_HINT),
    "html": ("path", False, "HOST answered with a web page instead of a reply.", PATH_HINT),
    "silent": ("timeout", True, "HOST sent nothing for 0.2 s.", TIMEOUT_HINT),
    "silent-before-headers": ("timeout", True, "HOST sent nothing for 0.2 s.", TIMEOUT_HINT),
}


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("fault", FAILURES)
def test_a_failing_server_is_told_in_plain_words(fault: str, count: int) -> None:
    async def fail() -> tuple[Heard, str]:
        async with ModelServer([Reply(fault=fault, retry_after="90", times=99)]) as server:
            retries = 2 if fault == "429" else 0
            silence = 0.2 if fault.startswith("silent") else 5.0
            heard = await ask(server, count, max_retries=retries, timeout_s=silence)
            return heard, f"127.0.0.1:{server.port}"

    heard, host = asyncio.run(fail())
    layer, retryable, reason, next_step = FAILURES[fault]
    assert heard.candidates == []
    assert heard.told == (layer, retryable, reason.replace("HOST", host), next_step)


@pytest.mark.parametrize("fault", ["401", "403", "error-in-stream", "drop", "500"])
def test_the_key_is_in_no_text_that_could_be_logged(fault: str) -> None:
    async def fail() -> GeneratorError:
        async with ModelServer([Reply(fault=fault, times=99)]) as server:
            heard = await ask(server, max_retries=0)
            assert heard.error is not None
            return heard.error

    error = asyncio.run(fail())
    shown = "".join(traceback.format_exception(error)) + repr(vars(error))
    chained = [error.__cause__, error.__context__]
    assert KEY not in shown
    assert chained == [None, None]


def test_the_key_is_in_no_description_of_the_generator() -> None:
    generator = OpenAIGenerator(settings("https://user:secret@api.example.com/v1"))
    shown = repr(vars(generator)) + repr(generator.info)
    assert "secret@" not in repr(generator.info)
    assert generator.info.label == "scripted at api.example.com"
    assert KEY not in shown


@pytest.mark.parametrize("fault", ["429", "500", "502-html"])
def test_a_passing_failure_is_asked_again(fault: str) -> None:
    again = Reply(fault=fault, retry_after="0.01", times=2)
    heard, server = asyncio.run(ask_scripted(again, Reply(text="1")))
    assert (heard.codes, len(server.requests)) == (["1"], 3)


def test_no_more_is_asked_than_the_settings_allow() -> None:
    again = Reply(fault="500", retry_after="0.01", times=99)
    heard, server = asyncio.run(ask_scripted(again, max_retries=2))
    assert (heard.candidates, len(server.requests)) == ([], 3)


@pytest.mark.parametrize("fault", ["429-quota", "401", "silent-before-headers"])
def test_what_will_not_pass_is_asked_once(fault: str) -> None:
    reply = Reply(fault=fault, retry_after="0.01", times=99)
    _, server = asyncio.run(ask_scripted(reply, timeout_s=0.2, max_retries=2))
    assert len(server.requests) == 1


def test_a_connection_lost_before_the_first_word_is_asked_again() -> None:
    lost = Reply(text="", reasoning="hm", fault="drop")
    heard, server = asyncio.run(ask_scripted(lost, Reply(text="1")))
    assert (heard.codes, heard.text, len(server.requests)) == (["1"], {0: "1"}, 2)


def test_a_connection_lost_after_the_first_word_is_not_asked_again() -> None:
    """The words are on the screen already, and another reply would not go on from there."""
    heard, server = asyncio.run(ask_scripted(Reply(fault="drop"), Reply(text="1")))
    assert (heard.codes, len(server.requests)) == ([], 1)


def test_cancelling_ends_the_wait_before_the_next_request() -> None:
    async def cancel_it() -> None:
        async with ModelServer([Reply(fault="429", retry_after="50")]) as server:
            generator = OpenAIGenerator(settings(server.url))
            work = asyncio.create_task(heard_from(generator, job()))
            await server.wait(requests=1)
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            assert work.cancelled()
            await generator.close()

    asyncio.run(cancel_it())


def test_a_server_that_wants_a_key_says_so_when_none_is_set() -> None:
    async def ask_without() -> Heard:
        async with ModelServer([Reply()], key=KEY) as server:
            return await ask(server, api_key=None)

    heard = asyncio.run(ask_without())
    layer, _, reason, next_step = heard.told
    assert layer == "key"
    assert reason.endswith("wants an API key and none is set (401: Incorrect API key provided:).")
    assert next_step == (
        "Set the API key, in the environment or in the configuration of the server."
    )


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "ftp://host/v1", "http://", "http://h:99999/"]
)
def test_a_base_url_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(GeneratorError) as caught:
        OpenAIGenerator(settings(url))
    assert (caught.value.layer, caught.value.reason) == (
        "path",
        "The base URL of the model is not an address that begins with http:// or https://.",
    )


@pytest.mark.parametrize("key", ["sk-\u201cquoted\u201d", "two words", "line\nbreak"])
def test_a_key_that_cannot_be_sent_is_refused_at_once(key: str) -> None:
    with pytest.raises(GeneratorError) as caught:
        OpenAIGenerator(settings("https://api.example.com/v1", api_key=key))
    assert (caught.value.layer, key in str(caught.value)) == ("key", False)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": email.utils.formatdate(0)}, 0.0),
    ],
)
def test_the_wait_that_a_server_asks_for_is_read(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers) == seconds


def test_a_date_to_wait_for_is_read() -> None:
    wait_s = retry_after({"retry-after": email.utils.formatdate(time.time() + 30)})
    assert wait_s is not None
    assert 25 < wait_s <= 30


def test_waits_grow_up_to_eight_seconds() -> None:
    waits = [backoff_s(attempt) for attempt in range(8)]
    longest = [0.5, 1, 2, 4, 8, 8, 8, 8]
    assert all(0.75 * most <= wait <= most for wait, most in zip(waits, longest, strict=True))
