"""``forty5sim conformance COMMAND``: does another engine play by the rules? See conformance/."""

from __future__ import annotations

import runpy
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

SETTINGS = {"ignore_unknown_options": True, "help_option_names": []}
"""All options belong to the runner, ``--help`` too."""


def command(
    arguments: Annotated[list[str] | None, typer.Argument(help="see --help")] = None,
) -> None:
    """Test an engine in any language: the command that starts it, then options (see --help)."""
    runner = runpy.run_path(str(_folder() / "run.py"), run_name="forty5sim_conformance")
    raise SystemExit(runner["main"](arguments or [], program="forty5sim conformance"))


def _folder() -> Path:
    """Return the folder of the suite: in the installed package, else beside it in a clone."""
    package = Path(str(resources.files("forty5sim")))
    installed = package / "conformance"
    return installed if installed.is_dir() else package.parent / "conformance"
