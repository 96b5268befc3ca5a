-- Build the two vectors of a chunk in the lexical index: its terms (`tsv`) and their BM25 weights (`lex`).
-- Terms of the title and heading count five times more, terms of the section path once more.
-- BM25: Robertson and Zaragoza 2009, with k1 = 1.2 and b = 0.75. The average length is fixed at the chunker's target,
-- so that weights never change when other documents do. lectern/search/query/terms.py has the same numbers.
-- Numbers do not count towards the length of a chunk.
-- It is planned once for each connection: planning the functions that it calls takes as long as running them.
CREATE OR REPLACE FUNCTION lectern_build_lexical_entry(
    configuration regconfig, title text, heading text, path text, body text, OUT tsv tsvector, OUT lex sparsevec)
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET plan_cache_mode = force_generic_plan
BEGIN ATOMIC
    WITH terms AS (
        SELECT term, sum(frequency)::float8 AS frequency FROM (
            SELECT term, frequency FROM lectern_tokenize_text(configuration, body)
            UNION ALL SELECT term, 5 FROM lectern_tokenize_text(configuration, title)
            UNION ALL SELECT term, 5 FROM lectern_tokenize_text(configuration, heading)
            UNION ALL SELECT term, 1 FROM lectern_tokenize_text(configuration, path)
        ) AS occurrences GROUP BY term
    ), chunk AS (
        SELECT coalesce(sum(frequency) FILTER (WHERE term !~ '^[0-9.]+%?$'), 1) AS length FROM terms
    ), weights AS (
        SELECT lectern_hash_term(term) AS hash,
               sum(frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / 180.0)))::float4 AS weight
        FROM terms, chunk GROUP BY 1
    )
    SELECT coalesce((SELECT array_to_tsvector(array_agg(term)) FROM terms), ''::tsvector),
           ('{' || coalesce((SELECT string_agg(hash || ':' || weight, ',') FROM weights), '')
               || '}/1000000000')::sparsevec;
END;
