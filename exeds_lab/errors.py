"""Every exception that exeds-lab raises.

    ExedsError                    a failure of ours: a name, a reason and a next step
    +-- ConfigError               a setting that cannot be used
    +-- ExpectationError          a declared expectation that cannot be read (says where)
    +-- NotebookError             a notebook or a cell that cannot be read or is not there
    +-- KernelError               the kernel cannot check code
    |   +-- KernelNotFound        this server has no such kernel
    |   +-- KernelBusy            it runs something and the wait was given up
    |   +-- KernelDied            it died or was restarted while we waited
    |   +-- KernelUnsupported     not Python, no fork, or too old
    +-- GeneratorError            the model did not answer usefully (names the failing layer)
    +-- ModelFileError            the local model's weights are missing or not the official file

A failure of a *candidate* is not here: it is data, an `Outcome` in an `Execution`.
"""

from __future__ import annotations


class ExedsError(Exception):
    """A failure of ours.

    Args:
        reason: what happened, one sentence.
        next_step: what the user can do about it, one sentence.
    """

    def __init__(self, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.next_step = next_step

    @property
    def name(self) -> str:
        """The class name: what logs, the wire and the interface call this failure."""
        return type(self).__name__


class ConfigError(ExedsError):
    """A setting that cannot be used."""


class ExpectationError(ExedsError):
    """A declared expectation that cannot be read.

    Args:
        reason: what is wrong.
        next_step: how to write it instead.
        line: 1-based line in the text as typed; None when the whole text is meant.
        column: 1-based column in that line; None when the whole line is meant.
    """

    def __init__(
        self, reason: str, next_step: str, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(reason, next_step)
        self.line = line
        self.column = column


class NotebookError(ExedsError):
    """A notebook or a cell that cannot be read or is not there."""


class KernelError(ExedsError):
    """The kernel cannot check code."""


class KernelNotFound(KernelError):
    """This server has no such kernel (any more)."""


class KernelBusy(KernelError):
    """The kernel runs something else and the wait for it was given up."""


class KernelDied(KernelError):
    """The kernel died or was restarted while an answer was awaited."""


class KernelUnsupported(KernelError):
    """This kernel can never check code: not Python, no fork, or too old."""


class GeneratorError(ExedsError):
    """The model did not answer usefully.

    Args:
        reason: what happened.
        next_step: what the user can do.
        layer: the failing layer: dns, connect, proxy, tls, path, key, model, quota, server,
            stream, reply, timeout or local.
        retryable: whether the same request may succeed later without a change of settings.
    """

    def __init__(self, reason: str, next_step: str, layer: str, retryable: bool) -> None:
        super().__init__(reason, next_step)
        self.layer = layer
        self.retryable = retryable


class ModelFileError(ExedsError):
    """The local model's weights are missing, incomplete or not the official file."""
