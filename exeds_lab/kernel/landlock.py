"""In the fork: Linux' Landlock. Read anything, write only where allowed, no TCP, no signals out."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_NO_NEW_PRIVILEGES = 38
_WRITE_FILE = 1 << 1
_CHANGE_FOLDERS = sum(1 << bit for bit in range(4, 13))
"""Remove and make entries of any kind."""
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_BIND_AND_CONNECT = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts")


def restrict(libc: ctypes.CDLL, writable: list[str]) -> int:
    """Restrict this process and all it starts; return the ABI version in force, 0 for none."""
    abi = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if abi < 1:
        return 0
    files = _WRITE_FILE | (_TRUNCATE if abi >= 3 else 0)
    access = files | _CHANGE_FOLDERS | (_REFER if abi >= 2 else 0)
    ruleset = libc.syscall(_CREATE_RULESET, *_attributes(abi, access), 0)
    if ruleset < 0:
        return 0
    for path, allowed in [(p, access) for p in writable] + [(p, files) for p in _DEVICES]:
        with contextlib.suppress(OSError):
            _allow(libc, ruleset, path, allowed)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    failed = libc.syscall(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return 0 if failed else int(abi)


def _attributes(abi: int, access: int) -> tuple[bytes, ctypes.c_size_t]:
    fields = struct.pack("<QQQ", access, _BIND_AND_CONNECT, _ABSTRACT_SOCKETS_AND_SIGNALS)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    return fields[:size], ctypes.c_size_t(size)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, access: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    libc.syscall(_ADD_RULE, ruleset, 1, struct.pack("<Qi", access, folder), 0)
    os.close(folder)
