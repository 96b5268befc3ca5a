-- The outbox of webhooks: triggers write an event in the transaction of the change (lectern/webhooks/dispatcher.py).
-- Rows have ids only. Names are looked up when an event is sent, so a purge leaves none behind.

-- Add an event, if there is a webhook. Changes of a document in one transaction become one event.
CREATE OR REPLACE FUNCTION lectern_add_webhook_event(event_type text, subject uuid, details jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    own constant bigint := pg_current_xact_id()::text::bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM webhooks) THEN
        RETURN;
    END IF;
    IF event_type = 'document.updated' THEN
        IF EXISTS (SELECT FROM webhook_events AS e
                   WHERE e.transaction_id = own AND e.subject_id = subject AND e.type = 'document.created') THEN
            RETURN;
        END IF;
        UPDATE webhook_events AS e SET details = jsonb_build_object('changes', (
            SELECT jsonb_agg(DISTINCT change) FROM jsonb_array_elements(
                (e.details -> 'changes') || (lectern_add_webhook_event.details -> 'changes')) AS change))
        WHERE e.transaction_id = own AND e.subject_id = subject AND e.type = event_type;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    INSERT INTO webhook_events (id, type, subject_id, details, transaction_id)
    VALUES (gen_random_uuid(), event_type, subject, lectern_add_webhook_event.details, own);
END $$;

-- Trigger: add the events of a document.
CREATE OR REPLACE FUNCTION lectern_add_document_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    changes text[] := '{}';
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM lectern_add_webhook_event('document.created', NEW.id, '{}');
        RETURN NULL;
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM lectern_add_webhook_event('document.purged', OLD.id, '{}');
        RETURN NULL;
    END IF;
    IF NEW.status = 'ready' AND OLD.status <> 'ready' THEN
        PERFORM lectern_add_webhook_event('document.ready', NEW.id, '{}');
    ELSIF NEW.status = 'failed' AND OLD.status <> 'failed' THEN
        PERFORM lectern_add_webhook_event('document.failed', NEW.id, jsonb_build_object('error_code', NEW.error_code));
    END IF;
    IF NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL THEN
        PERFORM lectern_add_webhook_event('document.trashed', NEW.id, '{}');
    ELSIF NEW.deleted_at IS NULL AND OLD.deleted_at IS NOT NULL THEN
        PERFORM lectern_add_webhook_event('document.restored', NEW.id, '{}');
    END IF;
    IF NEW.collection_id <> OLD.collection_id THEN
        changes := changes || 'collection'::text;
    END IF;
    IF NEW.version <> OLD.version THEN
        changes := changes || 'version'::text;
    END IF;
    IF NEW.filename <> OLD.filename THEN
        changes := changes || 'filename'::text;
    END IF;
    IF cardinality(changes) > 0 THEN
        PERFORM lectern_add_webhook_event('document.updated', NEW.id, jsonb_build_object('changes', changes));
    END IF;
    RETURN NULL;
END $$;

-- Trigger: add an event for the tags of a document, unless the document is gone.
CREATE OR REPLACE FUNCTION lectern_add_tag_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    changed constant uuid := CASE TG_OP WHEN 'INSERT' THEN NEW.document_id ELSE OLD.document_id END;
BEGIN
    IF EXISTS (SELECT FROM documents WHERE id = changed) THEN
        PERFORM lectern_add_webhook_event('document.updated', changed, '{"changes": ["tags"]}');
    END IF;
    RETURN NULL;
END $$;

-- Trigger: add an event for a failed job.
CREATE OR REPLACE FUNCTION lectern_add_job_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM lectern_add_webhook_event('job.failed', NEW.document_id, jsonb_build_object(
        'job', jsonb_build_object('id', NEW.id, 'kind', NEW.kind, 'attempts', NEW.attempts),
        'error_code', NEW.error_code));
    RETURN NULL;
END $$;

-- Trigger: add the events of a collection. Its name stays with the event, because a deleted row has none.
CREATE OR REPLACE FUNCTION lectern_add_collection_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM lectern_add_webhook_event('collection.deleted', OLD.id, jsonb_build_object('name', OLD.name));
    ELSIF TG_OP = 'INSERT' THEN
        PERFORM lectern_add_webhook_event('collection.created', NEW.id, jsonb_build_object('name', NEW.name));
    ELSE
        PERFORM lectern_add_webhook_event('collection.updated', NEW.id, jsonb_build_object('name', NEW.name));
    END IF;
    RETURN NULL;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_add_webhook_event(text, uuid, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_add_webhook_event(text, uuid, jsonb) TO lectern_system;
