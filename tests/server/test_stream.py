from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from exeds_lab.model.wire import CandidateText, Event
from exeds_lab.server.answer import frames


async def test_silence_is_filled_with_comments_that_no_proxy_takes_for_the_end() -> None:
    go_on = asyncio.Event()
    texts: list[str] = []

    async def events() -> AsyncGenerator[Event, None]:
        yield CandidateText(index=0, delta="a\nb")
        await go_on.wait()
        yield CandidateText(index=0, delta="c")

    async with aclosing(frames(events(), 0.01)) as stream:
        async for text in stream:
            texts.append(text)
            if texts.count(": still working\n\n") == 2:
                go_on.set()

    data = [text for text in texts if not text.startswith(":")]
    assert data == [
        'event: candidate_text\ndata: {"event":"candidate_text","index":0,"delta":"a\\nb"}\n\n',
        'event: candidate_text\ndata: {"event":"candidate_text","index":0,"delta":"c"}\n\n',
    ]


async def test_closing_the_frames_ends_the_events() -> None:
    ended = asyncio.Event()

    async def events() -> AsyncGenerator[Event, None]:
        try:
            yield CandidateText(index=0, delta="a")
            await asyncio.Event().wait()
        finally:
            ended.set()

    stream = frames(events(), 60)
    await anext(stream)
    await stream.aclose()

    assert ended.is_set()
