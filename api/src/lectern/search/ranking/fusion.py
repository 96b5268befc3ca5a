"""Reciprocal rank fusion (pure): the oracle of the hybrid statement.

Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet", 2009.
"""

import uuid
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

DEFAULT_K: Final = 60
DEFAULT_CANDIDATES: Final = 50
FAR: Final = 2  # times the candidates: where the semantic arm is taken to have what it does not list (docs/adr/0021)
UNMATCHED_RANK_SHARE: Final = 0.95  # measured: docs/benchmarks/retrieval.md

FURTHER_PASSAGE_SHARE: Final = 0.9  # of a page that has a better passage: docs/benchmarks/retrieval.md
KEYWORD_FIRST_PLACE: Final = 5  # at the latest: docs/adr/0021
NAMED_SHARE: Final = 0.5  # of what an arm within the documents that the question names gives: docs/adr/0023


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk found by one arm or both; ranks count from 1."""

    chunk_id: uuid.UUID
    score: float
    semantic_rank: int | None
    keyword_rank: int | None


def fuse(
    semantic: Sequence[uuid.UUID],
    keyword: Sequence[uuid.UUID],
    *,
    k: int = DEFAULT_K,
    candidates: int = DEFAULT_CANDIDATES,
    unmatched: Collection[uuid.UUID] = frozenset(),
    places: Mapping[uuid.UUID, Hashable] = MappingProxyType({}),
    titled: tuple[Sequence[uuid.UUID], Sequence[uuid.UUID]] = ((), ()),
    identified: Collection[uuid.UUID] = frozenset(),
    paged: Collection[uuid.UUID] = frozenset(),
) -> list[Fused]:
    """Both rankings in one, best first, ties by chunk id: each arm gives a chunk 1 / (k + rank).

    Each ranking lists the first `candidates`. To the semantic one everything else comes somewhere behind: it counts as
    ranked at twice as many. What the keyword one does not list has, as a rule, none of the words, and nothing from it.

    `blind` are chunks in languages of which the keyword arm does not know the query's words. That it missed them means
    nothing, so their semantic share speaks for both arms unless their keyword share is greater. And models put passages
    in the query's own language first, so the rank among the blind ones counts for 95 %, where that is more.

    `places` says on which page a chunk stands, where that is known: only the best passage of a page keeps its whole
    score.

    `titled` are the two rankings within the documents matched by title ("AMCOR_2023_10K"): half of what they give is
    added, so that those passages come before their neighbours', and the best of them are there at all.

    `identified` are passages with an identifier of the question ("SKU-0042"): it counts as much as to be first in both
    arms, since models do not know such marks and put anything before them.

    `paged` are passages on pages that the question names ("on page 9"), whether or not an arm found them: a third vote,
    which puts all of them first.

    What the keyword arm puts first comes at place 5 at the latest, unless it is blind: it has as much as the fifth.
    """
    far = FAR * candidates
    votes = _votes(semantic, keyword, k=k, far=far, unmatched=unmatched)
    within = _votes(*titled, k=k, far=far, unmatched=unmatched)
    title_shares = {hit.chunk_id: hit.score * NAMED_SHARE for hit in within}
    by_mark = dict.fromkeys(identified, best_score(k))
    known = {hit.chunk_id: hit for hit in votes}
    ids = known.keys() | title_shares.keys() | by_mark.keys() | set(paged)
    fused = [known.get(chunk_id, Fused(chunk_id, 0.0, None, None)) for chunk_id in ids]
    by_both = [
        replace(hit, score=hit.score + title_shares.get(hit.chunk_id, 0.0) + by_mark.get(hit.chunk_id, 0.0))
        for hit in fused
    ]
    spread = _best_first(_spread(_best_first(by_both), places, dict.fromkeys(paged, _share(1, k))))
    return _with_keyword_first(spread, next((chunk_id for chunk_id in keyword[:1] if chunk_id not in unmatched), None))


def _votes(
    semantic: Sequence[uuid.UUID], keyword: Sequence[uuid.UUID], *, k: int, far: int, unmatched: Collection[uuid.UUID]
) -> list[Fused]:
    """What two rankings give together."""
    unlisted = _share(far, k) if semantic else 0.0
    foreign = [chunk_id for chunk_id in semantic if chunk_id in unmatched]
    foreign_ranks = {chunk_id: rank for rank, chunk_id in enumerate(foreign, start=1)}
    semantic_ranks = {chunk_id: rank for rank, chunk_id in enumerate(semantic, start=1)}
    keyword_ranks = {chunk_id: rank for rank, chunk_id in enumerate(keyword, start=1)}
    found: list[Fused] = []
    for chunk_id in semantic_ranks.keys() | keyword_ranks.keys():
        semantic_rank, keyword_rank = semantic_ranks.get(chunk_id), keyword_ranks.get(chunk_id)
        semantic_share = unlisted if semantic_rank is None else _share(semantic_rank, k)
        keyword_share = _share(keyword_rank, k)
        if chunk_id in foreign_ranks:
            semantic_share = max(semantic_share, UNMATCHED_RANK_SHARE / (k + foreign_ranks[chunk_id]))
            keyword_share = max(keyword_share, semantic_share)
        found.append(Fused(chunk_id, semantic_share + keyword_share, semantic_rank, keyword_rank))
    return found


def _with_keyword_first(fused: Sequence[Fused], first: uuid.UUID | None) -> list[Fused]:
    """The ranking with `first` raised to the score of the fifth, and before it, where it has less."""
    held = [hit for hit in fused[KEYWORD_FIRST_PLACE:] if hit.chunk_id == first]
    if not held or held[0].score == fused[KEYWORD_FIRST_PLACE - 1].score:
        return list(fused)
    raised = replace(held[0], score=fused[KEYWORD_FIRST_PLACE - 1].score)
    others = [hit for hit in fused if hit.chunk_id != first]
    place = next(place for place, hit in enumerate(others) if hit.score == raised.score)
    return [*others[:place], raised, *others[place:]]


def _best_first(fused: Sequence[Fused]) -> list[Fused]:
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))


def _spread(
    fused: Sequence[Fused], places: Mapping[uuid.UUID, Hashable], page_reference_share: Mapping[uuid.UUID, float]
) -> list[Fused]:
    seen: set[Hashable] = set()
    spread: list[Fused] = []
    for hit in fused:
        place = places.get(hit.chunk_id)
        score = hit.score + page_reference_share.get(hit.chunk_id, 0.0)
        spread.append(replace(hit, score=score * (FURTHER_PASSAGE_SHARE if place in seen else 1.0)))
        if place is not None:
            seen.add(place)
    return spread


def best_score(k: int = DEFAULT_K) -> float:
    """What a chunk gets that both arms put first."""
    return _share(1, k) + _share(1, k)


def _share(rank: int | None, k: int) -> float:
    return 0.0 if rank is None else 1.0 / (k + rank)
