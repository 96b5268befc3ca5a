"""What was extracted and cut, kept until it is stored for good: a run that dies late is not back at the beginning.

The formats are JSON and the frames of the child that reads files, compressed; nothing in them is executed.
"""

import uuid
import zlib
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from lectern.chunking.types import ChunkedDocument
from lectern.db.session import Session
from lectern.documents.models import staged_embeddings
from lectern.extraction.sandbox import codec
from lectern.extraction.types import ExtractedDocument
from lectern.jobs.models import Job, JobCheckpoint
from lectern.jobs.service import STATES, JobGroup

MOST_BYTES: Final = 67_108_864  # more is made again sooner than it is fetched
EXTRACT: Final = "extract"
CHUNK: Final = "chunk"
UNREADABLE: Final = (*codec.MALFORMED, zlib.error)
"""What unpacking raises for a checkpoint of another version. The stage then runs again."""

_CHUNKED: Final = b"C"
_LEVEL: Final = 1  # six times smaller at 150 MB/s; a higher level takes longer than it saves


def pack_extracted(document: ExtractedDocument) -> bytes:
    """Compress an extracted document, page by page to spare memory."""
    packer = zlib.compressobj(_LEVEL)
    return b"".join([*map(packer.compress, codec.pack_document(document)), packer.flush()])


def unpack_extracted(data: bytes | None) -> ExtractedDocument | None:
    """Return the document of `pack_extracted`; None without a readable checkpoint."""
    try:
        return None if data is None else codec.unpack_document(codec.split_frames(zlib.decompress(data)))
    except UNREADABLE:
        return None


def pack_chunked(document: ChunkedDocument) -> bytes:
    """Compress a chunked document."""
    return zlib.compress(codec.pack_frame(_CHUNKED, document), _LEVEL)


def unpack_chunked(data: bytes | None) -> ChunkedDocument | None:
    """Return the document of `pack_chunked`; None without a readable checkpoint."""
    try:
        return None if data is None else next(codec.split_frames(zlib.decompress(data))).decode(ChunkedDocument)
    except (*UNREADABLE, StopIteration):
        return None


async def save(session: Session, job_id: uuid.UUID, stage: str, data: bytes, *, is_needed: bool = False) -> None:
    """Keep what a stage made, in place of what was kept of it before; not if it is very much and is not needed."""
    if len(data) > MOST_BYTES and not is_needed:
        return
    statement = insert(JobCheckpoint).values(job_id=job_id, stage=stage, data=data)
    keys = [JobCheckpoint.job_id, JobCheckpoint.stage]
    await session.execute(statement.on_conflict_do_update(index_elements=keys, set_={"data": statement.excluded.data}))


async def find(session: Session, job_id: uuid.UUID, stage: str) -> bytes | None:
    """What a stage made before; None when the job did not come so far."""
    wanted = select(JobCheckpoint.data).where(JobCheckpoint.job_id == job_id, JobCheckpoint.stage == stage)
    return await session.scalar(wanted)


async def forget(session: Session, job_id: uuid.UUID) -> None:
    """It is stored for good."""
    await session.execute(delete(JobCheckpoint).where(JobCheckpoint.job_id == job_id))


async def forget_ended(session: Session) -> None:
    """Those of jobs that were cancelled in the middle, and what these had embedded."""
    active = select(Job.id, Job.document_id).where(Job.state.in_(STATES[JobGroup.IN_PROGRESS])).subquery()
    await session.execute(delete(JobCheckpoint).where(JobCheckpoint.job_id.not_in(select(active.c.id))))
    staged = staged_embeddings.c.document_id.not_in(select(active.c.document_id))
    await session.execute(delete(staged_embeddings).where(staged))
