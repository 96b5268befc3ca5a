"""The repairs of the invariants."""

import uuid
from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import text

from lectern.db import lexical_index
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session
from lectern.documents.service import ingest_again
from lectern.embeddings import service as embeddings
from lectern.ingestion.recovery import recover_jobs
from lectern.jobs import service as jobs
from lectern.operations.integrity import invariants
from lectern.operations.integrity.defects import Check, Find, Installed, Repair
from lectern.operations.integrity.originals import find_missing

_AT_ONCE: Final = 200
# Documents that rows of other tables belong to; an id of a document means itself.
_DOCUMENTS: Final = text("""
SELECT d.id, d.sha256 FROM documents d
WHERE d.deleted_at IS NULL
  AND (d.id = ANY (:ids) OR d.id IN (SELECT document_id FROM chunks WHERE id = ANY (:ids)))
ORDER BY d.id
""")
_END_JOBS: Final = """
UPDATE jobs SET finished_at = CASE WHEN state IN ('queued', 'running') THEN NULL ELSE coalesce(heartbeat_at, now()) END
WHERE id = ANY (:ids)
"""
_DATE_READINESS: Final = """
UPDATE documents SET ready_at = coalesce(ready_at, updated_at),
                     keyword_ready_at = least(keyword_ready_at, coalesce(ready_at, updated_at))
WHERE id = ANY (:ids)
"""
_STATE_FAILURE: Final = """
UPDATE documents SET
    error_code = CASE status WHEN 'failed' THEN 'unknown_failure' END,
    error_message = CASE status WHEN 'failed' THEN 'Reading this file failed; why was not kept.' END,
    error_hint = CASE status WHEN 'failed' THEN 'Try again.' END,
    error_details = NULL
WHERE id = ANY (:ids)
"""
_END_VERSIONS: Final = """
UPDATE document_versions v SET state = 'cancelled', error_code = 'cancelled', error_message = 'Its job was lost.'
WHERE state = 'processing' AND document_id = ANY (:ids) AND NOT EXISTS (
    SELECT FROM jobs j
    WHERE j.document_id = v.document_id AND j.version = v.number AND j.state IN ('queued', 'running'))
"""
_STATE_VERSIONS: Final = """
UPDATE document_versions v SET
    state = CASE WHEN v.number = d.version THEN 'current' ELSE 'replaced' END,
    sha256 = CASE WHEN v.number = d.version THEN d.sha256 ELSE v.sha256 END
FROM documents d WHERE d.id = v.document_id AND d.id = ANY (:ids) AND (v.number = d.version OR v.state = 'current')
"""
_AWAIT_JOB: Final = "UPDATE documents SET status = 'queued' WHERE id = ANY (:ids)"
_HAND_OVER: Final = """
UPDATE {table} e SET document_id = c.document_id FROM chunks c WHERE c.id = e.chunk_id AND c.id = ANY (:ids)
"""
_FORGET_WINDOWS: Final = "DELETE FROM {table} WHERE chunk_id = ANY (:ids)"
_FORGET_LEXICAL: Final = "DELETE FROM chunk_lexical WHERE chunk_id = ANY (:ids)"


async def _find(installed: Installed, *, rule: str) -> list[str]:
    async with installed.database.session(SYSTEM_SCOPE) as session:
        return list(await invariants.find_broken(session, rule))


async def _update(installed: Installed, ids: Sequence[str], *, statement: str) -> None:
    async with installed.database.session(SYSTEM_SCOPE) as session:
        await _execute(session, statement, ids)


async def _execute(session: Session, statement: str, ids: Sequence[str]) -> None:
    """Run a statement on rows. `{table}` stands for the table of the active embeddings."""
    generation = await embeddings.find_active_generation(session)
    table = generation.table_name if generation else ""
    await session.execute(text(statement.format(table=table)), {"ids": _uuids(ids)})


async def _read_again(installed: Installed, ids: Sequence[str]) -> None:
    """Queue the documents of these rows for reprocessing. Unchanged chunks keep their embeddings."""
    missing = set(await find_missing(installed))
    for start in range(0, len(ids), _AT_ONCE):
        async with installed.database.session(SYSTEM_SCOPE) as session:
            documents = await session.execute(_DOCUMENTS, {"ids": _uuids(ids[start : start + _AT_ONCE])})
            await ingest_again(session, [row.id for row in documents if row.sha256 not in missing])


