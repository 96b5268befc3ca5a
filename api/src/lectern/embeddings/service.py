"""What other rooms do with stored embeddings.

generation = await get_generation(session, provider.info)          # its table: generation.table, generation.table_name
todo = await list_unembedded_chunks(session, generation, document_id)
vectors = await embed_with_cache(provider, PostgresCache(database), [window.text for window in windows])
await replace_embeddings(session, generation, chunk_ids=..., window_numbers=..., vectors=vectors)
await activate_when_complete(session, generation)
"""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.embeddings import repository
from lectern.embeddings.active import ProviderInUse
from lectern.embeddings.errors import EmbeddingsMismatch, GenerationIncomplete, GenerationNotFound, ModelNotSet
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo, Vectors
from lectern.embeddings.repository import Incomplete, PostgresCache

__all__ = [
    "Incomplete",
    "PostgresCache",
    "activate_when_complete",
    "count_embedded",
    "count_embedded_chunks",
    "count_unembedded_documents",
    "evict_cache",
    "find_active_generation",
    "follow_active",
    "forget_documents",
    "forget_staged",
    "get_generation",
    "get_usable_generation",
    "list_incomplete",
    "list_not_staged",
    "list_unembedded_chunks",
    "list_vectors",
    "recount_embedded",
    "replace_embeddings",
    "stage_embeddings",
    "switch",
    "take_staged",
    "try_claim",
]
Place = tuple[datetime, uuid.UUID]
"""A document in the order in which documents became ready."""
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


async def follow_active(session: Session, provider: ProviderInUse) -> EmbeddingProvider:
    """The model whose embeddings are searched, or the first one where those of none of them are."""
    active = await repository.find_active_generation(session)
    return provider.follow(active.fingerprint if active else None)


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


async def take_staged(session: Session, document_id: uuid.UUID) -> None:
    """Store what is staged for chunks that are stored by now, and forget the rest (system scope)."""
    await repository.take_staged(session, document_id)
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
    """Let a generation take over once every ready document is embedded; whether it is active now.

    Not while a document that is under way would be found by meaning no more.
    """
    if generation.state == "active":
        return True
    await repository.hold_switch(session)
    active = await repository.find_active_generation(session)
    if await repository.has_unembedded_chunks(session, generation):
        return False
    if active and await repository.count_losing_documents(session, active, generation):
        return False
    await repository.set_active(session, generation)
    await repository.recount_embedded(session, generation)
    return True


async def switch(
    session: Session, generation_id: int, *, fingerprints: Collection[str], is_incomplete: bool = False
) -> Generation:
    """Search by the embeddings of another model from the end of this transaction on; which was searched before.

    `fingerprints`: those of the models that the installation runs. Nothing is removed: switching back is the same.
    `is_incomplete`: also where documents lack embeddings; they are found by keyword only, and counted so.

    Raises:
        GenerationNotFound: There is no such generation.
        ModelNotSet: The installation does not run its model.
        GenerationIncomplete: Documents would be found by meaning no more.
    """
    await repository.hold_switch(session)
    generation = await get_usable_generation(session, generation_id, fingerprints=fingerprints)
    active = await repository.find_active_generation(session)
    if active is None:
        raise GenerationNotFound
    if generation.id != active.id:
        if not is_incomplete:
            await _require_complete(session, generation, active=active)
        await repository.set_active(session, generation)
        await repository.recount_embedded(session, generation)
    return active


async def get_usable_generation(session: Session, generation_id: int, *, fingerprints: Collection[str]) -> Generation:
    """The embeddings of this number, of one of the models that the installation runs.

    Raises:
        GenerationNotFound: There is no such generation.
        ModelNotSet: The installation does not run its model.
    """
    generation = await repository.find_generation_by_id(session, generation_id)
    if generation is None:
        raise GenerationNotFound
    if generation.fingerprint not in fingerprints:
        raise ModelNotSet(f"The embeddings {generation.id} are of a model that does not run here.")
    return generation


async def count_unembedded_documents(session: Session, generation: Generation) -> int:
    """Documents that are ready and have a chunk without an embedding of this model; reads all chunks."""
    return await repository.count_unembedded_documents(session, generation)


async def _require_complete(session: Session, generation: Generation, *, active: Generation) -> None:
    missing = await repository.count_unembedded_documents(session, generation)
    losing = 0 if missing else await repository.count_losing_documents(session, active, generation)
    if missing or losing:
        why = (
            f"{missing} documents have no embeddings of this model yet."
            if missing
            else f"{losing} documents are being worked on, and would be found by meaning no more."
        )
        raise GenerationIncomplete(why, details={"document_count": missing or losing})


async def count_embedded(session: Session, generation: Generation) -> int:
    """Chunks that have an embedding, without those in the trash; reads all of the model's rows."""
    return await repository.count_embedded(session, generation)


async def list_incomplete(
    session: Session, generation: Generation, *, after: Place | None, most: int
) -> tuple[list[Incomplete], Place | None]:
    """Of the next `most` documents that are ready, in the order in which they became so, those with something missing.

    And where the next ones begin; None after the last.
    """
    return await repository.list_incomplete(session, generation, after=after, most=most)


async def recount_embedded(session: Session, generation: Generation, document_ids: Sequence[uuid.UUID]) -> None:
    """Let documents say how many of their chunks have an embedding of this generation (system scope)."""
    await repository.recount_embedded(session, generation, document_ids)


async def try_claim(session: Session, generation: Generation, document_id: uuid.UUID) -> bool:
    """Whether nobody else fills in this document's embeddings, and nobody will until the transaction ends."""
    return await repository.try_claim(session, generation, document_id)
