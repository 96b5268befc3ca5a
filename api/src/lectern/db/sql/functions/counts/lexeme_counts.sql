-- Count in how many chunks of a language each lexeme occurs. The empty lexeme counts the chunks themselves.
-- Writers only append differences to `lexeme_deltas`, so that they never wait for each other. The true count is the sum
-- of `lexeme_stats` and `lexeme_deltas`, exact in every transaction.

-- Trigger: append the differences of the inserted or deleted rows of `chunk_lexical`.
CREATE OR REPLACE FUNCTION lectern_append_lexeme_deltas() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    sign constant integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    INSERT INTO lexeme_deltas (lexeme, language, chunk_count)
    SELECT lexeme, language, sign * count(*)
    FROM changed, unnest(tsvector_to_array(tsv) || ''::text) AS lexeme
    GROUP BY lexeme, language;
    RETURN NULL;
END $$;

-- Merge the visible differences into `lexeme_stats`. Return false if another transaction is doing so.
CREATE OR REPLACE FUNCTION lectern_merge_lexeme_deltas() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(7263510445) THEN
        RETURN false;
    END IF;
    WITH deltas AS (
        DELETE FROM lexeme_deltas RETURNING lexeme, language, chunk_count
    ), totals AS (
        SELECT lexeme, language, sum(chunk_count)::bigint AS chunk_count FROM deltas
        GROUP BY lexeme, language HAVING sum(chunk_count) <> 0
    )
    MERGE INTO lexeme_stats AS old USING totals AS new ON old.lexeme = new.lexeme AND old.language = new.language
    WHEN MATCHED AND old.chunk_count + new.chunk_count = 0 THEN DELETE
    WHEN MATCHED THEN UPDATE SET chunk_count = old.chunk_count + new.chunk_count
    WHEN NOT MATCHED THEN INSERT VALUES (new.lexeme, new.language, new.chunk_count);
    RETURN true;
END $$;

-- Count all lexemes again. Writers of the index wait until the transaction ends.
CREATE OR REPLACE FUNCTION lectern_recount_lexemes() RETURNS void
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
