"""Tracebacks that start at the candidate."""

from __future__ import annotations

import linecache

from exeds_lab.kernel.tracebacks import CANDIDATE, Failure, failure

FILES = {"<cell 7>": CANDIDATE, "<cell 1>": "Cell In[1]"}


def raised(source: str, names: dict[str, object] | None = None, skipped: int = 0) -> Failure:
    """Run a candidate and describe what it raised."""
    linecache.cache["<cell 7>"] = (len(source), None, source.splitlines(keepends=True), "<cell 7>")
    try:
        exec(compile(source, "<cell 7>", "exec"), names or {})
    except (ArithmeticError, LookupError, RuntimeError, SyntaxError, UserWarning) as error:
        return failure(error, FILES, skipped)
    raise AssertionError("nothing was raised")


def test_the_frames_above_the_candidate_are_left_out() -> None:
    source = "def f():\n    return [][0]\nf()\n"

    assert raised(source) == Failure(
        ename="IndexError",
        evalue="list index out of range",
        traceback=[
            "Traceback (most recent call last):",
            '  File "candidate", line 3, in <module>',
            "    f()",
            '  File "candidate", line 2, in f',
            "    return [][0]",
            "IndexError: list index out of range",
        ],
        line=2,
    )


def test_blank_lines_that_were_cut_off_count() -> None:
    found = raised("1 / 0\n", skipped=3)

    assert found.line == 4
    assert found.traceback[1] == '  File "candidate", line 4, in <module>'


def test_a_syntax_error_points_at_its_line() -> None:
    found = raised("x = 1\ny = = 2\n")

    assert (found.ename, found.line) == ("SyntaxError", 2)
    assert found.traceback[0] == '  File "candidate", line 2'


def test_a_cause_is_told_too() -> None:
    source = "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise KeyError('k') from e\n"

    found = raised(source)

    assert found.ename == "KeyError"
    assert "ZeroDivisionError: division by zero" in found.traceback
    assert found.traceback[-1] == "KeyError: 'k'"


def test_an_exception_whose_text_raises_is_described_all_the_same() -> None:
    source = "class E(UserWarning):\n    def __str__(self): return 1 / 0\nraise E\n"

    found = raised(source)

    assert (found.ename, found.line) == ("E", 3)
    assert found.evalue == "<its text raised ZeroDivisionError>"


def test_a_deep_recursion_is_short() -> None:
    found = raised("def f():\n    f()\nf()\n")

    assert found.ename == "RecursionError"
    assert len(found.traceback) < 20
