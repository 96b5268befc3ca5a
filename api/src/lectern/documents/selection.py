"""A filter of documents whose names have been resolved, and the SQL conditions it stands for."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select

from lectern.documents.models import Document
from lectern.tags.models import DocumentTag


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSelection:
    """Which documents. None or an empty list does not narrow."""

    ids: Sequence[uuid.UUID] | None = None
    tags_any: Sequence[uuid.UUID] = ()
    tags_all: Sequence[uuid.UUID] = ()
    tags_none: Sequence[uuid.UUID] = ()
    is_untagged: bool = False
    collections: Sequence[uuid.UUID] = ()
    statuses: Sequence[str] = ()
    content_types: Sequence[str] = ()
    languages: Sequence[str] = ()
    matching: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None
    is_deleted: bool | None = False


def conditions(selection: DocumentSelection) -> list[ColumnElement[bool]]:
    """What a row of documents must fulfil."""
    return [*_own(selection), *_tags(selection), *_trash(selection)]


def _own(selection: DocumentSelection) -> list[ColumnElement[bool]]:
    lists: tuple[tuple[Any, Sequence[Any] | None], ...] = (
        (Document.collection_id, selection.collections or None),
        (Document.status, selection.statuses or None),
        (Document.content_type, selection.content_types or None),
        (Document.language, selection.languages or None),
        (Document.id, selection.ids),
    )
    found: list[ColumnElement[bool]] = [column.in_(values) for column, values in lists if values is not None]
    if selection.created_from is not None:
        found.append(Document.created_at >= selection.created_from)
    if selection.created_to is not None:
        found.append(Document.created_at < selection.created_to)
    if selection.matching is not None:
        text = selection.matching.lower()
        found.append(
            or_(
                func.lower(Document.filename).contains(text, autoescape=True),
                func.lower(Document.title).contains(text, autoescape=True),
            )
        )
    return found


def _trash(selection: DocumentSelection) -> list[ColumnElement[bool]]:
    if selection.is_deleted is None:
        return []
    return [Document.deleted_at.is_not(None) if selection.is_deleted else Document.deleted_at.is_(None)]


def _tags(selection: DocumentSelection) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if selection.tags_any:
        found.append(_tagged(DocumentTag.tag_id.in_(selection.tags_any)))
    found += [_tagged(DocumentTag.tag_id == tag_id) for tag_id in selection.tags_all]
    if selection.tags_none:
        found.append(~_tagged(DocumentTag.tag_id.in_(selection.tags_none)))
    if selection.is_untagged:
        found.append(~_tagged())
    return found


def _tagged(*wanted: ColumnElement[bool]) -> ColumnElement[bool]:
    return select(DocumentTag.tag_id).where(DocumentTag.document_id == Document.id, *wanted).exists()
