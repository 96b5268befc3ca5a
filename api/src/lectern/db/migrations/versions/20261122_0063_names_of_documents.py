"""A document that the question names comes before others: the words of its name are kept beside it (ADR 72).

Revision ID: 20261122_0063
Revises: 20261122_0062
"""

from alembic import op

revision = "20261122_0063"
down_revision = "20261122_0062"

NAMES = r"""
-- The terms of a document's title and filename; a year is told from what is written right behind it (`2023Q2`).
CREATE FUNCTION lectern_extract_title_terms(language text, title text, filename text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
    SELECT DISTINCT term FROM lectern_tokenize_text(lectern_get_search_configuration(language), regexp_replace(
        concat_ws(' ', title, regexp_replace(filename, '\.[[:alnum:]]{1,5}$', '')),
        '((19|20)\d\d)(?=[[:alpha:]]\d)', '\1 ', 'g'))
    ORDER BY term);

CREATE FUNCTION lectern_set_title_terms() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.title_terms := lectern_extract_title_terms(NEW.language, NEW.title, NEW.filename);
    RETURN NEW;
END $$;

ALTER TABLE documents ADD COLUMN title_terms text[] NOT NULL DEFAULT '{}';
UPDATE documents SET title_terms = lectern_extract_title_terms(language, title, filename);
CREATE TRIGGER note_name BEFORE INSERT OR UPDATE OF language, title, filename ON documents
FOR EACH ROW EXECUTE FUNCTION lectern_set_title_terms();
"""

# Where chunks stand (those of documents of one page stand nowhere in particular), and which of the terms the names of
# their documents have. A word alone names nothing ("policy"), nor does a year: both together do ("ACME 2023").
PLACES = r"""
DROP FUNCTION lectern_get_page_keys(uuid[]);
CREATE FUNCTION lectern_get_page_keys(ids uuid[], terms text[])
RETURNS TABLE (chunk_id uuid, place text, document_id uuid, named text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH found AS MATERIALIZED (
        SELECT id, document_id, page_number, last_page_number FROM chunks WHERE id = ANY (ids)
    ), shown AS MATERIALIZED (
        SELECT id, page_count > 1 AS is_paged,
               ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (terms)) AS named
        FROM documents
        WHERE id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM found)))
    )
    SELECT found.id, CASE WHEN is_paged THEN concat_ws(':', document_id, page_number, last_page_number) END, document_id,
           CASE WHEN EXISTS (SELECT FROM unnest(shown.named) AS term WHERE term ~ '\d')
                 AND EXISTS (SELECT FROM unnest(shown.named) AS term WHERE term !~ '\d') THEN shown.named ELSE '{}' END
    FROM found JOIN shown ON shown.id = document_id;
END $$;
"""

PLACES_BEFORE = r"""
DROP FUNCTION lectern_get_page_keys(uuid[], text[]);
CREATE FUNCTION lectern_get_page_keys(ids uuid[]) RETURNS TABLE (chunk_id uuid, place text)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH found AS MATERIALIZED (
        SELECT id, document_id, page_number, last_page_number FROM chunks WHERE id = ANY (ids)
    ), paged AS MATERIALIZED (
        SELECT id FROM documents
        WHERE id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM found))) AND page_count > 1
    )
    SELECT found.id, concat_ws(':', document_id, page_number, last_page_number)
    FROM found WHERE document_id IN (SELECT id FROM paged);
END $$;
"""


def upgrade() -> None:
    op.execute(NAMES)
    op.execute(PLACES)


def downgrade() -> None:
    op.execute(PLACES_BEFORE)
    op.execute("DROP TRIGGER note_name ON documents")
    op.execute("DROP FUNCTION lectern_set_title_terms()")
    op.execute("ALTER TABLE documents DROP COLUMN title_terms")
    op.execute("DROP FUNCTION lectern_extract_title_terms(text, text, text)")
