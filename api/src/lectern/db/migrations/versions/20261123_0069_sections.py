"""Passages of a section that the question names are told among those found (ADR 89).

Revision ID: 20261123_0069
Revises: 20261123_0068
"""

from alembic import op

revision = "20261123_0069"
down_revision = "20261123_0068"

OF_SECTIONS = r"""
-- The chunks of a section whose heading begins with one pattern, or with such a line by the other; both of lower case.
CREATE FUNCTION lectern_filter_chunks_by_section(ids uuid[], headings text, lines text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH found AS MATERIALIZED (
        SELECT id, document_id FROM chunks
        WHERE id = ANY (ids)
          AND (lower(array_to_string(section_path || section_heading, E'\n')) ~ headings OR lower(text) ~ lines)
    ) SELECT id FROM found
    WHERE document_id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM found)));
END $$;
"""


def upgrade() -> None:
    op.execute(OF_SECTIONS)


def downgrade() -> None:
    op.execute("DROP FUNCTION lectern_filter_chunks_by_section(uuid[], text, text)")
