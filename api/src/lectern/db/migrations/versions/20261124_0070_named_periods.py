"""Names of documents are looked up for questions without a year, too, and by a quarter alone (ADR 92).

Revision ID: 20261124_0070
Revises: 20261123_0069
"""

from alembic import op

revision = "20261124_0070"
down_revision = "20261123_0069"

# As before, and documents with a quarter ("2023Q2") and a year of the question in their names, 500 at most; for a
# question without a year those of its words alone, where they are 100 at most. With each all terms of its name.
AFTER = r"""
CREATE OR REPLACE FUNCTION lectern_match_documents_by_title(terms text[]) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    asked_figures text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '\d');
    asked_words text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term !~ '\d');
    asked_quarters text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '^(q[1-4]|[1-4]q)$');
    asked_years text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '^(19|20)\d\d$');
    naming text[];
BEGIN
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
    naming := coalesce(naming, '{}');
    IF naming = '{}' AND (asked_quarters = '{}' OR asked_years = '{}') THEN
        RETURN '[]';
    END IF;
    RETURN (
        WITH found AS MATERIALIZED (
            SELECT id, chunk_count, title_terms FROM documents
            WHERE title_terms && naming AND title_terms && asked_figures AND deleted_at IS NULL AND chunk_count > 0
            UNION
            (SELECT id, chunk_count, title_terms FROM documents
             WHERE title_terms && asked_quarters AND title_terms && asked_years AND deleted_at IS NULL AND chunk_count > 0
             LIMIT 500)
            UNION
            SELECT id, chunk_count, title_terms FROM (
                SELECT id, chunk_count, title_terms, count(*) OVER () AS alike FROM documents
                WHERE asked_years = '{}' AND title_terms && naming AND deleted_at IS NULL AND chunk_count > 0) AS undated
            WHERE alike <= 100
        )
        SELECT coalesce(jsonb_agg(jsonb_build_array(
                   id, chunk_count,
                   ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (naming)),
                   ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (asked_figures)),
                   title_terms)), '[]')
        FROM found WHERE id = ANY (lectern_filter_visible_documents(ARRAY(SELECT id FROM found))));
END $$;
"""

BEFORE = r"""
CREATE OR REPLACE FUNCTION lectern_match_documents_by_title(terms text[]) RETURNS jsonb
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


def upgrade() -> None:
    op.execute(AFTER)


def downgrade() -> None:
    op.execute(BEFORE)
