"""The local model, for real: these tests need its weights and the package xllamacpp."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from forks import forks
from jobs import job, value_check

from exeds_lab.config import DEFAULT
from exeds_lab.errors import GeneratorError
from exeds_lab.generate.embedded import labels, weights
from exeds_lab.generate.embedded.child import ModelProcess
from exeds_lab.generate.embedded.generator import EmbeddedGenerator
from exeds_lab.generate.embedded.local import LocalModel
from exeds_lab.model.candidate import Candidate

WHICH = next((which for which in ("small", "default") if weights.path_of(which)), None)
READY = WHICH is not None and importlib.util.find_spec("xllamacpp") is not None
pytestmark = [
    pytest.mark.model,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not READY, reason="no weights in the cache, or xllamacpp is missing"),
]
SETTINGS = DEFAULT.embedded.model_copy(update={"model": WHICH or "small"})
PROMPT = """# Variables in the kernel
```text
df: DataFrame, 4 x 2 (rows x columns)
    'shop': str, e.g. Alfa
    'sold': int64, e.g. 10
```

# Task
Total sold in each shop.

Put the answer in the last expression of the cell."""
DATA = "import pandas as pd\ndf = pd.DataFrame({'shop': list('abab'), 'sold': [1, 2, 3, 4]})"


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0]
    return state != "Z"


async def gone(pid):
    async with asyncio.timeout(30):
        while is_running(pid):
            await asyncio.sleep(0.02)


def test_answers_are_code_told_apart_by_temperature_and_labelled():
    async def ask():
        model = LocalModel(SETTINGS)
        try:
            wanted = job("Total sold in each shop.", None, None, count=3, user=PROMPT)
            return [e async for e in model.generate(wanted) if isinstance(e, Candidate)]
        finally:
            await model.close()

    found = sorted(asyncio.run(ask()), key=lambda one: one.index)

    assert [one.index for one in found] == [0, 1, 2]
    assert [one.temperature for one in found] == [0.0, 0.8, 0.8]
    assert {one.generator.kind for one in found} == {"local"}
    assert {one.note for one in found} == {labels.UNCHECKED}
    assert "groupby" in found[0].code


def test_the_search_comes_first_and_the_model_fills_the_other_places():
    async def ask():
        generator = EmbeddedGenerator(SETTINGS)
        try:
            wanted = job("Total sold", value_check(10), forks(DATA), count=3, user=PROMPT)
            return [e async for e in generator.generate(wanted) if isinstance(e, Candidate)]
        finally:
            await generator.close()

    found = asyncio.run(ask())

    assert found[0].code == 'df["sold"].sum()'
    assert found[0].generator.kind == "search"
    assert found[-1].generator.kind == "local"
    assert len({one.code for one in found}) == len(found) <= 3


def test_the_server_wants_its_key_and_closing_ends_it():
    async def look():
        process = await ModelProcess.start(weights.path_of(SETTINGS.model), threads=1)
        try:
            assert process.url.startswith("http://127.0.0.1:")
            with pytest.raises(urllib.error.HTTPError) as refused:
                await asyncio.to_thread(
                    urllib.request.urlopen, f"{process.url}/chat/completions", b"{}"
                )
            return refused.value.code, process.pid
        finally:
            await process.close()

    code, pid = asyncio.run(look())

    assert code == 401
    assert not is_running(pid)


def test_it_ends_after_a_while_without_requests_and_starts_again():
    async def live():
        model = LocalModel(SETTINGS.model_copy(update={"idle_s": 0.01}))
        pids = []
        try:
            for _ in range(2):
                stream = model.generate(job("Hi", None, None, count=1, user=PROMPT))
                pids += [model.pid async for _ in stream]
                await gone(pids[-1])
            return pids
        finally:
            await model.close()

    assert len(set(asyncio.run(live()))) == 2


def test_cancelling_stops_the_answer_and_the_next_request_works():
    async def live():
        model = LocalModel(SETTINGS)
        try:
            wanted = job("Total sold in each shop.", None, None, count=1, user=PROMPT)
            stream = model.generate(wanted)
            await anext(stream)
            await stream.aclose()
            return [e async for e in model.generate(wanted) if isinstance(e, Candidate)]
        finally:
            await model.close()

    assert len(asyncio.run(live())) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_dies_with_its_parent():
    code = (
        "import asyncio, sys\n"
        "from exeds_lab.generate.embedded.child import ModelProcess\n"
        "from exeds_lab.generate.embedded.weights import path_of\n"
        "async def main():\n"
        f"    process = await ModelProcess.start(path_of({SETTINGS.model!r}), 1)\n"
        "    print(process.pid, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=with_package()
    )
    pid = int(parent.stdout.readline())
    assert is_running(pid)

    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()

    asyncio.run(gone(pid))


def with_package():
    """This environment, with the package importable."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def test_a_file_that_is_no_model_is_said(tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and nothing else")

    async def ask():
        model = LocalModel(SETTINGS.model_copy(update={"model": str(broken)}))
        try:
            return [e async for e in model.generate(job("Hi", None, None, user=PROMPT))]
        finally:
            await model.close()

    with pytest.raises(GeneratorError, match="could not be loaded") as caught:
        asyncio.run(ask())
    assert caught.value.layer == "local"


def test_a_prompt_that_is_too_long_is_said_before_anything_is_loaded():
    wanted = job("Hi", None, None, user=PROMPT)
    long = wanted.prompt.model_copy(update={"tokens": 20_000})

    async def ask():
        model = LocalModel(SETTINGS)
        return [e async for e in model.generate(replace(wanted, prompt=long))]

    with pytest.raises(GeneratorError, match="The prompt has about 20,000 tokens"):
        asyncio.run(ask())
