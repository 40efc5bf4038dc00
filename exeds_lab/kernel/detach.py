"""In the fork: give up everything that is still shared with the live kernel.

Files keep one offset for both processes, sockets one conversation, MAP_SHARED pages one content:
each is replaced by something private before the candidate runs.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import socket
import stat
from pathlib import Path

_PROT_READ, _PROT_READ_WRITE = 1, 3
_MAP_PRIVATE, _MAP_FIXED, _MAP_ANONYMOUS = 0x02, 0x10, 0x20
_MAX_COPY = 256 << 20
"""Bytes of a shared mapping without a file that are copied; larger ones become read-only."""
_DEVICES = ("/dev/nvidia", "/dev/dri", "/dev/infiniband", "anon_inode")


def raised(fd: int) -> int:
    """Move a file descriptor of ours where a candidate that closes low numbers does not hit it."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    lowest = max(3, min(soft, 4096) - 32)
    new = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, lowest)
    os.close(fd)
    return new


def own_descriptors(keep: set[int]) -> None:
    """Replace every inherited descriptor but `keep` by a private one.

    Regular files are reopened read-only at the same offset; sockets become dead ones; the kernel's
    pipes, timers and event descriptors become the null device.
    """
    here, there = socket.socketpair()
    dead = here.detach()
    there.close()
    for fd in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        if fd in keep or fd == dead:
            continue
        with contextlib.suppress(OSError):
            _replace(fd, dead)
    os.close(dead)


def _replace(fd: int, dead: int) -> None:
    mode = os.fstat(fd).st_mode
    if stat.S_ISSOCK(mode):
        os.dup2(dead, fd, inheritable=False)
    elif stat.S_ISREG(mode):
        _reopen(fd)
    elif not stat.S_ISCHR(mode) and not stat.S_ISDIR(mode):
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        os.dup2(null, fd, inheritable=False)
        os.close(null)


def _reopen(fd: int) -> None:
    readable = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE != os.O_WRONLY
    try:
        new = os.open(f"/proc/self/fd/{fd}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # e.g. a file that we may not open any more
        new = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        readable = False
    if readable:
        os.lseek(new, os.lseek(fd, 0, os.SEEK_CUR), os.SEEK_SET)
    os.dup2(new, fd, inheritable=False)
    os.close(new)


def own_mappings(libc: ctypes.CDLL) -> None:
    """Make writable shared mappings (np.memmap, shared memory, torch) private, in place."""
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_long,
    ]
    for line in Path("/proc/self/maps").read_bytes().decode(errors="replace").splitlines():
        fields = line.split(None, 5)
        path = fields[5] if len(fields) > 5 else ""
        if fields[1][1] == "w" and fields[1][3] == "s" and not path.startswith(_DEVICES):
            start, end = (int(part, 16) for part in fields[0].split("-"))
            _remap(libc, start, end - start, path, int(fields[2], 16), int(fields[4]))


def _remap(libc: ctypes.CDLL, start: int, size: int, path: str, offset: int, inode: int) -> None:
    private = _MAP_PRIVATE | _MAP_FIXED
    fd = _same_file(path, inode)
    if fd >= 0:
        libc.mmap(start, size, _PROT_READ_WRITE, private, fd, offset)
        os.close(fd)
    elif size <= _MAX_COPY:
        content = ctypes.string_at(start, size)
        libc.mmap(start, size, _PROT_READ_WRITE, private | _MAP_ANONYMOUS, -1, 0)
        ctypes.memmove(start, content, size)
    else:
        libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(size), _PROT_READ)


def _same_file(path: str, inode: int) -> int:
    """Open the file if it is still the one that is mapped; -1 otherwise."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return -1
    status = os.fstat(fd)
    if status.st_ino == inode and stat.S_ISREG(status.st_mode):
        return fd
    os.close(fd)
    return -1
