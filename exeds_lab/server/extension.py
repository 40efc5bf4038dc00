"""The server extension: registers the routes, imports almost nothing.

Loading it must stay far under 0.1 s, so records, pandas and clients of models are imported at the
first request (`tests/server/test_startup.py` holds the list).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exeds_lab.server.gate import handlers
from exeds_lab.server.settings import ExedsLab

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp


def _load_jupyter_server_extension(server_app: ServerApp) -> None:
    settings = ExedsLab(parent=server_app)
    settings.take_environment()
    web_app: Any = server_app.web_app
    web_app.settings["exeds_lab_settings"] = settings
    web_app.add_handlers(".*$", handlers(web_app.settings["base_url"]))
    server_app.log.info("exeds_lab: server extension loaded")
