"""The generator that needs no key and no network: a search first, then a small local model."""

from __future__ import annotations

import ast
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

from exeds_lab.config import EmbeddedSettings
from exeds_lab.errors import GeneratorError
from exeds_lab.generate.embedded import labels
from exeds_lab.generate.embedded.local import LocalModel
from exeds_lab.generate.embedded.searching import Findings, Program, question_of, search
from exeds_lab.generate.generator import GenerationEvent, GenerationJob, TextDelta
from exeds_lab.model.candidate import Candidate, GeneratorInfo
from exeds_lab.model.record import content_id


@dataclass
class _Given:
    """What was given so far."""

    trees: set[str] = field(default_factory=set)
    """Syntax trees of the code."""
    count: int = 0

    def is_new(self, code: str) -> bool:
        """Whether no code with this syntax tree was given; notes it."""
        tree = _tree(code) if code else f"none {self.count}"
        known = tree in self.trees
        self.trees.add(tree)
        return not known


def _tree(code: str) -> str:
    """The syntax tree as text; of a cell with magics, which is no plain Python, the cell itself."""
    try:
        return ast.dump(ast.parse(code))
    except SyntaxError:
        return code


class EmbeddedGenerator:
    """Useful candidates with no key and no network.

    The search needs a kernel and a declared value or table; the local model needs its weights.
    Closing the iterator ends the search's fork and the model's request at once; the model's
    process stays for the next request and is ended by `close` or after a while.
    """

    def __init__(self, settings: EmbeddedSettings) -> None:
        self._settings = settings
        self._model = LocalModel(settings)

    @property
    def info(self) -> GeneratorInfo:
        """Who this is: the search, and the local model where it can serve."""
        ready = self._model.obstacle() is None
        return labels.embedded_with(self._model.name) if ready else labels.EMBEDDED

    async def generate(self, job: GenerationJob) -> AsyncIterator[GenerationEvent]:
        """Yield the search's programs as soon as they are there, then the model's answers.

        Raises:
            GeneratorError: neither of the two can serve, or neither found anything (layer
                `local`).
        """
        started = time.monotonic()
        obstacle = self._model.obstacle()
        findings = await self._search(job)
        given = _Given()
        for program in _chosen(findings, job.count, with_model=obstacle is None):
            if given.is_new(program.code):
                note = _note(findings, obstacle)
                yield _found(program, given.count, note, time.monotonic() - started)
                given.count += 1
        if obstacle is None:
            async for event in self._answers(job, given):
                yield event
        elif given.count == 0:
            raise _nothing(job, findings, obstacle)

    async def close(self) -> None:
        """End what it holds: connections, processes."""
        await self._model.close()

    async def _search(self, job: GenerationJob) -> Findings | None:
        """What the search found; None when it cannot be asked."""
        question = question_of(job.task, job.expectation)
        if question is None or job.run is None:
            return None
        return await search(question, job.run, self._settings.search_s)

    async def _answers(self, job: GenerationJob, given: _Given) -> AsyncIterator[GenerationEvent]:
        """The model's answers, without those that were given already."""
        first = given.count
        if first >= job.count:
            return
        wanted = replace(job, count=job.count - first)
        async with contextlib.aclosing(self._model.generate(wanted)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    yield TextDelta(first + event.index, event.text)
                elif given.is_new(event.code):
                    given.count += 1
                    yield event.model_copy(update={"index": first + event.index})


def _chosen(findings: Findings | None, count: int, with_model: bool) -> tuple[Program, ...]:
    """The search's share of the candidates: the model is left at least one place of several."""
    if findings is None:
        return ()
    return findings.programs[: max(1, count - 1) if with_model else count]


def _note(findings: Findings | None, obstacle: str | None) -> str:
    others = labels.others_fit(findings.fitting - 1 if findings is not None else 0)
    return f"{others} {obstacle}" if obstacle and "memory" in obstacle else others


def _found(program: Program, index: int, note: str, duration_s: float) -> Candidate:
    return Candidate(
        id=content_id(program.code, labels.SEARCH.model),
        index=index,
        code=program.code,
        reply=program.code,
        problem=None,
        generator=labels.SEARCH,
        note=note,
        temperature=None,
        usage=None,
        duration_s=duration_s,
    )


def _nothing(job: GenerationJob, findings: Findings | None, obstacle: str) -> GeneratorError:
    """Why there is no candidate at all, and what would help."""
    next_step = "Get the local model with `exeds-lab model get`, or set an endpoint."
    if findings is None and job.run is None:
        reason = "The built-in search needs a running kernel."
    elif findings is None:
        reason = (
            "The built-in search needs a whole expected value or table and a variable to start "
            "from."
        )
        next_step = f"Declare what should come out. {next_step}"
    elif findings.problem is not None:
        reason = findings.problem
    else:
        reason = (
            f"The built-in search tried {findings.tried:,} expressions and none gave the expected "
            "result."
        )
    return GeneratorError(f"{reason} {obstacle}", next_step, layer="local", retryable=False)
