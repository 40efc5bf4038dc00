"""Which generator serves, and the double that serves in tests."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from exeds_lab.config import DEFAULT
from exeds_lab.errors import GeneratorError
from exeds_lab.generate.choose import choose
from exeds_lab.generate.generator import GenerationEvent, TextDelta
from exeds_lab.generate.scripted import ScriptedGenerator
from exeds_lab.model.candidate import GeneratorInfo
from tests.generate.asking import heard_from, job, settings

CODE = "```python\ndf.groupby('city').sum()\n```"


def test_a_configured_endpoint_serves() -> None:
    endpoint = settings("http://127.0.0.1:9/v1", model="m")
    generator = choose(DEFAULT.model_copy(update={"openai": endpoint}))
    assert generator.info == GeneratorInfo(
        kind="openai", model="m", label="m at 127.0.0.1:9", leaves_machine=False
    )


def test_without_an_endpoint_the_embedded_generator_serves_and_sends_nothing() -> None:
    info = choose(DEFAULT).info
    assert (info.kind, info.leaves_machine) == ("embedded", False)


def test_the_embedded_generator_does_not_bring_the_client() -> None:
    program = (
        "import sys\nfrom exeds_lab.config import DEFAULT\n"
        "from exeds_lab.generate.choose import choose\nchoose(DEFAULT)\n"
        "print('openai' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert done.stdout.decode() == "False\n"


def test_scripted_replies_are_read_like_any_others() -> None:
    generator = ScriptedGenerator([CODE, "I cannot.", "never asked for"])
    heard = asyncio.run(heard_from(generator, job(2)))
    assert heard.text == {0: CODE, 1: "I cannot."}
    assert [(c.code, c.problem) for c in heard.candidates] == [
        ("df.groupby('city').sum()", None),
        ("", "The model declined: \u201cI cannot.\u201d"),
    ]
    assert (generator.jobs, generator.running) == ([job(2)], 0)


def test_a_scripted_error_comes_after_the_replies() -> None:
    error = GeneratorError("It broke off.", "Try again.", layer="stream", retryable=True)
    heard = asyncio.run(heard_from(ScriptedGenerator(["1"], error=error), job()))
    assert ([c.code for c in heard.candidates], heard.error) == (["1"], error)


def test_a_gate_holds_a_scripted_reply_half_way_until_it_is_opened_or_cancelled() -> None:
    async def hold_and_cancel() -> None:
        gate = asyncio.Event()
        generator = ScriptedGenerator([CODE], gates=[gate])
        held: asyncio.Queue[GenerationEvent] = asyncio.Queue()

        async def read() -> None:
            async for event in generator.generate(job()):
                held.put_nowait(event)

        work = asyncio.create_task(read())
        assert await held.get() == TextDelta(0, CODE[:24])
        assert (held.empty(), generator.running) == (True, 1)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        assert generator.running == 0
        gate.set()
        assert (await heard_from(generator, job())).text == {0: CODE}

    asyncio.run(hold_and_cancel())


def test_a_scripted_generator_notes_that_it_was_closed() -> None:
    generator = ScriptedGenerator()
    asyncio.run(generator.close())
    assert generator.closed is True
