"""What other rooms do with stored embeddings.

generation = await get_generation(session, provider.info)          # its table: generation.table, generation.table_name
todo = await list_unembedded_chunks(session, generation, document_id)
vectors = await embed_with_cache(provider, PostgresCache(database), [window.text for window in windows])
await replace_embeddings(session, generation, chunk_ids=..., window_numbers=..., vectors=vectors)
await activate_when_complete(session, generation)
"""

import uuid
from collections.abc import Sequence

from lectern.db.session import Session
from lectern.embeddings import repository
from lectern.embeddings.errors import EmbeddingsMismatch
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import ProviderInfo, Vectors
from lectern.embeddings.repository import PostgresCache

__all__ = [
    "PostgresCache",
    "activate_when_complete",
    "count_embedded_chunks",
    "find_active_generation",
    "forget_documents",
    "get_generation",
    "list_unembedded_chunks",
    "replace_embeddings",
]


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


async def forget_documents(session: Session, document_ids: Sequence[uuid.UUID]) -> int:
    """Remove the vectors of these documents' texts from the cache (system scope); how many there were.

    Another document with the same text is embedded anew if it is ever read again.
    """
    return await repository.forget_documents(session, document_ids)


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
    of the windows' texts in the cache, so that purging the document finds them there.

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
