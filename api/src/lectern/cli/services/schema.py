"""Update the schema when `lectern up` starts, at no cost if nothing changed."""

import hashlib
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import psycopg
from pydantic import BaseModel, ValidationError

import lectern
from lectern.cli.installation import StartedInstallation
from lectern.cli.services.environment import migration_environment
from lectern.embedded.children import spawn
from lectern.embedded.cluster import read_revision
from lectern.embedded.errors import MigrationFailed
from lectern.settings import Settings

PACKAGE: Final = Path(lectern.__file__).parent


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
