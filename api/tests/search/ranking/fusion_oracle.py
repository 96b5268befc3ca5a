"""Fusion in plain Python: the oracle for the hybrid statement."""

import uuid
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from lectern.search.ranking.fusion import DEFAULT_CANDIDATES, DEFAULT_K, RankedChunk, best_score

Ranking = Sequence[uuid.UUID]


def fuse_all(
    semantic: Ranking,
    keyword: Ranking,
    *,
    k: int = DEFAULT_K,
    candidates: int = DEFAULT_CANDIDATES,
    unmatched: Collection[uuid.UUID] = frozenset(),
    places: Mapping[uuid.UUID, Hashable] = MappingProxyType({}),
    titled: tuple[Ranking, Ranking] = ((), ()),
    identified: Collection[uuid.UUID] = frozenset(),
    paged: Collection[uuid.UUID] = frozenset(),
) -> list[RankedChunk]:
    """Fuse with every feature, best first, ties by id."""
    votes = {hit.chunk_id: hit for hit in _votes(semantic, keyword, k=k, far=2 * candidates, unmatched=unmatched)}
    shares = {hit.chunk_id: hit.score / 2 for hit in _votes(*titled, k=k, far=2 * candidates, unmatched=unmatched)}
    ids = votes.keys() | shares.keys() | set(identified) | set(paged)
    fused = [votes.get(chunk_id, RankedChunk(chunk_id, 0.0, None, None)) for chunk_id in ids]
    bonus = best_score(k)
    fused = _best_first(
        replace(hit, score=hit.score + shares.get(hit.chunk_id, 0.0) + bonus * (hit.chunk_id in identified))
        for hit in fused
    )
    seen: set[Hashable] = set()
    for index, hit in enumerate(fused):
        place = places.get(hit.chunk_id)
        score = hit.score + (1 / (k + 1) if hit.chunk_id in paged else 0.0)
        fused[index] = replace(hit, score=score * (0.9 if place in seen else 1.0))
        seen |= {place} - {None}
    first = keyword[0] if keyword and keyword[0] not in unmatched else None
    return _raise_keyword_first(_best_first(fused), first)


def _votes(
    semantic: Ranking, keyword: Ranking, *, k: int, far: int, unmatched: Collection[uuid.UUID]
) -> list[RankedChunk]:
    semantic_ranks = {chunk_id: rank for rank, chunk_id in enumerate(semantic, start=1)}
    keyword_ranks = {chunk_id: rank for rank, chunk_id in enumerate(keyword, start=1)}
    foreign = [chunk_id for chunk_id in semantic if chunk_id in unmatched]
    votes: list[RankedChunk] = []
    for chunk_id in semantic_ranks.keys() | keyword_ranks.keys():
        semantic_rank, keyword_rank = semantic_ranks.get(chunk_id), keyword_ranks.get(chunk_id)
        unlisted = 1 / (k + far) if semantic else 0.0
        semantic_share = 1 / (k + semantic_rank) if semantic_rank else unlisted
        keyword_share = 1 / (k + keyword_rank) if keyword_rank else 0.0
        if chunk_id in foreign:
            semantic_share = max(semantic_share, 0.95 / (k + foreign.index(chunk_id) + 1))
            keyword_share = max(keyword_share, semantic_share)
        votes.append(RankedChunk(chunk_id, semantic_share + keyword_share, semantic_rank, keyword_rank))
    return votes


def _best_first(fused: Iterable[RankedChunk]) -> list[RankedChunk]:
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))


def _raise_keyword_first(fused: list[RankedChunk], first: uuid.UUID | None) -> list[RankedChunk]:
    """Raise the first chunk by keyword to the score of the fifth, before chunks with that score."""
    below = [hit for hit in fused[5:] if hit.chunk_id == first]
    if not below or below[0].score == fused[4].score:
        return fused
    raised = replace(below[0], score=fused[4].score)
    others = [hit for hit in fused if hit.chunk_id != first]
    place = next(place for place, hit in enumerate(others) if hit.score == raised.score)
    return [*others[:place], raised, *others[place:]]
