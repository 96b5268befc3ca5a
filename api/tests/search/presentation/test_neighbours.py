"""Searches return the chunks around their hits on request."""

from tests.search.conftest import Library
from tests.search.library import store_document

from lectern.db.scope import SYSTEM_SCOPE

PASSAGES = ["First.", "Second.", "Third.", "Pears here.", "Fifth."]


async def test_context_has_existing_neighbours_in_order(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, PASSAGES, shelf=library.shelf)
        await store_document(session, ["Other.", "Words.", "Here."], filename="b.pdf", shelf=library.shelf)

    hit = (await library.search("pears", context=2, top_k=1)).data[0]

    assert hit.text == "Pears here."
    assert [near.text for near in hit.before] == ["Second.", "Third."]
    assert [near.text for near in hit.after] == ["Fifth."]
    assert [near.page_number for near in (*hit.before, *hit.after)] == [2, 3, 5]


async def test_search_without_context_returns_no_neighbours(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, PASSAGES, shelf=library.shelf)

    hit = (await library.search("pears", top_k=1)).data[0]

    assert hit.before == hit.after == []


async def test_hit_next_to_a_better_one_is_folded_into_it(library: Library) -> None:
    passages = ["Pears.", "Pears and pears here.", "Third.", "Pears of another place, where many words are said."]
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, passages, shelf=library.shelf)
        await store_document(session, ["Pears elsewhere."], filename="b.pdf", shelf=library.shelf)
    apart = await library.search("pears", hybrid=True, top_k=4)
    wanted = {(hit.document, hit.chunk_index) for hit in apart.data}

    hits = (await library.search("pears", fold=True, top_k=4)).data

    found = [(hit.document, near.chunk_index) for hit in hits for near in (*hit.before, hit, *hit.after)]
    assert sorted(found) == sorted(wanted)  # nothing is lost, nothing comes twice
    assert len(hits) < len(apart.data)
    for hit in hits:
        indexes = [near.chunk_index for near in (*hit.before, hit, *hit.after)]
        assert indexes == list(range(indexes[0], indexes[0] + len(indexes)))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_context_of_folded_hits_is_returned_once(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, ["First.", "Pears.", "Third.", "Pears here.", "Fifth."], shelf=library.shelf)

    (hit,) = (await library.search("pears", fold=True, context=1, top_k=2)).data

    assert [near.chunk_index for near in (*hit.before, hit, *hit.after)] == [0, 1, 2, 3, 4]
