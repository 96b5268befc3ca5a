"""Maintain the lexical index, and merge the rows that triggers append to the counts.

Functions run in the caller's transaction, which must be allowed to write. Counts are exact after every statement.
Triggers append each difference, also for deletions by cascade. Merging keeps their tables small.
"""

import uuid
from collections.abc import Sequence
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

# The filename is indexed with the title: "ACME_2017_10K.pdf" names company, year and form.
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
_MERGE_LEXEME_DELTAS: Final = text("SELECT lectern_merge_lexeme_deltas()")
_MERGE_DOCUMENT_COUNTS: Final = text("SELECT lectern_merge_document_counts()")
_MERGE_LIBRARY_VERSIONS: Final = text("SELECT lectern_merge_library_versions()")


async def index_document(session: AsyncSession, document_id: uuid.UUID) -> None:
    """Index all chunks of a document, and replace its earlier entries."""
    await session.execute(_REMOVE, {"document_id": document_id})
    await session.execute(_ADD, {"document_id": document_id})
    await merge_lexeme_deltas(session)


async def index_missing_chunks(session: AsyncSession, document_id: uuid.UUID) -> None:
    """Index the chunks of a document that have no entry."""
    await session.execute(_ADD, {"document_id": document_id})
    await merge_lexeme_deltas(session)


async def remove_chunks(session: AsyncSession, chunk_ids: Sequence[uuid.UUID]) -> None:
    """Remove the entries of chunks. The caller indexes others next, which merges the counts."""
    if chunk_ids:
        await session.execute(_REMOVE_CHUNKS, {"chunk_ids": list(chunk_ids)})


async def remove_document(session: AsyncSession, document_id: uuid.UUID) -> None:
    """Remove the entries of a document. This is much faster than the cascade from its chunks."""
    await session.execute(_REMOVE, {"document_id": document_id})
    await merge_lexeme_deltas(session)


async def merge_lexeme_deltas(session: AsyncSession) -> bool:
    """Merge the counts of lexemes. Return False if another transaction is doing so.

    Searches are correct without it. It also removes the last traces of purged documents.
    """
    return bool((await session.execute(_MERGE_LEXEME_DELTAS)).scalar_one())


async def merge_document_counts(session: AsyncSession) -> bool:
    """Merge the counts of documents. Return False if another transaction is doing so."""
    return bool((await session.execute(_MERGE_DOCUMENT_COUNTS)).scalar_one())


async def merge_library_versions(session: AsyncSession) -> bool:
    """Merge the tokens of the library version. Return False if another transaction is doing so."""
    return bool((await session.execute(_MERGE_LIBRARY_VERSIONS)).scalar_one())
