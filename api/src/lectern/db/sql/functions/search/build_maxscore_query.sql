-- Return tsqueries of all chunks that could score above `threshold` (MaxScore), null if none could.
-- A chunk matches one of them: the first lists terms that are enough alone, each other one is a term with others.
--   terms          tsquery literals, by falling upper bound
--   upper_bounds   the highest score that each term can add
--   selectivities  the share of chunks that contain each term
-- A chunk needs a term with an upper bound above the threshold, or two terms that reach it together. If more than
-- `candidate_budget` of the `chunk_count` chunks are expected to match, the threshold is raised. The expectation treats
-- terms as independent.
CREATE OR REPLACE FUNCTION lectern_build_maxscore_query(
    terms text[], upper_bounds float8[], selectivities float8[], threshold float8, chunk_count float8,
    candidate_budget float8)
RETURNS tsquery[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    term_count constant integer := cardinality(terms);
    remaining_bounds float8[] := array_fill(0::float8, ARRAY[term_count + 1]);  -- sum of the bounds from a term on
    log_absent float8[] := remaining_bounds;  -- logarithm of the share of chunks without any term from a term on
    strong_terms text;
    clauses text[];
    expected_matches float8;
    last integer;
BEGIN
    FOR j IN REVERSE term_count..1 LOOP
        remaining_bounds[j] := remaining_bounds[j + 1] + upper_bounds[j];
        log_absent[j] := log_absent[j + 1] + ln(greatest(1 - selectivities[j], 1e-9));
    END LOOP;
    LOOP
        strong_terms := NULL;
        clauses := '{}';
        expected_matches := 0;
        last := term_count;
        FOR j IN 1..term_count LOOP
            EXIT WHEN remaining_bounds[j] <= threshold;
            IF upper_bounds[j] > threshold THEN
                strong_terms := concat_ws(' | ', strong_terms, terms[j]);
                expected_matches := expected_matches + selectivities[j] * chunk_count;
            ELSE
                WHILE remaining_bounds[last] <= threshold - upper_bounds[j] LOOP
                    last := last - 1;
                END LOOP;
                clauses := clauses || format('%s & (%s)', terms[j], array_to_string(terms[j + 1:last], ' | '));
                expected_matches := expected_matches
                    + selectivities[j] * chunk_count * (1 - exp(log_absent[j + 1] - log_absent[last + 1]));
            END IF;
        END LOOP;
        EXIT WHEN expected_matches <= candidate_budget;
        threshold := threshold * 1.15 + remaining_bounds[1] / 100;
    END LOOP;
    RETURN nullif(array_remove(strong_terms || clauses, NULL), '{}')::tsquery[];
END $$;
