"""Functions and counts of the lexical index (see docs/adr/0002-bm25-on-sparsevec.md).

Revision ID: 20261121_0005
Revises: 20261121_0004
"""

from alembic import op

revision = "20261121_0005"
down_revision = "20261121_0004"

# Letters and case must be those of Unicode, or words with accents would fall apart.
LOCALE = r"""
DO $$
BEGIN
    IF getdatabaseencoding() <> 'UTF8' OR lower('È') <> 'è' OR 'è' !~ '^[[:alpha:]]$' THEN
        RAISE EXCEPTION 'Lectern needs a database with encoding UTF8 and a locale that knows Unicode'
            USING HINT = 'Create it with LOCALE ''C.UTF-8'' or any other UTF-8 locale, not ''C''.';
    END IF;
END $$;
"""

WORDS = r"""
-- The dimension of a term in a term vector: 1 to 999,999,999.
CREATE FUNCTION lectern_hash_term(term text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ((hashtextextended(term, 0) & 9223372036854775807) % 999999999)::integer + 1;

-- A stem without accents. Accents go after stemming: Spanish, French and Portuguese stemmers need them.
CREATE FUNCTION lectern_strip_accents(stem text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN translate(regexp_replace(normalize(stem, NFKD), '([a-z])[\u0300-\u036f]+', '\1', 'g'), 'øłđı', 'oldi');

-- The stemmer and stop words of a language (ISO 639-1); other languages are indexed word by word as they stand.
CREATE FUNCTION lectern_get_search_configuration(language text) RETURNS regconfig
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE language
    WHEN 'en' THEN 'pg_catalog.english'::regconfig
    WHEN 'it' THEN 'pg_catalog.italian'::regconfig
    WHEN 'de' THEN 'pg_catalog.german'::regconfig
    WHEN 'fr' THEN 'pg_catalog.french'::regconfig
    WHEN 'es' THEN 'pg_catalog.spanish'::regconfig
    WHEN 'pt' THEN 'pg_catalog.portuguese'::regconfig
    WHEN 'nl' THEN 'pg_catalog.dutch'::regconfig
    ELSE 'pg_catalog.simple'::regconfig END;

-- Lower case, ligatures and wide characters taken apart: what the functions below expect.
CREATE FUNCTION lectern_normalize_text(body text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(normalize(body, NFKC));

-- The words of a plain text: everything with a digit in it is left to lectern_extract_numeric_terms.
-- Postgres' own parser would take `and/or` for a path and `-0042` for a number.
CREATE FUNCTION lectern_extract_words(plain text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(plain, '[[:alnum:]]*\d[[:alnum:]]*|[^[:alpha:]]+', ' ', 'g');

-- Figures and identifiers as they stand: `222,730` is 222730 however its thousands are marked, `4,5 %` is 4.5 and
-- 4.5%, `art. 12-bis` is 12-bis and 12, `SKU-0042` is sku-0042 and 0042, `FY2017` is fy2017 and 2017.
CREATE FUNCTION lectern_extract_numeric_terms(plain text) RETURNS TABLE (term text, frequency bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 40
BEGIN ATOMIC
    WITH found AS (
        SELECT m[1] AS token, m[2] IS NOT NULL AS is_percent,
               m[1] ~ '^\d{1,3}([.,]\d{3})+([.,]\d+)?$' OR m[1] ~ '^\d+([.,]\d+)?$' AS is_number
        FROM regexp_matches(plain,
            '((?:[[:alnum:]]+[-/._])*[[:alpha:]]*\d[[:alnum:]]*(?:(?:[-/._]|(?<=\d),(?=\d))[[:alnum:]]+)*)( ?%)?',
            'g') AS m
    ), spelled AS (
        SELECT CASE
            WHEN NOT is_number THEN token
            WHEN token ~ '^\d{1,3}([.,]\d{3})+$' THEN regexp_replace(token, '[.,]', '', 'g')
            ELSE replace(regexp_replace(token, '[.,](?=.*[.,])', '', 'g'), ',', '.') END AS token,
            is_number, is_percent
        FROM found
    ), part AS (
        SELECT part, token FROM spelled, regexp_split_to_table(token, '[-/.,_]') AS part
        WHERE NOT is_number AND part ~ '\d'
    )
    SELECT term, count(*) FROM (
        SELECT token AS term FROM spelled
        UNION ALL SELECT token || '%' FROM spelled WHERE is_percent
        UNION ALL SELECT part FROM part WHERE part <> token
        UNION ALL SELECT substring(part FROM '\d+') FROM part WHERE part ~ '^([[:alpha:]]{1,4}\d{2,}|\d{2,}[[:alpha:]]{1,3})$'
    ) AS every GROUP BY term;
END;

-- The terms of a text: folded stems, figures and identifiers, with how often each occurs.
CREATE FUNCTION lectern_tokenize_text(configuration regconfig, body text) RETURNS TABLE (term text, frequency bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 150
BEGIN ATOMIC
    WITH text AS MATERIALIZED (SELECT lectern_normalize_text(body) AS plain)
    SELECT lectern_strip_accents(lexeme), sum(cardinality(positions))::bigint
    FROM text, unnest(to_tsvector(configuration, lectern_extract_words(plain))) GROUP BY 1
    UNION ALL
    SELECT figure.term, figure.frequency FROM text, lectern_extract_numeric_terms(plain) AS figure;
END;
"""

