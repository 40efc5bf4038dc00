"""exeds-lab: code you can check before you keep it."""

from __future__ import annotations

try:
    from exeds_lab._version import __version__
except ImportError:  # a source tree that was never built
    __version__ = "0+unknown"

__all__ = ["__version__"]


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "exeds-lab"}]


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "exeds_lab.server.extension"}]
