"""The documents that a search may find: its filter, what the filter leaves, and how the SQL is narrowed (pure)."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from lectern.db.scope import IdList

# "On page 9" narrows the search within a few documents. In many documents, each has a page 9.
MAX_PAGED_DOCUMENTS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilter:
    """Conditions on the documents of a search. None is no condition."""

    any_tags: tuple[uuid.UUID, ...] | None = None
    all_tags: tuple[uuid.UUID, ...] | None = None
    no_tags: tuple[uuid.UUID, ...] | None = None
    documents: tuple[uuid.UUID, ...] | None = None
    collections: tuple[uuid.UUID, ...] | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    language: str | None = None

    def parameters(self) -> dict[str, object]:
        """Return the conditions as parameters of a statement."""
        values: dict[str, object] = {name: getattr(self, name) for name in self.__slots__}
        given = {name: value for name, value in values.items() if value is not None}
        return {
            name: list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else value
            for name, value in given.items()
        }

    @property
    def is_empty(self) -> bool:
        return not self.parameters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Counts of the documents to search, the ids that narrow them, and the embedding generation to search.

    `library_chunks` are those of the library that the principal may read. The calibration of confidence and
    the fitted ranker belong to the generation.
    """

    documents: int
    searchable: int
    processing: int
    failed: int
    pages_unreadable: int
    chunks: int
    embedded_chunks: int
    allowed: IdList | None
    trash: IdList | None
    library_chunks: int
    generation: int | None
    fingerprint: str | None
    confidence_bias: float = 0.0
    confidence_slope: float = 1.0
    ranker_fit: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateScope:
    """The documents to search, as an allow list or a deny list on top of row-level security.

    `few` lists them if there are at most MAX_PAGED_DOCUMENTS.
    """

    chunks: int
    library_chunks: int
    few: Sequence[uuid.UUID] = ()
    allowed: IdList | None = None
    excluded: IdList | None = None

    @property
    def selectivity(self) -> float:
        """The share of the library's chunks that is in scope."""
        return self.chunks / self.library_chunks if self.library_chunks else 1.0


def candidate_scope(overview: Overview, *, is_narrowed: bool) -> CandidateScope:
    """Allow documents by id if the scope is part of the library, else exclude the trash."""
    is_part = is_narrowed or overview.chunks < overview.library_chunks
    allowed = overview.allowed if is_part else None
    known = overview.allowed or ()
    return CandidateScope(
        chunks=overview.chunks,
        few=tuple(known) if len(known) <= MAX_PAGED_DOCUMENTS else (),
        library_chunks=max(overview.library_chunks, overview.chunks),
        allowed=allowed,
        excluded=overview.trash if allowed is None else None,
    )
