"""Resolve the names in a search's filters to ids. Unknown names raise an error that lists those that exist."""

import uuid
from typing import Final

from lectern.collections.service import resolve_collections
from lectern.db.session import Session
from lectern.documents.service import resolve_documents
from lectern.http.references import unknown_reference
from lectern.search import repository
from lectern.search.candidates.scope import SearchFilter
from lectern.search.errors import UnknownLanguage
from lectern.search.schemas import SearchRequest
from lectern.tags.service import resolve_tags

_NO_IDS: Final[list[uuid.UUID]] = []


async def resolve(session: Session, request: SearchRequest) -> SearchFilter:
    """Resolve the filters of a request in the caller's scope.

    Raises:
        UnknownReference: A tag, document, collection or language does not exist in scope.
    """
    tags = request.tags
    documents = await resolve_documents(session, request.documents) if request.documents else _NO_IDS
    collections = await resolve_collections(session, request.collections) if request.collections else _NO_IDS
    await _check_language(session, request.language)
    return SearchFilter(
        any_tags=_ids(await resolve_tags(session, tags.any) if tags.any else _NO_IDS),
        all_tags=_ids(await resolve_tags(session, tags.all) if tags.all else _NO_IDS),
        no_tags=_ids(await resolve_tags(session, tags.none) if tags.none else _NO_IDS),
        documents=_ids(documents),
        collections=_ids(collections),
        created_after=request.created_after,
        created_before=request.created_before,
        language=request.language,
    )


async def _check_language(session: Session, language: str | None) -> None:
    if language is None:
        return
    available = await repository.list_languages(session)
    if language not in available:
        raise unknown_reference(UnknownLanguage, [language], noun="language", available=available)


def _ids(ids: list[uuid.UUID]) -> tuple[uuid.UUID, ...] | None:
    return tuple(sorted(set(ids))) or None
