"""A complete reply made into a candidate."""

from __future__ import annotations

from exeds_lab.generate.extract import extract
from exeds_lab.model.candidate import Candidate, GeneratorInfo, Usage
from exeds_lab.model.record import content_id


def candidate_from(
    reply: str,
    *,
    index: int,
    generator: GeneratorInfo,
    duration_s: float,
    problem: str | None = None,
    note: str | None = None,
    temperature: float | None = None,
    usage: Usage | None = None,
) -> Candidate:
    """The candidate that a reply holds.

    Args:
        reply: what the model wrote, whole.
        index: 0-based place in the attempt.
        generator: who wrote it.
        duration_s: seconds from request to complete reply.
        problem: why the reply must not count as code, e.g. that it was cut off; None: its code is
            looked for.
        note: what the generator says of it.
        temperature: the temperature asked for; None when none was.
        usage: tokens; None when unknown.
    """
    code, in_words = ("", problem) if problem is not None else extract(reply, finished=True)
    # Replies without code differ, so what makes them different is their identity.
    identity = (code,) if code else ("", reply, str(index))
    return Candidate(
        id=content_id(*identity, generator.model),
        index=index,
        code=code,
        reply=reply,
        problem=in_words,
        generator=generator,
        note=note,
        temperature=temperature,
        usage=usage,
        duration_s=duration_s,
    )
