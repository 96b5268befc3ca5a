"""The library checks of `lectern doctor`. Its database is started for them if nothing runs it."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import psycopg

from lectern.accounts.keys.service import list_keys_against_policy
from lectern.cli.installation import Installation, connected
from lectern.cli.open_installation import effective_settings
from lectern.composition import open_storage
from lectern.db.engine import create_engine, libpq_url
from lectern.db.migrations.runner import head_revision, require_known
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embedded import cluster
from lectern.operations.integrity.defects import Defect, Installed
from lectern.operations.integrity.service import examine
from lectern.operations.system.schemas import RankerState
from lectern.operations.system.service import describe_active_ranker
from lectern.settings import Settings

PATIENCE_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class LibraryExamination:
    """Defects of the library, the names of keys that live longer than new ones may, and the ranker of its searches."""

    defects: list[Defect]
    keys: list[str]
    ranker: RankerState


def examine_library(settings: Settings, data_dir: Path | None, *, is_repairing: bool) -> LibraryExamination | None:
    """Examine the library. Return None if its schema must be migrated first.

    Raises:
        DatabaseTooNew, DatabaseTooOld: This version cannot migrate it.
    """
    with connected(settings, data_dir) as installation:
        if read_revision(installation.owner_url) != head_revision():
            return None
        return asyncio.run(
            _examine(effective_settings(settings, installation), installation, is_repairing=is_repairing)
        )


def read_revision(owner_url: str) -> str | None:
    """Return the revision of a database, None for an empty one.

    Raises:
        DatabaseTooNew, DatabaseTooOld: This version cannot migrate it.
    """
    with psycopg.connect(libpq_url(owner_url), connect_timeout=5) as connection:
        revision = cluster.read_revision(connection)
    if revision is not None:
        require_known(revision)
    return revision


async def _examine(settings: Settings, installation: Installation, *, is_repairing: bool) -> LibraryExamination:
    owner = create_engine(installation.owner_url, pool_size=1, statement_timeout_seconds=PATIENCE_SECONDS)
    service = create_engine(installation.service_url, pool_size=2, statement_timeout_seconds=PATIENCE_SECONDS)
    installed = Installed(
        owner=owner,
        database=Database(service),
        originals=open_storage(settings),
        heartbeat_seconds=settings.jobs.heartbeat_seconds,
    )
    try:
        defects = await examine(installed, is_repairing=is_repairing)
        async with installed.database.session(SYSTEM_SCOPE) as session:
            keys = await list_keys_against_policy(session, max_days=settings.accounts.key_max_days)
            ranker = await describe_active_ranker(session)
        return LibraryExamination(defects, [f"{key.name} ({key.prefix})" for key in keys], ranker)
    finally:
        await owner.dispose()
        await service.dispose()
