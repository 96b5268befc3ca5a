"""Whether pages of a document can be drawn is told with it: asking for a picture that cannot be is an error.

Revision ID: 20261122_0065
Revises: 20261122_0064
"""

from typing import Final

from alembic import op

revision = "20261122_0065"
down_revision = "20261122_0064"

# Of what was read before only this is known: a PDF that was refused as encrypted, and is there, came with its password.
COLUMN: Final = r"""
ALTER TABLE documents ADD COLUMN page_images text NOT NULL DEFAULT 'none'
    CONSTRAINT ck_documents_page_images CHECK (page_images IN ('available', 'locked', 'none'));
UPDATE documents AS d SET page_images = CASE WHEN EXISTS (
    SELECT FROM jobs AS j
    WHERE j.document_id = d.id AND j.error_code = 'encrypted' AND coalesce(j.version, 1) = d.version
) THEN 'locked' ELSE 'available' END
WHERE content_type = 'application/pdf' AND chunk_count > 0;
"""

DROP: Final = "DROP FUNCTION lectern_load_chunks(uuid[], text[])"

# Chunks with what is said of them and of their documents; `terms` are those to tell which of them each has (ADR 60).
PASSAGES: Final = r"""
CREATE FUNCTION lectern_load_chunks(ids uuid[], terms text[]) RETURNS TABLE (
    chunk_id uuid, document_id uuid, chunk_index integer, section_heading text, section_path text[],
    page_number integer, last_page_number integer, char_start integer, char_end integer, token_count integer,
    content_type text, importance double precision, language text, text text,
    filename text, title text,{declared} collection text, matched_terms text[], tags text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    sees_tags constant boolean := lectern_is_unrestricted('lectern.tags');
    seen_tags constant uuid[] := lectern_get_scope_ids('lectern.tags');
BEGIN
    RETURN QUERY WITH found AS MATERIALIZED (
        SELECT * FROM chunks WHERE id = ANY (ids)
    )
    SELECT c.id, c.document_id, c.chunk_index, c.section_heading, c.section_path, c.page_number, c.last_page_number,
           c.char_start, c.char_end, c.token_count, c.content_type, c.importance, c.language, c.text,
           d.filename, d.title,{selected} o.name,
           (SELECT array_agg(term) FROM chunk_lexical AS i, unnest(terms) AS term
            WHERE i.chunk_id = c.id AND term = ANY (tsvector_to_array(i.tsv))),
           ARRAY(SELECT t.name FROM tags AS t JOIN document_tags AS dt ON dt.tag_id = t.id
                 WHERE dt.document_id = c.document_id AND (sees_tags OR t.id = ANY (seen_tags)) ORDER BY t.name)
    FROM found AS c
    JOIN documents AS d ON d.id = c.document_id
    JOIN collections AS o ON o.id = d.collection_id
    WHERE c.document_id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM found)));
END $$;
"""


def upgrade() -> None:
    op.execute(COLUMN)
    op.execute(DROP)
    op.execute(PASSAGES.format(declared=" page_images text,", selected=" d.page_images,"))


def downgrade() -> None:
    op.execute(DROP)
    op.execute(PASSAGES.format(declared="", selected=""))
    op.execute("ALTER TABLE documents DROP COLUMN page_images")