# BM25 (Robertson and Zaragoza 2009) with k1 = 1.2 and b = 0.75. The average length is frozen at what the chunker's
# target gives, so that a vector never changes when other documents come and go. lectern/search/query/terms.py has the same numbers.
WEIGHTS = r"""
-- What a chunk's row in the index holds; a term of its title, heading or path counts as if it were there more often.
CREATE FUNCTION lectern_build_lexical_entry(
    configuration regconfig, title text, heading text, path text, body text, OUT tsv tsvector, OUT lex sparsevec)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH counted AS (
        SELECT term, sum(frequency)::float8 AS frequency FROM (
            SELECT term, frequency FROM lectern_tokenize_text(configuration, body)
            UNION ALL SELECT term, 5 FROM lectern_tokenize_text(configuration, title)
            UNION ALL SELECT term, 5 FROM lectern_tokenize_text(configuration, heading)
            UNION ALL SELECT term, 1 FROM lectern_tokenize_text(configuration, path)
        ) AS every GROUP BY term
    ), measured AS (
        SELECT sum(frequency) AS length FROM counted
    ), weighed AS (
        SELECT lectern_hash_term(term) AS hash,
               sum(frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / 180.0)))::float4 AS weight
        FROM counted, measured GROUP BY 1
    )
    SELECT coalesce((SELECT array_to_tsvector(array_agg(term)) FROM counted), ''::tsvector),
           ('{' || coalesce((SELECT string_agg(hash || ':' || weight, ',') FROM weighed), '') || '}/1000000000')::sparsevec;
END;
"""

# Counts are exact in every transaction. Writers only append differences, so that they never wait for each other;
# whoever gets the lock adds them up.
COUNTS = r"""
DROP TABLE corpus_stats;
DROP TABLE lexeme_stats;
CREATE TABLE lexeme_stats (
    lexeme TEXT NOT NULL,
    language TEXT NOT NULL,
    chunk_count BIGINT NOT NULL,
    CONSTRAINT pk_lexeme_stats PRIMARY KEY (lexeme, language)
) WITH (fillfactor = 70);
CREATE TABLE lexeme_deltas (
    lexeme TEXT NOT NULL,
    language TEXT NOT NULL,
    chunk_count BIGINT NOT NULL
);
CREATE INDEX ix_lexeme_deltas_lexeme ON lexeme_deltas (lexeme);
GRANT SELECT ON lexeme_stats, lexeme_deltas TO lectern_app, lectern_system;

ALTER TABLE chunk_lexical ADD COLUMN language TEXT NOT NULL;

CREATE FUNCTION lectern_append_lexeme_deltas() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    sign constant integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    INSERT INTO lexeme_deltas (lexeme, language, chunk_count)
    SELECT lexeme, language, sign * count(*)
    FROM changed, unnest(tsvector_to_array(tsv) || ''::text) AS lexeme  -- '' counts the chunks themselves
    GROUP BY lexeme, language;
    RETURN NULL;
END $$;

CREATE TRIGGER lexemes_added AFTER INSERT ON chunk_lexical REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_lexeme_deltas();
CREATE TRIGGER lexemes_removed AFTER DELETE ON chunk_lexical REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_lexeme_deltas();

-- Add up the differences that are visible, unless another transaction is doing so (false).
CREATE FUNCTION lectern_merge_lexeme_deltas() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(7263510445) THEN
        RETURN false;
    END IF;
    WITH taken AS (
        DELETE FROM lexeme_deltas RETURNING lexeme, language, chunk_count
    ), summed AS (
        SELECT lexeme, language, sum(chunk_count)::bigint AS chunk_count FROM taken
        GROUP BY lexeme, language HAVING sum(chunk_count) <> 0
    )
    MERGE INTO lexeme_stats AS old USING summed AS new ON old.lexeme = new.lexeme AND old.language = new.language
    WHEN MATCHED AND old.chunk_count + new.chunk_count = 0 THEN DELETE
    WHEN MATCHED THEN UPDATE SET chunk_count = old.chunk_count + new.chunk_count
    WHEN NOT MATCHED THEN INSERT VALUES (new.lexeme, new.language, new.chunk_count);
    RETURN true;
END $$;

-- Count anew, alone: whoever writes to the index waits until the transaction ends.
CREATE FUNCTION lectern_recount_lexemes() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    LOCK TABLE chunk_lexical IN SHARE ROW EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(7263510445);
    DELETE FROM lexeme_deltas;
    DELETE FROM lexeme_stats;
    INSERT INTO lexeme_stats (lexeme, language, chunk_count)
    SELECT lexeme, language, count(*) FROM chunk_lexical, unnest(tsvector_to_array(tsv) || ''::text) AS lexeme
    GROUP BY lexeme, language;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_merge_lexeme_deltas(), lectern_recount_lexemes() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_merge_lexeme_deltas() TO lectern_app, lectern_system;
GRANT EXECUTE ON FUNCTION lectern_recount_lexemes() TO lectern_system;
"""

