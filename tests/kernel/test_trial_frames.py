"""The pipe between a trial and the live kernel."""

from __future__ import annotations

import os

import pytest

from exeds_lab.kernel.frames import JSON, STDOUT, BrokenPipeOfTrial, Frame, Reader, Writer

TOKEN = b"12345678"


def written(*bodies: object) -> bytes:
    """What a writer puts into its pipe."""
    reading, writing = os.pipe()
    writer = Writer(writing, TOKEN)
    for body in bodies:
        if isinstance(body, str):
            writer.text(STDOUT, body)
        else:
            writer.send(dict(body))  # type: ignore[call-overload]
    os.close(writing)
    with open(reading, "rb") as file:  # noqa: PTH123  a descriptor
        return file.read()


def test_frames_arrive_whole_however_they_are_cut() -> None:
    data = written({"a": 1}, "text", {"b": [1, 2]})
    reader = Reader(TOKEN)

    frames = [frame for byte in data for frame in reader.feed(bytes([byte]))]

    assert frames == [Frame(JSON, {"a": 1}), Frame(STDOUT, "text"), Frame(JSON, {"b": [1, 2]})]


def test_what_json_and_unicode_lack_becomes_text() -> None:
    frames = Reader(TOKEN).feed(written({"nan": float("nan"), "half": "\ud800", "set": {1}}))

    assert frames == [Frame(JSON, {"nan": "NaN", "half": "?", "set": "{1}"})]


@pytest.mark.parametrize(
    "junk",
    [
        b"x" * 64,
        b"87654321J\x01\x00\x00\x000",
        TOKEN + b"J\xff\xff\xff\xff",
        TOKEN + b"J\x01\x00\x00\x00{",
        TOKEN + b"J" + (200_000).to_bytes(4, "little") + b"[" * 200_000,
    ],
)
def test_anything_else_breaks_the_trial(junk: bytes) -> None:
    reader = Reader(TOKEN)
    reader.feed(written({"a": 1}))

    with pytest.raises(BrokenPipeOfTrial):
        reader.feed(junk)
        reader.feed(b"\0" * 16)
