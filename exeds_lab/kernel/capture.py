"""In the fork: everything a cell can show goes into the trial's pipe instead of to the front end.

All of ipykernel's output ends in `Session.send`, so that one method is replaced and its formatting
stays. `sys.stdout` keeps its object, because log handlers hold it; only its methods change.
"""

from __future__ import annotations

import builtins
import contextlib
import getpass
import json
import os
import sys
import threading
from collections import deque
from typing import Any, NoReturn

from exeds_lab.kernel import frames

_KINDS = {"stdout": frames.STDOUT, "stderr": frames.STDERR}
_FLUSH_CHARACTERS = 8192
_MAX_DATA = 16 << 20
"""Bytes of one output; more is replaced by a note."""
_CUT = "\n… the rest is left out …\n"


class Capture:
    """The sink. Install it once; then it takes all output of this process."""

    def __init__(self, writer: frames.Writer, limit: int) -> None:
        """`limit`: characters of text sent as they come; of the rest the last half as many."""
        self._writer = writer
        self._limit = limit
        self._sent = 0
        self._name = "stdout"
        self._pending: list[str] = []
        self._pending_size = 0
        self._late: deque[tuple[str, str]] = deque()
        self._late_size = 0
        self._stdout: list[str] = []
        self._stdout_left = limit
        self._lock = threading.RLock()
        self._streams: dict[str, Any] = {}

    @property
    def stdout(self) -> str:
        """The text that Python printed; cut text ends in a note, so that it equals nothing.

        What a program that the candidate started writes by itself is an output, but not in here.
        """
        return "".join(self._stdout) + (_CUT if self._stdout_left < 0 else "")

    def install(self, shell: Any) -> None:
        """Take the output of IPython, of both streams and of `input`."""
        session = shell.displayhook.session
        session.pid = os.getpid()
        session.send = self._message
        for number, name in ((1, "stdout"), (2, "stderr")):
            self._take_stream(number, name)
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115  stays open for good
        builtins.input = _refuse_input
        getpass.getpass = _refuse_input
        kernel = getattr(shell, "kernel", None)
        if kernel is not None:
            kernel._allow_stdin = False
            kernel.raw_input = kernel.getpass = _refuse_input

    def write(self, name: str, text: str) -> int:
        """Take text of a stream."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if os.getpid() != self._writer.pid:  # a process that the candidate forked
            os.write(1 if name == "stdout" else 2, text.encode("utf-8", "replace"))
            return len(text)
        with self._lock:
            if name == "stdout":
                self._keep(text)
            if name != self._name:
                self.flush()
                self._name = name
            if self._sent < self._limit:
                self._pending.append(text)
                self._pending_size += len(text)
                self._sent += len(text)
                self._flush_if_due(text)
            else:
                self._write_late(name, text)
        return len(text)

    def flush(self) -> None:
        """Send what waits."""
        with self._lock:
            if self._pending and os.getpid() == self._writer.pid:
                text, self._pending, self._pending_size = "".join(self._pending), [], 0
                for start in range(0, len(text), frames.MAX_BODY // 8):
                    part = text[start : start + frames.MAX_BODY // 8]
                    self._writer.text(_KINDS[self._name], part)

    def finish(self) -> None:
        """Send the end of a text that was too long."""
        self.flush()
        with self._lock:
            for name, text in self._late:
                self._writer.text(_KINDS[name], text)
            self._late.clear()

    def restore_streams(self) -> None:
        """After the candidate: print goes to the trial again, whatever it did to sys.stdout."""
        sys.stdout, sys.stderr = self._streams["stdout"], self._streams["stderr"]

    def _take_stream(self, number: int, name: str) -> None:
        stream = getattr(sys, name)
        fallback = _Stream(self, name, number)
        try:
            stream.write = lambda text: self.write(name, text)
            stream.flush = self.flush
            stream.fileno = lambda: number
        except (AttributeError, TypeError):  # the user put a file or a buffer there
            setattr(sys, name, fallback)
        setattr(sys, f"__{name}__", fallback)
        self._streams[name] = fallback

    def _keep(self, text: str) -> None:
        if self._stdout_left >= 0:
            self._stdout.append(text[: self._stdout_left])
            self._stdout_left -= len(text)

    def _flush_if_due(self, text: str) -> None:
        if "\n" in text or "\r" in text or self._pending_size > _FLUSH_CHARACTERS:
            self.flush()

    def _write_late(self, name: str, text: str) -> None:
        half = self._limit // 2
        self._late.append((name, text[-half:]))
        self._late_size += min(len(text), half)
        while self._late_size - len(self._late[0][1]) > half:
            self._late_size -= len(self._late.popleft()[1])

    def _message(
        self, stream: Any, message: Any, content: Any = None, *args: Any, **keywords: Any
    ) -> dict[str, Any]:
        """Stand in for Session.send."""
        del stream, args, keywords
        kind = message
        if isinstance(message, dict):
            kind, content = message["header"]["msg_type"], message["content"]
        if os.getpid() == self._writer.pid:
            if kind == "stream":
                self.write(content["name"], content["text"])
            else:
                self._send_output(kind, content)
        return {}

    def _send_output(self, kind: str, content: dict[str, Any]) -> None:
        if kind in ("display_data", "execute_result", "update_display_data"):
            output = {
                "output_type": kind,
                "data": _bounded(content["data"]),
                "metadata": content.get("metadata") or {},
                "transient": content.get("transient") or {},
            }
            if kind == "execute_result":
                output["execution_count"] = content["execution_count"]
            self.show({"output": output})
        elif kind == "clear_output":
            self.show({"clear": bool(content.get("wait", False))})

    def show(self, body: dict[str, Any]) -> None:
        """Send an output, in order with the text."""
        self.flush()
        with self._lock:
            self._writer.send(body)


class _Stream:
    """A text stream into the capture, where the stream of the live kernel cannot be reused."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, capture: Capture, name: str, number: int) -> None:
        self._capture = capture
        self._number = number
        self.name = f"<{name}>"
        self._stream = name

    def write(self, text: str) -> int:
        return self._capture.write(self._stream, text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._capture.flush()

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._number


class InputRefused(RuntimeError):
    """A trial has nobody to ask."""


def _refuse_input(*args: Any, **keywords: Any) -> NoReturn:
    del args, keywords
    raise InputRefused("input() cannot be answered in a trial: nobody is there to type")


def _bounded(data: dict[str, Any]) -> dict[str, Any]:
    with contextlib.suppress(TypeError, ValueError, RecursionError):
        size = len(json.dumps(data, default=str, skipkeys=True))
        if size <= _MAX_DATA:
            return data
        return {"text/plain": f"<an output of {size:,} bytes, left out>"}
    return {"text/plain": "<an output that is not JSON, left out>"}
