"""`lectern migrate`: the schema."""

from pathlib import Path
from typing import Annotated

import typer

from lectern.cli.console import results, show_json
from lectern.cli.installation import connected
from lectern.settings import load_settings


def migrate(
    data_dir: Annotated[Path | None, typer.Option(help="Data folder of the installation.")] = None,
    is_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
) -> None:
    """Bring the database to the version of this code; safe to repeat."""
    from lectern.migrations import runner

    with connected(load_settings(), data_dir) as installation:
        runner.migrate(installation.owner_url)
    revision = runner.head_revision()
    if is_json:
        show_json({"revision": revision})
    else:
        results.print(f"The database is at revision {revision}.")
