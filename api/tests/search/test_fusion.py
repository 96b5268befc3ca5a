"""The statement fuses as the pure function says, for any two rankings."""

import json
import uuid

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from lectern.search.fusion import best_score, fuse
from lectern.search.statement import fusion_sql

IDS = [uuid.UUID(int=number * 7919 % 101) for number in range(1, 40)]
RANKING = st.lists(st.sampled_from(IDS), unique=True, max_size=30)
SQL = fusion_sql(
    dense="SELECT * FROM unnest(CAST(:dense AS uuid[]), CAST(:distances AS float8[])) AS d (chunk_id, distance)",
    lexical="SELECT * FROM unnest(CAST(:lexical AS uuid[]), CAST(:scores AS float8[])) AS l (chunk_id, score)",
    is_blind="arm.chunk_id = ANY (CAST(:blind AS uuid[]))",
    places="SELECT CAST(key AS uuid) AS chunk_id, value AS place FROM jsonb_each_text(CAST(:places AS jsonb))",
)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(
    semantic=RANKING,
    keyword=RANKING,
    blind=st.sets(st.sampled_from(IDS)),
    places=st.dictionaries(st.sampled_from(IDS), st.sampled_from("abcd")),
    k=st.integers(1, 1000),
    top_k=st.integers(1, 60),
)
async def test_the_statement_fuses_as_the_pure_function(
    shared_engine: AsyncEngine,
    semantic: list[uuid.UUID],
    keyword: list[uuid.UUID],
    blind: set[uuid.UUID],
    places: dict[uuid.UUID, str],
    k: int,
    top_k: int,
) -> None:
    parameters = {
        "dense": semantic,
        "distances": [float(rank) for rank in range(len(semantic))],
        "lexical": keyword,
        "scores": [-float(rank) for rank in range(len(keyword))],
        "blind": list(blind),
        "places": json.dumps({str(chunk_id): place for chunk_id, place in places.items()}),
        "k": k,
        "top_k": top_k,
    }
    async with shared_engine.connect() as connection:
        rows = await connection.execute(
            text(SQL + " SELECT chunk_id, fused_score, semantic_rank, keyword_rank FROM fused ORDER BY 2 DESC, 1"),
            parameters,
        )
        found = [tuple(row) for row in rows]
    expected = fuse(semantic, keyword, k=k, blind=blind, places=places)[:top_k]
    assert found == [(hit.chunk_id, hit.score, hit.semantic_rank, hit.keyword_rank) for hit in expected]


def test_a_chunk_that_both_arms_put_first_gets_the_best_score() -> None:
    first, second = IDS[0], IDS[1]
    assert fuse([first, second], [first])[0].score == best_score()


def test_a_chunk_of_a_blind_language_is_not_punished_for_what_the_keyword_arm_missed() -> None:
    foreign, own = IDS[0], IDS[1]
    assert fuse([foreign, own], [own])[0].chunk_id == own
    assert fuse([foreign, own], [own], blind={foreign})[0].chunk_id == foreign


def test_ties_are_broken_by_chunk_id() -> None:
    low, high = sorted(IDS[:2])
    assert [hit.chunk_id for hit in fuse([high], [low])] == [low, high]


def test_a_further_passage_of_a_page_gives_way_to_one_of_another_page() -> None:
    best, beside, elsewhere = IDS[:3]
    places = {best: "page 1", beside: "page 1", elsewhere: "page 2"}
    assert [hit.chunk_id for hit in fuse([best, beside, elsewhere], [], places=places)] == [best, elsewhere, beside]