# With row-level security, only leakproof conditions are looked up in an index, and `@@` is not one. So the index is read
# by the owner, who asks for the scope in the policy's own words: fast for every role on every Postgres.
SEARCH = r"""
DO $$
BEGIN
    EXECUTE format($function$
        CREATE FUNCTION lectern_list_documents_in_scope() RETURNS SETOF uuid
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
        BEGIN ATOMIC SELECT id FROM documents WHERE %s; END
        $function$, pg_get_expr(polqual, polrelid))
    FROM pg_policy WHERE polrelid = 'documents'::regclass AND polname = 'visible';
END $$;

-- What a query is searched as: each word under each language (a null term: a stop word there), figures under none.
CREATE FUNCTION lectern_tokenize_query(query text, languages text[])
RETURNS TABLE (word text, frequency bigint, language text, term text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 40
BEGIN ATOMIC
    WITH text AS MATERIALIZED (
        SELECT lectern_normalize_text(query) AS plain
    ), word AS (
        SELECT word, count(*) AS frequency FROM text, regexp_split_to_table(lectern_extract_words(plain), ' +') AS word
        WHERE word <> '' GROUP BY word
    )
    SELECT word.word, word.frequency, l.language, (
        SELECT lectern_strip_accents(lexeme) FROM unnest(to_tsvector(lectern_get_search_configuration(l.language), word.word)) LIMIT 1)
    FROM word, unnest(languages) AS l (language)
    UNION ALL
    SELECT figure.term, figure.frequency, NULL, figure.term FROM text, lectern_extract_numeric_terms(plain) AS figure;
END;

-- The best chunks among those with a term of `rare`; where these do not prove the first `depth` to be the best of all
-- (`floor` is the most that other terms can give), among those with a term of `wide`.
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

UNDO = """
DROP FUNCTION lectern_find_lexical_candidates(sparsevec, tsquery, tsquery, float8, integer, integer, uuid[], uuid[]);
DROP FUNCTION lectern_tokenize_query(text, text[]);
DROP FUNCTION lectern_list_documents_in_scope();
DROP FUNCTION lectern_recount_lexemes();
DROP FUNCTION lectern_merge_lexeme_deltas();
DROP TRIGGER lexemes_removed ON chunk_lexical;
DROP TRIGGER lexemes_added ON chunk_lexical;
DROP FUNCTION lectern_append_lexeme_deltas();
ALTER TABLE chunk_lexical DROP COLUMN language;
DROP TABLE lexeme_deltas;
DROP TABLE lexeme_stats;
CREATE TABLE lexeme_stats (
    lexeme TEXT NOT NULL,
    chunk_count BIGINT NOT NULL,
    CONSTRAINT pk_lexeme_stats PRIMARY KEY (lexeme)
);
CREATE TABLE corpus_stats (
    name TEXT NOT NULL,
    value BIGINT NOT NULL,
    CONSTRAINT pk_corpus_stats PRIMARY KEY (name)
);
INSERT INTO corpus_stats (name, value) VALUES ('chunks', 0);
GRANT SELECT, INSERT, UPDATE, DELETE ON lexeme_stats, corpus_stats TO lectern_system;
GRANT SELECT ON lexeme_stats, corpus_stats TO lectern_app;
DROP FUNCTION lectern_build_lexical_entry(regconfig, text, text, text, text);
DROP FUNCTION lectern_tokenize_text(regconfig, text);
DROP FUNCTION lectern_extract_numeric_terms(text);
DROP FUNCTION lectern_extract_words(text);
DROP FUNCTION lectern_normalize_text(text);
DROP FUNCTION lectern_get_search_configuration(text);
DROP FUNCTION lectern_strip_accents(text);
DROP FUNCTION lectern_hash_term(text);
"""


def upgrade() -> None:
    for part in (LOCALE, WORDS, WEIGHTS, COUNTS, SEARCH):
        op.execute(part)


def downgrade() -> None:
    op.execute(UNDO)
