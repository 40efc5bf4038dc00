"""The code in a model's reply, whatever the reply looks like."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exeds_lab.generate.cell import syntax_problem
from exeds_lab.generate.extract import Extracted, extract
from tests.generate.replies import CODE, PROBLEM


@pytest.mark.parametrize(("reply", "code"), CODE.values(), ids=CODE.keys())
def test_the_code_is_read_from(reply: str, code: str) -> None:
    assert extract(reply, finished=True) == Extracted(code, None)


@pytest.mark.parametrize(("reply", "problem"), PROBLEM.values(), ids=PROBLEM.keys())
def test_a_reply_without_usable_code_says_why(reply: str, problem: str) -> None:
    assert extract(reply, finished=True) == Extracted("", problem)


def test_a_reply_that_was_cut_off_is_never_code() -> None:
    expected = Extracted("", "The reply was cut off before it was complete.")
    assert extract("```python\nx = 1\n```", finished=False) == expected


@pytest.mark.parametrize(("reply", "code"), CODE.values(), ids=CODE.keys())
def test_code_is_read_as_itself(reply: str, code: str) -> None:
    """What was extracted once is not changed when it is extracted again."""
    assert extract(code, finished=True) == Extracted(code, None)


ENDLESS = {
    "sentences around a mistake": "Sure.\n" * 200 + "x = (\n" + "Sure.\n" * 200,
    "lines that might be code": "value = the one that (we had\n" * 3000,
    "open fences": "```\nfoo bar\n" * 3000,
    "documents in documents": "````markdown\n```markdown\n" * 2000,
    "strings in fences": "```python\n" + '"""\n```\n' * 9000,
    "open tags": "<pre>" * 19_000,
    "thinking that ends too often": "x\n" * 40_000 + "</think" * 9,
    "template tokens": "<|a|>" * 19_000 + "b",
    "blanks": " " * 90_000 + "x y",
    "prompts": ">>> x\n" * 14_000,
    "questions": "Which " * 16_000 + "?",
    "numbered lines": "1 a\n" * 20_000,
    "a diff": "@@ -1 +1 @@\n" + "+x\n" * 30_000,
    "magics": "%a\n" * 30_000,
    "brackets": "[" * 99_000,
    "a sum": "x = " + "1+" * 45_000 + "1",
}


@pytest.mark.parametrize("reply", ENDLESS.values(), ids=ENDLESS.keys())
def test_no_reply_holds_up_the_server(reply: str) -> None:
    """Each takes well under a second; what grows with the square of the reply takes minutes."""
    began = time.process_time()
    extract(reply, finished=True)
    assert time.process_time() - began < 5


def test_a_reply_too_long_for_a_cell_is_not_searched() -> None:
    expected = Extracted("", "The reply is too long for a cell: 100,001 characters.")
    assert extract("x" * 100_001, finished=True) == expected


@pytest.mark.parametrize("code", ["(" * 5000 + ")" * 5000, "x = '\0'", "x = '\ud800'", "9" * 5000])
def test_what_the_compiler_chokes_on_is_a_problem_like_any_other(code: str) -> None:
    extracted = extract(f"```python\n{code}\n```", finished=True)
    assert extracted.code == ""
    assert extracted.problem is not None


FRAGMENTS = st.sampled_from(
    [
        *("```", "```python\n", "~~~", "````md\n", "\n", "\n\n", "    ", "\t", "> ", "- "),
        *("x = 1", "for x in y:", "return", "df.sum()", '"""', "'''python\n", "(", ")", "# a"),
        *(">>> ", "In [1]: ", "Out[1]: 3", "Sorry", "Here it is: ", "<think>", "</think>"),
        *("\u00a0", "\u201c", "{", '"code": "', "@@ ", "+", "-", "%%time\n", "!ls", "a?", "`x`"),
        *("<pre>", "[PYTHON]", "\r\n", "\\n", "&lt;", "\0", "\ud800"),
    ]
)


@given(st.lists(FRAGMENTS, max_size=12).map("".join))
def test_every_reply_gives_either_code_that_compiles_or_a_problem(reply: str) -> None:
    code, problem = extract(reply, finished=True)
    assert (code == "") is (problem is not None)
    assert syntax_problem(code) is None
