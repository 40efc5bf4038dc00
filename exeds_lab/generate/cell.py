"""Does a text compile as a notebook cell?"""

from __future__ import annotations

import ast
import re
import warnings

_PROSE_QUESTION = re.compile(r"^[ \t]*\w+[,']?(?:[ \t]+[\w',]+)+\?[ \t]*$", re.MULTILINE)
"""A sentence that ends in a question mark. IPython would read `Which one do you mean?` as a call
for help on `mean`."""

_MAGIC = re.compile(r"^[ \t]*[%!]|[?][ \t]*$|=[ \t]*[%!]", re.MULTILINE)

_MOST_WORK = 200_000
"""Characters times magics of the longest cell that IPython is asked about: it reads the whole cell
again for each magic, so thousands of them would take minutes."""


def syntax_problem(code: str) -> str | None:
    """Why `code` is not a cell that can run: the line and what is wrong there; None when it is.

    Top-level await is allowed; magics (`%`, `!`, `?`) are when IPython is importable.
    """
    if question := _PROSE_QUESTION.search(code):
        line = code.count("\n", 0, question.start()) + 1
        return f"line {line} is a sentence: {_quoted(question.group())}"
    try:
        _tree(_plain_python(code))
    except SyntaxError as error:
        return _described(error, code)
    except (ValueError, RuntimeError, MemoryError, OverflowError) as error:
        return f"it cannot be compiled ({type(error).__name__}: {error})"
    return None


def parsed(code: str) -> ast.Module | None:
    """The syntax tree of a cell, magics turned into calls; None when it does not compile."""
    return None if syntax_problem(code) is not None else _tree(_plain_python(code))


def is_statement(line: str) -> bool:
    """Whether a line alone is a statement, be it one that only a function may hold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(line)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _tree(code: str) -> ast.Module:
    with warnings.catch_warnings():
        # A `\d` in a plain string is the candidate's business, not ours.
        warnings.simplefilter("ignore")
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        tree = compile(code, "<cell>", "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        # The tree alone would let a `return` outside a function through.
        compile(code, "<cell>", "exec", flags, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    return tree


def _plain_python(code: str) -> str:
    magics = len(_MAGIC.findall(code))
    if not 0 < magics * len(code) <= _MOST_WORK:
        return code
    try:
        # Only code with magics needs IPython, which is slow to load.
        from IPython.core.inputtransformer2 import TransformerManager  # noqa: PLC0415
    except ImportError:
        return code
    manager = TransformerManager()  # type: ignore[no-untyped-call]
    return str(manager.transform_cell(code))


def _described(error: SyntaxError, code: str) -> str:
    lines = code.split("\n")
    number = min(max(error.lineno or 1, 1), len(lines))
    return f"line {number}: {error.msg}: {_quoted(lines[number - 1])}"


def _quoted(line: str) -> str:
    text = "".join(char for char in line.strip() if char.isprintable() or char == "\t")
    return f"`{text if len(text) <= 80 else text[:79] + '…'}`"
