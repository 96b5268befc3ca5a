-- Triggers: events, counts, title terms, versions of the library, saved answers.

-- A heartbeat alone is not published.
CREATE TRIGGER publish_event AFTER INSERT OR DELETE ON documents
    FOR EACH ROW EXECUTE FUNCTION lectern_publish_document_event();
CREATE TRIGGER publish_change AFTER UPDATE ON documents
    FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION lectern_publish_document_event();
CREATE TRIGGER publish_event AFTER INSERT ON jobs
    FOR EACH ROW EXECUTE FUNCTION lectern_publish_job_event();
CREATE TRIGGER publish_change AFTER UPDATE ON jobs
    FOR EACH ROW WHEN (
        (OLD.state, OLD.stage, OLD.page, OLD.page_count, OLD.chunks_embedded, OLD.chunks_to_embed, OLD.attempts,
         OLD.next_try_at, OLD.error_code, OLD.is_cancel_requested)
        IS DISTINCT FROM
        (NEW.state, NEW.stage, NEW.page, NEW.page_count, NEW.chunks_embedded, NEW.chunks_to_embed, NEW.attempts,
         NEW.next_try_at, NEW.error_code, NEW.is_cancel_requested)
    ) EXECUTE FUNCTION lectern_publish_job_event();

-- Connections of a session or key end when it changes.
CREATE TRIGGER publish_access AFTER DELETE OR UPDATE OF key_hash, revoked_at, expires_at, toolsets, can_write,
    collection_ids, tag_ids, document_ids, allowed_networks ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
CREATE TRIGGER publish_access AFTER DELETE OR UPDATE OF revoked_at ON sessions
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
CREATE TRIGGER publish_access AFTER DELETE OR UPDATE OF role, is_active ON users
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
CREATE TRIGGER publish_access AFTER INSERT OR DELETE OR UPDATE ON collection_members
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
CREATE TRIGGER publish_access AFTER INSERT OR DELETE OR UPDATE OF is_open ON collections
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();

CREATE TRIGGER add_events AFTER INSERT OR DELETE ON documents
    FOR EACH ROW EXECUTE FUNCTION lectern_add_document_events();
CREATE TRIGGER add_change_events AFTER UPDATE ON documents
    FOR EACH ROW WHEN (
        (OLD.status, OLD.deleted_at, OLD.collection_id, OLD.version, OLD.filename)
        IS DISTINCT FROM (NEW.status, NEW.deleted_at, NEW.collection_id, NEW.version, NEW.filename)
    ) EXECUTE FUNCTION lectern_add_document_events();
CREATE TRIGGER add_events AFTER INSERT OR DELETE ON document_tags
    FOR EACH ROW EXECUTE FUNCTION lectern_add_tag_events();
CREATE TRIGGER add_events AFTER UPDATE ON jobs
    FOR EACH ROW WHEN (NEW.state = 'failed' AND OLD.state <> 'failed') EXECUTE FUNCTION lectern_add_job_events();
CREATE TRIGGER add_events AFTER INSERT OR DELETE ON collections
    FOR EACH ROW EXECUTE FUNCTION lectern_add_collection_events();
CREATE TRIGGER add_change_events AFTER UPDATE ON collections
    FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION lectern_add_collection_events();

CREATE TRIGGER count_inserted_lexemes AFTER INSERT ON chunk_lexical REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_lexeme_deltas();
CREATE TRIGGER count_deleted_lexemes AFTER DELETE ON chunk_lexical REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_lexeme_deltas();
CREATE TRIGGER count_inserted_documents AFTER INSERT ON documents REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
CREATE TRIGGER count_deleted_documents AFTER DELETE ON documents REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
CREATE TRIGGER count_updated_documents AFTER UPDATE ON documents
    REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
CREATE TRIGGER remove_lexical_entries BEFORE DELETE ON documents
    FOR EACH ROW EXECUTE FUNCTION lectern_remove_lexical_entries();
CREATE TRIGGER move_lexeme_counts AFTER UPDATE OF collection_id ON documents
    FOR EACH ROW WHEN (OLD.collection_id <> NEW.collection_id) EXECUTE FUNCTION lectern_move_lexeme_counts();

CREATE TRIGGER set_title_terms BEFORE INSERT OR UPDATE OF language, title, filename ON documents
    FOR EACH ROW EXECUTE FUNCTION lectern_set_title_terms();
CREATE TRIGGER delete_detached_tags AFTER DELETE ON document_tags REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_delete_detached_tags();
CREATE TRIGGER allow_duplicates BEFORE INSERT OR UPDATE ON documents FOR EACH ROW
    WHEN (lectern_get_scope_ids('lectern.tags') IS NOT NULL OR lectern_get_scope_ids('lectern.documents') IS NOT NULL)
    EXECUTE FUNCTION lectern_allow_duplicates();

CREATE TRIGGER delete_saved_answers AFTER DELETE ON documents REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_delete_saved_answers();
CREATE TRIGGER lock_cited_documents BEFORE INSERT ON saved_answers
    FOR EACH ROW EXECUTE FUNCTION lectern_lock_cited_documents();
CREATE TRIGGER delete_empty_threads AFTER DELETE ON saved_answers REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_delete_empty_threads();

-- The tables that a search reads. Counts of lexemes and documents follow from them in the same transaction.
SELECT lectern_track_library_version('documents');
SELECT lectern_track_library_version('chunks');
SELECT lectern_track_library_version('chunk_lexical');
SELECT lectern_track_library_version('pages');
SELECT lectern_track_library_version('document_tags');
SELECT lectern_track_library_version('tags');
SELECT lectern_track_library_version('collections');
SELECT lectern_track_library_version('embedding_generations');
