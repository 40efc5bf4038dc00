"""In the fork: a private view of some folders, and no network, through Linux namespaces.

Writes below a folder go to a layer in memory that only the trial sees, so `df.to_csv("out.csv")`
works, changes nothing, and can be listed afterwards.
"""

from __future__ import annotations

import ctypes
import os
import stat
from pathlib import Path
from typing import NamedTuple

_NEW_USER, _NEW_MOUNT, _NEW_NET = 0x10000000, 0x20000, 0x40000000
_MS_REC, _MS_PRIVATE = 0x4000, 0x40000
_MAX_FILES = 200


class Layer(NamedTuple):
    """One folder with a private upper layer."""

    root: str
    upper: str


class FileChange(NamedTuple):
    """One file that the trial changed in its private view."""

    action: str
    """`written` or `deleted`."""
    path: str


def isolate(libc: ctypes.CDLL) -> bool:
    """Enter private mount and network namespaces; return whether that worked.

    A kernel of root stays root; anybody else becomes the same user in a namespace of its own.
    """
    if os.geteuid() == 0 and libc.unshare(_NEW_MOUNT | _NEW_NET) == 0:
        return True
    uid, gid = os.getuid(), os.getgid()
    if libc.unshare(_NEW_USER | _NEW_MOUNT | _NEW_NET) != 0:
        return False
    try:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    except OSError:
        return False
    return True


def cover(libc: ctypes.CDLL, roots: list[str], scratch: str, size_mb: int) -> list[Layer]:
    """Mount a private layer over each root; return those that worked.

    Args:
        libc: the C library.
        roots: existing folders; none of them `/`.
        scratch: an empty folder; a file system in memory is mounted on it.
        size_mb: how much the trial may write, in MiB.
    """
    if not _mount(libc, "none", "/", None, _MS_REC | _MS_PRIVATE, None):
        return []
    if not _mount(libc, "tmpfs", scratch, "tmpfs", 0, f"size={size_mb}m,mode=0700"):
        return []
    layers = []
    for number, root in enumerate(roots):
        upper, work = f"{scratch}/.upper{number}", f"{scratch}/.work{number}"
        Path(upper).mkdir()
        Path(work).mkdir()
        os.chmod(upper, stat.S_IMODE(Path(root).stat().st_mode))  # noqa: PTH101  mode of the root
        options = f"lowerdir={root},upperdir={upper},workdir={work}"
        if any(
            _mount(libc, "overlay", root, "overlay", 0, options + extra)
            for extra in (",userxattr", "")
        ):
            layers.append(Layer(root, upper))
    return layers


def changes(layers: list[Layer]) -> list[FileChange]:
    """Read off the upper layers what was written and deleted (at most 200)."""
    found: list[FileChange] = []
    for layer in layers:
        for folder, _, files in os.walk(layer.upper):
            for name in files:
                path = Path(folder) / name
                shown = str(Path(layer.root) / path.relative_to(layer.upper))
                status = path.lstat()
                gone = stat.S_ISCHR(status.st_mode) and status.st_rdev == 0
                found.append(FileChange("deleted" if gone else "written", shown))
                if len(found) >= _MAX_FILES:
                    return found
    return found


def _mount(
    libc: ctypes.CDLL, source: str, target: str, kind: str | None, flags: int, data: str | None
) -> bool:
    texts = [None if text is None else text.encode() for text in (source, target, kind, data)]
    result = libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    return bool(result == 0)
