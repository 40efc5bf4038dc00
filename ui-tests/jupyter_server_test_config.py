"""Server configuration for the UI tests only: it removes all protections."""

import os

from jupyterlab.galata import configure_jupyter_server

c = get_config()  # noqa: F821
configure_jupyter_server(c)
c.ServerApp.port = int(os.environ.get("EXEDS_UI_PORT", "18888"))
c.ServerApp.ip = "127.0.0.1"
c.ServerApp.allow_root = True
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"
c.JupyterNotebookApp.expose_app_in_browser = True
