-- Return the words of chunks that are indexed as terms of the query, and pages with the boxes of their words.
--   word_lines   words of chunks, a word a line, for each of the languages
--   terms        those of the query
-- It runs as the caller, so policies apply. It is planned once for each connection.
CREATE OR REPLACE FUNCTION lectern_list_evidence(
    languages text[], word_lines text[], terms text[], document_ids uuid[], first_pages integer[], last_pages integer[])
RETURNS TABLE (document_id uuid, page_number integer, char_start integer, text text, boxes bytea, words jsonb)
LANGUAGE plpgsql STABLE ROWS 10 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH asked AS MATERIALIZED (
        SELECT language, word, lectern_normalize_text(word) AS plain
        FROM unnest(languages, word_lines) AS given (language, lines), string_to_table(lines, E'\n') AS word
    ), read AS (
        SELECT language, word, lectern_strip_accents(lexeme) AS term
        FROM asked, unnest(to_tsvector(lectern_get_search_configuration(language), lectern_extract_words(plain)))
        UNION ALL
        SELECT language, word, term FROM (SELECT * FROM asked WHERE plain ~ '\d' OFFSET 0) AS a,
             lectern_extract_numeric_terms(plain)
    )
    SELECT NULL::uuid, NULL::integer, NULL::integer, NULL::text, NULL::bytea,
           jsonb_agg(jsonb_build_array(language, word, term))
    FROM read WHERE term = ANY (terms) HAVING count(*) > 0
    UNION ALL
    SELECT p.document_id, p.page_number, p.char_start, p.text, p.boxes, NULL FROM pages AS p
    JOIN unnest(document_ids, first_pages, last_pages) AS w (document_id, first, last)
      ON p.document_id = w.document_id AND p.page_number BETWEEN w.first AND w.last;
END $$;
