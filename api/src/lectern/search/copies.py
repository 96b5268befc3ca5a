"""Fold the hits of exact copies: a passage of a file that is in the library several times is one hit."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from lectern.db.session import Session
from lectern.search import repository
from lectern.search.ranking.match import ChunkMatch
from lectern.search.ranking.ranker import RankedCandidate

_GROWTH: Final = 4


async def load_without_copies(
    session: Session,
    ranked: Sequence[RankedCandidate],
    *,
    count: int,
    load: Callable[[Sequence[RankedCandidate]], Awaitable[list[ChunkMatch]]],
) -> list[ChunkMatch]:
    """Load the first `count` chunks in rank order, without copies of better ones.

    Further chunks are loaded only if some are folded or were deleted meanwhile.
    """
    rows: list[ChunkMatch] = []
    start, size = 0, count
    while len(rows) < count and start < len(ranked):
        rows = await _fold(session, [*rows, *await load(ranked[start : start + size])])
        start, size = start + size, size * _GROWTH
    return rows[:count]


async def _fold(session: Session, rows: Sequence[ChunkMatch]) -> list[ChunkMatch]:
    """Move the same chunk of a document with the same file into `copies` of the better one."""
    repeated = _list_repeated(rows)
    if not repeated:
        return list(rows)
    files = await repository.list_file_hashes(session, repeated)
    folded: dict[tuple[object, ...], ChunkMatch] = {}
    for row in rows:
        # Without a hash it is a chunk of its own.
        key = (files.get(row.document_id, row.document_id), row.chunk_index, row.text)
        better = folded.get(key)
        folded[key] = replace(better, copies=(*better.copies, row)) if better else row
    return list(folded.values())


def _list_repeated(rows: Sequence[ChunkMatch]) -> set[uuid.UUID]:
    """Return the documents that share a chunk with another one, at the same place."""
    by_chunk: dict[tuple[int, str], set[uuid.UUID]] = {}
    for row in rows:
        by_chunk.setdefault((row.chunk_index, row.text), set()).add(row.document_id)
    return {document for documents in by_chunk.values() if len(documents) > 1 for document in documents}
