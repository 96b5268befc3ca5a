"""What candidates and winners of a search are shown with is read by the owner, who asks for the scope himself (ADR 60).

Revision ID: 20261122_0060
Revises: 20261122_0041
"""

from alembic import op

revision = "20261122_0060"
down_revision = "20261122_0041"

# Under row-level security every table of a statement brings its policies along, and planning them took longer than
# running the statement. These functions are planned once for each connection, and ask in the policy's own words.
FUNCTIONS = r"""
DO $$
BEGIN
    EXECUTE format($function$
        CREATE FUNCTION lectern_filter_visible_documents(ids uuid[]) RETURNS uuid[]
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
        SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $body$
        BEGIN
            IF lectern_can_see_all() THEN
                RETURN ids;
            END IF;
            RETURN ARRAY(SELECT id FROM documents WHERE id = ANY (ids) AND (%s));
        END $body$
        $function$, pg_get_expr(polqual, polrelid))
    FROM pg_policy WHERE polrelid = 'documents'::regclass AND polname = 'visible';
END $$;

-- The chunks in one of these languages.
CREATE FUNCTION lectern_filter_chunks_by_language(ids uuid[], languages text[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH found AS MATERIALIZED (
        SELECT chunk_id, document_id FROM chunk_lexical WHERE chunk_id = ANY (ids) AND language = ANY (languages)
    ) SELECT chunk_id FROM found
    WHERE document_id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM found)));
END $$;

-- Where chunks stand; those of documents of one page stand nowhere in particular.
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

-- Chunks with what is said of them and of their documents; `terms` are those to tell which of them each has.
CREATE FUNCTION lectern_load_chunks(ids uuid[], terms text[]) RETURNS TABLE (
    chunk_id uuid, document_id uuid, chunk_index integer, section_heading text, section_path text[],
    page_number integer, last_page_number integer, char_start integer, char_end integer, token_count integer,
    content_type text, importance double precision, language text, text text,
    filename text, title text, collection text, matched_terms text[], tags text[])
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
           d.filename, d.title, o.name,
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
    op.execute(FUNCTIONS)


def downgrade() -> None:
    op.execute("DROP FUNCTION lectern_load_chunks(uuid[], text[])")
    op.execute("DROP FUNCTION lectern_get_page_keys(uuid[])")
    op.execute("DROP FUNCTION lectern_filter_chunks_by_language(uuid[], text[])")
    op.execute("DROP FUNCTION lectern_filter_visible_documents(uuid[])")
