"""Which jobs count as stalled, and whose crash that was."""

import uuid
from collections.abc import Awaitable, Callable

from sqlalchemy import text

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.jobs import service


async def test_a_job_whose_worker_left_in_order_is_stalled_without_a_crash(
    library: Database, add_document: Callable[[], Awaitable[uuid.UUID]]
) -> None:
    document_id = await add_document()
    async with library.session(SYSTEM_SCOPE) as session:
        job = await service.enqueue(session, document_id=document_id)
        await session.execute(text("UPDATE queue.procrastinate_jobs SET status = 'doing', worker_id = NULL"))
        (stalled,) = await service.list_stalled(session, heartbeat_seconds=30)

    assert (stalled.job_id, stalled.is_crashed, stalled.is_lost) == (job.id, False, False)
