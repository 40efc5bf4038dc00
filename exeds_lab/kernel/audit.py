"""In the fork: Python's audit hook, the protection that works everywhere and can name the call.

It sees what Python itself does, not what a program started from it does.
"""

from __future__ import annotations

import errno
import os
from typing import Any, Callable

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FILES = frozenset(
    (
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.utime"),
        *("os.truncate", "os.chmod", "os.chown"),
        *("shutil.rmtree", "shutil.move", "shutil.copyfile"),
    )
)
_NETWORK = frozenset(
    ["socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "socket.sendmsg"]
)
_PROGRAMS = frozenset(
    ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn")
)
_SIGNALS = frozenset(("os.kill", "os.killpg"))
_MAX_VETOES = 50
_MAX_TEXT = 200


class Vetoed(PermissionError):
    """Not allowed in a trial."""

    __module__ = "builtins"  # a traceback then shows the bare name


class Veto:
    """The hook. It lives as long as the process; `calls` lists what it refused."""

    def __init__(self, writable: list[str], may_start_programs: bool) -> None:
        """Make the hook.

        Args:
            writable: real paths of the folders below which files may change.
            may_start_programs: False where nothing else would hold what a program does.
        """
        self.calls: list[str] = []
        self._writable = tuple(path.rstrip(os.sep) + os.sep for path in writable)
        self._pid = os.getpid()
        self._rules: dict[str, Callable[[tuple[Any, ...]], bool]] = {
            "open": self._opens_outside,
            **dict.fromkeys(_FILES, self._changes_outside),
            **dict.fromkeys(_NETWORK, self._leaves_machine),
            **dict.fromkeys(_SIGNALS, self._signals_others),
        }
        if not may_start_programs:
            self._rules.update(dict.fromkeys(_PROGRAMS, lambda _: True))

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        """Raise Vetoed when a rule forbids the event."""
        rule = self._rules.get(event)
        if rule is None or not rule(args):
            return
        named = [str(a) for a in args if isinstance(a, (str, bytes, int, tuple, os.PathLike))]
        what = " ".join([event, *named[:1]])[:_MAX_TEXT]
        if len(self.calls) < _MAX_VETOES:
            self.calls.append(what)
        raise Vetoed(errno.EPERM, f"not allowed in a trial: {what}")

    def _opens_outside(self, args: tuple[Any, ...]) -> bool:
        path, mode, flags = args
        writes = flags & _WRITING if isinstance(flags, int) else set(mode or "") & set("wax+")
        return bool(writes) and self._is_outside(path)

    def _changes_outside(self, args: tuple[Any, ...]) -> bool:
        return bool(args) and self._is_outside(args[0])

    def _is_outside(self, path: Any) -> bool:
        if not isinstance(path, (str, bytes, os.PathLike)):
            return False  # a descriptor that is open already
        text = os.fsdecode(path)
        if text.startswith(("/dev/null", "/dev/tty", "/dev/full", "/dev/ptmx", "/dev/pts")):
            return False
        return not (os.path.realpath(text) + os.sep).startswith(self._writable)

    def _leaves_machine(self, args: tuple[Any, ...]) -> bool:
        family = getattr(args[0], "family", None) if args else None
        return family is None or family.name != "AF_UNIX"

    def _signals_others(self, args: tuple[Any, ...]) -> bool:
        return args[0] not in (self._pid, os.getpid(), 0) and not _is_child(args[0])


def _is_child(pid: Any) -> bool:
    """Whether the process was started by this one, as a pool's workers are."""
    try:
        with open(f"/proc/{int(pid)}/stat", "rb") as file:  # noqa: PTH123  pathlib emits more events
            parent = int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError, TypeError):
        return False
    return parent == os.getpid()
