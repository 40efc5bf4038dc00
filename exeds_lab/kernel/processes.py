"""Processes of a trial: who they are, how many, and ending them all."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import Any

MARK = "EXEDS_LAB_TRIAL"
"""Environment variable that names the trial to the programs it starts."""


def identity(pid: int) -> dict[str, Any]:
    """What tells another process on this machine that `pid` is still the process we mean.

    `started` (clock ticks) guards against a reused pid; `space` names boot and pid namespace, so
    that a reader elsewhere knows that the number means nothing to it. None where unknown.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        space: str | None = boot + " " + str(Path("/proc/self/ns/pid").readlink())
        started: int | None = int(_stat(pid)[19])
    except (OSError, IndexError, ValueError):
        space, started = None, None
    return {"pid": pid, "started": started, "space": space}


def descendants(pid: int) -> list[int]:
    """All processes below `pid`. A trial is a subreaper, so daemons stay below it."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def kill_tree(pid: int, trial: str) -> None:
    """End `pid` and everything it started; `pid` must be an unreaped child of ours."""
    _signal(pid, signal.SIGSTOP)  # it stays the parent of its orphans while we look
    for _ in range(20):
        running = [child for child in descendants(pid) if not is_gone(child)]
        if not running:
            break
        for child in running:  # stop all first: a fork bomb must not outrun us
            _signal(child, signal.SIGSTOP)
        for child in running:
            _signal(child, signal.SIGKILL)
    if is_gone(pid):
        _kill_marked(trial)
    _signal_group(pid)
    _signal(pid, signal.SIGKILL)


def is_gone(pid: int) -> bool:
    """Whether the process has ended (a zombie counts as ended)."""
    try:
        return _stat(pid)[0] in ("Z", "X")
    except (OSError, IndexError):
        return True


def _kill_marked(trial: str) -> None:
    """The trial died first, so its orphans belong to somebody else: find them by their mark."""
    mark = f"{MARK}={trial}".encode()
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if mark in (entry / "environ").read_bytes():
                _signal(int(entry.name), signal.SIGKILL)


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _signal_group(pid: int) -> None:
    with contextlib.suppress(OSError):
        if os.getpgid(pid) == pid:  # it made itself a leader; before that its group is the kernel's
            os.killpg(pid, signal.SIGKILL)


def _stat(pid: int) -> list[str]:
    """Fields of /proc/pid/stat from the state on (the third of proc(5))."""
    return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()


def _children(pid: int) -> list[int]:
    try:
        return [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except (OSError, ValueError):
        return []
