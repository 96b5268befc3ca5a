"""Invariants of the library. Each rule is a query for the rows that violate it.

Tests and `lectern doctor` run them in a session that sees everything. They read every row: seconds for 100,000 chunks.
"""

from typing import Final

from sqlalchemy import text

from lectern.db.session import Session
from lectern.embeddings import service as embeddings

_EXISTS: Final = text("SELECT to_regclass(:name) IS NOT NULL")


_RULES: Final = {
    "a document that is not finished has a job at work": """
        SELECT id FROM documents d WHERE status IN ('queued', 'processing') AND deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM jobs j WHERE j.document_id = d.id AND j.state IN ('queued', 'running'))""",
    "a document with a job at work is not finished": """
        SELECT id FROM documents d WHERE status IN ('ready', 'failed')
        AND EXISTS (SELECT FROM jobs j WHERE j.document_id = d.id AND j.state IN ('queued', 'running'))""",
    "a job at work is in the queue": """
        SELECT id FROM jobs j WHERE state IN ('queued', 'running') AND NOT EXISTS (
            SELECT FROM queue.procrastinate_jobs e WHERE e.id = j.queue_id AND e.status IN ('todo', 'doing'))""",
    "a finished job has an end": """
        SELECT id FROM jobs WHERE (state IN ('succeeded', 'failed', 'cancelled')) <> (finished_at IS NOT NULL)""",
    "a ready document says since when": """
        SELECT id FROM documents
        WHERE status = 'ready' AND (ready_at IS NULL OR keyword_ready_at IS NULL OR keyword_ready_at > ready_at)""",
    "a failed document says why": "SELECT id FROM documents WHERE (status = 'failed') <> (error_code IS NOT NULL)",
    "a document's chunks are counted": """
        SELECT d.id FROM documents d WHERE keyword_ready_at IS NOT NULL
        AND chunk_count <> (SELECT count(*) FROM chunks c WHERE c.document_id = d.id)""",
    "a document's pages are counted": """
        SELECT d.id FROM documents d WHERE keyword_ready_at IS NOT NULL
        AND page_count <> (SELECT count(*) FROM pages p WHERE p.document_id = d.id)""",
    "a document without an index has no chunks": """
        SELECT d.id FROM documents d WHERE keyword_ready_at IS NULL
        AND EXISTS (SELECT FROM chunks c WHERE c.document_id = d.id)""",
    "chunks are numbered without gaps": """
        SELECT document_id FROM chunks GROUP BY document_id
        HAVING min(chunk_index) <> 0 OR max(chunk_index) <> count(*) - 1""",
    "every chunk is in the lexical index": """
        SELECT c.id FROM chunks c LEFT JOIN chunk_lexical l ON l.chunk_id = c.id
        WHERE l.chunk_id IS NULL OR l.document_id <> c.document_id""",
    "a document's text stream has no gaps": """
        SELECT document_id FROM (
            SELECT document_id, char_start,
                   lag(char_start + char_count + 1) OVER (PARTITION BY document_id ORDER BY page_number) AS expected
            FROM pages p WHERE EXISTS (
                SELECT FROM documents d WHERE d.id = p.document_id AND d.keyword_ready_at IS NOT NULL)
        ) AS s WHERE char_start <> coalesce(expected, 0)""",
    "a version on its way has a job at work": """
        SELECT v.document_id FROM document_versions v WHERE state = 'processing' AND NOT EXISTS (
            SELECT FROM jobs j WHERE j.document_id = v.document_id AND j.version = v.number
            AND j.state IN ('queued', 'running'))""",
    "a document is what its version says": """
        SELECT d.id FROM documents d JOIN document_versions v ON v.document_id = d.id AND v.number = d.version
        WHERE v.sha256 <> d.sha256 OR (d.ready_at IS NOT NULL AND v.state <> 'current')
        UNION ALL
        SELECT d.id FROM documents d JOIN document_versions v ON v.document_id = d.id AND v.number <> d.version
        WHERE v.state = 'current'""",
    "chunks lie on pages of their document": """
        SELECT c.id FROM chunks c WHERE NOT EXISTS (
            SELECT FROM pages p WHERE p.document_id = c.document_id AND p.page_number = c.page_number)""",
}
_RULES_OF_EMBEDDINGS: Final = {
    "every chunk of a ready document is embedded": """
        SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id AND d.status = 'ready'
        WHERE NOT EXISTS (SELECT FROM {table} e WHERE e.chunk_id = c.id)""",
    "embedded chunks are counted": """
        SELECT d.id FROM documents d WHERE status = 'ready' AND embedded_chunk_count <>
        (SELECT count(DISTINCT e.chunk_id) FROM {table} e WHERE e.document_id = d.id)""",
    "windows of a chunk are numbered without gaps": """
        SELECT chunk_id FROM {table} GROUP BY chunk_id
        HAVING min(window_number) <> 1 OR max(window_number) <> count(*)""",
    "embeddings know their chunk's document": """
        SELECT e.chunk_id FROM {table} e JOIN chunks c ON c.id = e.chunk_id WHERE c.document_id <> e.document_id""",
}
_RULES_OF_STATISTICS: Final = {
    "lexemes are counted": """
        WITH counted AS (
            SELECT lexeme, collection_id, language, sum(chunk_count) AS chunk_count FROM (
                SELECT lexeme, collection_id, language, chunk_count FROM lexeme_stats
                UNION ALL SELECT lexeme, collection_id, language, chunk_count FROM lexeme_deltas
            ) AS kept GROUP BY lexeme, collection_id, language HAVING sum(chunk_count) <> 0
        ), actual AS (
            SELECT lexeme, collection_id, l.language, count(*) AS chunk_count
            FROM chunk_lexical l JOIN documents d ON d.id = l.document_id,
                 unnest(tsvector_to_array(tsv) || ''::text) AS lexeme
            GROUP BY lexeme, collection_id, l.language
        )
        SELECT lexeme FROM counted FULL JOIN actual USING (lexeme, collection_id, language)
        WHERE counted.chunk_count IS DISTINCT FROM actual.chunk_count""",
    "documents are counted": """
        WITH counted AS (
            SELECT collection_id, sum(documents) AS documents, sum(searchable) AS searchable,
                   sum(processing) AS processing, sum(failed) AS failed, sum(pages_unreadable) AS pages_unreadable,
                   sum(chunks) AS chunks, sum(embedded_chunks) AS embedded_chunks
            FROM document_counts GROUP BY collection_id
        ), actual AS (
            SELECT collection_id, count(*) AS documents, count(*) FILTER (WHERE chunk_count > 0) AS searchable,
                   count(*) FILTER (WHERE status IN ('queued', 'processing') AND ready_at IS NULL) AS processing,
                   count(*) FILTER (WHERE status = 'failed') AS failed, sum(unreadable_page_count) AS pages_unreadable,
                   sum(chunk_count) AS chunks, sum(embedded_chunk_count) AS embedded_chunks
            FROM documents WHERE deleted_at IS NULL GROUP BY collection_id
        )
        SELECT collection_id FROM (
            SELECT * FROM actual UNION ALL
            SELECT collection_id, -documents, -searchable, -processing, -failed, -pages_unreadable, -chunks,
                   -embedded_chunks
            FROM counted
        ) AS every
        GROUP BY collection_id
        HAVING sum(documents) <> 0 OR sum(searchable) <> 0 OR sum(processing) <> 0 OR sum(failed) <> 0
            OR sum(pages_unreadable) <> 0 OR sum(chunks) <> 0 OR sum(embedded_chunks) <> 0""",
}


RULES: Final = (*_RULES, *_RULES_OF_STATISTICS, *_RULES_OF_EMBEDDINGS)


async def find_broken(session: Session, rule: str) -> tuple[str, ...]:
    """Return the rows that violate one of the `RULES`. Rules on embeddings apply to the active generation."""
    query = (_RULES | _RULES_OF_STATISTICS).get(rule)
    if query is None:
        generation = await embeddings.find_active_generation(session)
        if generation is None or not await session.scalar(_EXISTS, {"name": generation.table_name}):
            return ()
        query = _RULES_OF_EMBEDDINGS[rule].format(table=generation.table_name)
    return tuple(str(value) for value in (await session.execute(text(query))).scalars())
