"""The lexical index: a row for each chunk, and in how many chunks each lexeme occurs.

Everything happens in the caller's transaction and needs a session that may write. The counts are exact after every
statement: triggers record what comes and goes, deletions by cascade included. `settle` only adds up what they recorded.
"""

import uuid
from collections.abc import Sequence
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

# The filename speaks for the document beside its title: "ACME_2017_10K.pdf" names company, year and form.
_ADD: Final = text("""
    INSERT INTO chunk_lexical (chunk_id, document_id, language, tsv, lex)
    SELECT c.id, c.document_id, c.language, i.tsv, i.lex
    FROM chunks AS c
    JOIN documents AS d ON d.id = c.document_id
    CROSS JOIN LATERAL lectern_build_lexical_entry(
        lectern_get_search_configuration(c.language),
        concat_ws(' ', d.title, regexp_replace(d.filename, '\\.[[:alnum:]]{1,5}$', '')),
        coalesce(c.section_heading, ''),
        array_to_string(c.section_path, ' '),
        c.text) AS i
    WHERE c.document_id = :document_id AND NOT EXISTS (SELECT FROM chunk_lexical AS l WHERE l.chunk_id = c.id)
""")
_REMOVE_CHUNKS: Final = text("DELETE FROM chunk_lexical WHERE chunk_id = ANY (:chunk_ids)")
_REMOVE: Final = text("DELETE FROM chunk_lexical WHERE document_id = :document_id")
_SETTLE: Final = text("SELECT lectern_merge_lexeme_deltas()")
_SETTLE_DOCUMENTS: Final = text("SELECT lectern_merge_document_counts()")
_SETTLE_MARKS: Final = text("SELECT lectern_merge_library_versions()")
_RECOUNT: Final = text("SELECT lectern_recount_lexemes()")


async def add_document(session: AsyncSession, document_id: uuid.UUID) -> None:
    """Index a document's chunks as they are now; what was indexed of it before is replaced."""
    await session.execute(_REMOVE, {"document_id": document_id})
    await session.execute(_ADD, {"document_id": document_id})
    await settle(session)


async def add_missing(session: AsyncSession, document_id: uuid.UUID) -> None:
    """Index those of a document's chunks that are not indexed."""
    await session.execute(_ADD, {"document_id": document_id})
    await settle(session)


async def remove_chunks(session: AsyncSession, chunk_ids: Sequence[uuid.UUID]) -> None:
    """Take chunks out of the index; the caller settles by what it does next."""
    if chunk_ids:
        await session.execute(_REMOVE_CHUNKS, {"chunk_ids": list(chunk_ids)})


async def remove_document(session: AsyncSession, document_id: uuid.UUID) -> None:
    """Take a document out of the index. Much faster than leaving it to the deletion of its chunks."""
    await session.execute(_REMOVE, {"document_id": document_id})
    await settle(session)


async def settle(session: AsyncSession) -> bool:
    """Add up recorded changes of the counts; False when another transaction is at it.

    Searches are right without it. Call it now and then, so that lexemes of purged documents leave no trace.
    """
    return bool((await session.execute(_SETTLE)).scalar_one())


async def settle_documents(session: AsyncSession) -> bool:
    """The same for the counts of documents that a search without a filter covers."""
    return bool((await session.execute(_SETTLE_DOCUMENTS)).scalar_one())


async def settle_marks(session: AsyncSession) -> bool:
    """The same for the marks of transactions that changed what searches read."""
    return bool((await session.execute(_SETTLE_MARKS)).scalar_one())


async def rebuild(session: AsyncSession) -> int:
    """Index every chunk anew and count from nothing; returns how many chunks there are.

    For a change of the index's rules, and for a Postgres whose stemmers changed. Writers wait until it ends.
    """
    await session.execute(_RECOUNT)
    documents = (await session.execute(text("SELECT DISTINCT document_id FROM chunks ORDER BY 1"))).scalars().all()
    for document_id in documents:
        await add_document(session, document_id)
    return (await session.execute(text("SELECT count(*) FROM chunk_lexical"))).scalar_one()
