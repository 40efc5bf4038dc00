"""Asking objects of the user's about themselves, when they may raise, hang or lie."""

from __future__ import annotations

import signal
import threading
from typing import Any, Callable

REPR_SECONDS = 0.5
"""The longest that an object's own `repr` may take."""
LIBRARY_SECONDS = 5.0
"""The longest that a library may take over a bounded head of a value, on a busy machine."""


class _TooSlowError(BaseException):
    """Raised by the alarm; a BaseException, so that `except Exception` does not swallow it."""


def type_name(value: Any) -> str:
    """The name of a value's real class, whatever its `__class__` says."""
    return clean(type.__getattribute__(type(value), "__name__"))


def module_name(value: Any) -> str:
    """The name of the module of a value's real class; empty when it is not text."""
    try:
        name = type.__getattribute__(type(value), "__module__")
    except Exception:
        return ""
    return clean(name) if type(name) is str else ""


def is_clean_text(text: str) -> bool:
    """Whether text is valid Unicode, without half a surrogate pair."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def clean(text: str) -> str:
    """Text that UTF-8 can carry: half a surrogate pair becomes its escape."""
    return str.encode(text, "utf-8", "backslashreplace").decode("utf-8")


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, the last one `…` when something was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def guarded(call: Callable[[], Any], seconds: float = LIBRARY_SECONDS) -> Any:
    """What a call gives; None when it raises, or takes longer than `seconds` in Python.

    The time limit needs the main thread and an unused SIGALRM; elsewhere there is none.
    """
    if not _alarm_is_free():
        return _or_none(call)
    armed = [True]

    def ring(_signum: int, _frame: Any) -> None:
        if armed[0]:
            raise _TooSlowError

    previous = signal.signal(signal.SIGALRM, ring)
    # It rings again, because code that is not ours may swallow the first one.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        return _or_none(call)
    except BaseException:
        return None
    finally:
        armed[0] = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _or_none(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except BaseException:
        return None


def guarded_repr(value: Any, limit: int) -> str:
    """The `repr` of any object as text of at most `limit` characters, or its class name."""
    text = guarded(lambda: repr(value), REPR_SECONDS)
    if not isinstance(text, str):
        return f"<{type_name(value)}>"
    return clean(shorten(str.__str__(text), limit)) or f"<{type_name(value)}>"


def _alarm_is_free() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
    )
