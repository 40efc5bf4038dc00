"""The code in a model's reply.

A reply is prose around code, or the other way round. What counts as code compiles as a notebook
cell; everything else ends in a problem told in words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from exeds_lab.generate.blocks import Block, blocks, from_json, normalise, without_thinking
from exeds_lab.generate.cell import parsed
from exeds_lab.generate.clean import Extracted, read
from exeds_lab.generate.unfenced import code_in_prose, whole_code

__all__ = ["Extracted", "extract"]

_LONGEST = 100_000
"""Characters above which a reply is not searched: no cell is that long."""
_NOT_PYTHON = frozenset(
    re.findall(
        r"\S+",
        """
        bash sh shell zsh console cmd powershell ps1 bat terminal output out stdout
        result text txt json jsonl yaml yml toml ini csv tsv sql html css xml javascript
        js typescript ts r julia latex tex math mermaid markdown md none log table
        """,
    )
)
"""Names of fences that promise something else."""
_SHELL = re.compile(r"^\s*(?:\$ ?)?(?:pip3?|conda|mamba|uv|apt|apt-get|brew|jupyter|python3?) ")
_REFUSAL = re.compile(
    r"\b(?:sorry|apologi[sz]e|unable to|(?:can|could)(?: ?not|n['\u2019]t)|won['\u2019]t"
    r"|as an ai)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:usage|how to use|to use (?:it|this)|try it|test (?:it|this|with)|tests?:"
    r"|(?:sample|example|dummy|test) (?:data|input|output|result)"
    r"|(?:expected |example )?output(?:s|ted)?(?: is| will| looks| should)|output:"
    r"|(?:which|this|it) (?:gives|yields|returns|prints|outputs)"
    r"|will (?:give|show|look|return|print|output)|original (?:code|version|was))",
    re.IGNORECASE,
)
"""Prose above a block that shows how to use the code, or what it prints."""
_ALTERNATIVE = re.compile(
    r"\balternativ|\banother (?:way|option|approach)|^\s*or\b|\b(?:option|method|approach"
    r"|version|solution)\s*(?:#\s*)?(?:[2-9]|b|two|three)\b|\bequivalent|\binstead[,.:]"
    r"|\b(?:can|could) also\b|\bif you prefer\b|\b(?:shorter|more concise) (?:way|version)",
    re.IGNORECASE,
)
_FINAL = re.compile(
    r"\b(?:final|complete|full|whole|corrected|correction|fixed|improved|revised|updated)\b"
    r"|\b(?:all|everything) together\b|\bin one (?:cell|go|block)\b",
    re.IGNORECASE,
)


def extract(reply: str, finished: bool) -> Extracted:
    """The code in `reply`.

    Args:
        reply: what the model wrote.
        finished: whether it came to its own end; a reply cut off is never code.
    """
    if not finished:
        return Extracted("", "The reply was cut off before it was complete.")
    if len(reply) > _LONGEST:
        return Extracted("", f"The reply is too long for a cell: {len(reply):,} characters.")
    spoken = without_thinking(normalise(reply)).strip("\n")
    if not spoken.strip():
        what = "is empty" if not reply.strip() else "holds only the model's thinking"
        return Extracted("", f"The reply {what}.")
    found = _from_text(spoken)
    if found.problem is None and _says_nothing(found.code):
        return Extracted("", "The code holds nothing but comments.")
    return found


def _from_text(text: str) -> Extracted:
    in_json = from_json(text.strip())
    if in_json is not None:
        return read(in_json)
    if (whole := whole_code(text)) is not None:
        return Extracted(whole, None)
    found = blocks(text)
    fenced = _from_blocks(found)
    if fenced is not None and (fenced.problem is None or any(b.promises_python for b in found)):
        return fenced
    bare = code_in_prose(text)
    return bare or fenced or Extracted("", _no_code(text))


def _from_blocks(found: tuple[Block, ...]) -> Extracted | None:
    """The code of the most promising blocks; None when no block could be code."""
    tiers = (
        [b for b in found if b.promises_python or b.is_diff],
        [b for b in found if b.is_nameless and not _is_output(b, found)],
        [b for b in found if not (b.promises_python or b.is_nameless) and not _is_other(b)],
        [b for b in found if b.language in ("text", "txt", "markdown", "md")],
        [b for b in found if b.language == "json" and from_json(b.text.strip()) is not None],
    )
    problem: Extracted | None = None
    for tier in tiers:
        got = _joined(_chosen([b for b in tier if not _is_shell(b.text)]))
        if got is not None and got.problem is None:
            return got
        problem = problem or got
    return problem


def _is_other(block: Block) -> bool:
    return block.language in _NOT_PYTHON or block.is_diff


def _is_shell(text: str) -> bool:
    return all(_SHELL.match(line) for line in text.strip().split("\n"))


def _is_output(block: Block, found: tuple[Block, ...]) -> bool:
    """A nameless block beside others that holds literals alone: the printed result."""
    tree = parsed(block.text.strip())
    literal = tree is not None and all(_is_literal(node) for node in tree.body)
    return literal and len(found) > 1


def _is_literal(node: ast.stmt) -> bool:
    allowed = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.USub)
    return isinstance(node, ast.Expr) and all(
        isinstance(part, (*allowed, ast.Load)) for part in ast.walk(node.value)
    )


def _chosen(tier: Sequence[Block]) -> list[Block]:
    """Those that together are the answer: without asides, alternatives and repetitions."""
    leads = [block.before.strip().split("\n")[-1] for block in tier]
    main = [b for b, lead in zip(tier, leads, strict=True) if not _ASIDE.search(lead)]
    finals = [b for b, lead in zip(tier, leads, strict=True) if _FINAL.search(lead) and b in main]
    if finals:
        main = main[main.index(finals[-1]) :]
    kept = _up_to_alternative(main or list(tier[:1]))
    return [block for block in kept if not _is_repeated(block, kept)]


def _up_to_alternative(main: list[Block]) -> list[Block]:
    for place, block in enumerate(main):
        if place and _ALTERNATIVE.search(block.before.strip().split("\n")[-1]):
            return main[:place]
    return main


def _is_repeated(block: Block, kept: list[Block]) -> bool:
    """Whether another block says all this and more; of two equal ones the first stays."""
    lines = _content(block)
    place = next(at for at, other in enumerate(kept) if other is block)
    return any(
        lines < _content(other) or (lines == _content(other) and at < place)
        for at, other in enumerate(kept)
    )


def _content(block: Block) -> frozenset[str]:
    return frozenset(line.strip() for line in block.text.split("\n") if line.strip())


def _joined(chosen: list[Block]) -> Extracted | None:
    parts = [
        read(from_json(block.text.strip()) or block.text, block.is_diff)
        for block in chosen
        if block.text.strip()
    ]
    problems = [part for part in parts if part.problem is not None]
    if problems or not parts:
        return problems[0] if problems else None
    return Extracted("\n\n".join(part.code for part in parts), None)


def _says_nothing(code: str) -> bool:
    tree = parsed(code)
    return tree is not None and not tree.body


def _no_code(text: str) -> str:
    quote = " ".join(text.split())
    quote = quote if len(quote) <= 160 else quote[:159] + "\u2026"
    verb = "The model declined" if _REFUSAL.search(text) else "The reply holds no code"
    return f"{verb}: \u201c{quote}\u201d"
