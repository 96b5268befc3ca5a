"""MaxScore pruning: the second pass misses no chunk whose upper bound exceeds the threshold."""

import functools
import math
import random
from collections.abc import Sequence

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from tests.search.conftest import EXACT, Library
from tests.search.library import store_document

from lectern.db.scope import SYSTEM_SCOPE
from lectern.search.candidates.maxscore import quote_term
from lectern.settings import SearchSettings

MAXSCORE_QUERY = text(
    "SELECT array_to_string(lectern_build_maxscore_query(CAST(:terms AS text[]), CAST(:bounds AS float8[]),"
    " CAST(:shares AS float8[]), :threshold, 1000, :budget), ' | ')"
)
MATCHING = text("""
SELECT CAST(p.terms AS integer) FROM unnest(CAST(:passages AS text[])) WITH ORDINALITY AS p (words, terms)
WHERE array_to_tsvector(string_to_array(p.words, ' ')) @@ CAST(:query AS tsquery)
""")


async def maxscore_query(
    session: AsyncSession, bounds: Sequence[float], *, threshold: float, shares: Sequence[float], budget: float
) -> str | None:
    values: dict[str, object] = {
        "terms": [quote_term(f"t{number}") for number in range(len(bounds))],
        "bounds": list(bounds),
    }
    return await session.scalar(
        MAXSCORE_QUERY, values | {"shares": list(shares), "threshold": threshold, "budget": budget}
    )


async def matched(session: AsyncSession, query: str | None, *, terms: int) -> set[int]:
    """Return the sets of terms (as bits) that the query matches, without the empty set."""
    passages = [" ".join(f"t{number}" for number in range(terms) if bits >> number & 1) for bits in range(1, 2**terms)]
    return set((await session.scalars(MATCHING, {"passages": passages, "query": query})).all()) if query else set()


@pytest.mark.parametrize("seed", range(30))
async def test_term_sets_above_the_threshold_are_matched(library: Library, seed: int) -> None:
    chance = random.Random(seed)
    bounds = sorted(
        (chance.choice((0.0, 1.0, chance.uniform(0, 9))) for _ in range(chance.randint(1, 7))), reverse=True
    )
    threshold = chance.uniform(0, 1) * sum(bounds)
    async with library.database.session(SYSTEM_SCOPE) as session:
        query = await maxscore_query(session, bounds, threshold=threshold, shares=[0.5] * len(bounds), budget=math.inf)
        matching_sets = await matched(session, query, terms=len(bounds))
    needed = {bits for bits in range(1, 2 ** len(bounds)) if bound_of(bounds, bits) > threshold + 1e-9}
    assert needed <= matching_sets
    if len(bounds) > 1 and threshold >= bounds[0]:  # then no single term is enough
        assert not {1 << number for number in range(len(bounds))} & matching_sets


def bound_of(bounds: Sequence[float], bits: int) -> float:
    """Return the sum of the bounds of a set of terms."""
    return math.fsum(bound for number, bound in enumerate(bounds) if bits >> number & 1)


async def test_threshold_is_lowered_for_too_many_term_sets(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        ask = functools.partial(maxscore_query, session, [3.0, 2.0, 1.0], shares=[0.1, 0.2, 0.4])
        assert await ask(threshold=0.5, budget=700) == "'t0' | 't1' | 't2'"
        assert await ask(threshold=0.5, budget=699) == "'t0' | 't1'"  # as if the threshold were 1
        assert await ask(threshold=2.5, budget=700) == "'t0' | 't1' & 't2'"
        assert await ask(threshold=0.5, budget=1) is None
        assert await ask(threshold=6.0, budget=700) is None
        assert await maxscore_query(session, [0.0, 0.0], threshold=0.0, shares=[1.0, 1.0], budget=0) is None
        assert await maxscore_query(session, [], threshold=0.0, shares=[], budget=0) is None


async def test_chunk_without_the_rarest_terms_can_rank_first(library: Library) -> None:
    """Twelve chunks have only the rarest word. Three have all the other words and rank first."""
    rare = [f"rare filler number{number}" for number in range(12)]
    common = [f"{word} filler other{number}" for word in ("red", "green", "blue", "grey") for number in range(120)]
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, [*rare, *common, *["red green blue grey words"] * 3], shelf=library.shelf)
    stingy = SearchSettings(exact_dense_chunks=0, exact_lexical_chunks=0, candidate_budget=100)
    for query in ("rare red green blue grey", "rare red green blue"):
        found, exact = [await library.search(query, settings=chosen, top_k=20) for chosen in (stingy, EXACT)]
        first = [[hit.chunk_id for hit in hits.data if (hit.keyword_rank or 99) <= 3] for hits in (found, exact)]
        assert len(first[0]) == 3
        assert first[0] == first[1]
        assert all("red green blue grey" in hit.text for hit in exact.data if hit.chunk_id in first[1])
