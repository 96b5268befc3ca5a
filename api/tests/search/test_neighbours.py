"""A search brings the passages around its hits when asked."""

from lectern.db.scope import SYSTEM_SCOPE

from .conftest import Library
from .library import store_document

PASSAGES = ["First.", "Second.", "Third.", "Pears here.", "Fifth."]


async def test_passages_before_and_after_come_in_their_order_as_far_as_they_exist(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, PASSAGES, shelf=library.shelf)
        await store_document(session, ["Other.", "Words.", "Here."], filename="b.pdf", shelf=library.shelf)

    hit = (await library.search("pears", context=2, top_k=1)).data[0]

    assert hit.text == "Pears here."
    assert [near.text for near in hit.before] == ["Second.", "Third."]
    assert [near.text for near in hit.after] == ["Fifth."]
    assert [near.page_number for near in (*hit.before, *hit.after)] == [2, 3, 5]


async def test_a_search_without_context_brings_none(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, PASSAGES, shelf=library.shelf)

    hit = (await library.search("pears", top_k=1)).data[0]

    assert hit.before == hit.after == []
