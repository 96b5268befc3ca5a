"""A library for ingestion tests: add files, start and kill workers, wait for documents."""

import asyncio
import os
import signal
import sys
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from sqlalchemy import create_engine as create_sync_engine
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from lectern.db.engine import create_engine, database_url, libpq_url
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents.models import Document
from lectern.embeddings.generations import ensure_generation
from lectern.embeddings.registry import create_models
from lectern.extraction.detection import detect_content_type
from lectern.jobs import service as jobs
from lectern.jobs.models import Job
from lectern.operations.integrity.invariants import RULES, find_broken
from lectern.settings import (
    DatabaseSettings,
    EmbeddedSettings,
    EmbeddingsSettings,
    ExtractionSettings,
    JobsSettings,
    Settings,
    StorageSettings,
)
from lectern.storage.store import OriginalStore, open_originals
from lectern.worker import run_worker

LIBRARY = uuid.UUID("00000000-0000-4000-8000-000000000001")
DIMENSIONS = 32
SAMPLES = Path(__file__).parents[3] / "test-docs" / "documents"
PATIENCE_SECONDS = 60.0
WORKER = """
import sys
from lectern.cli.services.worker import run_with
from lectern.settings import JobsSettings, Settings

run_with(Settings(jobs=JobsSettings(heartbeat_seconds=float(sys.argv[1]))))
"""  # `lectern worker` with another heartbeat


