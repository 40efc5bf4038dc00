"""The outputs of a trial as an nbformat 4 list, bounded: the head and the tail of text are kept."""

from __future__ import annotations

import json
import time
from collections import deque
from typing import Any, Callable

Output = dict[str, Any]

_BETWEEN_S = 0.05
"""Seconds between two messages about outputs."""
MAX_OUTPUTS = 1_000
"""Rich outputs kept."""
RICH_FACTOR = 8
"""Rich outputs may take this many times the text limit (a figure is large)."""


class OutputList:
    """Collects what a trial shows, in order. One thread may use it."""

    def __init__(self, limit: int) -> None:
        """`limit`: characters of text kept, half of them from the end."""
        self._half = max(1, limit // 2)
        self._rich_left = RICH_FACTOR * limit
        self._head: list[Output] = []
        self._head_left = self._half
        self._moved: list[Output] = []
        self._tail: deque[Output] = deque()
        self._tail_text = 0
        self._dropped = 0
        self._rich = 0
        self._clear_next = False
        self.truncated = False

    def text(self, name: str, text: str) -> None:
        """Add text of `stdout` or `stderr`."""
        self._clear_if_due()
        if self._head_left > 0:
            head, text = text[: self._head_left], text[self._head_left :]
            self._head_left -= len(head)
            _append_text(self._head, name, head)
        if text:
            if len(text) > self._half:
                self._drop(len(text) - self._half)
                text = text[-self._half :]
            _append_text(self._tail, name, text)
            self._tail_text += len(text)
            self._trim()

    def add(self, output: Output) -> None:
        """Add a display, a result or an error."""
        self._clear_if_due()
        size = len(json.dumps(output.get("data", {}), default=str))
        if self._rich >= MAX_OUTPUTS:
            self.truncated = True
            return
        if size > self._rich_left:
            self.truncated = True
            output = {**output, "data": {"text/plain": f"<an output of {size:,} bytes, left out>"}}
        else:
            self._rich_left -= size
        self._rich += 1
        (self._tail if self._tail else self._head).append(output)

    def update(self, display_id: str, data: dict[str, Any], metadata: dict[str, Any]) -> None:
        """Replace what was shown under this display id."""
        for output in (*self._head, *self._moved, *self._tail):
            if output.get("transient", {}).get("display_id") == display_id:
                output["data"], output["metadata"] = data, metadata

    def clear(self, wait: bool) -> None:
        """Forget everything shown, at once or when the next output comes."""
        self._clear_next = True
        if not wait:
            self._clear_if_due()

    def collected(self) -> list[Output]:
        """Return the nbformat list."""
        marker: list[Output] = []
        if self._dropped:
            words = f"\n… {self._dropped:,} characters left out …\n"
            marker = [{"output_type": "stream", "name": "stdout", "text": words}]
        everything = (*self._head, *marker, *self._moved, *self._tail)
        return _joined([_plain(output) for output in everything])

    def _clear_if_due(self) -> None:
        if self._clear_next:
            self._clear_next = False
            self._head.clear()
            self._moved.clear()
            self._tail.clear()
            self._tail_text = self._dropped = 0
            self._head_left = self._half

    def _drop(self, characters: int) -> None:
        self._dropped += characters
        self.truncated = True

    def _trim(self) -> None:
        while self._tail_text > self._half:
            oldest = self._tail.popleft()
            if oldest["output_type"] != "stream":
                self._moved.append(oldest)
                continue
            surplus = self._tail_text - self._half
            kept = oldest["text"][surplus:]
            cut = len(oldest["text"]) - len(kept)
            self._tail_text -= cut
            self._drop(cut)
            if kept:
                self._tail.appendleft({**oldest, "text": kept})


class Live:
    """Passes outputs on while the trial runs: a few messages a second, bounded in all.

    A kernel's subscribers lose messages, the user's own too, when it sends faster than they read.
    What is not passed on is in the final list.
    """

    def __init__(self, send: Callable[[list[Output]], None], limit: int) -> None:
        """`limit`: characters passed on, pictures included at `RICH_FACTOR` times that."""
        self._send = send
        self._text_left = limit
        self._rich_left = RICH_FACTOR * limit
        self._waiting: list[Output] = []
        self._sent_at = 0.0

    def text(self, name: str, text: str) -> None:
        """Pass on text of a stream."""
        if self._text_left > 0:
            _append_text(self._waiting, name, text[: self._text_left])
            self._text_left -= len(text)
            self.send_if_due()

    def add(self, output: Output) -> None:
        """Pass on another output."""
        size = len(json.dumps(output.get("data", {}), default=str)) + 100
        if size <= self._rich_left:
            self._rich_left -= size
            self._waiting.append(_plain(output))
            self.send_if_due()

    def send_if_due(self) -> None:
        """Send what waits, if the last message is long enough ago."""
        now = time.monotonic()
        if self._waiting and now - self._sent_at >= _BETWEEN_S:
            self._sent_at = now
            waiting, self._waiting = self._waiting, []
            self._send(_joined(waiting))


def _append_text(outputs: list[Output] | deque[Output], name: str, text: str) -> None:
    outputs.append({"output_type": "stream", "name": name, "text": text})


def _plain(output: Output) -> Output:
    """Without `transient`, which nbformat does not know."""
    return {key: value for key, value in output.items() if key != "transient"}


def _joined(outputs: list[Output]) -> list[Output]:
    """Neighbouring text of one stream as one output."""
    joined: list[Output] = []
    texts: list[str] = []
    for output in [*outputs, {"output_type": ""}]:
        same = (
            bool(texts)
            and output["output_type"] == "stream"
            and output["name"] == joined[-1]["name"]
        )
        if not same and texts:
            joined[-1]["text"] = "".join(texts)
            texts = []
        if output["output_type"] == "stream":
            if not same:
                joined.append(dict(output))
            texts.append(output["text"])
        elif output["output_type"]:
            joined.append(output)
    return joined
