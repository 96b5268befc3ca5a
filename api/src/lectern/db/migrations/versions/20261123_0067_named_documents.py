"""Documents that the question names are looked for by their names, not only among those found (ADR 87).

Revision ID: 20261123_0067
Revises: 20261122_0066
"""

from alembic import op

revision = "20261123_0067"
down_revision = "20261122_0066"

# A word names a document when at least half of the passages that have it are of documents with it in their names: titles
# and filenames are indexed with every passage. Words of more than 500 names or 20,000 passages tell nothing apart (and
# would take long to count); without a figure nothing is looked up. What is returned is what row-level security shows.
NAMED = r"""
CREATE INDEX ix_documents_title_terms ON documents USING gin (title_terms) WITH (fastupdate = off);

CREATE FUNCTION lectern_match_documents_by_title(terms text[]) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    asked_figures text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '\d');
    asked_words text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term !~ '\d');
    naming text[];
BEGIN
    IF asked_figures = '{}' OR asked_words = '{}' THEN
        RETURN '[]';
    END IF;
    WITH spoken AS MATERIALIZED (
        SELECT lexeme AS term, sum(chunk_count) AS chunks FROM (
            SELECT lexeme, chunk_count FROM lexeme_stats WHERE lexeme = ANY (asked_words)
            UNION ALL SELECT lexeme, chunk_count FROM lexeme_deltas WHERE lexeme = ANY (asked_words)
        ) AS every GROUP BY lexeme HAVING sum(chunk_count) BETWEEN 1 AND 20000
    )
    SELECT array_agg(term) INTO naming FROM spoken CROSS JOIN LATERAL (
        SELECT count(*) AS documents, sum(chunk_count) AS chunks FROM (
            SELECT chunk_count FROM documents WHERE title_terms @> ARRAY[term] LIMIT 501) AS named) AS own
    WHERE own.documents BETWEEN 1 AND 500 AND own.chunks * 2 >= spoken.chunks;
    IF naming IS NULL THEN
        RETURN '[]';
    END IF;
    RETURN (
        WITH found AS MATERIALIZED (
            SELECT id, chunk_count, title_terms FROM documents
            WHERE title_terms && naming AND title_terms && asked_figures AND deleted_at IS NULL AND chunk_count > 0
        )
        SELECT coalesce(jsonb_agg(jsonb_build_array(
                   id, chunk_count,
                   ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (naming)),
                   ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (asked_figures)))), '[]')
        FROM found WHERE id = ANY (lectern_filter_visible_documents(ARRAY(SELECT id FROM found))));
END $$;
"""

# Where chunks stand; those of documents of one page stand nowhere in particular.
PLACES = r"""
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

PLACES_BEFORE = r"""
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


def upgrade() -> None:
    op.execute(NAMED)
    op.execute(PLACES)


def downgrade() -> None:
    op.execute(PLACES_BEFORE)
    op.execute("DROP FUNCTION lectern_match_documents_by_title(text[])")
    op.execute("DROP INDEX ix_documents_title_terms")
