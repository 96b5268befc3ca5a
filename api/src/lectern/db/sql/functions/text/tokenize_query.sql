-- Return the terms of a query: each word stemmed in each language, and numbers and identifiers without a language.
-- The term is null where the word is a stop word of the language.
CREATE OR REPLACE FUNCTION lectern_tokenize_query(query text, languages text[])
RETURNS TABLE (word text, frequency bigint, language text, term text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 40
BEGIN ATOMIC
    WITH text AS MATERIALIZED (
        SELECT lectern_normalize_text(query) AS normalized
    ), word AS (
        SELECT word, count(*) AS frequency
        FROM text, regexp_split_to_table(lectern_extract_words(normalized), ' +') AS word
        WHERE word <> '' GROUP BY word
    )
    SELECT word.word, word.frequency, l.language, (
        SELECT lectern_strip_accents(lexeme)
        FROM unnest(to_tsvector(lectern_get_search_configuration(l.language), word.word)) LIMIT 1)
    FROM word, unnest(languages) AS l (language)
    UNION ALL
    SELECT numeric_term.term, numeric_term.frequency, NULL, numeric_term.term
    FROM text, lectern_extract_numeric_terms(normalized) AS numeric_term;
END;
