-- Count in how many chunks of a collection and a language each lexeme occurs. The empty lexeme counts the chunks.
-- Writers only append differences to `lexeme_deltas`, so that they never wait for each other. The true count is the sum
-- of `lexeme_stats` and `lexeme_deltas`, exact in every transaction.

-- Trigger: append the differences of the inserted or deleted rows of `chunk_lexical`.
-- The lock keeps their documents from moving to another collection until the transaction ends.
CREATE OR REPLACE FUNCTION lectern_append_lexeme_deltas() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    sign constant integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM FROM documents WHERE id IN (SELECT document_id FROM changed) ORDER BY id FOR NO KEY UPDATE;
    INSERT INTO lexeme_deltas (lexeme, collection_id, language, chunk_count)
    SELECT lexeme, collection_id, changed.language, sign * count(*)
    FROM changed JOIN documents ON documents.id = document_id, unnest(tsvector_to_array(tsv) || ''::text) AS lexeme
    GROUP BY lexeme, collection_id, changed.language;
    RETURN NULL;
END $$;

-- Trigger: remove a document from the index while its collection is still known. A cascade would come too late.
CREATE OR REPLACE FUNCTION lectern_remove_lexical_entries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM chunk_lexical WHERE document_id = OLD.id;
    RETURN OLD;
END $$;

-- Trigger: append the differences of a document that moves to another collection, and change the version of the one
-- that it leaves. The trigger of `documents` changes the other.
CREATE OR REPLACE FUNCTION lectern_move_lexeme_counts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO lexeme_deltas (lexeme, collection_id, language, chunk_count)
    SELECT lexeme, moved.collection_id, language, sum(moved.sign)
    FROM chunk_lexical, unnest(tsvector_to_array(tsv) || ''::text) AS lexeme,
         (VALUES (OLD.collection_id, -1), (NEW.collection_id, 1)) AS moved (collection_id, sign)
    WHERE document_id = NEW.id
    GROUP BY lexeme, moved.collection_id, language;
    PERFORM lectern_bump_collection_versions(ARRAY[OLD.collection_id]);
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
        DELETE FROM lexeme_deltas RETURNING lexeme, collection_id, language, chunk_count
    ), totals AS (
        SELECT lexeme, collection_id, language, sum(chunk_count)::bigint AS chunk_count FROM deltas
        GROUP BY lexeme, collection_id, language HAVING sum(chunk_count) <> 0
    )
    MERGE INTO lexeme_stats AS old USING totals AS new
        ON old.lexeme = new.lexeme AND old.collection_id = new.collection_id AND old.language = new.language
    WHEN MATCHED AND old.chunk_count + new.chunk_count = 0 THEN DELETE
    WHEN MATCHED THEN UPDATE SET chunk_count = old.chunk_count + new.chunk_count
    WHEN NOT MATCHED THEN INSERT (lexeme, collection_id, language, chunk_count)
        VALUES (new.lexeme, new.collection_id, new.language, new.chunk_count);
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
    INSERT INTO lexeme_stats (lexeme, collection_id, language, chunk_count)
    SELECT lexeme, collection_id, l.language, count(*)
    FROM chunk_lexical AS l JOIN documents AS d ON d.id = document_id,
         unnest(tsvector_to_array(tsv) || ''::text) AS lexeme
    GROUP BY lexeme, collection_id, l.language;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_merge_lexeme_deltas(), lectern_recount_lexemes() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_merge_lexeme_deltas() TO lectern_app, lectern_system;
GRANT EXECUTE ON FUNCTION lectern_recount_lexemes() TO lectern_system;
