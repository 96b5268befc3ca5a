"""`lectern migrate`: the schema, and a table for the embeddings of each configured model."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from lectern.cli.console import results, show_json
from lectern.cli.installation import connected
from lectern.cli.options import DataDir, Json
from lectern.cli.services.create_secrets import create_secrets, forget_replaced_key
from lectern.cli.services.waiting import wait_for_database
from lectern.settings import Settings, load_settings


def migrate(
    data_dir: DataDir = None,
    wait_seconds: Annotated[float, typer.Option(help="Seconds to wait for a database that is starting.")] = 0,
    creates_secrets: Annotated[
        bool, typer.Option("--create-secrets", help="First generate missing secrets for containers, in /run/lectern.")
    ] = False,
    is_json: Json = False,
) -> None:
    """Update the database to the version of this code. Safe to repeat."""
    if creates_secrets:
        create_secrets()
    settings = load_settings()
    if creates_secrets:
        forget_replaced_key(overlap=timedelta(days=settings.accounts.refresh_token_days))
    with connected(settings, data_dir) as installation:
        wait_for_database(installation.owner_url, seconds=wait_seconds)
        revision = update_schema(settings, installation.owner_url)
    if is_json:
        show_json({"revision": revision})
    else:
        results.print(f"The database is at revision {revision}.")


def update_schema(settings: Settings, owner_url: str) -> str:
    """Migrate, create the tables of the models' embeddings, and return the revision.

    Raises:
        DatabaseTooNew, DatabaseTooOld: This version cannot migrate the database.
        EmbeddingsMisconfigured: LECTERN_EMBEDDINGS or LECTERN_EMBEDDINGS_NEXT names no usable model.
    """
    from lectern.db.migrations import runner
    from lectern.embeddings.generations import prepare_generation
    from lectern.embeddings.registry import create_models

    runner.migrate(owner_url)
    for model in create_models(settings.embeddings, model_dir=settings.embeddings.model_dir or Path()):
        prepare_generation(owner_url, model.info)
    return runner.head_revision()