async def _forget_and_read_again(installed: Installed, ids: Sequence[str]) -> None:
    await _update(installed, ids, statement=_FORGET_WINDOWS)
    await _read_again(installed, ids)


async def _index_again(installed: Installed, ids: Sequence[str]) -> None:
    async with installed.database.session(SYSTEM_SCOPE) as session:
        await _execute(session, _FORGET_LEXICAL, ids)
        query = text("SELECT DISTINCT document_id FROM chunks WHERE id = ANY (:ids) ORDER BY 1")
        documents = (await session.execute(query, {"ids": _uuids(ids)})).scalars().all()
        for document_id in documents:
            await lexical_index.index_document(session, document_id)


async def _count_again(installed: Installed, _: Sequence[str], *, function: str) -> None:
    async with installed.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text(f"SELECT {function}(), lectern_bump_library_version()"))


async def _recover_jobs(installed: Installed, _: Sequence[str]) -> None:
    await recover_jobs(installed.database, heartbeat_seconds=installed.heartbeat_seconds)


async def _find_stuck(installed: Installed) -> list[str]:
    async with installed.database.session(SYSTEM_SCOPE) as session:
        stalled = await jobs.list_stalled(session, heartbeat_seconds=installed.heartbeat_seconds)
    return [str(one.job_id) for one in stalled if not one.is_lost]


def _uuids(ids: Sequence[str]) -> list[uuid.UUID]:
    return [uuid.UUID(value) for value in ids]


_READ_AGAIN: Final = "Process the documents again. Unchanged chunks keep their embeddings."
# The message of a rule, and its repair or the statement that repairs. A worker completes those of all other rules.
_REPAIRS: Final[dict[str, tuple[str, Repair | str]]] = {
    "a document that is not finished has a job at work": (_READ_AGAIN, _read_again),
    "a document with a job at work is not finished": ("Mark the documents as queued.", _AWAIT_JOB),
    "a job at work is in the queue": ("Queue the jobs again.", _recover_jobs),
    "a version on its way has a job at work": (
        "Mark the versions as cancelled. Restore one to try it again.",
        _END_VERSIONS,
    ),
    "a document is what its version says": ("Mark the version as the current one.", _STATE_VERSIONS),
    "a finished job has an end": ("The jobs get one.", _END_JOBS),
    "a ready document says since when": (
        "Use the time of the last change. Process documents again that were never indexed.",
        _DATE_READINESS,
    ),
    "a failed document says why": ("Enter a reason, or remove an outdated one.", _STATE_FAILURE),
    "every chunk is in the lexical index": ("Index the documents again.", _index_again),
    "lexemes are counted": ("Count everything again.", partial(_count_again, function="lectern_recount_lexemes")),
    "documents are counted": ("Count all of them again.", partial(_count_again, function="lectern_recount_documents")),
    "windows of a chunk are numbered without gaps": ("Embed the chunks again.", _forget_and_read_again),
    "embeddings know their chunk's document": ("Assign the embeddings to it.", _HAND_OVER),
}
_NAMES: Final = {
    "a document that is not finished has a job at work": "unfinished_documents_without_job",
    "a job at work is in the queue": "jobs_outside_the_queue",
    "every chunk is in the lexical index": "chunks_without_lexical_row",
    "lexemes are counted": "statistics_drift",
    "documents are counted": "document_counts_drift",
    "every chunk of a ready document is embedded": "chunks_without_embedding",
}


def _check(rule: str) -> Check:
    remedy, repair = _REPAIRS.get(rule, (_READ_AGAIN, _read_again))
    is_queued = rule not in _REPAIRS or repair is _forget_and_read_again
    if isinstance(repair, str):
        repair = partial(_update, statement=repair)
    find: Find = partial(_find, rule=rule)
    name = _NAMES.get(rule) or rule.replace("'s", "").replace(" ", "_")
    return Check(name=name, why=f"Violated rule: {rule}.", remedy=remedy, find=find, repair=repair, is_queued=is_queued)


_STUCK: Final = Check(
    name="stuck_jobs",
    why="Jobs belong to workers that died.",
    remedy="Queue them again, as a running worker does within seconds.",
    find=_find_stuck,
    repair=_recover_jobs,
)

# What is repaired at once comes before what a worker completes: often the second then finds nothing left to do.
CHECKS: Final = (_STUCK, *sorted(map(_check, invariants.RULES), key=lambda check: check.is_queued))
