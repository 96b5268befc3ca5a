-- Roles, row-level security policies and grants (see lectern/db/scope.py).

-- db/sql/functions/access/visible_documents.sql repeats this condition. A test compares them.
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON documents TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON documents FOR SELECT TO lectern_app USING (((SELECT lectern_can_see_all()) OR (
        ((SELECT lectern_is_unrestricted('lectern.collections'))
         OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.documents'))
             OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents())))));
CREATE POLICY app_insert ON documents FOR INSERT TO lectern_app WITH CHECK ((SELECT lectern_can_write()) AND ((SELECT lectern_can_see_all()) OR (
        ((SELECT lectern_is_unrestricted('lectern.collections'))
         OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.documents'))
             OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents())))));
CREATE POLICY app_update ON documents FOR UPDATE TO lectern_app
    USING ((SELECT lectern_can_write()) AND ((SELECT lectern_can_see_all()) OR (
        ((SELECT lectern_is_unrestricted('lectern.collections'))
         OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.documents'))
             OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents()))))) WITH CHECK ((SELECT lectern_can_write()) AND ((SELECT lectern_can_see_all()) OR (
        ((SELECT lectern_is_unrestricted('lectern.collections'))
         OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.documents'))
             OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents())))));
CREATE POLICY app_delete ON documents FOR DELETE TO lectern_app USING ((SELECT lectern_can_write()) AND ((SELECT lectern_can_see_all()) OR (
        ((SELECT lectern_is_unrestricted('lectern.collections'))
         OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.documents'))
             OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents())))));
GRANT SELECT, INSERT, UPDATE, DELETE ON documents TO lectern_app, lectern_system;

-- Tables that are visible as far as the documents of their `document_id` are.
SELECT lectern_enable_row_security('pages');
SELECT lectern_enable_row_security('chunks');
SELECT lectern_enable_row_security('chunk_lexical');
SELECT lectern_enable_row_security('document_tags');
SELECT lectern_enable_row_security('document_versions');
SELECT lectern_enable_row_security('jobs');

-- Tags or documents limit the scope: a collection needs a document in scope, unless the key names the collection.
ALTER TABLE collections ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON collections TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON collections FOR SELECT TO lectern_app USING (
    ((SELECT lectern_is_unrestricted('lectern.collections'))
     OR id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))
    AND (((SELECT lectern_is_unrestricted('lectern.tags'))
     AND (SELECT lectern_is_unrestricted('lectern.documents')))
         OR id = ANY ((SELECT lectern_get_scope_ids('lectern.named_collections'))::uuid[])
         OR id IN (SELECT lectern_list_collections_in_scope())));
GRANT SELECT ON collections TO lectern_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON collections TO lectern_system;

-- A tag is visible to those who see a document with it, to its maker and to keys that name it. Others go with their last
-- document. Names repeat, because the same name out of sight must make no difference.
ALTER TABLE tags ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON tags TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON tags FOR SELECT TO lectern_app USING (
    id = ANY ((SELECT lectern_get_scope_ids('lectern.tags'))::uuid[])
    OR ((SELECT lectern_is_unrestricted('lectern.tags'))
        AND (created_by = (SELECT lectern_get_actor()) OR id IN (SELECT tag_id FROM document_tags))));
CREATE POLICY app_insert ON tags FOR INSERT TO lectern_app WITH CHECK (
    (SELECT lectern_can_write()) AND ((SELECT lectern_is_unrestricted('lectern.tags'))
     AND (SELECT lectern_is_unrestricted('lectern.documents')))
    AND (created_by IS NULL OR created_by = (SELECT lectern_get_actor())));
GRANT SELECT, INSERT ON tags TO lectern_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON tags TO lectern_system;

-- Only its actor reads a saved answer, and only while all its documents are visible.
ALTER TABLE saved_answers ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON saved_answers TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_all ON saved_answers TO lectern_app
    USING (actor = (SELECT lectern_get_actor()) AND ((SELECT lectern_can_see_all()) OR NOT EXISTS (
        SELECT FROM unnest(document_ids) AS cited (id)
        WHERE NOT EXISTS (SELECT FROM documents d WHERE d.id = cited.id))))
    WITH CHECK (actor = (SELECT lectern_get_actor()));
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_answers TO lectern_app, lectern_system;

