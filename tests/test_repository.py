"""The house rules that no linter holds, read from the tracked files."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50

GENERATED = {"src/api/generated.ts", "schema/openapi.json", "yarn.lock", "ui-tests/yarn.lock"}
"""Written by a tool; nobody reads them line by line."""
DATA = {".ipynb", ".json", ".jsonl", ".csv", ".md", ".svg", ".txt", ".patch"}
"""Not code: as long as what it says."""
LOCKS = ["yarn.lock", "ui-tests/yarn.lock"]

URL = re.compile(r"https?://")
# Put together here, so that this file does not name what it forbids.
REGISTRIES = re.compile(
    "|".join(
        re.escape(".".join(parts))
        for parts in [
            ("registry", "npmjs", "org"),
            ("registry", "yarnpkg", "com"),
            ("pypi", "python", "org"),
            ("files", "pythonhosted", "org"),
            ("pypi", "org/simple"),
            ("deb", "debian", "org"),
        ]
    )
    + r"|npmRegistryServer|--(extra-)?index-url|__archiveUrl"
)
# A person's or a machine's own folders, as in a path that works on one computer alone.
MACHINE_PATH = re.compile(r"(?<![\w./])/(home/\w+|Users/\w+|root/|work/(main|shared))")


def tracked() -> list[str]:
    """Every file under version control that is still there, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return sorted(name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file())


def text_of(name: str) -> str:
    """The file's text; empty for a picture or other binary."""
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def lines_matching(pattern: re.Pattern[str], names: list[str]) -> list[str]:
    """`file:line: text` of every line that matches."""
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name in names
        for number, line in enumerate(text_of(name).splitlines(), 1)
        if pattern.search(line)
    ]


def is_code(name: str) -> bool:
    return name not in GENERATED and Path(name).suffix not in DATA


def functions(name: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(text_of(name)))
    return [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its decorators and docstring."""
    total = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is None:
        return total
    docstring = function.body[0]
    return total - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address(lock: str) -> None:
    assert lines_matching(URL, [lock]) == []


def test_no_file_names_a_registry() -> None:
    ours = [name for name in tracked() if name != "tests/test_repository.py"]

    assert lines_matching(REGISTRIES, ours) == []


def test_no_file_depends_on_one_machine() -> None:
    ours = [name for name in tracked() if name != "tests/test_repository.py"]

    assert lines_matching(MACHINE_PATH, ours) == []


def test_no_file_of_code_is_longer_than_a_reader_can_hold() -> None:
    sizes = {name: len(text_of(name).splitlines()) for name in tracked() if is_code(name)}

    assert {name: size for name, size in sizes.items() if size > MAX_FILE_LINES} == {}


def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{name}:{function.lineno} {function.name}": length(function)
        for name in tracked()
        if name.endswith(".py")
        for function in functions(name)
        if length(function) > MAX_FUNCTION_LINES
    }

    assert long == {}


def test_no_module_is_a_drawer_for_leftovers() -> None:
    drawers = {"utils", "util", "helpers", "misc", "common"}

    assert [name for name in tracked() if Path(name).stem in drawers] == []


def test_nothing_that_a_build_makes_is_tracked() -> None:
    built = ("node_modules/", "lib/", "exeds_lab/labextension/", "dist/", "work/")

    assert [name for name in tracked() if name.startswith(built)] == []


def test_a_to_do_names_its_issue() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX)\b(?!.*(#\d+|https?://))")
    code = [n for n in tracked() if is_code(n) and n != "tests/test_repository.py"]

    assert lines_matching(marks, code) == []


def test_the_changelog_knows_the_version() -> None:
    version = re.search(r'"version": "([^"]+)"', text_of("package.json"))

    assert version is not None
    assert f"## {version[1]}" in text_of("CHANGELOG.md")
