-- Both functions run as the owner, because the scoped role has no access to the schema `queue`.
-- The job's row is the permission: they act only on rows in a state that only a writer can set.

-- Add an active job to the queue and return the id of its entry, null if the job is already there or has ended.
CREATE OR REPLACE FUNCTION lectern_enqueue_job(
    job_id uuid, lane text, task text, queue_priority integer, scheduled_at timestamptz)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = queue, public, pg_temp AS $$
DECLARE
    entry_id bigint;
BEGIN
    PERFORM FROM public.jobs WHERE id = job_id AND queue_id IS NULL AND state IN ('queued', 'running') FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT unnest(queue.procrastinate_defer_jobs_v1(ARRAY[
        ROW(lane, task, queue_priority, NULL, NULL, jsonb_build_object('job_id', job_id), scheduled_at)
    ]::queue.procrastinate_job_to_defer_v1[])) INTO entry_id;
    UPDATE public.jobs SET queue_id = entry_id WHERE id = job_id;
    RETURN entry_id;
END $$;

-- Remove a job with a cancel request from the queue, or tell its worker to stop.
CREATE OR REPLACE FUNCTION lectern_abort_job(job_id uuid)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = queue, public, pg_temp AS $$
DECLARE
    entry_id bigint;
BEGIN
    SELECT queue_id INTO entry_id FROM public.jobs WHERE id = job_id AND is_cancel_requested;
    IF entry_id IS NOT NULL THEN
        PERFORM queue.procrastinate_cancel_job_v1(entry_id, true, true);
    END IF;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_enqueue_job(uuid, text, text, integer, timestamptz), lectern_abort_job(uuid)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_enqueue_job(uuid, text, text, integer, timestamptz), lectern_abort_job(uuid)
    TO lectern_app, lectern_system;