-- Only its actor reads a thread. Queries leave out threads of which no answer is visible.
ALTER TABLE answer_threads ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON answer_threads TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_all ON answer_threads TO lectern_app
    USING (actor = (SELECT lectern_get_actor())) WITH CHECK (actor = (SELECT lectern_get_actor()));
GRANT SELECT, INSERT, UPDATE, DELETE ON answer_threads TO lectern_app, lectern_system;

-- Readers may add golden queries and delete their own. Writers may delete those of others.
ALTER TABLE golden_queries ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON golden_queries TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON golden_queries FOR SELECT TO lectern_app
    USING ((SELECT lectern_can_see_all()) OR EXISTS (SELECT FROM documents d WHERE d.id = document_id));
CREATE POLICY app_insert ON golden_queries FOR INSERT TO lectern_app
    WITH CHECK (created_by = (SELECT lectern_get_actor())
                AND EXISTS (SELECT FROM documents d WHERE d.id = document_id));
CREATE POLICY app_delete ON golden_queries FOR DELETE TO lectern_app
    USING (EXISTS (SELECT FROM documents d WHERE d.id = document_id)
           AND (created_by = (SELECT lectern_get_actor()) OR (SELECT lectern_can_write())));
GRANT SELECT, INSERT, DELETE ON golden_queries TO lectern_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON golden_queries TO lectern_system;

-- Administrators see every document, and still no private note of others.
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON notes TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON notes FOR SELECT TO lectern_app
    USING ((is_shared OR author = (SELECT lectern_get_actor()))
           AND ((SELECT lectern_can_see_all()) OR EXISTS (SELECT FROM documents d WHERE d.id = document_id)));
CREATE POLICY app_insert ON notes FOR INSERT TO lectern_app
    WITH CHECK (author = (SELECT lectern_get_actor()) AND EXISTS (SELECT FROM documents d WHERE d.id = document_id));
CREATE POLICY app_update ON notes FOR UPDATE TO lectern_app
    USING (author = (SELECT lectern_get_actor()) AND EXISTS (SELECT FROM documents d WHERE d.id = document_id))
    WITH CHECK (author = (SELECT lectern_get_actor()));
CREATE POLICY app_delete ON notes FOR DELETE TO lectern_app
    USING (author = (SELECT lectern_get_actor()) AND EXISTS (SELECT FROM documents d WHERE d.id = document_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON notes TO lectern_app, lectern_system;

-- The services only add events to the audit log. A purge blanks details with `lectern_blank_audit_details`, which the
-- owner runs.
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON audit_events TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_insert ON audit_events FOR INSERT TO lectern_app WITH CHECK (actor = (SELECT lectern_get_actor()));
GRANT INSERT ON audit_events TO lectern_app;
GRANT SELECT, INSERT ON audit_events TO lectern_system;

-- Only the system role reads them.
ALTER TABLE sign_in_settings ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON sign_in_settings TO lectern_system USING (true) WITH CHECK (true);
ALTER TABLE sign_in_groups ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON sign_in_groups TO lectern_system USING (true) WITH CHECK (true);
ALTER TABLE sign_in_group_collections ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON sign_in_group_collections TO lectern_system USING (true) WITH CHECK (true);
ALTER TABLE identities ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON identities TO lectern_system USING (true) WITH CHECK (true);
ALTER TABLE sign_in_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON sign_in_requests TO lectern_system USING (true) WITH CHECK (true);
ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON webhooks TO lectern_system USING (true) WITH CHECK (true);
ALTER TABLE webhook_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON webhook_events TO lectern_system USING (true) WITH CHECK (true);
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON webhook_deliveries TO lectern_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_settings, sign_in_groups, sign_in_group_collections, identities,
    sign_in_requests, webhooks, webhook_events, webhook_deliveries, users, sessions, api_keys, oauth_clients, oauth_tokens,
    collection_members, rate_buckets, embedding_generations, embedding_cache, staged_embeddings, job_checkpoints,
    watched_folders, watched_files TO lectern_system;
GRANT USAGE ON SEQUENCE webhook_events_sequence_seq, webhook_deliveries_id_seq TO lectern_system;

-- What a search reads beside documents
GRANT SELECT ON embedding_generations TO lectern_app;
GRANT SELECT ON library_version_tokens TO lectern_app, lectern_system;
GRANT SELECT ON lexeme_stats, lexeme_deltas, document_counts TO lectern_system;
GRANT USAGE ON SEQUENCE audit_events_id_seq, embedding_generations_id_seq TO lectern_app, lectern_system;
