"""Store, look up and switch embeddings.

generation = await get_generation(session, provider.info)          # its table: generation.table, generation.table_name
todo = await list_unembedded_chunks(session, generation, document_id)
vectors = await embed_with_cache(provider, PostgresCache(database, document_id), [window.text for window in windows])
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
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.cache import repository as cache_repository
from lectern.embeddings.errors import EmbeddingsMismatch, GenerationIncomplete, GenerationNotFound, ModelNotSet
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo, Vectors

BackfillCursor = tuple[datetime, uuid.UUID]
"""A position among ready documents: when one became ready, and its id."""
EVICTION_BATCH: Final = 10_000
# Queries and classes that other packages use directly.
IncompleteDocument = repository.IncompleteDocument
PostgresCache = cache_repository.PostgresCache
count_embedded = repository.count_embedded
count_unembedded_documents = repository.count_unembedded_documents
delete_staged = repository.delete_staged
find_active_generation = repository.find_active_generation
list_incomplete_documents = repository.list_incomplete_documents
list_unembedded_chunks = repository.list_unembedded_chunks
list_unstaged_chunks = repository.list_unstaged_chunks
list_vectors = repository.list_vectors
stage_embeddings = repository.stage_embeddings
store_calibration = repository.store_calibration
store_ranker_fit = repository.store_ranker_fit
try_lock_document = repository.try_lock_document
update_embedded_counts = repository.update_embedded_counts
delete_unused_imports = cache_repository.delete_unused_imports


async def get_generation(session: Session, info: ProviderInfo) -> Generation:
    """Return the generation of this model.

    Raises:
        EmbeddingsMismatch: The model has no generation. `lectern migrate` creates it.
    """
    generation = await repository.find_generation(session, info.fingerprint)
    if generation is None:
        active = await repository.find_active_generation(session)
        other = f", only of {active.fingerprint}" if active else ""
        raise EmbeddingsMismatch(f"The database has no embeddings of {info.fingerprint}{other}.")
    if generation.dimensions != info.dimensions:
        raise EmbeddingsMismatch(f"{info.id} has {info.dimensions} dimensions, its table {generation.dimensions}.")
    return generation


async def evict_cache(database: Database, *, max_vectors: int) -> int:
    """Delete the least recently used vectors until the cache has `max_vectors`. Returns their number.

    Deletes `EVICTION_BATCH` in one transaction, so that workers do not wait.
    """
    deleted = 0
    while True:
        async with database.session(SYSTEM_SCOPE) as session:
            count = await cache_repository.evict(session, max_vectors=max_vectors, at_once=EVICTION_BATCH)
        deleted += count
        if count < EVICTION_BATCH:
            return deleted


async def follow_active_generation(session: Session, provider: ActiveProvider) -> EmbeddingProvider:
    """Switch the provider to the model of the active generation, or to its first model."""
    active = await repository.find_active_generation(session)
    return provider.follow(active.fingerprint if active else None)


async def replace_embeddings(
    session: Session,
    generation: Generation,
    *,
    chunk_ids: Sequence[uuid.UUID],
    window_numbers: Sequence[int],
    vectors: Vectors,
    hashes: Sequence[bytes] = (),
) -> int:
    """Replace the windows of chunks. Returns the number of stored windows.

    Pass all windows of a chunk in one call. Deleted chunks are skipped. `hashes` are the cache keys of the windows.

    Raises:
        EmbeddingsMismatch: The vectors do not have the dimensions of the generation.
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


async def store_staged(session: Session, document_id: uuid.UUID) -> None:
    """Store the staged embeddings of stored chunks, and delete the rest (system scope)."""
    await repository.store_staged(session, document_id)
    await repository.delete_staged(session, document_id)


async def activate_when_complete(session: Session, generation: Generation) -> bool:
    """Activate a generation once every ready document is embedded. Returns True if it is active now.

    Waits while a document in progress would lose its embeddings.
    """
    if generation.state == "active":
        return True
    await repository.lock_switch(session)
    active = await repository.find_active_generation(session)
    if await repository.has_unembedded_chunks(session, generation):
        return False
    if active and await repository.count_documents_losing_vectors(session, active, generation):
        return False
    await repository.set_active(session, generation)
    await repository.update_embedded_counts(session, generation)
    return True


async def switch_generation(
    session: Session, generation_id: int, *, fingerprints: Collection[str], is_incomplete: bool = False
) -> Generation:
    """Activate another generation when this transaction commits. Returns the previous one, which is kept.

    `fingerprints` are the configured models. `is_incomplete` allows documents without embeddings of the new model.
    Search finds these by keyword only.

    Raises:
        GenerationNotFound: There is no such generation.
        ModelNotSet: Its model is not configured.
        GenerationIncomplete: Documents lack embeddings of the new model.
    """
    await repository.lock_switch(session)
    generation = await get_usable_generation(session, generation_id, fingerprints=fingerprints)
    active = await repository.find_active_generation(session)
    if active is None:
        raise GenerationNotFound
    if generation.id != active.id:
        if not is_incomplete:
            await _require_complete(session, generation, active=active)
        await repository.set_active(session, generation)
        await repository.update_embedded_counts(session, generation)
    return active


async def get_usable_generation(session: Session, generation_id: int, *, fingerprints: Collection[str]) -> Generation:
    """Return the generation with this number, if its model is configured.

    Raises:
        GenerationNotFound: There is no such generation.
        ModelNotSet: Its model is not configured.
    """
    generation = await repository.find_generation_by_id(session, generation_id)
    if generation is None:
        raise GenerationNotFound
    if generation.fingerprint not in fingerprints:
        raise ModelNotSet(f"The model of generation {generation.id} is not configured.")
    return generation


async def _require_complete(session: Session, generation: Generation, *, active: Generation) -> None:
    missing = await repository.count_unembedded_documents(session, generation)
    affected = 0 if missing else await repository.count_documents_losing_vectors(session, active, generation)
    if missing or affected:
        reason = (
            f"{missing} documents have no embeddings of this model yet."
            if missing
            else f"{affected} documents in progress would lose their embeddings."
        )
        raise GenerationIncomplete(reason, details={"document_count": missing or affected})
