"""The one table of everything the server answers.

It drives the handlers, `schema/openapi.json` and, through that, the panel's typed client. Records
are named, not imported: the table is read when the server starts, pydantic only at the first
request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NAMESPACE = ("exeds-lab", "api")
"""The path of every route below the server's base URL."""


@dataclass(frozen=True)
class Route:
    """One thing the server answers."""

    operation: str
    """What the client calls it, and the name of the function in `operations.py`."""
    method: Literal["GET", "POST"]
    path: str
    """Below NAMESPACE."""
    body: str | None
    """Name of the record in `model/wire.py` that is sent; None when there is no body."""
    reply: str
    """Name of the record that is answered; of each event when `stream`."""
    stream: bool
    """Whether the answer is a stream of server-sent events."""
    summary: str


ROUTES = (
    Route("status", "GET", "status", None, "StatusReply", False, "What this server can do."),
    Route(
        "variables",
        "POST",
        "variables",
        "VariablesRequest",
        "VariablesReply",
        False,
        "The variables of a kernel, described.",
    ),
    Route(
        "expectation",
        "POST",
        "expectation",
        "ExpectationRequest",
        "ExpectationReply",
        False,
        "Read what the user declared; nothing runs but a look at the kernel.",
    ),
    Route(
        "prompt",
        "POST",
        "prompt",
        "AttemptRequest",
        "Prompt",
        False,
        "Exactly what an attempt would send; nothing is sent.",
    ),
    Route(
        "attempt",
        "POST",
        "attempt",
        "AttemptRequest",
        "Event",
        True,
        "Generate, run apart, compare; the last event is `attempt_finished`.",
    ),
    Route(
        "judge",
        "POST",
        "judge",
        "JudgeRequest",
        "JudgeReply",
        False,
        "A trial seen under another policy, without running again.",
    ),
)
