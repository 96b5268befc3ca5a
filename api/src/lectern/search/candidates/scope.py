"""The documents that a search may find: its filter, what the filter leaves, and how the SQL is narrowed (pure)."""

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

# "On page 9" says where to look within a few documents; of many, all have a page 9.
MOST_PAGED_DOCUMENTS: Final = 5

_ID: Final = 36  # characters


@dataclass(frozen=True, slots=True)
class IdList(Collection[uuid.UUID]):
    """Ids by their array literal: `{}`, `{first,second}`."""

    literal: str

    def __len__(self) -> int:
        return (len(self.literal) - 1) // (_ID + 1)

    def __iter__(self) -> Iterator[uuid.UUID]:
        return (uuid.UUID(self.literal[start : start + _ID]) for start in range(1, len(self.literal) - 1, _ID + 1))

    def __contains__(self, one: object) -> bool:
        return isinstance(one, uuid.UUID) and str(one) in self.literal


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFilter:
    """The documents that a search is about; None does not narrow."""

    any_tags: tuple[uuid.UUID, ...] | None = None
    all_tags: tuple[uuid.UUID, ...] | None = None
    no_tags: tuple[uuid.UUID, ...] | None = None
    documents: tuple[uuid.UUID, ...] | None = None
    collections: tuple[uuid.UUID, ...] | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    language: str | None = None

    def given(self) -> dict[str, object]:
        """What narrows, as parameters of a statement."""
        ids = {
            "any_tags": self.any_tags,
            "all_tags": self.all_tags,
            "no_tags": self.no_tags,
            "documents": self.documents,
            "collections": self.collections,
        }
        others: dict[str, object] = {
            "created_after": self.created_after,
            "created_before": self.created_before,
            "language": self.language,
        }
        lists = {name: list(value) for name, value in ids.items() if value is not None}
        return lists | {name: value for name, value in others.items() if value is not None}

    @property
    def is_empty(self) -> bool:
        return not self.given()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What a filter leaves, as row-level security lets it be seen."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateScope:
    """The documents to search: all that row-level security shows, less the `excluded`, or only the `allowed`.

    `few` are the same where they are at most `MOST_PAGED_DOCUMENTS`.
    """

    chunks: int
    library_chunks: int
    few: Sequence[uuid.UUID] = ()
    allowed: IdList | None = None
    excluded: IdList | None = None

    @property
    def selectivity(self) -> float:
        """The share of the library's chunks that may be found."""
        return self.chunks / self.library_chunks if self.library_chunks else 1.0


def candidate_scope(overview: Overview, *, is_narrowed: bool) -> CandidateScope:
    """A list of allowed documents where the scope is small or filtered, a list of excluded ones else."""
    is_part = is_narrowed or overview.chunks < overview.library_chunks
    allowed = overview.allowed if is_part else None
    known = overview.allowed or ()
    return CandidateScope(
        chunks=overview.chunks,
        few=tuple(known) if len(known) <= MOST_PAGED_DOCUMENTS else (),
        library_chunks=max(overview.library_chunks, overview.chunks),
        allowed=allowed,
        excluded=overview.trash if allowed is None else None,
    )
