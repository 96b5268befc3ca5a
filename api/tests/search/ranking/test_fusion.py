"""The statement fuses any two rankings like the pure function."""

import json
import uuid

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from tests.search.ranking.fusion_oracle import fuse_all

from lectern.search.ranking.fusion import best_score, fuse
from lectern.search.ranking.fusion_sql import Arms, fusion_sql

IDS = [uuid.UUID(int=number * 7919 % 101) for number in range(1, 40)]
RANKING = st.lists(st.sampled_from(IDS), unique=True, max_size=30)


def arms(prefix: str) -> Arms:
    return Arms(
        dense=f"SELECT * FROM unnest(CAST(:{prefix}dense AS uuid[]), CAST(:{prefix}distances AS float8[]))"
        " AS d (chunk_id, distance)",
        lexical=f"SELECT * FROM unnest(CAST(:{prefix}lexical AS uuid[]), CAST(:{prefix}scores AS float8[]))"
        " AS l (chunk_id, score)",
    )


SQL = fusion_sql(
    arms(""),
    is_unmatched_language="arm.chunk_id IN (SELECT chunk_id FROM {of}arm"
    " WHERE chunk_id = ANY (CAST(:unmatched AS uuid[])))",
    places="""
        SELECT CAST(key AS uuid) AS chunk_id, value AS place
        FROM jsonb_each_text(CAST(:places AS jsonb)) WHERE CAST(key AS uuid) IN (SELECT chunk_id FROM voted)""",
    title_arms=arms("title_"),
    identified="SELECT unnest(CAST(:identified AS uuid[])) AS chunk_id",
    paged="SELECT unnest(CAST(:paged AS uuid[])) AS chunk_id",
)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(
    semantic=RANKING,
    keyword=RANKING,
    unmatched=st.sets(st.sampled_from(IDS)),
    places=st.dictionaries(st.sampled_from(IDS), st.none() | st.sampled_from("abcd")),
    titled=st.tuples(RANKING, RANKING),
    identified=st.sets(st.sampled_from(IDS), max_size=5),
    paged=st.sets(st.sampled_from(IDS), max_size=5),
    k=st.integers(1, 1000),
    candidates=st.integers(1, 100),
    top_k=st.integers(1, 60),
)
async def test_statement_fuses_like_the_pure_function(
    shared_engine: AsyncEngine,
    semantic: list[uuid.UUID],
    keyword: list[uuid.UUID],
    unmatched: set[uuid.UUID],
    places: dict[uuid.UUID, str | None],
    titled: tuple[list[uuid.UUID], list[uuid.UUID]],
    identified: set[uuid.UUID],
    paged: set[uuid.UUID],
    k: int,
    candidates: int,
    top_k: int,
) -> None:
    parameters: dict[str, object] = {}
    for prefix, (semantic_share, keyword_share) in {"": (semantic, keyword), "title_": titled}.items():
        parameters |= {f"{prefix}dense": semantic_share, f"{prefix}lexical": keyword_share}
        parameters[f"{prefix}distances"] = [float(rank) for rank in range(len(semantic_share))]
        parameters[f"{prefix}scores"] = [-float(rank) for rank in range(len(keyword_share))]
    parameters |= {
        "unmatched": list(unmatched),
        "places": json.dumps({str(chunk_id): place for chunk_id, place in places.items()}),
        "identified": list(identified),
        "paged": list(paged),
        "k": k,
        "candidates": candidates,
        "top_k": top_k,
    }
    async with shared_engine.connect() as connection:
        rows = await connection.execute(
            text(SQL + " SELECT chunk_id, fused_score, semantic_rank, keyword_rank FROM fused ORDER BY fused_rank"),
            parameters,
        )
        found = [tuple(row) for row in rows]
    expected = fuse_all(
        semantic,
        keyword,
        k=k,
        candidates=candidates,
        unmatched=unmatched,
        places=places,
        titled=titled,
        identified=identified,
        paged=paged,
    )
    assert found == [(hit.chunk_id, hit.score, hit.semantic_rank, hit.keyword_rank) for hit in expected[:top_k]]


