"""`lectern migrate`: the schema, and a table for the embeddings of each configured model.

`lectern up` does it too when it starts, at no cost if nothing changed.
"""

import hashlib
import re
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final

import psycopg
import typer
from pydantic import BaseModel, ValidationError

import lectern
from lectern.cli.console import show
from lectern.cli.installation import StartedInstallation, connected
from lectern.cli.options import DataDir, Json
from lectern.cli.services.create_secrets import create_secrets, forget_replaced_key
from lectern.cli.services.environment import migration_environment
from lectern.embedded.children import spawn
from lectern.embedded.cluster import read_revision
from lectern.embedded.errors import MigrationFailed
from lectern.settings import Settings, load_settings

RETRY_SECONDS: Final = 0.5
CONNECT_SECONDS: Final = 5
PACKAGE: Final = Path(lectern.__file__).parent


def migrate(
    data_dir: DataDir = None,
    wait_seconds: Annotated[float, typer.Option(min=0, help="Seconds to wait for a database that is starting.")] = 0,
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
    with connected(settings, data_dir, may_create=True) as installation:
        wait_for_database(installation.owner_url, seconds=wait_seconds)
        revision = update_schema(settings, installation.owner_url)
    show({"revision": revision}, f"The database is at revision {revision}.", is_json=is_json)


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


def wait_for_database(url: str, *, seconds: float) -> None:
    """Return as soon as the database accepts the role, or at once for 0 seconds.

    Raises:
        psycopg.OperationalError: It did not within this time, or it refuses the role or the password.
    """
    from lectern.db.engine import libpq_url

    until = time.monotonic() + seconds
    while seconds:
        try:
            psycopg.connect(libpq_url(url), connect_timeout=CONNECT_SECONDS).close()
        except psycopg.OperationalError as error:
            if _is_refusal(error) or time.monotonic() > until:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return


def _is_refusal(error: psycopg.OperationalError) -> bool:
    """Return True if the server answered with a refusal. A failed connection has no SQLSTATE to tell by."""
    return "FATAL" in str(error) and "starting up" not in str(error)


class _Stamp(BaseModel):
    """The code and database of the last migration."""

    code: str
    revision: str


def ensure_schema(settings: Settings, installation: StartedInstallation) -> None:
    """Migrate, unless this code with this model has migrated this database before.

    Migrations run in a process of their own: this one lives long and stays small.

    Raises:
        MigrationFailed: Says what the other process said.
    """
    path = installation.folder.path / "schema.json"
    code = _fingerprint(settings)
    stamp = _read(path)
    if stamp is not None and stamp == _Stamp(code=code, revision=_revision(installation)):
        return
    path.unlink(missing_ok=True)
    _migrate(installation)
    path.write_text(_Stamp(code=code, revision=_revision(installation)).model_dump_json())
    path.chmod(0o600)


def _fingerprint(settings: Settings) -> str:
    """Return a hash that changes with any file of Lectern and any setting of the embedding model."""
    digest = hashlib.sha256(settings.embeddings.model_dump_json().encode())
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.sql")]):
        facts = path.stat()
        digest.update(f"{path}:{facts.st_size}:{facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _read(path: Path) -> _Stamp | None:
    try:
        return _Stamp.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _revision(installation: StartedInstallation) -> str:
    """Return the revision of the database, or an empty string if it has no tables."""
    # `db.engine.libpq_url` would load SQLAlchemy into a process that needs none of it
    url = re.sub(r"^postgres(ql)?(\+\w+)?:", "postgresql:", installation.owner_url)
    with psycopg.connect(url) as connection:
        return read_revision(connection) or ""


def _migrate(installation: StartedInstallation) -> None:
    child = spawn(
        [sys.executable, "-P", "-m", "lectern", "migrate"],
        watchdog=installation.watchdog,
        environment=migration_environment(installation),
        output=subprocess.PIPE,
        death_signals=(signal.SIGTERM, signal.SIGKILL),
        folder=Path.cwd(),
    )
    words = child.communicate()[0].decode(errors="replace").strip().splitlines()
    installation.watchdog.forget(child.pid)
    if child.returncode != 0:
        raise MigrationFailed(words[-1].removeprefix("lectern: ") if words else None)
