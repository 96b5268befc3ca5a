"""Searches with a reranker for the top chunks."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from tests.search.conftest import Library
from tests.search.library import Passage, store_document
from tests.search.reranking.rerank_server import rerank_server

from lectern.db.scope import SYSTEM_SCOPE
from lectern.search.errors import RerankingNotConfigured
from lectern.search.reranking.registry import create_reranker
from lectern.search.reranking.rerank import RerankerConfig
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.search.service import SearchEngine
from lectern.settings import RerankingSettings

QUESTION = "which pears are ripe in the garden of the house"
PASSAGES = [
    "Pears in the garden of the house are ripe.",
    "Pears in the garden of the house.",
    "Ripe pears are eaten in August in this house.",
    "The garden of the house has ripe apples.",
]


@asynccontextmanager
async def engine_with(library: Library, url: str, **settings: Any) -> AsyncGenerator[SearchEngine]:
    section = RerankingSettings.model_validate({"provider": f"rerank:{url}", **settings}, by_name=True)
    reranker = create_reranker(section)
    assert reranker is not None
    try:
        yield replace(library.engine(), reranker=RerankerConfig(reranker, section))
    finally:
        await reranker.close()


async def ask(engine: SearchEngine, **fields: Any) -> SearchResponse:
    return await engine.search_in_scope(SearchRequest.model_validate({"query": QUESTION, **fields}), SYSTEM_SCOPE)


def liking_apples(passage: str) -> float:
    return float("apples" in passage)


async def fill(library: Library, *passages: Passage | str) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, passages, title="Orchard", shelf=library.shelf)


async def test_highest_reranker_score_rises_and_is_explained(library: Library) -> None:
    await fill(library, *PASSAGES)
    with rerank_server(liking_apples) as server:
        async with engine_with(library, server.url) as engine:
            plain = await ask(engine, rerank=False)
            reranked = await ask(engine, explain=True)

    places = [[hit.text for hit in response.data].index(PASSAGES[3]) for response in (plain, reranked)]
    assert places[1] < places[0]
    assert plain.metadata.reranking is None
    assert reranked.metadata.reranking is not None
    assert (reranked.metadata.reranking.state, reranked.metadata.reranking.chunks) == ("applied", 4)
    favourite = reranked.data[places[1]].explain
    assert favourite is not None
    assert (favourite.rerank_rank, favourite.rerank_score) == (1, 1.0)
    scores = [hit.score for hit in reranked.data]
    assert scores == sorted(scores, reverse=True)
    assert all(text.startswith("Orchard\n") for text in server.requests[0]["documents"])


async def test_chunks_beyond_top_k_are_reranked_and_first_keyword_hit_stays(library: Library) -> None:
    await fill(library, *PASSAGES)
    with rerank_server(liking_apples) as server:
        async with engine_with(library, server.url) as engine:
            plain = await ask(engine, rerank=False, top_k=4)
            reranked = await ask(engine, top_k=1)

    assert len(server.requests[0]["documents"]) == 4
    champion = next(hit.text for hit in plain.data if hit.keyword_rank == 1)
    assert plain.data[0].text == champion
    assert [hit.text for hit in reranked.data] == [champion]


async def test_failed_reranking_returns_the_fusion_order_and_a_message(library: Library) -> None:
    await fill(library, *PASSAGES)
    with rerank_server(liking_apples) as server:
        server.status = 500
        async with engine_with(library, server.url) as engine:
            plain, failed = await ask(engine, rerank=False), await ask(engine)

    assert [hit.text for hit in failed.data] == [hit.text for hit in plain.data]
    assert failed.metadata.reranking is not None
    assert failed.metadata.reranking.state == "failed"
    assert "Not reranked: The reranker answered 500." in failed.message


async def test_unsupported_chunks_are_not_sent_to_the_reranker(library: Library) -> None:
    await fill(library, *PASSAGES, Passage("Le pere del giardino della casa sono mature.", language="it"))
    with rerank_server(liking_apples) as server:
        async with engine_with(library, server.url, languages=["en"]) as engine:
            await ask(engine)
            italian = await ask(engine, query="Quali pere del giardino della casa sono mature in questo mese?")

    assert len(server.requests) == 1
    assert len(server.requests[0]["documents"]) == 4
    assert italian.metadata.reranking is not None
    assert italian.metadata.reranking.state == "skipped"
    assert italian.metadata.reranking.reason is not None
    assert italian.metadata.reranking.reason.endswith("reads en only")


async def test_reranking_can_be_limited_to_requests_that_ask_for_it(library: Library) -> None:
    await fill(library, *PASSAGES)
    with rerank_server(liking_apples) as server:
        async with engine_with(library, server.url, is_default=False) as engine:
            assert (await ask(engine)).metadata.reranking is None
            assert (await ask(engine, rerank=True)).metadata.reranking is not None


async def test_request_for_a_missing_reranker_is_rejected(library: Library) -> None:
    with pytest.raises(RerankingNotConfigured):
        await ask(library.engine(), rerank=True)
