"""The pipe from a trial to the live kernel: length-bounded frames, never pickles.

A frame is the pipe's token, one kind byte, a length and the body. Text goes raw, everything else
as JSON. Bytes that do not start with the token were not written by us: the trial is then broken
and can no longer pass. A candidate that reads our memory could forge a frame; the trial guards
against mistakes of a model, not against an attacker.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import threading
from typing import Any, NamedTuple

JSON, STDOUT, STDERR = b"J", b"O", b"E"
MAX_BODY = 64 << 20
"""Bytes; a longer frame is not one of ours."""

_HEADER = struct.Struct("<8scI")
_HELD_BACK = {signal.SIGINT, signal.SIGTERM, signal.SIGALRM}


class BrokenPipeOfTrial(Exception):
    """Something that is not a frame was written into the pipe."""


class Frame(NamedTuple):
    """One message of a trial."""

    kind: bytes
    """`JSON`, `STDOUT` or `STDERR`."""
    body: Any
    """The decoded object, or the text."""


class Writer:
    """The trial's end. Any thread of the trial's own process may send."""

    def __init__(self, fd: int, token: bytes) -> None:
        self.fd = fd
        self._token = token
        self._lock = threading.Lock()
        self.pid = os.getpid()

    def send(self, body: dict[str, Any]) -> None:
        """Send an object; what JSON does not know goes as its text."""
        text = json.dumps(body, default=str, skipkeys=True, ensure_ascii=False)
        self._write(JSON, text.encode("utf-8", "replace"))

    def text(self, kind: bytes, text: str) -> None:
        """Send text of a stream."""
        self._write(kind, text.encode("utf-8", "replace"))

    def _write(self, kind: bytes, body: bytes) -> None:
        data = memoryview(_HEADER.pack(self._token, kind, len(body)) + body)
        # A KeyboardInterrupt between two writes would leave half a frame in the pipe.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD_BACK)
        try:
            with self._lock:
                while data:
                    data = data[os.write(self.fd, data) :]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)


class Reader:
    """The kernel's end: bytes in, frames out."""

    def __init__(self, token: bytes) -> None:
        self._token = token
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames that are now complete.

        Raises:
            BrokenPipeOfTrial: the bytes are no frame.
        """
        self._buffer += data
        frames = []
        while len(self._buffer) >= _HEADER.size:
            token, kind, length = _HEADER.unpack_from(self._buffer)
            if token != self._token or length > MAX_BODY:
                raise BrokenPipeOfTrial
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            frames.append(Frame(kind, _decoded(kind, bytes(self._buffer[_HEADER.size : end]))))
            del self._buffer[:end]
        return frames


def _decoded(kind: bytes, body: bytes) -> Any:
    try:
        text = body.decode("utf-8", "replace")
        return text if kind in (STDOUT, STDERR) else json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        raise BrokenPipeOfTrial from None
