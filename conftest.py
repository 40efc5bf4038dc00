"""What every test may ask for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings

# The same examples every time, so that a change alone turns a test red. To explore further:
# pytest --hypothesis-profile=default
settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

pytest_plugins = ("pytest_jupyter.jupyter_server",)


@pytest.fixture
def jp_server_config() -> dict[str, Any]:
    """A Jupyter server with the extension loaded, and no handler open to strangers."""
    return {
        "ServerApp": {
            "jpserver_extensions": {"exeds_lab": True},
            "allow_unauthenticated_access": False,
        }
    }
