"""What holds a trial where the machine grants less: each layer alone, and told as it is."""

from __future__ import annotations

import platform
from collections.abc import Iterator

import pytest
from live_kernel import LiveKernel

from exeds_lab.model.execution import Completed, FileEffect, Raised

WALLS = {
    "": ("fork", "no network", "overlay", "Landlock", "audit hook"),
    "administration": ("fork", "no network", "overlay", "Landlock", "audit hook"),
    "unshare mount": ("fork", "Landlock", "audit hook"),
    "mount": ("fork", "no network", "Landlock", "audit hook"),
    "landlock": ("fork", "no network", "overlay", "audit hook"),
    "unshare mount landlock": ("fork", "audit hook"),
}

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the wall is made of x86-64 system calls"
)


@pytest.fixture(scope="module", params=WALLS, ids=lambda wall: wall or "none denied")
def walled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveKernel, str]]:
    """A kernel behind a wall."""
    folder = tmp_path_factory.mktemp("walled")
    (folder / "keep.txt").write_text("precious")
    kernel = LiveKernel(folder, wall=request.param)
    kernel.execute("import os, socket, pandas as pd\ndf = pd.DataFrame({'a': [1]})")
    yield kernel, request.param
    kernel.close()


def test_protections_are_told_as_they_are(walled: tuple[LiveKernel, str]) -> None:
    kernel, wall = walled

    probe = kernel.wait(kernel.executor.probe())

    assert probe["can_fork"]
    assert tuple(probe["protections"]) == WALLS[wall]
    assert kernel.trial("1").protections == WALLS[wall]


@pytest.mark.parametrize(
    "code",
    [
        "df.to_csv('out.csv')",
        "os.remove('keep.txt')",
        "open('keep.txt', 'w')",
        "os.rename('keep.txt', 'other.txt')",
        "os.mkdir('folder')",
    ],
)
def test_files_stay_as_they_are(walled: tuple[LiveKernel, str], code: str) -> None:
    kernel, wall = walled

    execution = kernel.trial(code)

    assert [path.name for path in kernel.cwd.iterdir()] == ["keep.txt"]
    assert (kernel.cwd / "keep.txt").read_text() == "precious"
    if "overlay" in WALLS[wall]:
        assert execution.outcome == Completed()
    else:
        assert isinstance(execution.outcome, Raised)
        assert execution.effects is not None
        assert execution.effects.files[0].action == "vetoed"


@pytest.mark.parametrize(
    "code",
    [
        "os.kill(os.getppid(), 9)",
        "socket.create_connection(('127.0.0.1', 9), timeout=1)",
        "open('/etc/exeds-lab', 'w')",
    ],
)
def test_the_world_stays_as_it_is(walled: tuple[LiveKernel, str], code: str) -> None:
    kernel, _ = walled

    execution = kernel.trial(code)

    assert isinstance(execution.outcome, Raised)
    assert execution.effects is not None
    assert [effect.action for effect in execution.effects.files] == ["vetoed"]
    assert isinstance(execution.effects.files[0], FileEffect)
    assert kernel.value("1+1") == 2


def test_a_program_removes_nothing(walled: tuple[LiveKernel, str]) -> None:
    kernel, wall = walled

    kernel.trial("import subprocess; subprocess.run('rm -f keep.txt', shell=True)")
    kernel.trial("!rm -f keep.txt")

    assert (kernel.cwd / "keep.txt").read_text() == "precious"
    if "Landlock" in WALLS[wall]:
        assert kernel.trial("!echo hi").outcome == Completed()


def test_temporary_files_work(walled: tuple[LiveKernel, str]) -> None:
    kernel, _ = walled

    execution = kernel.trial(
        "import tempfile\nwith tempfile.TemporaryFile() as f: f.write(b'x')\n"
        "os.listdir(tempfile.gettempdir())"
    )

    assert execution.outcome == Completed()
    assert execution.result is not None
    assert "ipykernel" not in execution.result.preview
