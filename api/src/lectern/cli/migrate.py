"""`lectern migrate`: the schema."""

import time
from pathlib import Path
from typing import Annotated, Final

import psycopg
import typer

from lectern.cli.console import results, show_json
from lectern.cli.installation import connected
from lectern.settings import load_settings

RETRY_SECONDS: Final = 0.5


def migrate(
    data_dir: Annotated[Path | None, typer.Option(help="Data folder of the installation.")] = None,
    wait_seconds: Annotated[float, typer.Option(help="Wait so long for a database that is still starting.")] = 0,
    is_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
) -> None:
    """Bring the database to the version of this code; safe to repeat."""
    from lectern.migrations import runner

    with connected(load_settings(), data_dir) as installation:
        wait_for_database(installation.owner_url, seconds=wait_seconds)
        runner.migrate(installation.owner_url)
    revision = runner.head_revision()
    if is_json:
        show_json({"revision": revision})
    else:
        results.print(f"The database is at revision {revision}.")


def wait_for_database(url: str, *, seconds: float) -> None:
    """Return as soon as the database lets the role in, or at once for 0 seconds.

    Raises:
        psycopg.OperationalError: It did not within this time, or it refuses the role or the password.
    """
    from lectern.db.engine import libpq_url

    until = time.monotonic() + seconds
    while seconds:
        try:
            psycopg.connect(libpq_url(url), connect_timeout=5).close()
        except psycopg.OperationalError as error:
            is_refused = "FATAL" in str(error) and "starting up" not in str(error)  # connecting gives no SQLSTATE
            if is_refused or time.monotonic() > until:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return
