"""What happens, for the person who waits: on stderr, so that stdout stays the result."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

from exeds_lab.cli.report import headline
from exeds_lab.model.wire import (
    AttemptStarted,
    CandidateReady,
    CandidateText,
    Event,
    PromptReady,
    TrialJudged,
    TrialStarted,
)


class Progress:
    """A moving line while something runs; the verdicts themselves are the result, on stdout.

    On a stream that is no terminal only the generator's label is written.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status: Status | None = None
        self._characters = 0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._status = self._console.status("Starting …")
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def say(self, text: str) -> None:
        """Put `text` on the moving line."""
        if self._status is not None:
            self._status.update(Text(text))

    def hear(self, event: Event) -> None:
        """Show one event of an attempt."""
        if isinstance(event, AttemptStarted):
            self._console.print(Text(event.generator.label, style="dim"))
        elif isinstance(event, PromptReady):
            self.say(f"Waiting for the first answer (prompt of {event.prompt.tokens:,} tokens) …")
        elif isinstance(event, CandidateText):
            self._characters += len(event.delta)
            self.say(f"Writing candidate {event.index + 1} … {self._characters:,} characters")
        elif isinstance(event, CandidateReady):
            self.say(f"Candidate {event.candidate.index + 1} has arrived …")
        elif isinstance(event, TrialStarted):
            self.say(event.waiting or f"Running candidate {event.index + 1} in a fork …")
        elif isinstance(event, TrialJudged):
            self.say(headline(event.trial).plain)
