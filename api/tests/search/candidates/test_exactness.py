"""Filtered searches return the exact best chunks with every search strategy."""

import random
import uuid
from collections.abc import Sequence

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from tests.search.conftest import EXACT, INDEXED, Library
from tests.search.library import Passage, store_document

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.search import repository
from lectern.search.candidates import maxscore
from lectern.search.candidates.lookup import INDEX_SETTINGS
from lectern.search.candidates.scope import SearchFilter
from lectern.search.query import terms
from lectern.search.query.analysis import analyze_query
from lectern.search.ranking.fusion import fuse_ranks
from lectern.search.schemas import SearchRequest
from lectern.settings import SearchSettings

WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "12-bis",
    "222,730",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "casa",
    "gatto",
    "mille",
]
TAGS = ("red", "green", "blue")
CANDIDATES = SearchSettings().candidates


async def fill(library: Library, chance: random.Random) -> dict[uuid.UUID, set[str]]:
    """Store twelve documents of random words, weighted by frequency, with random tags."""
    tags: dict[uuid.UUID, set[str]] = {}
    async with library.database.session(SYSTEM_SCOPE) as session:
        for number in range(12):
            passages = [
                Passage(
                    " ".join(chance.choices(WORDS, weights=range(len(WORDS), 0, -1), k=12)), chance.choice(("en", "it"))
                )
                for _ in range(chance.randint(1, 9))
            ]
            chosen = chance.sample(TAGS, chance.randint(0, 3))
            document_id = await store_document(
                session, passages, filename=f"{number}.pdf", tags=chosen, shelf=library.shelf
            )
            tags[document_id] = set(chosen)
    return tags


async def true_best(
    library: Library, query: str, allowed: Sequence[uuid.UUID], *, scope: Scope, top_k: int
) -> list[uuid.UUID]:
    """Run both arms by brute force over the allowed documents and fuse them in Python."""
    async with library.database.session(scope) as session:
        known = await repository.look_up(
            session,
            SearchFilter(),
            scope=scope,
            analysis=analyze_query(query),
            exact_chunks=0,
            fingerprints=[],
            ef_search=200,
        )
    understood = terms.build_keyword_query(known.words, known.counts)
    async with library.database.session(SYSTEM_SCOPE) as session:
        return await rank_exactly(session, library, query, understood, allowed, top_k=top_k)


async def rank_exactly(
    session: AsyncSession,
    library: Library,
    query: str,
    understood: terms.KeywordQuery,
    allowed: Sequence[uuid.UUID],
    *,
    top_k: int,
) -> list[uuid.UUID]:
    """Rank the allowed documents by each arm, and fuse both in Python."""
    provider, generation = library.shelf.provider, library.shelf.generation
    assert provider is not None
    assert generation is not None
    vector = await provider.embed_query(query)
    values = {
        "allowed": list(allowed),
        "vector": str(vector.tolist()),
        "weights": understood.weights,
        "n": CANDIDATES,
    }
    semantic = await session.execute(
        text(
            f"SELECT chunk_id FROM {generation.table_name} WHERE document_id = ANY (:allowed)"
            " GROUP BY chunk_id ORDER BY min(embedding <=> CAST(:vector AS halfvec)), chunk_id LIMIT :n"
        ),
        values,
    )
    keyword = await session.execute(
        text(
            "SELECT chunk_id FROM chunk_lexical WHERE document_id = ANY (:allowed) AND"
            " lex <#> CAST(:weights AS sparsevec) < 0 ORDER BY lex <#> CAST(:weights AS sparsevec), chunk_id LIMIT :n"
        ),
        values,
    )
    ranks = [{chunk_id: rank for rank, chunk_id in enumerate(arm.scalars(), start=1)} for arm in (semantic, keyword)]
    scores = {chunk_id: fuse_ranks(*(arm.get(chunk_id) for arm in ranks)) for chunk_id in {*ranks[0], *ranks[1]}}
    return sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[:top_k]


