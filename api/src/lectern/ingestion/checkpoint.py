"""What was extracted, kept until it is stored for good: a run that dies while it chunks is not back at the beginning.

The format is that of the child which reads files: frames of JSON and bytes, compressed; nothing in it is executed.
"""

import uuid
import zlib
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from lectern.db.session import Session
from lectern.extraction import wire
from lectern.extraction.types import DocumentFacts, ExtractedDocument, ExtractedPage
from lectern.jobs.models import Job, JobCheckpoint
from lectern.jobs.service import STATES, JobGroup

MOST_BYTES: Final = 67_108_864  # more is made again sooner than it is fetched
_STAGE: Final = "extract"
_LEVEL: Final = 1  # six times smaller at 150 MB/s; a higher level takes longer than it saves


def pack(document: ExtractedDocument) -> bytes:
    """A document as bytes."""
    facts = DocumentFacts(document.title, document.language, document.outline, document.information)
    packer = zlib.compressobj(_LEVEL)
    parts = [packer.compress(wire.page_frame(page, len(document.pages))) for page in document.pages]
    return b"".join([*parts, packer.compress(wire.facts_frame(facts)), packer.flush()])


def unpack(data: bytes, *, content_type: str) -> ExtractedDocument:
    """The document that `pack` was given. Raises ValueError for anything else."""
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
                content_type, tuple(pages), facts.title, facts.language, facts.outline, facts.information
            )
        pages.append(wire.read_page(head, body)[0])
    raise ValueError("The checkpoint has no end.")


async def save(session: Session, job_id: uuid.UUID, data: bytes) -> None:
    """Keep what a job extracted, in place of what it kept before."""
    statement = insert(JobCheckpoint).values(job_id=job_id, stage=_STAGE, data=data)
    replacing = {"stage": _STAGE, "data": statement.excluded.data}
    await session.execute(statement.on_conflict_do_update(index_elements=[JobCheckpoint.job_id], set_=replacing))


async def find(session: Session, job_id: uuid.UUID) -> bytes | None:
    """What a job extracted before; None when it did not come so far."""
    return await session.scalar(select(JobCheckpoint.data).where(JobCheckpoint.job_id == job_id))


async def forget(session: Session, job_id: uuid.UUID) -> None:
    """It is stored for good."""
    await session.execute(delete(JobCheckpoint).where(JobCheckpoint.job_id == job_id))


async def forget_ended(session: Session) -> None:
    """Those of jobs that were cancelled in the middle."""
    active = select(Job.id).where(Job.state.in_(STATES[JobGroup.IN_PROGRESS]))
    await session.execute(delete(JobCheckpoint).where(JobCheckpoint.job_id.not_in(active)))
