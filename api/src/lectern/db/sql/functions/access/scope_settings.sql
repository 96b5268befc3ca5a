-- Read the settings that `SET LOCAL` gives each transaction (lectern/db/scope.py).
-- A transaction without settings sees nothing.

-- Return true if a list of the scope ("lectern.collections", ".tags" or ".documents") restricts nothing.
CREATE OR REPLACE FUNCTION lectern_is_unrestricted(setting text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting(setting, true), '') = '*';

-- Return the ids of a list of the scope, null if the list is unset or restricts nothing.
CREATE OR REPLACE FUNCTION lectern_get_scope_ids(setting text) RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN coalesce(current_setting(setting, true), '') IN ('', '*') THEN NULL
            ELSE current_setting(setting, true)::uuid[] END;

-- Return true if the transaction may change documents.
CREATE OR REPLACE FUNCTION lectern_can_write() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('lectern.writable', true), '') = 'on';

-- Return the name of the user or API key that acts, as in the audit log.
CREATE OR REPLACE FUNCTION lectern_get_actor() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('lectern.actor', true), '');
