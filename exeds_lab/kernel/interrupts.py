"""In the live kernel: an interrupt while it is idle ends the trials that run.

A trial is a session of its own, so a SIGINT for the kernel passes it by; and ipykernel ignores
one between cells. While trials run, a handler of ours stands there; a cell of the user's still
gets its KeyboardInterrupt, because ipykernel puts Python's handler in place for each cell.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import Any, Callable

_RETRY_S = 0.02


class Interrupts:
    """Watches for interrupts as long as somebody wants it.

    Signals are set on the main thread alone, wherever the wish comes from.
    """

    def __init__(self, on_interrupt: Callable[[], None], is_wanted: Callable[[], bool]) -> None:
        self._on_interrupt = on_interrupt
        self._is_wanted = is_wanted
        self._loop: Any = None
        self._previous: Any = None

    def watch(self) -> None:
        """Begin; called on the main thread, inside a message handler."""
        with contextlib.suppress(RuntimeError):
            self._loop = asyncio.get_running_loop()
            self._loop.call_soon(self._settle)

    def settle(self) -> None:
        """End if nobody wants it any more; from any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the kernel shuts down
                self._loop.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        present = signal.getsignal(signal.SIGINT)
        if present is signal.default_int_handler:  # a cell runs; its end puts back what it found
            self._loop.call_later(_RETRY_S, self._settle)
        elif self._is_wanted() and present != self._interrupted:
            self._previous = present
            signal.signal(signal.SIGINT, self._interrupted)
        elif not self._is_wanted() and present == self._interrupted:
            signal.signal(signal.SIGINT, self._previous)

    def _interrupted(self, number: int, frame: Any) -> None:
        self._on_interrupt()
        if callable(self._previous):
            self._previous(number, frame)
