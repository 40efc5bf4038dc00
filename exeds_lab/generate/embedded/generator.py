"""The generator that needs no key and no network: a search first, then a small local model."""

from __future__ import annotations

import ast
import time
from collections.abc import AsyncIterator

from exeds_lab.config import EmbeddedSettings
from exeds_lab.errors import GeneratorError
from exeds_lab.generate.embedded import labels
from exeds_lab.generate.embedded.searching import Findings, Question, question_of, search
from exeds_lab.generate.generator import GenerationEvent, GenerationJob
from exeds_lab.model.candidate import Candidate, GeneratorInfo
from exeds_lab.model.record import content_id


class EmbeddedGenerator:
    """Useful candidates with no key and no network.

    The search needs a kernel and a declared value or table; the local model needs its weights.
    Closing the iterator ends the search's fork and the model's request at once.
    """

    def __init__(self, settings: EmbeddedSettings) -> None:
        self._settings = settings

    @property
    def info(self) -> GeneratorInfo:
        """Who this is."""
        return labels.EMBEDDED

    async def generate(self, job: GenerationJob) -> AsyncIterator[GenerationEvent]:
        """Yield the search's programs as soon as they are there, then the model's answers.

        Raises:
            GeneratorError: neither of the two can serve, or neither found anything (layer
                `local`).
        """
        started = time.monotonic()
        question = question_of(job.task, job.expectation)
        findings = await self._search(job, question)
        seen: set[str] = set()
        for program in findings.programs if findings is not None else ():
            if len(seen) < job.count and _is_new(program.code, seen):
                yield _found(program.code, len(seen) - 1, findings, time.monotonic() - started)
        if not seen:
            raise _nothing(question, findings)

    async def close(self) -> None:
        """End what it holds: connections, processes."""

    async def _search(self, job: GenerationJob, question: Question | None) -> Findings | None:
        if question is None or job.run is None:
            return None
        return await search(question, job.run, self._settings.search_s)


def _is_new(code: str, seen: set[str]) -> bool:
    """Whether no program with this syntax tree was given before; notes it."""
    tree = ast.dump(ast.parse(code))
    if tree in seen:
        return False
    seen.add(tree)
    return True


def _found(code: str, index: int, findings: Findings | None, duration_s: float) -> Candidate:
    others = findings.fitting - 1 if findings is not None else 0
    return Candidate(
        id=content_id(code, labels.SEARCH.model),
        index=index,
        code=code,
        reply=code,
        problem=None,
        generator=labels.SEARCH,
        note=labels.others_fit(others),
        temperature=None,
        usage=None,
        duration_s=duration_s,
    )


def _nothing(question: Question | None, findings: Findings | None) -> GeneratorError:
    """Why there is no candidate at all."""
    next_step = "Get the local model with `exeds-lab model get`, or set an endpoint."
    if question is None:
        reason = "The built-in search needs a whole expected value or table, and none is declared."
        next_step = f"Declare what should come out. {next_step}"
    elif findings is None:
        reason = "The built-in search needs a running kernel."
    elif findings.problem is not None:
        reason = findings.problem
    else:
        reason = (
            f"The built-in search tried {findings.tried:,} expressions and none gave the expected "
            "result."
        )
    return GeneratorError(reason, next_step, layer="local", retryable=False)