@dataclass
class Library:
    """A database and a folder of originals, with queries for tests."""

    urls: ThrowawayDatabase
    folder: Path
    database: Database
    originals: OriginalStore
    storage: Path | None = None
    heartbeat_seconds: float = 30
    extraction: ExtractionSettings = field(default_factory=ExtractionSettings)
    embeddings: EmbeddingsSettings = field(default_factory=lambda: EmbeddingsSettings(provider=f"hash:{DIMENSIONS}"))
    environment: dict[str, str] = field(default_factory=dict[str, str])
    processes: list[asyncio.subprocess.Process] = field(default_factory=list[asyncio.subprocess.Process])

    @property
    def settings(self) -> Settings:
        return Settings(
            database=DatabaseSettings(url=SecretStr(self.urls.service_url)),
            embedded=EmbeddedSettings(data_dir=self.folder),
            storage=StorageSettings(url=(self.storage or self.folder / "originals").as_uri()),
            jobs=JobsSettings(heartbeat_seconds=self.heartbeat_seconds),
            embeddings=self.embeddings,
            extraction=self.extraction,
        )

    async def add(
        self, content: bytes | Path, *, filename: str = "a.txt", priority: int = jobs.INTERACTIVE
    ) -> uuid.UUID:
        """Store a file and queue it like an upload. Return the document's id."""
        if isinstance(content, Path):
            content, filename = await asyncio.to_thread(content.read_bytes), content.name
        stored = await self.originals.put(_stream(content), max_bytes=1 << 30)
        document_id = uuid.uuid4()
        async with self.database.session(SYSTEM_SCOPE) as session:
            session.add(
                Document(
                    id=document_id,
                    collection_id=LIBRARY,
                    filename=filename,
                    content_type=detect_content_type(stored.head, filename=filename),
                    size_bytes=stored.size_bytes,
                    sha256=stored.sha256,
                )
            )
            await session.flush()
            await jobs.enqueue(session, document_id=document_id, priority=priority)
        return document_id

    async def reingest(self, document_id: uuid.UUID) -> None:
        """Queue a document again, like a forced re-ingest."""
        async with self.database.session(SYSTEM_SCOPE) as session:
            document = (await session.execute(select(Document).where(Document.id == document_id))).scalar_one()
            document.status = "queued"
            await session.flush()
            await jobs.enqueue(session, document_id=document_id)

    async def document(self, document_id: uuid.UUID) -> Document:
        async with self.database.session(SYSTEM_SCOPE) as session:
            return (await session.execute(select(Document).where(Document.id == document_id))).scalar_one()

    async def job(self, document_id: uuid.UUID) -> Job:
        async with self.database.session(SYSTEM_SCOPE) as session:
            return (await jobs.find_latest_jobs(session, [document_id]))[document_id]

    async def value(self, statement: str, **values: Any) -> Any:
        """Return the single value of a query with unrestricted scope."""
        async with self.database.session(SYSTEM_SCOPE) as session:
            return (await session.execute(text(statement), values)).scalar_one()

    async def is_queue_empty(self) -> bool:
        return await self.value("SELECT count(*) = 0 FROM queue.procrastinate_jobs")

    async def violations(self) -> list[str]:
        """Return the broken invariants of the library."""
        async with self.database.session(SYSTEM_SCOPE) as session:
            return [f"{rule}: {rows[:3]}" for rule in RULES if (rows := await find_broken(session, rule))]

    async def until(self, condition: Callable[[], Awaitable[bool]], *, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until a condition holds. Check it on every change of a document or job."""
        async with asyncio.timeout(seconds):
            while True:
                try:
                    return await self._listen_until(condition)
                except (psycopg.OperationalError, OperationalError):
                    await asyncio.sleep(0.1)  # a killed database is restarting

    async def _listen_until(self, condition: Callable[[], Awaitable[bool]]) -> None:
        url = libpq_url(self.urls.service_url)
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as listener:
            await listener.execute("LISTEN lectern_events")
            while not await condition():
                async for _ in listener.notifies(timeout=0.5, stop_after=1):
                    pass

    async def until_status(
        self, *document_ids: uuid.UUID, status: str = "ready", seconds: float = PATIENCE_SECONDS
    ) -> None:
        """Wait until all these documents have a status."""

        async def have_it() -> bool:
            documents = [await self.document(document_id) for document_id in document_ids]
            failed = [d.error_message for d in documents if d.status == "failed"]
            assert status == "failed" or not failed, failed
            return all(document.status == status for document in documents)

        await self.until(have_it, seconds=seconds)

    @asynccontextmanager
    async def worker(self) -> AsyncGenerator[asyncio.Event]:
        """Run a worker in this process and stop it at the end."""
        stopping = asyncio.Event()
        task = asyncio.create_task(run_worker(self.settings, stopping=stopping))
        try:
            yield stopping
        finally:
            stopping.set()
            await task

    async def start_worker_process(self) -> asyncio.subprocess.Process:
        """Start a worker process that tests may kill."""
        command = (sys.executable, "-c", WORKER, str(self.heartbeat_seconds))
        environment = {
            **self.environment,
            "PATH": os.defpath,
            "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry),
            "DATABASE_URL": self.urls.service_url,
            "LECTERN_DATA_DIR": str(self.folder),
            "LECTERN_STORAGE_URL": (self.folder / "originals").as_uri(),
            "LECTERN_EMBEDDINGS": self.embeddings.provider,
            "LECTERN_EMBEDDINGS_NEXT": self.embeddings.next_provider,
            "LECTERN_EMBEDDINGS_THREADS": str(self.embeddings.threads),
        }
        if self.embeddings.model_dir is not None and not (self.folder / "models").is_symlink():
            (self.folder / "models").symlink_to(self.embeddings.model_dir, target_is_directory=True)
        process = await asyncio.create_subprocess_exec(*command, env=environment, cwd=self.folder)
        self.processes.append(process)
        return process

    @asynccontextmanager
    async def worker_process(self) -> AsyncGenerator[asyncio.subprocess.Process]:
        """Run a worker process and stop it at the end if it still runs."""
        process = await self.start_worker_process()
        try:
            yield process
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            await process.wait()


@asynccontextmanager
async def open_library(
    urls: ThrowawayDatabase, folder: Path, *, embeddings: EmbeddingsSettings | None = None
) -> AsyncGenerator[Library]:
    chosen = embeddings or EmbeddingsSettings(provider=f"hash:{DIMENSIONS}")
    owner = create_sync_engine(database_url(urls.owner_url), poolclass=NullPool)
    with owner.begin() as connection:
        for model in create_models(chosen, model_dir=folder):
            ensure_generation(connection, model.info)
    engine = create_engine(urls.service_url, pool_size=3)
    originals = open_originals((folder / "originals").as_uri(), default_folder=folder)
    library = Library(urls, folder, Database(engine), originals, embeddings=chosen)
    try:
        yield library
    finally:
        for process in library.processes:
            if process.returncode is None:
                process.kill()
                await process.wait()
        await engine.dispose()


async def _stream(content: bytes) -> AsyncIterator[bytes]:
    yield content
