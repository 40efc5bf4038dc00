"""Plain tracebacks that start at the candidate: what a person needs, and fast.

IPython's own coloured ones need seconds for a deep recursion, and show frames of its machinery.
"""

from __future__ import annotations

import contextlib
import traceback
from typing import Any, NamedTuple

CANDIDATE = "candidate"
"""What the file of the code under trial is called in a traceback."""
_OURS = "<" + __name__.rpartition(".")[0]
"""How the names of our own files begin, in the kernel."""
_MAX_LINES = 200
_MAX_TEXT = 4_000


class Failure(NamedTuple):
    """An exception as an Execution reports it."""

    ename: str
    evalue: str
    traceback: list[str]
    line: int | None
    """1-based line of the candidate; None when it is not known."""


def failure(error: BaseException, files: dict[str, str], skipped: int) -> Failure:
    """Describe an exception.

    Args:
        error: what was raised.
        files: file name of a cell's code -> how to call it; the candidate's maps to `CANDIDATE`.
        skipped: blank lines that IPython cut off the top of the candidate.
    """
    lines = ["Traceback (most recent call last):"]
    with contextlib.suppress(Exception):
        lines = _lines(error, files, skipped)
    line = _line(error, files)
    return Failure(
        ename=type(error).__name__,
        evalue=_text(error),
        traceback=[line[:_MAX_TEXT] for line in lines[:_MAX_LINES]],
        line=None if line is None else line + skipped,
    )


def _lines(error: BaseException, files: dict[str, str], skipped: int) -> list[str]:
    report = traceback.TracebackException.from_exception(error, limit=None, capture_locals=False)
    if not any(frame.filename in files for frame in report.stack):
        report.stack = traceback.StackSummary()  # it never ran: these are IPython's own frames
    current: traceback.TracebackException | None = report
    seen = 0
    while current is not None and seen < 10:
        _rename(current, files, skipped)
        current, seen = current.__cause__ or current.__context__, seen + 1
    return "".join(report.format()).rstrip("\n").split("\n")


def _rename(report: traceback.TracebackException, files: dict[str, str], skipped: int) -> None:
    """Drop the frames above the candidate and give cells their names."""
    names = [frame.filename for frame in report.stack]
    first = next((i for i, name in enumerate(names) if name in files), 0)
    kept = []
    for frame in list(report.stack)[first:]:
        name = files.get(frame.filename)
        if frame.filename.startswith(_OURS):
            continue
        if name is None:
            kept.append(frame)
        else:
            # `line` is read now: under its new name the source cannot be found any more.
            number = (frame.lineno or 0) + (skipped if name == CANDIDATE else 0)
            kept.append(traceback.FrameSummary(name, number, frame.name, line=frame.line))
    report.stack = traceback.StackSummary.from_list(kept)
    if getattr(report, "filename", None) in files:
        report.filename = files[report.filename]
        if report.filename == CANDIDATE and report.lineno:
            report.lineno = str(int(report.lineno) + skipped)


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_MAX_TEXT]
    except BaseException as problem:
        return f"<its text raised {type(problem).__name__}>"


def _line(error: BaseException, files: dict[str, str]) -> int | None:
    candidates = {name for name, shown in files.items() if shown == CANDIDATE}
    if isinstance(error, SyntaxError) and error.filename in candidates:
        return error.lineno
    found: int | None = None
    step: Any = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename in candidates:
            found = step.tb_lineno
        step = step.tb_next
    return found
