"""Collect the facts of a running installation."""

import asyncio
import platform
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from lectern import __version__
from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.db.session import Session
from lectern.embedded.data_folder import MIN_FREE_BYTES
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import list_fingerprints
from lectern.embeddings.generations import generation_of
from lectern.embeddings.models import EmbeddingGeneration
from lectern.embeddings.provider import EmbeddingProvider
from lectern.extraction.sandbox.conversion import find_converter
from lectern.extraction.sandbox.self_check import find_confinement
from lectern.operations.system import repository
from lectern.operations.system.schemas import (
    ConfinementFacts,
    DiskFacts,
    EmbeddingsFacts,
    GenerationFacts,
    LibraryFacts,
    QueueFacts,
    RankerState,
    StorageFacts,
    SystemResponse,
    Versions,
)
from lectern.search.ranking.fitted import RankerFit

_LOW_SHARE: Final = 0.05
_STATES: Final = ("queued", "processing", "ready", "failed")


@dataclass(frozen=True, slots=True)
class Process:
    """Facts of the API's own process. `originals` is None for an object store."""

    started_at: datetime
    provider: EmbeddingProvider
    originals: Path | None
    folder_roots: Sequence[Path]


async def describe(session: Session, process: Process, checks: dict[str, Literal["ok", "failed"]]) -> SystemResponse:
    """Return all facts. Takes a few counts over the database, in the system scope."""
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
        library=LibraryFacts.model_validate({**library, "documents": {state: library[state] for state in _STATES}}),
        queue=QueueFacts(**await repository.count_queue(session)),
        storage=StorageFacts(
            kind="folder" if process.originals else "object_store", **await repository.measure_storage(session)
        ),
        disk=await asyncio.to_thread(measure_disk, process.originals) if process.originals else None,
        embeddings=await _embeddings(session, process.provider, embedded_chunks=library["embedded_chunks"]),
        confinement=await asyncio.to_thread(_confinement),
        office_pages=find_converter(),
        folder_roots=[str(root) for root in process.folder_roots],
    )


async def _embeddings(session: Session, provider: EmbeddingProvider, *, embedded_chunks: int) -> EmbeddingsFacts:
    generations = await list_generations(session, provider, searched_chunks=embedded_chunks)
    used = next((each for each in generations if each.state == "active"), None)
    return EmbeddingsFacts(
        embedding_model=used.embedding_model if used else provider.info.id,
        dimensions=used.dimensions if used else provider.info.dimensions,
        fingerprint=used.fingerprint if used else provider.info.fingerprint,
        embedded_chunks=embedded_chunks,
        generations=generations,
    )


async def list_generations(
    session: Session, provider: EmbeddingProvider, *, searched_chunks: int | None = None
) -> list[GenerationFacts]:
    """Return the embeddings of every model, newest first. `provider` stands for the configured models.

    `searched_chunks`: the number of chunks with embeddings of the active model, if known.
    """
    found: list[GenerationFacts] = []
    for row in await repository.list_generations(session):
        is_set = row.fingerprint in list_fingerprints(provider)
        embedded = searched_chunks if row.state == "active" else None
        if is_set and embedded is None:
            embedded = await embeddings.count_embedded(session, generation_of(row))
        facts = {"is_set": is_set, "embedded_chunks": embedded, "ranker": _describe_ranker(row)}
        found.append(GenerationFacts.from_row(row, **facts))
    return found


async def describe_active_ranker(session: Session) -> RankerState:
    """Return what orders searches now."""
    rows = await repository.list_generations(session)
    active = next((row for row in rows if row.state == "active"), None)
    return _describe_ranker(active) if active else "shipped"


def _describe_ranker(row: EmbeddingGeneration) -> RankerState:
    if row.ranker_fit is None:
        return "shipped"
    return "fitted" if RankerFit(**row.ranker_fit).is_current else "outdated"


async def use_generation(
    session: Session,
    principal: Principal,
    generation_id: int,
    *,
    provider: EmbeddingProvider,
    is_incomplete: bool = False,
) -> None:
    """Search with the embeddings of another configured model. `is_incomplete` allows missing embeddings.

    Raises GenerationNotFound, ModelNotSet, GenerationIncomplete.
    """
    own = list_fingerprints(provider)
    before = await embeddings.switch_generation(session, generation_id, fingerprints=own, is_incomplete=is_incomplete)
    if before.id != generation_id:
        target, details = f"generation:{generation_id}", {"before": before.id}
        await record(session, principal.actor, action="embeddings.use", target=target, details=details)


def _confinement() -> ConfinementFacts | None:
    found = find_confinement()
    return ConfinementFacts(**asdict(found)) if found else None


async def is_worker_running(session: Session) -> bool:
    """Return true if a worker does the jobs of this database."""
    return (await repository.count_queue(session))["workers"] > 0


def measure_disk(folder: Path) -> DiskFacts:
    usage = shutil.disk_usage(folder)
    is_low = usage.free < max(MIN_FREE_BYTES, usage.total * _LOW_SHARE)
    return DiskFacts(total_bytes=usage.total, free_bytes=usage.free, is_low=is_low)
