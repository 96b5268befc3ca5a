"""Another embedding model: its generation is filled document by document, and takes over when it is complete."""

import logging
import uuid
from typing import Final

from sqlalchemy import text

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.embeddings import service as embeddings
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import ProviderInfo
from lectern.jobs import service as jobs
from lectern.jobs.service import BULK

logger = logging.getLogger(__name__)

_AT_A_TIME: Final = 20


async def refill_generation(database: Database, info: ProviderInfo) -> None:
    """Queue some more documents for a generation that is being filled; activate it once nothing is missing.

    Unchanged chunks keep their ids and their place in the keyword index; only embeddings are made. A document whose
    job failed is not queued again by itself: a person retries it.

    Raises:
        EmbeddingsMismatch: The model has no generation: `lectern migrate` makes it.
    """
    async with database.session(SYSTEM_SCOPE) as session:
        generation = await embeddings.get_generation(session, info)
        if generation.state == "active":
            return
        for document_id in await _list_waiting(session, generation):
            await jobs.enqueue(session, kind="ingest", document_id=document_id, priority=BULK)
        if await _is_losing(session, generation):
            return
        if await embeddings.activate_when_complete(session, generation):
            logger.info("The embeddings of another model are complete and searched now", extra={"model": info.id})


async def _is_losing(session: Session, generation: Generation) -> bool:
    """Whether a document that is under way just now would be found by meaning no more if this one took over."""
    active = await embeddings.find_active_generation(session)
    if active is None:
        return False
    statement = text(
        f"""
        SELECT EXISTS (
            SELECT FROM documents d JOIN chunks c ON c.document_id = d.id
            WHERE d.status IN ('queued', 'processing') AND d.deleted_at IS NULL
              AND EXISTS (SELECT FROM {active.table_name} e WHERE e.chunk_id = c.id)
              AND NOT EXISTS (SELECT FROM {generation.table_name} e WHERE e.chunk_id = c.id))
        """  # noqa: S608 - the tables' names are made of numbers
    )
    return (await session.execute(statement)).scalar_one()


async def _list_waiting(session: Session, generation: Generation) -> list[uuid.UUID]:
    statement = text(
        f"""
        SELECT d.id FROM documents d JOIN embedding_generations g ON g.id = :generation
        WHERE d.status = 'ready' AND d.deleted_at IS NULL
          AND NOT EXISTS (SELECT FROM jobs j WHERE j.document_id = d.id
                          AND (j.created_at > g.created_at OR j.state IN ('queued', 'running')))
          AND EXISTS (SELECT FROM chunks c WHERE c.document_id = d.id AND NOT EXISTS (
                          SELECT FROM {generation.table_name} e WHERE e.chunk_id = c.id))
        ORDER BY d.created_at LIMIT :most
        """  # noqa: S608 - the table's name is made of a number
    )
    return list((await session.execute(statement, {"generation": generation.id, "most": _AT_A_TIME})).scalars())
