"""A library with documents in several collections and tags, and an oracle for filters."""

import hashlib
import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from sqlalchemy import insert, text

from lectern.answers.models import GoldenQuery
from lectern.db import lexical_index
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database, Session
from lectern.documents.models import Chunk, Document, DocumentPage, DocumentVersion, Note
from lectern.extraction.layout.boxes import WordBoxes, pack_boxes
from lectern.jobs.models import Job
from lectern.tags.models import DocumentTag, Tag

PAGES = ("Fees and charges of the bank", "The second page speaks of cards")


@dataclass(frozen=True, slots=True)
class Shelved:
    """A document with its collection and tags."""

    id: uuid.UUID
    collection_id: uuid.UUID
    tag_ids: frozenset[uuid.UUID]
    is_deleted: bool = False


@dataclass(slots=True)
class Library:
    """The stored documents. `visible` computes a scope's documents without a database."""

    collections: list[uuid.UUID] = field(default_factory=list[uuid.UUID])
    tags: list[uuid.UUID] = field(default_factory=list[uuid.UUID])
    documents: list[Shelved] = field(default_factory=list[Shelved])

    def visible(self, scope: Scope) -> set[uuid.UUID]:
        """Return the ids of the documents in scope."""
        return {
            document.id
            for document in self.documents
            if scope.is_unrestricted
            or (
                (
                    scope.collections is None
                    or document.collection_id in scope.collections
                    or document.id in scope.granted
                )
                and (scope.tags is None or document.tag_ids & scope.tags)
                and (scope.documents is None or document.id in scope.documents)
            )
        }

    def visible_tags(self, scope: Scope) -> set[uuid.UUID]:
        """Return the tags that a key names, or else those of visible documents."""
        if scope.tags is not None:
            return set(self.tags) & scope.tags
        seen = self.visible(scope)
        return {tag for document in self.documents if document.id in seen for tag in document.tag_ids}

    def visible_collections(self, scope: Scope) -> set[uuid.UUID]:
        """Return the collections in scope. With tags or documents, those of visible documents and named ones."""
        collections = set(self.collections)
        if scope.collections is not None:
            collections &= scope.collections
        seen = self.visible(scope)
        granted = {document.collection_id for document in self.documents if document.id in seen & set(scope.granted)}
        if scope.tags is not None or scope.documents is not None:
            used = {document.collection_id for document in self.documents if document.id in seen}
            collections &= used | scope.named_collections
        return (collections | granted) & set(self.collections)


async def add_document(
    session: Session,
    *,
    collection_id: uuid.UUID,
    tag_ids: Sequence[uuid.UUID] = (),
    filename: str | None = None,
    document_id: uuid.UUID | None = None,
) -> uuid.UUID:
    """Add a ready, indexed document of two pages with two chunks and a succeeded job."""
    document_id = document_id or uuid.uuid4()
    name = filename or f"{document_id}.txt"
    values = {
        "id": document_id,
        "collection_id": collection_id,
        "filename": name,
        "content_type": "text/plain",
        "size_bytes": 64,
        "sha256": hashlib.sha256(document_id.bytes).hexdigest(),
        "language": "en",
        "status": "ready",
        "page_count": 2,
        "chunk_count": 2,
        "outline": [{"title": "Fees", "level": 1, "page_number": 1}],
    }
    await session.execute(insert(Document), [values])
    await _add_pages(session, document_id)
    for tag_id in tag_ids:
        await session.execute(insert(DocumentTag), [{"document_id": document_id, "tag_id": tag_id}])
    names = ("filename", "content_type", "size_bytes", "sha256")
    version = {name: values[name] for name in names}
    more = {"document_id": document_id, "number": 1, "state": "current", "created_by": "system"}
    await session.execute(insert(DocumentVersion), [version | more])
    job = {"id": uuid.uuid4(), "kind": "ingest", "document_id": document_id, "state": "succeeded"}
    await session.execute(insert(Job), [job])
    golden = {"id": uuid.uuid4(), "query": "fees", "document_id": document_id, "page_number": 1, "created_by": "system"}
    await session.execute(insert(GoldenQuery), [golden])
    place = {"version": 1, "page_number": 1, "char_start": 0, "char_end": 4}
    note = {"document_id": document_id, "author": "system", "author_name": "System", "quote": "fees", "text": "Check."}
    await session.execute(insert(Note), [{**place, **note, "is_shared": True}])
    await lexical_index.index_document(session, document_id)
    return document_id


async def _add_pages(session: Session, document_id: uuid.UUID) -> None:
    start = 0
    for number, content in enumerate(PAGES, start=1):
        page = {
            "document_id": document_id,
            "page_number": number,
            "kind": "text",
            "text": content,
            "char_start": start,
            "char_count": len(content),
            "width_points": 595.0,
            "height_points": 842.0,
            "boxes": word_boxes(content),
        }
        chunk = {
            "id": uuid.uuid4(),
            "document_id": document_id,
            "chunk_index": number - 1,
            "section_heading": "Fees",
            "page_number": number,
            "last_page_number": number,
            "char_start": start,
            "char_end": start + len(content),
            "token_count": 6,
            "content_type": "text",
            "importance": 0.5,
            "language": "en",
            "content_hash": content.encode(),
            "text": content,
        }
        await session.execute(insert(DocumentPage), [page])
        await session.execute(insert(Chunk), [chunk])
        start += len(content) + 1


def word_boxes(content: str) -> bytes:
    """Place words side by side on one line, each as wide as its share of the characters."""
    words = content.split(" ")
    lengths = [len(word) for word in words]
    starts = [sum(lengths[:number]) + number for number in range(len(words))]
    ends = [start + length for start, length in zip(starts, lengths, strict=True)]
    left, right = np.array(starts) / 100, np.array(ends) / 100
    top, bottom = np.full(len(starts), 0.1), np.full(len(starts), 0.2)
    return pack_boxes(
        WordBoxes(
            starts=np.array(starts, np.int64),
            ends=np.array(ends, np.int64),
            runs=np.zeros(len(starts), np.int64),
            corners=np.stack([left, top, right, bottom], axis=1),
        )
    )


async def fill_library(database: Database, *, seed: int = 7) -> Library:
    """Add four collections, six tags (one unused) and eighteen documents, two of them in the trash."""
    choose = random.Random(seed)
    library = Library()
    async with database.session(SYSTEM_SCOPE) as session:
        for number in range(4):
            library.collections.append(uuid.uuid4())
            statement = text("INSERT INTO collections (id, name, is_open) VALUES (:id, :name, :is_open)")
            values = {"id": library.collections[-1], "name": f"collection {number}", "is_open": number % 2 == 0}
            await session.execute(statement, values)
        for number in range(6):
            library.tags.append(uuid.uuid4())
            tag = {"id": library.tags[-1], "name": f"tag {number}", "normalized_name": f"tag {number}"}
            await session.execute(insert(Tag), [tag])
        for number in range(18):
            collection_id = library.collections[number % 4]
            tag_ids = choose.sample(library.tags[:5], k=choose.randint(0, 3))
            document_id = await add_document(session, collection_id=collection_id, tag_ids=tag_ids)
            library.documents.append(Shelved(document_id, collection_id, frozenset(tag_ids), number < 2))
        deleted = [document.id for document in library.documents if document.is_deleted]
        await session.execute(text("UPDATE documents SET deleted_at = now() WHERE id = ANY(:ids)"), {"ids": deleted})
    return library
