"""What a search covers is counted when documents change, not at every search (ADR 96).

Revision ID: 20261124_0073
Revises: 20261124_0072
"""

from alembic import op

revision = "20261124_0073"
down_revision = "20261124_0072"

TABLE = """
-- Writers append differences, so that they never wait for each other; the true count is the sum.
CREATE TABLE document_counts (
    collection_id UUID NOT NULL,
    documents BIGINT NOT NULL,
    searchable BIGINT NOT NULL,
    processing BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    pages_unreadable BIGINT NOT NULL,
    chunks BIGINT NOT NULL,
    embedded_chunks BIGINT NOT NULL
);
GRANT SELECT ON document_counts TO lectern_system;
"""
NAMES = ("documents", "searchable", "processing", "failed", "pages_unreadable", "chunks", "embedded_chunks")
# As `lectern.search.candidates.repository` counts what a filter leaves.
SUMS = """
    coalesce(sum(sign), 0)::bigint AS documents,
    coalesce(sum(sign) FILTER (WHERE chunk_count > 0), 0)::bigint AS searchable,
    coalesce(sum(sign) FILTER (WHERE status IN ('queued', 'processing') AND ready_at IS NULL), 0)::bigint AS processing,
    coalesce(sum(sign) FILTER (WHERE status = 'failed'), 0)::bigint AS failed,
    coalesce(sum(sign * unreadable_page_count), 0)::bigint AS pages_unreadable,
    coalesce(sum(sign * chunk_count), 0)::bigint AS chunks,
    coalesce(sum(sign * embedded_chunk_count), 0)::bigint AS embedded_chunks
"""
COLUMNS = "collection_id, status, ready_at, unreadable_page_count, chunk_count, embedded_chunk_count"
APPEND = """
CREATE FUNCTION lectern_append_document_counts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO document_counts SELECT * FROM ({added}) AS net WHERE {changed};
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO document_counts SELECT * FROM ({removed}) AS net WHERE {changed};
    ELSE
        INSERT INTO document_counts SELECT * FROM ({both}) AS net WHERE {changed};
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER documents_added AFTER INSERT ON documents REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
CREATE TRIGGER documents_removed AFTER DELETE ON documents REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
CREATE TRIGGER documents_changed AFTER UPDATE ON documents REFERENCING OLD TABLE AS removed NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
"""
SETTLE = """
-- Add up the differences that are visible, unless another transaction is doing so (false).
CREATE FUNCTION lectern_merge_document_counts() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(7263510446) THEN
        RETURN false;
    END IF;
    WITH taken AS (DELETE FROM document_counts RETURNING *)
    INSERT INTO document_counts SELECT * FROM (
        SELECT collection_id, {totals} FROM taken GROUP BY collection_id) AS net
    WHERE {changed};
    RETURN true;
END $$;

-- Count anew, alone: whoever writes documents waits until the transaction ends.
CREATE FUNCTION lectern_recount_documents() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    LOCK TABLE documents IN SHARE ROW EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(7263510446);
    DELETE FROM document_counts;
    INSERT INTO document_counts {every};
END $$;

-- All documents in a scope that no tag or document narrows; no row for any other scope.
CREATE FUNCTION lectern_get_document_counts() RETURNS TABLE (
    documents bigint, searchable bigint, processing bigint, failed bigint, pages_unreadable bigint, chunks bigint,
    embedded_chunks bigint)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT {totals} FROM document_counts
    WHERE lectern_is_unrestricted('lectern.collections') OR collection_id = ANY (lectern_get_scope_ids('lectern.collections'))
    HAVING lectern_is_unrestricted('lectern.tags') AND lectern_is_unrestricted('lectern.documents');
END;

REVOKE EXECUTE ON FUNCTION lectern_merge_document_counts(), lectern_recount_documents() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_merge_document_counts(), lectern_recount_documents() TO lectern_system;
SELECT lectern_recount_documents();
"""
UNDO = """
DROP FUNCTION lectern_get_document_counts();
DROP FUNCTION lectern_recount_documents();
DROP FUNCTION lectern_merge_document_counts();
DROP TRIGGER documents_changed ON documents;
DROP TRIGGER documents_removed ON documents;
DROP TRIGGER documents_added ON documents;
DROP FUNCTION lectern_append_document_counts();
DROP TABLE document_counts;
"""


def _rows(table: str, sign: int) -> str:
    return f"SELECT {sign} AS sign, {COLUMNS} FROM {table} WHERE deleted_at IS NULL"


def _net(rows: str) -> str:
    return f"SELECT collection_id, {SUMS} FROM ({rows}) AS every GROUP BY collection_id"


def upgrade() -> None:
    parts = {
        "added": _net(_rows("added", 1)),
        "removed": _net(_rows("removed", -1)),
        "both": _net(f"{_rows('removed', -1)} UNION ALL {_rows('added', 1)}"),
        "every": _net(_rows("documents", 1)),
        "changed": " OR ".join(f"{name} <> 0" for name in NAMES),
        "totals": ", ".join(f"coalesce(sum({name}), 0)::bigint AS {name}" for name in NAMES),
    }
    op.execute(TABLE)
    op.execute(APPEND.format(**parts))
    op.execute(SETTLE.format(**parts))


def downgrade() -> None:
    op.execute(UNDO)
