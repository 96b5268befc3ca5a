"""Collecting the facts of a running installation."""

import asyncio
import platform
import shutil
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from lectern import __version__
from lectern.db.session import Session
from lectern.embedded.folder import SMALLEST_FREE_BYTES
from lectern.embeddings.provider import ProviderInfo
from lectern.extraction.confinement_check import find_confinement
from lectern.system import repository
from lectern.system.schemas import (
    ConfinementFacts,
    DiskFacts,
    EmbeddingsFacts,
    GenerationFacts,
    LibraryFacts,
    QueueFacts,
    StorageFacts,
    SystemResponse,
    Versions,
)

_LOW_SHARE: Final = 0.05
_COUNTED: Final = ("trashed_documents", "pages", "chunks", "tags", "collections", "users")


@dataclass(frozen=True, slots=True)
class Process:
    """What the API's process knows about itself. `originals` is None when they are in an object store."""

    started_at: datetime
    model: ProviderInfo
    originals: Path | None


async def describe(session: Session, process: Process, checks: dict[str, Literal["ok", "failed"]]) -> SystemResponse:
    """Everything at once; a handful of counts over the database (system scope)."""
    library = await repository.count_library(session)
    return SystemResponse(
        status="ready" if all(result == "ok" for result in checks.values()) else "not_ready",
        checks=checks,
        started_at=process.started_at,
        versions=Versions(
            lectern=__version__,
            python=platform.python_version(),
            platform=f"{platform.system()} {platform.machine()}",
            **await repository.read_versions(session),
        ),
        library=LibraryFacts(
            documents={
                "queued": library["queued"],
                "processing": library["processing"],
                "ready": library["ready"],
                "failed": library["failed"],
            },
            **{name: library[name] for name in _COUNTED},
        ),
        queue=QueueFacts(**await repository.count_queue(session)),
        storage=StorageFacts(
            kind="folder" if process.originals else "object_store", **await repository.measure_storage(session)
        ),
        disk=await asyncio.to_thread(_disk, process.originals) if process.originals else None,
        embeddings=await _embeddings(session, process.model, embedded_chunks=library["embedded_chunks"]),
        confinement=await asyncio.to_thread(_confinement),
    )


async def _embeddings(session: Session, model: ProviderInfo, *, embedded_chunks: int) -> EmbeddingsFacts:
    generations = await repository.list_generations(session)
    return EmbeddingsFacts(
        embedding_model=model.id,
        dimensions=model.dimensions,
        fingerprint=model.fingerprint,
        embedded_chunks=embedded_chunks,
        generations=[GenerationFacts.model_validate(row, from_attributes=True) for row in generations],
    )


def _confinement() -> ConfinementFacts | None:
    found = find_confinement()
    return ConfinementFacts(**asdict(found)) if found else None


def _disk(folder: Path) -> DiskFacts:
    usage = shutil.disk_usage(folder)
    is_low = usage.free < max(SMALLEST_FREE_BYTES, usage.total * _LOW_SHARE)
    return DiskFacts(total_bytes=usage.total, free_bytes=usage.free, is_low=is_low)
