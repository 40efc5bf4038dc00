"""What we publish installs, and JupyterLab finds it, on a machine without Node."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

COLOUR = re.compile(r"\x1b\[\d*m")

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(900)]


def run(*command: str | Path, env: dict[str, str], cwd: Path) -> str:
    """Both streams of a command, since Jupyter's lists go to either; a failure shows them."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command} failed:\n{done.stdout[-6000:]}"
    return COLOUR.sub("", done.stdout)


@pytest.fixture(scope="module")
def no_node(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose PATH has the few programs that pip wants, and no Node."""
    programs = tmp_path_factory.mktemp("bin")
    for name in ("sh", "bash", "env", "uname", "cat", "ls", "sed", "grep", "ldconfig"):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUPYTER", "PYTHON", "VIRTUAL_ENV", "npm_", "YARN"))
    }
    assert shutil.which("node", path=str(programs)) is None
    return {**kept, "PATH": str(programs), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, env=dict(os.environ), cwd=ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> Path:
    [found] = distributions.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def sdist(distributions: Path) -> Path:
    [found] = distributions.glob("*.tar.gz")
    return found


def install(requirement: str | Path, folder: Path, env: dict[str, str]) -> Path:
    """A fresh environment in `folder` with JupyterLab and the requirement; its programs."""
    run(sys.executable, "-m", "venv", folder / "venv", env=env, cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(
        python, "-m", "pip", "install", "-q", "jupyterlab>=4.6,<5", requirement, env=env, cwd=folder
    )
    return folder / "venv" / "bin"


def assert_jupyter_finds_it(programs: Path, folder: Path, env: dict[str, str]) -> None:
    env = {
        **env,
        "PATH": f"{programs}{os.pathsep}{env['PATH']}",
        # A person's own settings and extensions are not what is tested.
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
    }
    jupyter = programs / "jupyter"

    front_end = run(jupyter, "labextension", "list", env=env, cwd=folder)
    server = run(jupyter, "server", "extension", "list", env=env, cwd=folder)

    [line] = [line for line in front_end.splitlines() if line.split()[:1] == ["exeds-lab"]]
    assert "enabled" in line
    assert "OK" in line
    _, _, ours = server.partition("Validating exeds_lab...")
    assert "OK" in ours.splitlines()[1]
    assert "exeds_lab enabled" in " ".join(server.split())


def test_the_wheel_holds_what_runs_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()

    data = f"{wheel.name.removesuffix('-py3-none-any.whl')}.data/data"
    labextension = f"{data}/share/jupyter/labextensions/exeds-lab"
    assert f"{labextension}/package.json" in names
    assert f"{labextension}/install.json" in names
    assert f"{labextension}/schemas/exeds-lab/plugin.json" in names
    assert f"{data}/etc/jupyter/jupyter_server_config.d/exeds_lab.json" in names
    assert not [name for name in names if name.startswith(("tests/", "src/", "ui-tests/"))]


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """The kernel's sources and the bundled notebooks travel as data, which is easily lost."""
    here = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "exeds_lab").rglob("*")
        if path.is_file()
        and not {"__pycache__", "labextension", ".ipynb_checkpoints"} & {*path.parts}
    }

    names = {n for n in zipfile.ZipFile(wheel).namelist() if n.startswith("exeds_lab/")}

    assert names == here


def test_the_wheel_installs_without_node(
    wheel: Path, tmp_path: Path, no_node: dict[str, str]
) -> None:
    programs = install(wheel, tmp_path, no_node)

    assert_jupyter_finds_it(programs, tmp_path, no_node)


def test_the_source_distribution_installs_without_node(
    sdist: Path, tmp_path: Path, no_node: dict[str, str]
) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    source = tmp_path / sdist.name.removesuffix(".tar.gz")

    programs = install(source, tmp_path, no_node)

    assert_jupyter_finds_it(programs, tmp_path, no_node)
