"""In the live kernel: watch one fork, on a thread of its own, until it is gone.

The shell is free as soon as the fork is made. The monitor reads frames, keeps the deadline, counts
processes, kills, and reaps; it never unpickles anything.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import threading
import time
from pathlib import Path
from typing import Any, Callable, NamedTuple

from exeds_lab.kernel import frames, processes

GRACE_S = 0.5
"""Between the interrupt and the kill."""
_TICK_S = 0.05
_SET_UP_S = 15.0
_LEAST_FREE_KB = 200 * 1024


class Pipes(NamedTuple):
    """The kernel's ends of the three pipes, non-blocking."""

    frames: int
    stdout: int
    stderr: int


class Ending(NamedTuple):
    """How a fork ended."""

    done: dict[str, Any] | None
    """The body of its last frame; None when it did not get that far."""
    stopped: str | None
    """Why we ended it: `timeout`, `cancelled`, `memory`, `processes`, `broken` or `lost`.
    None: it ended by itself."""
    signal: str | None
    exit_code: int | None
    phase: str
    """`setting up`, `running` or `measuring`: where it was when it ended."""
    interrupted: bool
    """Whether its time limit passed while it ran."""


class Monitor:
    """Watches one fork.

    `run` is called once, on any thread; `cancel` may be called from any other. `on_frame`, and
    `on_tick` some times a second, are called on the thread of `run`.
    """

    def __init__(
        self,
        pid: int,
        pipes: Pipes,
        request: dict[str, Any],
        on_frame: Callable[[frames.Frame], None],
        on_tick: Callable[[], None],
    ) -> None:
        self._pid = pid
        self._trial = str(request["id"])
        self._limits = request["limits"]
        self._scratch = str(request["scratch"])
        self._pipes = pipes
        self._reader = frames.Reader(bytes.fromhex(request["token"]))
        self._on_frame = on_frame
        self._on_tick = on_tick
        self._cancelled = threading.Event()
        self._phase = "setting up"
        self._deadline = time.monotonic() + _SET_UP_S
        self._stopped: str | None = None
        self._interrupted = False
        self._done: dict[str, Any] | None = None
        self._alive = threading.RLock()
        self._reaped = False

    def cancel(self, why: str = "cancelled") -> None:
        """Have the fork killed; at once if possible, for the monitor may wait for its turn."""
        with self._alive:
            if self._reaped:
                return
            self._stopped = self._stopped or why
            self._cancelled.set()
            with contextlib.suppress(OSError):
                os.kill(self._pid, signal.SIGSTOP)

    def run(self) -> Ending:
        """Watch until the fork is done or dead; afterwards nothing of it runs."""
        poll = select.poll()
        for fd in self._pipes:
            poll.register(fd, select.POLLIN)
        handle = _pidfd(self._pid)
        if handle >= 0:
            poll.register(handle, select.POLLIN)
        try:
            self._watch(poll, handle)
        finally:
            processes.kill_tree(self._pid, self._trial)
            status = self._reap()
            self._tidy()
            for fd in (*self._pipes, *([handle] if handle >= 0 else [])):
                os.close(fd)
        return self._ending(status)

    def _watch(self, poll: select.poll, handle: int) -> None:
        open_pipes = set(self._pipes)
        next_look = 0.0
        while self._done is None:
            now = time.monotonic()
            if self._cancelled.is_set() or not self._in_time(now):
                break
            if now >= next_look:
                next_look = now + _TICK_S
                self._look_at_resources()
                self._on_tick()
            wait = min(_TICK_S, max(0.001, self._deadline - now))
            ready = {fd for fd, _ in poll.poll(int(1000 * wait) + 1)}
            for fd in ready & open_pipes:
                if not self._read(fd):
                    poll.unregister(fd)
                    open_pipes.discard(fd)
            gone = handle in ready or (handle < 0 and processes.is_gone(self._pid))
            if gone or self._pipes.frames not in open_pipes:
                break
        for fd in open_pipes:  # what is there already; a grandchild may hold the pipe open
            self._read(fd)

    def _in_time(self, now: float) -> bool:
        """Keep the deadline; False when it is time to kill."""
        if now < self._deadline:
            return True
        if self._phase != "running" or self._interrupted:
            self._stopped = self._stopped or "timeout"
            return False
        self._interrupted = True
        self._deadline = now + GRACE_S
        with contextlib.suppress(OSError):  # KeyboardInterrupt: it tells where it was
            os.kill(self._pid, signal.SIGINT)
        return True

    def _look_at_resources(self) -> None:
        if len(processes.descendants(self._pid)) > int(self._limits["processes"]):
            self.cancel("processes")
        elif _free_kb() < _LEAST_FREE_KB:
            self.cancel("memory")

    def _read(self, fd: int) -> bool:
        """Read what is there; False when nothing more will come."""
        for _ in range(64):
            try:
                data = os.read(fd, 1 << 16)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not data:
                return False
            if fd != self._pipes.frames:
                kind = frames.STDOUT if fd == self._pipes.stdout else frames.STDERR
                self._on_frame(frames.Frame(kind, data.decode("utf-8", "replace")))
            elif not self._take(data):
                return False
        return True

    def _take(self, data: bytes) -> bool:
        try:
            for frame in self._reader.feed(data):
                if frame.kind == frames.JSON:
                    self._follow(frame.body)
                self._on_frame(frame)
        except (frames.BrokenPipeOfTrial, KeyError, TypeError, ValueError, AttributeError):
            self.cancel("broken")
            return False
        return True

    def _follow(self, body: dict[str, Any]) -> None:
        now = time.monotonic()
        limit = float(self._limits["timeout_s"])
        if "started" in body:
            self._phase, self._deadline = "running", now + limit
        elif "ran" in body:
            left = 0.0 if self._interrupted else self._deadline - now
            self._phase, self._deadline = "measuring", now + measuring_s(limit, left)
        elif "done" in body:
            self._done = body["done"]

    def _reap(self) -> int:
        """Wait for the end; off the critical path when the answer is known."""
        with self._alive:
            self._reaped = True  # from now on the number may be another process's
        if self._done is None:
            with contextlib.suppress(ChildProcessError):
                return os.waitpid(self._pid, 0)[1]
            return 0
        threading.Thread(target=self._reap_later, daemon=True, name="exeds-lab-reap").start()
        return 0

    def _reap_later(self) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
        self._tidy()

    def _tidy(self) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _ending(self, status: int) -> Ending:
        number, code = None, None
        if self._done is None and os.WIFSIGNALED(status):
            number = signal.Signals(os.WTERMSIG(status)).name
        elif self._done is None:
            code = os.WEXITSTATUS(status)
        return Ending(self._done, self._stopped, number, code, self._phase, self._interrupted)


def measuring_s(limit: float, left: float) -> float:
    """Seconds for looking at the result: what is left, but between 2 and 10 at least."""
    return max(left, min(10.0, max(2.0, limit)))


def _pidfd(pid: int) -> int:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


def _free_kb() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1])
    except (OSError, ValueError, IndexError):
        pass
    return _LEAST_FREE_KB
