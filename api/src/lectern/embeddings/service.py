"""What other rooms do with stored embeddings.

generation = await get_generation(session, provider.info)          # its table: generation.table, generation.table_name
todo = await list_unembedded_chunks(session, generation, document_id)
vectors = await embed_with_cache(provider, PostgresCache(database), [window.text for window in windows])
await replace_embeddings(session, generation, chunk_ids=..., window_numbers=..., vectors=vectors)
await activate_when_complete(session, generation)
"""

import uuid
from collections.abc import Sequence
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.embeddings import repository
from lectern.embeddings.errors import EmbeddingsMismatch
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import ProviderInfo, Vectors
from lectern.embeddings.repository import PostgresCache

__all__ = [
    "PostgresCache",
    "activate_when_complete",
    "count_embedded_chunks",
    "evict_cache",
    "find_active_generation",
    "forget_documents",
    "forget_staged",
    "get_generation",
    "list_not_staged",
    "list_unembedded_chunks",
    "list_vectors",
    "replace_embeddings",
    "stage_embeddings",
    "take_staged",
]
EVICTED_AT_ONCE: Final = 10_000


async def get_generation(session: Session, info: ProviderInfo) -> Generation:
    """The table that holds this model's embeddings, and no other's.

    Raises:
        EmbeddingsMismatch: The database has no table for this model: `lectern migrate` makes it.
    """
    generation = await repository.find_generation(session, info.fingerprint)
    if generation is None:
        active = await repository.find_active_generation(session)
        kept = f"; it holds those of {active.fingerprint}" if active else ""
        raise EmbeddingsMismatch(f"The database has no embeddings of {info.fingerprint}{kept}.")
    if generation.dimensions != info.dimensions:
        raise EmbeddingsMismatch(f"{info.id} has {info.dimensions} dimensions, its table {generation.dimensions}.")
    return generation


async def forget_documents(session: Session, document_ids: Sequence[uuid.UUID]) -> tuple[int, int]:
    """Remove from the cache the vectors of texts that only these documents have or had (system scope).

    How many there were, and their bytes. Whoever purges a document holds its row before.
    """
    return await repository.forget_documents(session, document_ids)


async def evict_cache(database: Database, *, max_vectors: int) -> int:
    """Let go of the vectors used longest ago until the cache has `max_vectors`; how many went.

    In transactions of their own, `EVICTED_AT_ONCE` at a time: whoever embeds meanwhile does not wait.
    """
    gone = 0
    while True:
        async with database.session(SYSTEM_SCOPE) as session:
            count = await repository.evict(session, max_vectors=max_vectors, at_once=EVICTED_AT_ONCE)
        gone += count
        if count < EVICTED_AT_ONCE:
            return gone


async def list_vectors(session: Session, generation: Generation, document_id: uuid.UUID) -> dict[bytes, Vectors]:
    """The vectors of a document, each (dimensions,), by the hash of the text it is of."""
    return await repository.list_vectors(session, generation, document_id)


async def find_active_generation(session: Session) -> Generation | None:
    """The generation that is complete and searched; None before the first `migrate`."""
    return await repository.find_active_generation(session)


async def replace_embeddings(
    session: Session,
    generation: Generation,
    *,
    chunk_ids: Sequence[uuid.UUID],
    window_numbers: Sequence[int],
    vectors: Vectors,
    hashes: Sequence[bytes] = (),
) -> int:
    """Store the windows of chunks in place of those they had; the number of stored windows.

    All windows of a chunk belong into one call. Windows of chunks that are gone by now are left out. `hashes` are those
    of the windows' texts in the cache.

    Raises:
        EmbeddingsMismatch: The vectors have other dimensions than the generation.
    """
    if vectors.shape != (len(chunk_ids), generation.dimensions) or len(window_numbers) != len(chunk_ids):
        raise EmbeddingsMismatch(
            f"{len(chunk_ids)} windows of {generation.dimensions} dimensions were expected, not {vectors.shape}."
        )
    if not chunk_ids:
        return 0
    return await repository.replace_embeddings(
        session, generation, chunk_ids=chunk_ids, window_numbers=window_numbers, hashes=hashes, vectors=vectors
    )


async def stage_embeddings(
    session: Session,
    generation: Generation,
    document_id: uuid.UUID,
    *,
    chunk_ids: Sequence[uuid.UUID],
    window_numbers: Sequence[int],
    vectors: Vectors,
    hashes: Sequence[bytes],
) -> None:
    """Keep the windows of chunks that are not stored yet, until `take_staged` (system scope)."""
    await repository.stage_embeddings(
        session,
        generation,
        document_id,
        chunk_ids=chunk_ids,
        window_numbers=window_numbers,
        hashes=hashes,
        vectors=vectors,
    )


async def list_not_staged(
    session: Session, generation: Generation, document_id: uuid.UUID, chunk_ids: Sequence[uuid.UUID]
) -> list[uuid.UUID]:
    """Those of the chunks, in their order, that have an embedding neither stored nor staged (system scope)."""
    return await repository.list_not_staged(session, generation, document_id, chunk_ids)


async def take_staged(session: Session, generation: Generation, document_id: uuid.UUID) -> None:
    """Store what is staged for chunks that are stored by now, and forget the rest (system scope)."""
    await repository.take_staged(session, generation, document_id)
    await repository.forget_staged(session, document_id)


async def forget_staged(session: Session, document_id: uuid.UUID) -> None:
    """Nothing of it will be stored (system scope)."""
    await repository.forget_staged(session, document_id)


async def list_unembedded_chunks(session: Session, generation: Generation, document_id: uuid.UUID) -> list[uuid.UUID]:
    """The chunks of a document that have no embedding yet, in reading order."""
    return await repository.list_unembedded_chunks(session, generation, document_id)


async def count_embedded_chunks(session: Session, generation: Generation, document_id: uuid.UUID) -> int:
    """How many chunks of a document have an embedding."""
    return await repository.count_embedded_chunks(session, generation, document_id)


async def activate_when_complete(session: Session, generation: Generation) -> bool:
    """Let a filling generation take over once every ready document is embedded; whether it is active now."""
    if generation.state == "active":
        return True
    if await repository.has_unembedded_chunks(session, generation):
        return False
    await repository.set_active(session, generation)
    return True
