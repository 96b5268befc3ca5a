-- Return the terms of a text with their frequencies: stems without accents, numbers and identifiers.
CREATE OR REPLACE FUNCTION lectern_tokenize_text(configuration regconfig, body text)
RETURNS TABLE (term text, frequency bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 150
BEGIN ATOMIC
    WITH text AS MATERIALIZED (SELECT lectern_normalize_text(body) AS normalized)
    SELECT lectern_strip_accents(lexeme), sum(cardinality(positions))::bigint
    FROM text, unnest(to_tsvector(configuration, lectern_extract_words(normalized))) GROUP BY 1
    UNION ALL
    SELECT numeric_term.term, numeric_term.frequency
    FROM text, lectern_extract_numeric_terms(normalized) AS numeric_term;
END;
