"""What every test may ask for."""

from __future__ import annotations

from typing import Any

import pytest

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
