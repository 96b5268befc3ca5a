"""Counts for metrics, in system sessions. Every API process reads the same numbers."""

from typing import Any, Final

from lectern.db.driver import fetch
from lectern.db.session import Session

QUEUE: Final = """
SELECT kind, state, count(*) AS count, extract(epoch FROM now() - min(created_at))::float8 AS oldest_seconds
FROM jobs WHERE state IN ('queued', 'running') GROUP BY kind, state
"""
FINISHED: Final = """
SELECT kind, state, coalesce(error_code, '') AS code, count(*) AS count, coalesce(sum(page_count), 0)::bigint AS pages,
       coalesce(sum(chunks_embedded), 0)::bigint AS chunks_embedded
FROM jobs WHERE finished_at > now() - interval '1 hour' GROUP BY 1, 2, 3
"""
STAGES: Final = """
SELECT t.key AS stage, sum(t.value::float8) AS seconds, coalesce(sum(j.page_count), 0)::bigint AS pages
FROM jobs AS j, jsonb_each_text(j.timings_seconds) AS t
WHERE j.finished_at > now() - interval '1 hour' GROUP BY t.key
"""
DOCUMENTS: Final = """
SELECT status, CASE status WHEN 'failed' THEN coalesce(error_code, '') ELSE '' END AS code, count(*) AS count
FROM documents WHERE deleted_at IS NULL GROUP BY 1, 2
"""
WEBHOOKS: Final = """
SELECT CASE WHEN NOT is_active THEN 'paused' WHEN stopped_at IS NOT NULL THEN 'failing'
            WHEN attempts > 0 THEN 'retrying' ELSE 'active' END AS state, count(*) AS count
FROM webhooks GROUP BY 1
"""
# Their states are hidden from this role.
CONNECTIONS: Final = """
SELECT application_name AS application, count(*) AS count
FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'lectern%' GROUP BY 1
"""

# From the newest on, through the index of times: the audit log may be long.
_BACKUPS: Final = """
SELECT * FROM (VALUES ('backup.write'), ('backup.fail')) AS wanted (action)
CROSS JOIN LATERAL (
    SELECT extract(epoch FROM at)::float8 AS at FROM audit_events AS e WHERE e.action = wanted.action
      AND e.target = 'backup:installation' ORDER BY e.at DESC LIMIT 1
) AS newest
"""

Rows = list[dict[str, Any]]


async def count(session: Session, query: str) -> Rows:
    """Return the rows of one of these queries."""
    return await fetch(session, query, {})


async def find_newest_backups(session: Session) -> dict[str, float]:
    """Return the times of the newest `backup.write` and `backup.fail`, in seconds since 1970."""
    return {row["action"]: row["at"] for row in await fetch(session, _BACKUPS, {})}
