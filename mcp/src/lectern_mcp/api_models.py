"""Types of the Lectern API that this service uses (to be generated from api/openapi.json)."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel


class KeyIntrospection(BaseModel):
    is_active: bool
    principal: str | None = None
    name: str | None = None
    can_write: bool | None = None
    toolsets: list[str] | None = None
    expires_at: datetime | None = None


class TagFilter(BaseModel):
    any: list[str] = []
    all: list[str] = []
    none: list[str] = []


class SearchRequest(BaseModel):
    query: str
    top_k: int = 5
    hybrid: bool = True
    tags: TagFilter = TagFilter()
    documents: list[str] = []


class Match(BaseModel):
    start: int
    end: int


class Snippet(BaseModel):
    text: str
    matches: list[Match]


class Hit(BaseModel):
    chunk_id: UUID
    document_id: UUID
    document: str
    title: str | None = None
    tags: list[str] = []
    page_number: int
    last_page_number: int
    section_heading: str | None = None
    language: str | None = None
    token_count: int
    text: str
    snippet: Snippet
    score: float
    semantic_rank: int | None = None
    keyword_rank: int | None = None


class Coverage(BaseModel):
    documents_searched: int
    documents_processing: int
    documents_failed: int
    pages_unreadable: int
    share_embedded: float


class SearchMetadata(BaseModel):
    top_k: int
    hybrid: bool
    returned: int
    coverage: Coverage
    confidence: float | None = None


class SearchResponse(BaseModel):
    data: list[Hit]
    metadata: SearchMetadata
    message: str


class CollectionRef(BaseModel):
    id: UUID
    name: str


class Document(BaseModel):
    id: UUID
    filename: str
    title: str | None = None
    status: Literal["queued", "processing", "ready", "failed"]
    page_count: int | None = None
    chunk_count: int | None = None
    content_type: str | None = None
    language: str | None = None
    tags: list[str] = []
    collection: CollectionRef | None = None
    created_at: datetime
    updated_at: datetime


class DocumentPage(BaseModel):
    items: list[Document]
    next_cursor: str | None = None
    total: int | None = None


class OutlineItem(BaseModel):
    title: str
    level: int
    page_number: int | None = None


class Outline(BaseModel):
    items: list[OutlineItem]


class Page(BaseModel):
    page_number: int
    kind: str
    text: str


class Tag(BaseModel):
    id: UUID
    name: str
    color: str | None = None
    description: str | None = None
    document_count: int


class TagPage(BaseModel):
    items: list[Tag]
    next_cursor: str | None = None
    total: int | None = None
