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
from lectern.extraction.sandbox import wire
from lectern.extraction.types import DocumentMetadata, ExtractedDocument, ExtractedPage
from lectern.ingestion.chunking_wire import read_chunked, write_chunked
from lectern.jobs.models import Job, JobCheckpoint
from lectern.jobs.service import STATES, JobGroup

MOST_BYTES: Final = 67_108_864  # more is made again sooner than it is fetched
EXTRACT: Final = "extract"
CHUNK: Final = "chunk"
_LEVEL: Final = 1  # six times smaller at 150 MB/s; a higher level takes longer than it saves


def pack_extracted(document: ExtractedDocument) -> bytes:
    """A document as read, as bytes."""
    facts = DocumentMetadata(
        document.title, document.language, document.outline, document.information, document.page_images
    )
    packer = zlib.compressobj(_LEVEL)
    parts = [packer.compress(wire.page_frame(page, len(document.pages))) for page in document.pages]
    return b"".join([*parts, packer.compress(wire.facts_frame(facts)), packer.flush()])


def unpack_extracted(data: bytes, *, content_type: str) -> ExtractedDocument:
    """The document that `pack_extracted` was given. Raises ValueError for anything else."""
    raw = memoryview(zlib.decompress(data))
    pages: list[ExtractedPage] = []
    at = 0
    while at < len(raw):
        kind, head_length, body_length = wire.HEADER.unpack_from(raw, at)
        at += wire.HEADER.size
        head, body = bytes(raw[at : at + head_length]), bytes(raw[at + head_length : at + head_length + body_length])
        at += head_length + body_length
        if kind == wire.FACTS:
            facts = wire.read_facts(head)
            return ExtractedDocument(
                content_type, tuple(pages), facts.title, facts.language, facts.outline, facts.information,
                facts.page_images,
            )  # fmt: skip
        pages.append(wire.read_page(head, body)[0])
    raise ValueError("The checkpoint has no end.")


def pack_chunked(document: ChunkedDocument) -> bytes:
    """A document as cut, as bytes."""
    return zlib.compress(write_chunked(document), _LEVEL)


def unpack_chunked(data: bytes) -> ChunkedDocument:
    """The document that `pack_chunked` was given."""
    return read_chunked(zlib.decompress(data))


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
