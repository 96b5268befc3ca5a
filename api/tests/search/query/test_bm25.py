"""Keyword scores equal BM25 scores of a reference implementation."""

import random
import re

import bm25s
import pytest
from sqlalchemy import text
from tests.search.conftest import EXACT, INDEXED, Library
from tests.search.library import store_document

from lectern.db.scope import SYSTEM_SCOPE
from lectern.search.query import terms as bm25

WORDS = [
    "asset",
    "debt",
    "equity",
    "revenue",
    "cost",
    "margin",
    "share",
    "dividend",
    "cash",
    "loan",
    "note",
    "risk",
    "2017",
    "12-bis",
    "4.5%",
    "plan",
]


FIGURE = re.compile(r"[0-9.]+%?")


def reference_scores(documents: list[list[str]], query: list[str]) -> list[float]:
    """Return the scores of bm25s.

    bm25s counts numbers into the length of a text and uses the average of the corpus. Lectern counts words and uses a
    fixed average, so each text's length is passed as its own k1. bm25s omits the constant factor k1 + 1.
    """
    return [_reference_score(documents, query, number) for number in range(len(documents))]


def _reference_score(documents: list[list[str]], query: list[str], number: int) -> float:
    length = sum(FIGURE.fullmatch(term) is None for term in documents[number]) or 1
    k1 = bm25.K1 * (1 - bm25.B + bm25.B * length / bm25.AVERAGE_LENGTH)
    index = bm25s.BM25(method="lucene", k1=k1, b=0)
    index.index(documents, show_progress=False)  # pyright: ignore[reportUnknownMemberType] (bm25s is typed in parts)
    scores: list[float] = index.get_scores(query).tolist()  # pyright: ignore[reportUnknownMemberType] (the same)
    return scores[number] * bm25.MAX_WEIGHT


@pytest.mark.parametrize("seed", range(3))
async def test_keyword_scores_equal_the_bm25_reference(library: Library, seed: int) -> None:
    chance = random.Random(seed)
    passages = [" ".join(chance.choices(WORDS, k=chance.randint(3, 40))) for _ in range(20)]
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, passages, filename="x.pdf", title="Annual plan")
        rows = await session.execute(
            text(
                "SELECT chunk_index, array_agg(term) FROM chunks, LATERAL (SELECT term, generate_series(1, frequency)"
                " FROM lectern_tokenize_text('english', text) UNION ALL SELECT term, generate_series(1, 5)"
                " FROM lectern_tokenize_text('english', 'Annual plan x')) AS t GROUP BY 1 ORDER BY 1"
            )
        )
        documents = [terms for _, terms in rows]
    query = chance.sample(WORDS, 5)
    async with library.database.session(SYSTEM_SCOPE) as session:
        asked = await session.execute(
            text("SELECT term FROM lectern_tokenize_text('english', :q)"), {"q": " ".join(query)}
        )
        terms = list(asked.scalars())
    expected = reference_scores(documents, terms)
    for settings in (EXACT, INDEXED):
        response = await library.search(" ".join(query), settings=settings, top_k=20, explain=True)
        scores = {hit.chunk_index: hit.explain.keyword_score for hit in response.data if hit.explain}
        assert scores
        for index, score in scores.items():
            assert (score or 0.0) == pytest.approx(expected[index], abs=2e-4)


async def test_numbers_do_not_count_into_chunk_length(library: Library) -> None:
    words = "dividend of the share for the year"
    statement = f"{words} " + " ".join(f"{number},250" for number in range(1, 90))
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, [words, statement], filename="x.pdf", title="Plan")
    response = await library.search("dividend share", settings=EXACT, top_k=2, explain=True)

    assert len({hit.explain.keyword_score for hit in response.data if hit.explain}) == 1