@pytest.mark.parametrize("seed", range(4))
async def test_filtered_search_equals_the_exact_top_k(library: Library, seed: int) -> None:
    chance = random.Random(seed)
    tags = await fill(library, chance)
    for _ in range(5):
        query = " ".join(chance.choices(WORDS, k=chance.randint(1, 5)))
        top_k = chance.randint(1, 20)
        wanted = chance.choice(TAGS)
        chosen = chance.sample(sorted(tags), chance.randint(1, 4))
        cases: list[tuple[dict[str, object], Scope, list[uuid.UUID]]] = [
            ({}, SYSTEM_SCOPE, list(tags)),
            ({"tags": [wanted]}, SYSTEM_SCOPE, [one for one, own in tags.items() if wanted in own]),
            ({"tags": {"none": [wanted]}}, SYSTEM_SCOPE, [one for one, own in tags.items() if wanted not in own]),
            ({"documents": [str(one) for one in chosen]}, SYSTEM_SCOPE, chosen),
            ({}, Scope(actor="key:1", documents=frozenset(chosen)), chosen),
        ]
        for fields, scope, allowed in cases:
            expected = await true_best(library, query, allowed, scope=scope, top_k=top_k)
            for shape in (EXACT, INDEXED):
                settings = shape.model_copy(update={"ranker": "fusion"})
                request = SearchRequest.model_validate({"query": query, "top_k": top_k, **fields})
                response = await library.engine(settings).search_in_scope(request, scope)
                found = [hit.chunk_id for hit in response.data]
                assert found == expected, (query, fields, shape)


@pytest.mark.parametrize(
    ("chunks", "breadth"), [(0, 200), (100_000, 200), (400_000, 400), (1_000_000, 632), (10**8, 1000)]
)
async def test_large_library_uses_a_wider_index_scan(library: Library, chunks: int, breadth: int) -> None:
    expression = INDEX_SETTINGS["hnsw.ef_search"]
    async with library.database.session(SYSTEM_SCOPE) as session:
        asked = text(f"SELECT {expression} FROM (VALUES (CAST(:chunks AS bigint))) AS overview (indexed_chunks)")
        value = await session.scalar(asked, {"ef_search": 200, "chunks": chunks})
        assert value == str(breadth)
        await session.execute(text("SELECT set_config('hnsw.ef_search', :value, true)"), {"value": value})


@pytest.mark.parametrize(("exact_chunks", "mode"), [(0, "force_custom_plan"), (10_000, "force_generic_plan")])
async def test_only_index_scans_are_planned_for_their_filter(library: Library, exact_chunks: int, mode: str) -> None:
    await fill(library, random.Random(1))
    prelude = repository.library_version_sql(SYSTEM_SCOPE)
    async with library.database.session(SYSTEM_SCOPE, prelude_sql=prelude) as session:
        assert await session.scalar(text("SHOW plan_cache_mode")) == "force_generic_plan"
        await repository.look_up(
            session,
            SearchFilter(),
            scope=SYSTEM_SCOPE,
            analysis=analyze_query("alpha"),
            exact_chunks=exact_chunks,
            fingerprints=[],
            ef_search=200,
        )
        assert await session.scalar(text("SHOW plan_cache_mode")) == mode


def test_large_library_scores_more_chunks() -> None:
    budgets = [maxscore.candidate_budget(5_000, chunks=chunks) for chunks in (10, 100_000, 1_000_000, 3_000_000)]
    assert budgets == [5_000, 5_000, 10_000, 30_000]
    assert maxscore.candidate_budget(20_000, chunks=1_000_000) == 20_000
    assert [maxscore.first_pass_budget(5_000, chunks=chunks) for chunks in (10, 100_000, 1_000_000)] == [
        1_000,
        2_000,
        5_000,
    ]


async def test_rare_terms_suffice_when_the_bound_proves_it(library: Library) -> None:
    common = [f"common filler number{number}" for number in range(150)]
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, [*common, *["rare common words"] * 3], shelf=library.shelf)
    stingy = SearchSettings(exact_dense_chunks=0, exact_lexical_chunks=0, candidate_budget=100)
    cheap = await library.search("rare common", settings=stingy, top_k=6)
    exact = await library.search("rare common", settings=EXACT, top_k=6)
    # a chunk that is nearer by chance may rank between them
    best = [[hit.chunk_id for hit in found.data if (hit.keyword_rank or 4) <= 3] for found in (cheap, exact)]
    assert len(best[0]) == 3
    assert best[0] == best[1]
