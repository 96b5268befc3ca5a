"""Names in a search's filters turned into ids; what does not exist is refused with what does."""

import difflib
import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from lectern.db.session import Session
from lectern.search import repository
from lectern.search.errors import UnknownFilter
from lectern.search.repository import DocumentFilter, Named
from lectern.search.schemas import SearchRequest

LISTED_NAMES: Final = 50
COMPARED_NAMES: Final = 5_000
CLOSE_ENOUGH: Final = 0.5

Find = Callable[[Sequence[uuid.UUID], Sequence[str]], Awaitable[list[Named]]]


async def resolve(session: Session, request: SearchRequest) -> DocumentFilter:
    """The documents that a request is about.

    Raises:
        UnknownFilter: A tag, document or collection does not exist in the caller's scope.
    """
    tags = request.tags
    known = await _resolve_tags(session, [*tags.any, *tags.all, *tags.none])
    documents = await _resolve(
        session, "document", request.documents, lambda ids, names: repository.find_documents(session, ids, names)
    )
    collections = await _resolve(
        session, "collection", request.collections, lambda ids, names: repository.find_collections(session, ids, names)
    )
    await _check_language(session, request.language)
    return DocumentFilter(
        any_tags=_ids(known, tags.any),
        all_tags=_ids(known, tags.all),
        no_tags=_ids(known, tags.none),
        documents=documents,
        collections=collections,
        created_after=request.created_after,
        created_before=request.created_before,
        language=request.language,
    )


async def _resolve_tags(session: Session, names: Sequence[str]) -> dict[str, uuid.UUID]:
    if not names:
        return {}
    found = {
        _normalized(tag.name): tag.id for tag in await repository.find_tags(session, list({*map(_normalized, names)}))
    }
    await _refuse(session, "tag", [name for name in names if _normalized(name) not in found])
    return found


async def _resolve(session: Session, kind: str, names: Sequence[str], find: Find) -> tuple[uuid.UUID, ...] | None:
    """The ids of all rows that a name or an id stands for; a filename may belong to several documents."""
    if not names:
        return None
    found = await find([id_ for name in names if (id_ := _uuid(name))], [name.lower() for name in names])
    ids, lowered = {row.id for row in found}, {row.name.lower() for row in found}
    await _refuse(session, kind, [name for name in names if _uuid(name) not in ids and name.lower() not in lowered])
    return tuple(sorted(ids))


async def _check_language(session: Session, language: str | None) -> None:
    if language and language not in await repository.list_names(session, "language", limit=COMPARED_NAMES):
        await _refuse(session, "language", [language])


async def _refuse(session: Session, kind: str, unknown: Sequence[str]) -> None:
    if not unknown:
        return
    names = await repository.list_names(session, kind, limit=COMPARED_NAMES)
    close = {name: close_names(name, names) for name in unknown}
    listed = "; ".join(
        f"{name!r}" + (f" (did you mean {', '.join(map(repr, close[name]))}?)" if close[name] else "")
        for name in unknown
    )
    raise UnknownFilter(
        f"No such {kind}: {listed}.",
        details={
            "kind": kind,
            "unknown": list(unknown),
            "close": close,
            "existing": names[:LISTED_NAMES],
            "existing_total": len(names),
        },
    )


def close_names(name: str, names: Sequence[str]) -> list[str]:
    """Up to five names that look like `name`, best first."""
    by_lower = {known.lower(): known for known in names}
    found = difflib.get_close_matches(name.lower(), list(by_lower), n=5, cutoff=CLOSE_ENOUGH)
    return [by_lower[key] for key in found]


def _ids(known: dict[str, uuid.UUID], names: Sequence[str]) -> tuple[uuid.UUID, ...] | None:
    return tuple(sorted({known[_normalized(name)] for name in names})) or None


def _normalized(name: str) -> str:
    return " ".join(name.split()).casefold()


def _uuid(name: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(name)
    except ValueError:
        return None
