"""An installation that can be broken by hand, as its owner, and examined."""

import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.abc import QueryNoTemplate
from tests.ingestion.library import SAMPLES, Library

from lectern.db.engine import create_engine, libpq_url
from lectern.operations.integrity.defects import Defect, Installed
from lectern.operations.integrity.service import examine

FILES = ("employee-handbook.md", "avviso-chiusura-ponte.txt", "resi-e-garanzie.pdf")


@dataclass
class Patient:
    """`documents` are ready at the beginning of every test."""

    library: Library
    installed: Installed
    documents: Sequence[uuid.UUID]

    async def examine(self, *, is_repairing: bool = False) -> dict[str, Defect]:
        """Return the findings of `lectern doctor` by check."""
        return {defect.check: defect for defect in await examine(self.installed, is_repairing=is_repairing)}

    async def repair(self) -> dict[str, str]:
        """Run `lectern doctor --fix` and return the outcome of each defect."""
        return {name: defect.state for name, defect in (await self.examine(is_repairing=True)).items()}

    async def harm(self, *statements: str, **values: Any) -> None:
        """Run statements as a superuser whom no constraint and no trigger stops."""
        url = libpq_url(self.library.urls.superuser_url)
        async with await psycopg.AsyncConnection.connect(url) as connection:
            await connection.execute("SET session_replication_role = replica")
            for statement in statements:
                await connection.execute(_plain(statement), values)

    async def work_off(self) -> None:
        """Let a worker do what is queued."""
        async with self.library.worker():
            await self.library.until_status(*self.documents)


def _plain(statement: str) -> QueryNoTemplate:
    return statement.encode()


@asynccontextmanager
async def open_patient(library: Library) -> AsyncGenerator[Patient]:
    documents = [await library.add(SAMPLES / name) for name in FILES]
    owner = create_engine(library.urls.owner_url, pool_size=1)
    installed = Installed(owner=owner, database=library.database, originals=library.originals)
    patient = Patient(library, installed, documents)
    try:
        await patient.work_off()
        yield patient
    finally:
        await owner.dispose()
