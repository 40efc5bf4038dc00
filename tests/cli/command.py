"""The installed command `exeds-lab`, without installing it."""

from __future__ import annotations

from exeds_lab.cli.main import main

main()