def test_chunk_first_in_both_arms_gets_the_best_score() -> None:
    first, second = IDS[0], IDS[1]
    assert fuse([first, second], [first])[0].score == best_score()


def test_unmatched_language_is_not_penalized_for_missing_keywords() -> None:
    foreign, own = IDS[0], IDS[1]
    assert fuse([foreign, own], [own])[0].chunk_id == own
    assert fuse_all([foreign, own], [own], unmatched={foreign})[0].chunk_id == foreign


def test_keyword_only_hit_ranks_above_last_unmatched_language_hit() -> None:
    first, own, foreign = IDS[0], IDS[1], IDS[2:39]
    fused = [hit.chunk_id for hit in fuse_all(foreign, [first, own], candidates=37, unmatched=set(foreign))]
    assert fused.index(own) == 25  # last without the share of unlisted chunks
    assert [hit.score for hit in fuse([], [own])] == [best_score() / 2], "no ranking says nothing"


def test_first_keyword_hit_is_in_top_five_unless_language_is_unmatched() -> None:
    own, near = IDS[0], IDS[1:31]
    keyword = [own, *near]
    assert [hit.chunk_id for hit in fuse(near, keyword)] == [*near[:4], own, *near[4:]]
    held = fuse(near, keyword)[4]
    assert (held.score, held.semantic_rank, held.keyword_rank) == (fuse(near, keyword)[5].score, None, 1)
    assert [hit.chunk_id for hit in fuse_all(near, keyword, unmatched={own})].index(own) > 4
    assert [hit.chunk_id for hit in fuse(near[:3], [*near[:3], own])][:4] == [*near[:3], own]


def test_ties_are_broken_by_chunk_id() -> None:
    low, high = sorted(IDS[:2])
    assert [hit.chunk_id for hit in fuse([high], [low])] == [low, high]


def test_second_chunk_of_a_page_ranks_below_another_page() -> None:
    best, beside, elsewhere = IDS[:3]
    places = {best: "page 1", beside: "page 1", elsewhere: "page 2"}
    assert [hit.chunk_id for hit in fuse_all([best, beside, elsewhere], [], places=places)] == [best, elsewhere, beside]


def test_equal_chunk_of_the_named_document_ranks_first() -> None:
    older, newer = sorted(IDS[:2])
    assert [hit.chunk_id for hit in fuse([older, newer], [])] == [older, newer]
    assert [hit.chunk_id for hit in fuse_all([older, newer], [], titled=([newer], []))] == [newer, older]


def test_hits_found_only_in_the_named_document_are_merged() -> None:
    elsewhere, own = [uuid.UUID(int=number) for number in range(1, 101)], uuid.UUID(int=200)
    order = [hit.chunk_id for hit in fuse_all(elsewhere, [], titled=([own], [own]))]
    assert order[:2] == [elsewhere[0], own], "first in both arms of its document is as much as first in one of all"
    assert fuse_all(elsewhere, [], titled=([own], []))[-1].score < fuse(elsewhere, [])[0].score


def test_identifier_match_ranks_above_first_of_both_arms() -> None:
    found = [uuid.UUID(int=number) for number in range(1, 51)]
    assert fuse_all(found, found, identified={found[49]})[0].chunk_id == found[49]


def test_named_page_is_a_third_vote() -> None:
    found, unread = [uuid.UUID(int=number) for number in range(1, 31)], uuid.UUID(int=99)
    order = [hit.chunk_id for hit in fuse_all(found, found, paged={found[29], unread})]
    assert order[:2] == [found[29], found[0]], "the last of both arms comes before their first"
    assert order[-1] == unread, "the page alone is less than what both arms have found"
