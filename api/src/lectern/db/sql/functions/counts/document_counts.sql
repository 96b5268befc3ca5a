-- Count the documents, pages and chunks of each collection, for searches without a filter.
-- Writers only append differences, so that they never wait for each other. The true count is the sum of all rows,
-- exact in every transaction. lectern/search/candidates/repository.py counts filtered documents with the same expressions.

-- Trigger: append the difference that inserted, deleted or updated documents make.
CREATE OR REPLACE FUNCTION lectern_append_document_counts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    sign constant integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    IF TG_OP IN ('INSERT', 'DELETE') THEN
        INSERT INTO document_counts SELECT * FROM (
            SELECT collection_id,
                   coalesce(sum(sign), 0)::bigint AS documents,
                   coalesce(sum(sign) FILTER (WHERE chunk_count > 0), 0)::bigint AS searchable,
                   coalesce(sum(sign) FILTER (WHERE status IN ('queued', 'processing') AND ready_at IS NULL), 0)::bigint
                       AS processing,
                   coalesce(sum(sign) FILTER (WHERE status = 'failed'), 0)::bigint AS failed,
                   coalesce(sum(sign * unreadable_page_count), 0)::bigint AS pages_unreadable,
                   coalesce(sum(sign * chunk_count), 0)::bigint AS chunks,
                   coalesce(sum(sign * embedded_chunk_count), 0)::bigint AS embedded_chunks
            FROM changed WHERE deleted_at IS NULL GROUP BY collection_id
        ) AS difference
        WHERE documents <> 0 OR searchable <> 0 OR processing <> 0 OR failed <> 0 OR pages_unreadable <> 0
          OR chunks <> 0 OR embedded_chunks <> 0;
    ELSE
        INSERT INTO document_counts SELECT * FROM (
            SELECT collection_id,
                   coalesce(sum(document.sign), 0)::bigint AS documents,
                   coalesce(sum(document.sign) FILTER (WHERE chunk_count > 0), 0)::bigint AS searchable,
                   coalesce(sum(document.sign) FILTER (WHERE status IN ('queued', 'processing') AND ready_at IS NULL),
                            0)::bigint
                       AS processing,
                   coalesce(sum(document.sign) FILTER (WHERE status = 'failed'), 0)::bigint AS failed,
                   coalesce(sum(document.sign * unreadable_page_count), 0)::bigint AS pages_unreadable,
                   coalesce(sum(document.sign * chunk_count), 0)::bigint AS chunks,
                   coalesce(sum(document.sign * embedded_chunk_count), 0)::bigint AS embedded_chunks
            FROM (
                SELECT -1 AS sign, collection_id, status, ready_at, unreadable_page_count, chunk_count,
                       embedded_chunk_count
                FROM removed WHERE deleted_at IS NULL
                UNION ALL
                SELECT 1, collection_id, status, ready_at, unreadable_page_count, chunk_count, embedded_chunk_count
                FROM added WHERE deleted_at IS NULL
            ) AS document GROUP BY collection_id
        ) AS difference
        WHERE documents <> 0 OR searchable <> 0 OR processing <> 0 OR failed <> 0 OR pages_unreadable <> 0
          OR chunks <> 0 OR embedded_chunks <> 0;
    END IF;
    RETURN NULL;
END $$;

-- Merge the visible differences into one row per collection. Return false if another transaction is doing so.
CREATE OR REPLACE FUNCTION lectern_merge_document_counts() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(7263510446) THEN
        RETURN false;
    END IF;
    WITH differences AS (DELETE FROM document_counts RETURNING *)
    INSERT INTO document_counts SELECT * FROM (
        SELECT collection_id,
               coalesce(sum(documents), 0)::bigint AS documents,
               coalesce(sum(searchable), 0)::bigint AS searchable,
               coalesce(sum(processing), 0)::bigint AS processing,
               coalesce(sum(failed), 0)::bigint AS failed,
               coalesce(sum(pages_unreadable), 0)::bigint AS pages_unreadable,
               coalesce(sum(chunks), 0)::bigint AS chunks,
               coalesce(sum(embedded_chunks), 0)::bigint AS embedded_chunks
        FROM differences GROUP BY collection_id
    ) AS total
    WHERE documents <> 0 OR searchable <> 0 OR processing <> 0 OR failed <> 0 OR pages_unreadable <> 0
      OR chunks <> 0 OR embedded_chunks <> 0;
    RETURN true;
END $$;

-- Count all documents again. Writers of documents wait until the transaction ends.
CREATE OR REPLACE FUNCTION lectern_recount_documents() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    sign constant integer := 1;
BEGIN
    LOCK TABLE documents IN SHARE ROW EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(7263510446);
    DELETE FROM document_counts;
    INSERT INTO document_counts
    SELECT collection_id,
           coalesce(sum(sign), 0)::bigint AS documents,
           coalesce(sum(sign) FILTER (WHERE chunk_count > 0), 0)::bigint AS searchable,
           coalesce(sum(sign) FILTER (WHERE status IN ('queued', 'processing') AND ready_at IS NULL), 0)::bigint
               AS processing,
           coalesce(sum(sign) FILTER (WHERE status = 'failed'), 0)::bigint AS failed,
           coalesce(sum(sign * unreadable_page_count), 0)::bigint AS pages_unreadable,
           coalesce(sum(sign * chunk_count), 0)::bigint AS chunks,
           coalesce(sum(sign * embedded_chunk_count), 0)::bigint AS embedded_chunks
    FROM documents WHERE deleted_at IS NULL GROUP BY collection_id;
END $$;

-- Return the counts of all documents in scope: of its collections, and of the granted documents one by one.
-- Return no row if tags or documents narrow the scope.
CREATE OR REPLACE FUNCTION lectern_get_document_counts() RETURNS TABLE (
    documents bigint, searchable bigint, processing bigint, failed bigint, pages_unreadable bigint, chunks bigint,
    embedded_chunks bigint)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT coalesce(sum(documents), 0)::bigint AS documents,
           coalesce(sum(searchable), 0)::bigint AS searchable,
           coalesce(sum(processing), 0)::bigint AS processing,
           coalesce(sum(failed), 0)::bigint AS failed,
           coalesce(sum(pages_unreadable), 0)::bigint AS pages_unreadable,
           coalesce(sum(chunks), 0)::bigint AS chunks,
           coalesce(sum(embedded_chunks), 0)::bigint AS embedded_chunks
    FROM (
        SELECT documents, searchable, processing, failed, pages_unreadable, chunks, embedded_chunks FROM document_counts
        WHERE lectern_is_unrestricted('lectern.collections')
           OR collection_id = ANY (lectern_get_scope_ids('lectern.collections'))
        UNION ALL
        SELECT count(*), count(*) FILTER (WHERE chunk_count > 0),
               count(*) FILTER (WHERE status IN ('queued', 'processing') AND ready_at IS NULL),
               count(*) FILTER (WHERE status = 'failed'),
               sum(unreadable_page_count), sum(chunk_count), sum(embedded_chunk_count)
        FROM documents
        WHERE deleted_at IS NULL AND id = ANY (lectern_get_scope_ids('lectern.granted'))
          AND collection_id <> ALL ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[])
    ) AS counts
    HAVING lectern_is_unrestricted('lectern.tags') AND lectern_is_unrestricted('lectern.documents');
END;

REVOKE EXECUTE ON FUNCTION lectern_merge_document_counts(), lectern_recount_documents() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_merge_document_counts(), lectern_recount_documents() TO lectern_system;
