"""Fork the live kernel and watch the fork."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
import threading
import warnings
from typing import Any, Callable

from exeds_lab.kernel import child, frames, monitor

Work = Callable[[child.Child, dict[str, Any]], None]
"""What the fork does once it is set up."""


class Fork:
    """One fork and its monitor.

    Made on the main thread of the kernel, where nothing else computes. `on_end` is called once, on
    the monitor's thread, when the fork is gone.
    """

    def __init__(
        self,
        request: dict[str, Any],
        work: Work,
        on_frame: Callable[[frames.Frame], None],
        on_end: Callable[[monitor.Ending], None],
        on_tick: Callable[[], None] = lambda: None,
    ) -> None:
        request = {
            **request,
            "token": secrets.token_hex(8),
            "scratch": tempfile.mkdtemp(prefix="exeds-lab-"),
        }
        ours, theirs = _pipes()
        with warnings.catch_warnings():  # Python warns of forking with threads; see safety.py
            warnings.simplefilter("ignore")
            pid = getattr(os, "original_fork", os.fork)()  # a debugger replaces os.fork
        if pid == 0:
            for fd in ours:
                os.close(fd)
            child.live(request, theirs, work)
        for fd in theirs:
            os.close(fd)
        self._monitor = monitor.Monitor(pid, ours, request, on_frame, on_tick)
        self._on_end = on_end
        name = f"exeds-lab-{request['id']}"
        threading.Thread(target=self._run, daemon=True, name=name).start()

    def cancel(self) -> None:
        """End the fork and everything that it started."""
        self._monitor.cancel()

    def _run(self) -> None:
        self._on_end(self._monitor.run())


def _pipes() -> tuple[monitor.Pipes, child.Ends]:
    pairs = [os.pipe() for _ in range(3)]
    for reading, _ in pairs:
        os.set_blocking(reading, False)
    return monitor.Pipes(*(pair[0] for pair in pairs)), child.Ends(*(pair[1] for pair in pairs))


def kernel_name() -> str:
    """Return `Python 3.11.7, ipykernel 7.4.0`."""
    version = ".".join(map(str, sys.version_info[:3]))
    ipykernel = sys.modules.get("ipykernel")
    return f"Python {version}, ipykernel {getattr(ipykernel, '__version__', 'unknown')}"
