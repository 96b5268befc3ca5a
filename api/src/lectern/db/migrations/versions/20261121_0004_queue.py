"""The queue (procrastinate, in a schema of its own) and the notices that documents and jobs give of their changes.

Revision ID: 20261121_0004
Revises: 20261121_0002

The queue's tables are those that the installed procrastinate brings with it; which version that was is noted on the
schema, so that a later migration can apply the steps that a newer procrastinate brings (docs/adr/0003).
"""

from alembic import op

from lectern.jobs.queue import packaged_schema

revision = "20261121_0004"
down_revision = "20261121_0002"

JOBS = """
ALTER TABLE jobs
    ADD COLUMN queue_id BIGINT,
    ADD COLUMN crashes INTEGER DEFAULT 0 NOT NULL,
    ADD COLUMN error_hint TEXT;
CREATE UNIQUE INDEX uq_jobs_document_id_active ON jobs (document_id) WHERE state IN ('queued', 'running');
CREATE INDEX ix_jobs_created_at_id ON jobs (created_at, id);
"""

# Not logged: after a crash of Postgres it is empty, and what it held is made again.
CHECKPOINTS = """
CREATE UNLOGGED TABLE job_checkpoints (
    job_id UUID NOT NULL,
    stage TEXT NOT NULL,
    data BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_job_checkpoints PRIMARY KEY (job_id, stage),
    CONSTRAINT fk_job_checkpoints_job_id_jobs FOREIGN KEY(job_id) REFERENCES jobs (id) ON DELETE CASCADE
);
ALTER TABLE job_checkpoints ALTER COLUMN data SET STORAGE EXTERNAL;
GRANT SELECT, INSERT, UPDATE, DELETE ON job_checkpoints TO lectern_system;
"""

# Both run as the owner, because the scoped role does not reach the queue. The row is the permission: only who may write
# a job's row can bring it into the condition in which these act on it.
FUNCTIONS = """
CREATE FUNCTION lectern_enqueue_job(job uuid, lane text, task text, rank integer, not_before timestamptz)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = queue, public, pg_temp AS $$
DECLARE
    entry bigint;
BEGIN
    PERFORM FROM public.jobs WHERE id = job AND queue_id IS NULL AND state IN ('queued', 'running') FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT unnest(queue.procrastinate_defer_jobs_v1(ARRAY[
        ROW(lane, task, rank, NULL, NULL, jsonb_build_object('job_id', job), not_before)
    ]::queue.procrastinate_job_to_defer_v1[])) INTO entry;
    UPDATE public.jobs SET queue_id = entry WHERE id = job;
    RETURN entry;
END $$;

CREATE FUNCTION lectern_abort_job(job uuid)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = queue, public, pg_temp AS $$
DECLARE
    entry bigint;
BEGIN
    SELECT queue_id INTO entry FROM public.jobs WHERE id = job AND is_cancel_requested;
    IF entry IS NOT NULL THEN
        PERFORM queue.procrastinate_cancel_job_v1(entry, true, true);
    END IF;
END $$;
"""

# Its functions and triggers name their tables without the schema; they must find them whoever calls.
PATHS = """
DO $$
DECLARE
    function regprocedure;
BEGIN
    FOR function IN SELECT oid FROM pg_proc WHERE pronamespace = 'queue'::regnamespace LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = queue, pg_temp', function);
    END LOOP;
END $$;
"""

EVENTS = """
CREATE FUNCTION lectern_publish_document_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM pg_notify('lectern_events', 'gone ' || OLD.id);
    ELSE
        PERFORM pg_notify('lectern_events', 'changed ' || NEW.id);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION lectern_publish_job_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('lectern_events', 'changed ' || NEW.document_id);
    RETURN NULL;
END $$;

CREATE TRIGGER notify_written AFTER INSERT OR DELETE ON documents
    FOR EACH ROW EXECUTE FUNCTION lectern_publish_document_event();
CREATE TRIGGER notify_changed AFTER UPDATE ON documents
    FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION lectern_publish_document_event();
CREATE TRIGGER notify_written AFTER INSERT ON jobs
    FOR EACH ROW EXECUTE FUNCTION lectern_publish_job_event();
-- A worker's sign of life is no news.
CREATE TRIGGER notify_changed AFTER UPDATE ON jobs
    FOR EACH ROW WHEN (
        (OLD.state, OLD.stage, OLD.page, OLD.page_count, OLD.chunks_embedded, OLD.chunks_to_embed, OLD.attempts,
         OLD.next_try_at, OLD.error_code, OLD.is_cancel_requested)
        IS DISTINCT FROM
        (NEW.state, NEW.stage, NEW.page, NEW.page_count, NEW.chunks_embedded, NEW.chunks_to_embed, NEW.attempts,
         NEW.next_try_at, NEW.error_code, NEW.is_cancel_requested)
    ) EXECUTE FUNCTION lectern_publish_job_event();
"""

GRANTS = """
GRANT USAGE ON SCHEMA queue TO lectern_system;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA queue TO lectern_system;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA queue TO lectern_system;
REVOKE EXECUTE ON FUNCTION lectern_enqueue_job(uuid, text, text, integer, timestamptz), lectern_abort_job(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_enqueue_job(uuid, text, text, integer, timestamptz), lectern_abort_job(uuid)
    TO lectern_app, lectern_system;
"""


def upgrade() -> None:
    statements, version = packaged_schema()
    op.execute(JOBS)
    op.execute(CHECKPOINTS)
    op.execute("CREATE SCHEMA queue")
    op.execute("SET LOCAL search_path = queue")
    # The driver's own call: the text has colons and percent signs that are not parameters.
    op.get_bind().exec_driver_sql(statements.replace("%", "%%"))
    op.execute("SET LOCAL search_path TO DEFAULT")
    op.execute(f"COMMENT ON SCHEMA queue IS 'procrastinate {version}'")
    for part in (PATHS, FUNCTIONS, EVENTS, GRANTS):
        op.execute(part)


def downgrade() -> None:
    for table in ("documents", "jobs"):
        op.execute(f"DROP TRIGGER notify_written ON {table}")
        op.execute(f"DROP TRIGGER notify_changed ON {table}")
    op.execute("DROP FUNCTION lectern_publish_document_event(), lectern_publish_job_event()")
    op.execute("DROP FUNCTION lectern_enqueue_job(uuid, text, text, integer, timestamptz), lectern_abort_job(uuid)")
    op.execute("DROP SCHEMA queue CASCADE")
    op.execute("DROP TABLE job_checkpoints")
    op.execute("DROP INDEX uq_jobs_document_id_active, ix_jobs_created_at_id")
    op.execute("ALTER TABLE jobs DROP COLUMN queue_id, DROP COLUMN crashes, DROP COLUMN error_hint")
