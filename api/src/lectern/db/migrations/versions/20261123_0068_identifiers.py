"""Passages with an identifier of the question are told among those found by keyword (ADR 88).

Revision ID: 20261123_0068
Revises: 20261123_0067
"""

from alembic import op

revision = "20261123_0068"
down_revision = "20261123_0067"

WITH_TERMS = r"""
-- The chunks that have one of these terms.
CREATE FUNCTION lectern_filter_chunks_by_terms(ids uuid[], terms tsquery) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH found AS MATERIALIZED (
        SELECT chunk_id, document_id FROM chunk_lexical WHERE chunk_id = ANY (ids) AND tsv @@ terms
    ) SELECT chunk_id FROM found
    WHERE document_id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM found)));
END $$;
"""


def upgrade() -> None:
    op.execute(WITH_TERMS)


def downgrade() -> None:
    op.execute("DROP FUNCTION lectern_filter_chunks_by_terms(uuid[], tsquery)")
