"""The keyword arm's second look takes only passages that could still overtake (ADR 75).

Revision ID: 20261122_0064
Revises: 20261122_0063
"""

from alembic import op

revision = "20261122_0064"
down_revision = "20261122_0063"

# Term weights were compressed wherever a row was over 2 kB, and taking them apart cost more than the inner product.
# Now only the terms leave such a row; weights stay in the page as they are unless they alone fill it.
LAYOUT = r"""
ALTER TABLE chunk_lexical SET (toast_tuple_target = 2032);
"""
# Casting makes a value anew; what is only copied stays compressed.
REWRITE = r"""
UPDATE chunk_lexical SET lex = (lex::text)::sparsevec WHERE pg_column_compression(lex) IS NOT NULL;
"""

REACHING = r"""
-- The tsquery of passages whose terms could add up to more than `gap`, null where none could. `terms` are tsquery
-- literals by falling `bounds` (the most that each adds), `shares` how many of the `chunks` have each. A passage needs
-- a term that is worth more than the gap, or a term together with one of those that close the rest of it. Where these
-- are more than the `budget` (as if terms came independently), the gap is taken for wider.
CREATE FUNCTION lectern_build_maxscore_query(
    terms text[], bounds float8[], shares float8[], gap float8, chunks float8, budget float8)
RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    number constant integer := cardinality(terms);
    sums float8[] := array_fill(0::float8, ARRAY[number + 1]);  -- of the bounds from a term on
    without float8[] := sums;  -- logarithm of the share of passages with none of the terms from a term on
    clauses text[];
    expected float8;
    last integer;
BEGIN
    FOR j IN REVERSE number..1 LOOP
        sums[j] := sums[j + 1] + bounds[j];
        without[j] := without[j + 1] + ln(greatest(1 - shares[j], 1e-9));
    END LOOP;
    LOOP
        clauses := '{}';
        expected := 0;
        last := number;
        FOR j IN 1..number LOOP
            EXIT WHEN sums[j] <= gap;
            IF bounds[j] > gap THEN
                clauses := clauses || terms[j];
                expected := expected + shares[j] * chunks;
            ELSE
                WHILE sums[last] <= gap - bounds[j] LOOP
                    last := last - 1;
                END LOOP;
                clauses := clauses || format('%s & (%s)', terms[j], array_to_string(terms[j + 1:last], ' | '));
                expected := expected + shares[j] * chunks * (1 - exp(without[j + 1] - without[last + 1]));
            END IF;
        END LOOP;
        EXIT WHEN expected <= budget;
        gap := gap * 1.15 + sums[1] / 100;
    END LOOP;
    RETURN nullif(array_to_string(clauses, ' | '), '')::tsquery;
END $$;
"""

SEARCH = r"""
DROP FUNCTION lectern_find_lexical_candidates(sparsevec, tsquery, tsquery, float8, integer, integer, uuid[], uuid[]);

-- The best chunks among those with a term of `rare`, and those without that could come before the `depth`-th of these
-- (`lectern_build_maxscore_query`).
CREATE FUNCTION lectern_find_lexical_candidates(
    weights sparsevec, rare tsquery, terms text[], bounds float8[], shares float8[], chunks float8, budget float8,
    depth integer, wanted integer, allowed uuid[], excluded uuid[])
RETURNS TABLE (chunk_id uuid, score float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50
SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_bitmapscan = on AS $$
DECLARE
    is_open constant boolean := lectern_is_unrestricted('lectern.collections') AND lectern_is_unrestricted('lectern.tags')
                                AND lectern_is_unrestricted('lectern.documents');
    candidates tsquery := rare;
    ids uuid[];
    scores float8[];
BEGIN
    FOR look IN 1..2 LOOP
        SELECT array_agg(f.chunk_id ORDER BY f.distance, f.chunk_id), array_agg(-f.distance ORDER BY f.distance, f.chunk_id)
        INTO ids, scores
        FROM (
            SELECT every.chunk_id, every.distance FROM (
                (SELECT l.chunk_id, l.lex <#> weights AS distance FROM chunk_lexical AS l
                 WHERE l.tsv @@ candidates
                   AND (is_open OR l.document_id IN (SELECT lectern_list_documents_in_scope()))
                   AND (allowed IS NULL OR l.document_id = ANY (allowed))
                   AND (excluded IS NULL OR l.document_id <> ALL (excluded))
                 ORDER BY distance, l.chunk_id LIMIT wanted)
                UNION SELECT seen.id, -seen.score FROM unnest(ids, scores) AS seen (id, score)
            ) AS every ORDER BY every.distance, every.chunk_id LIMIT wanted
        ) AS f;
        EXIT WHEN look = 2;
        candidates := lectern_build_maxscore_query(terms, bounds, shares, coalesce(scores[depth], 0), chunks, budget);
        EXIT WHEN candidates IS NULL;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(ids, scores);
END $$;
"""

BEFORE = r"""
DROP FUNCTION lectern_find_lexical_candidates(
    sparsevec, tsquery, text[], float8[], float8[], float8, float8, integer, integer, uuid[], uuid[]);
DROP FUNCTION lectern_build_maxscore_query(text[], float8[], float8[], float8, float8, float8);
ALTER TABLE chunk_lexical SET (toast_tuple_target = 256);
CREATE FUNCTION lectern_find_lexical_candidates(
    weights sparsevec, rare tsquery, wide tsquery, floor float8, depth integer, wanted integer,
    allowed uuid[], excluded uuid[])
RETURNS TABLE (chunk_id uuid, score float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50
SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_bitmapscan = on AS $$
DECLARE
    is_open constant boolean := lectern_is_unrestricted('lectern.collections') AND lectern_is_unrestricted('lectern.tags')
                                AND lectern_is_unrestricted('lectern.documents');
    candidates tsquery;
    ids uuid[];
    scores float8[];
BEGIN
    FOREACH candidates IN ARRAY ARRAY[rare, wide] LOOP
        SELECT array_agg(f.chunk_id ORDER BY f.distance, f.chunk_id), array_agg(-f.distance ORDER BY f.distance, f.chunk_id)
        INTO ids, scores
        FROM (
            SELECT l.chunk_id, l.lex <#> weights AS distance FROM chunk_lexical AS l
            WHERE l.tsv @@ candidates
              AND (is_open OR l.document_id IN (SELECT lectern_list_documents_in_scope()))
              AND (allowed IS NULL OR l.document_id = ANY (allowed))
              AND (excluded IS NULL OR l.document_id <> ALL (excluded))
            ORDER BY distance, l.chunk_id LIMIT wanted
        ) AS f;
        EXIT WHEN wide IS NULL OR scores[depth] >= floor;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(ids, scores);
END $$;
"""


def upgrade() -> None:
    op.execute(LAYOUT)
    op.execute(REWRITE)
    op.execute(REACHING)
    op.execute(SEARCH)


def downgrade() -> None:
    op.execute(BEFORE)
