-- Give a table with a `document_id` column the visibility of its documents: policies and grants for both roles.
-- Rows of a document that is visible by a grant alone can be read but not changed.
CREATE OR REPLACE FUNCTION lectern_enable_row_security(table_name regclass) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    -- With EXISTS, the planner chooses between one lookup per row and one scan of all documents.
    readable constant text :=
        '((SELECT lectern_can_see_all()) OR EXISTS (SELECT FROM documents d WHERE d.id = document_id))';
    writable constant text := '(SELECT lectern_can_write())
        AND ((SELECT lectern_can_see_all()) OR EXISTS (SELECT FROM documents d WHERE d.id = document_id
             AND ((SELECT lectern_is_unrestricted(''lectern.collections''))
                  OR d.collection_id = ANY ((SELECT lectern_get_scope_ids(''lectern.collections''))::uuid[]))))';
    policy text;
BEGIN
    FOREACH policy IN ARRAY ARRAY['system_all', 'app_select', 'app_insert', 'app_update', 'app_delete'] LOOP
        EXECUTE format('DROP POLICY IF EXISTS %I ON %s', policy, table_name);
    END LOOP;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', table_name);
    EXECUTE format('CREATE POLICY system_all ON %s TO lectern_system USING (true) WITH CHECK (true)', table_name);
    EXECUTE format('CREATE POLICY app_select ON %s FOR SELECT TO lectern_app USING (%s)', table_name, readable);
    EXECUTE format('CREATE POLICY app_insert ON %s FOR INSERT TO lectern_app WITH CHECK (%s)', table_name, writable);
    EXECUTE format('CREATE POLICY app_update ON %s FOR UPDATE TO lectern_app USING (%s) WITH CHECK (%s)',
                   table_name, writable, writable);
    EXECUTE format('CREATE POLICY app_delete ON %s FOR DELETE TO lectern_app USING (%s)', table_name, writable);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO lectern_app, lectern_system', table_name);
END $$;
