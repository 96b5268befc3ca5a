-- Triggers that publish changes on the channel `lectern_events` (lectern/jobs/events.py).
-- Each notification has the form "changed <document id>", "gone <document id>" or "access".

-- Publish the change or deletion of a document.
CREATE OR REPLACE FUNCTION lectern_publish_document_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM pg_notify('lectern_events', 'gone ' || OLD.id);
    ELSE
        PERFORM pg_notify('lectern_events', 'changed ' || NEW.id);
    END IF;
    RETURN NULL;
END $$;

-- Publish the progress of a job as a change of its document.
CREATE OR REPLACE FUNCTION lectern_publish_job_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('lectern_events', 'changed ' || NEW.document_id);
    RETURN NULL;
END $$;

-- Publish that keys, sessions, users, members or collections have changed. Streams then check their principal again.
CREATE OR REPLACE FUNCTION lectern_publish_access_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('lectern_events', 'access');
    RETURN NULL;
END $$;
