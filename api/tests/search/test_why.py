"""Each stage's planted failure is reported with a working remedy."""

import uuid
from collections.abc import Sequence

import pytest
from sqlalchemy import text

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.embeddings.service import replace_embeddings
from lectern.http.references import UnknownReference
from lectern.search.why.schemas import WhyRequest, WhyResponse
from lectern.search.why.service import explain_absence
from lectern.settings import SearchSettings

from .conftest import Library
from .library import Passage, chunk_id, store_document

SETTINGS = SearchSettings(candidates=20)
QUESTION = "pears plums cherries"
CROWD = [f"Pears, plums and cherries of stall {number}." for number in range(30)]


async def store(
    library: Library, passages: Sequence[Passage | str], *, filename: str = "a.pdf", tags: Sequence[str] = ()
) -> uuid.UUID:
    async with library.database.session(SYSTEM_SCOPE) as session:
        return await store_document(session, passages, filename=filename, shelf=library.shelf, tags=tags)


async def change(library: Library, statement: str) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text(statement))


async def why(library: Library, **fields: object) -> WhyResponse:
    return await why_in_scope(library, SYSTEM_SCOPE, **fields)


async def why_in_scope(library: Library, scope: Scope, /, **fields: object) -> WhyResponse:
    asked = {"query": QUESTION, "document": "a.pdf", **fields}
    return await explain_absence(library.engine(SETTINGS), WhyRequest.model_validate(asked), scope)


async def means(library: Library, document_id: uuid.UUID, words: str) -> None:
    """Give the only chunk of a document the embedding of other words."""
    provider, generation = library.shelf.provider, library.shelf.generation
    assert provider is not None
    assert generation is not None
    vectors = await provider.embed_documents([words])
    ids = [chunk_id(document_id, 0)]
    async with library.database.session(SYSTEM_SCOPE) as session:
        await replace_embeddings(session, generation, chunk_ids=ids, window_numbers=[1], vectors=vectors)


async def test_found_chunk_is_reported_as_found(library: Library) -> None:
    await store(library, ["Pears, plums and cherries."])
    found = await why(library, page_number=1)
    assert (found.stage, found.fused_rank, found.change) == ("found", 1, None)
    assert (found.code, found.values) == ("found", {"rank": 1})


async def test_filter_that_excludes_the_document_is_reported(library: Library) -> None:
    await store(library, ["Pears, plums and cherries."], tags=["fruit"])
    await store(library, ["Bread."], filename="b.pdf", tags=["bakery"])
    found = await why(library, tags=["bakery"])
    assert found.stage == "scope"
    assert found.change is not None
    assert found.change.field == "tags"
    assert (found.code, found.values) == ("filtered_out", {"filename": "a.pdf", "fields": ["tags"]})
    assert (found.change.code, found.change.values) == ("drop_filters", {"fields": ["tags"]})
    mended = await why(library)
    assert mended.stage == "found"


async def test_processing_or_failed_document_is_reported(library: Library) -> None:
    await store(library, ["Pears."])
    await change(library, "UPDATE documents SET status = 'processing', chunk_count = 0")
    assert (await why(library)).stage == "not_ingested"
    await change(library, "UPDATE documents SET status = 'failed', error_message = 'It is encrypted.'")
    failed = await why(library)
    assert failed.reason == "a.pdf could not be read: It is encrypted."
    assert (failed.code, failed.values) == ("not_read", {"filename": "a.pdf", "error": "It is encrypted"})
    await change(library, """UPDATE documents SET error_code = 'timed_out', error_details = '{"max_seconds": 2.5}'""")
    named = {"filename": "a.pdf", "error": "It is encrypted", "error_code": "timed_out", "max_seconds": 2.5}
    assert (await why(library)).values == named


async def test_page_without_readable_text_is_reported(library: Library) -> None:
    await store(library, ["Pears.", "Plums."])
    await change(library, "UPDATE pages SET kind = 'unreadable', text = '' WHERE page_number = 2")
    found = await why(library, page_number=2)
    assert found.stage == "unreadable_page"
    await change(library, "UPDATE pages SET kind = 'toc' WHERE page_number = 2")
    await change(library, "DELETE FROM chunks WHERE page_number = 2")
    assert "table of contents" in (await why(library, page_number=2)).reason


async def test_quote_split_over_two_chunks_is_reported(library: Library) -> None:
    await store(library, ["We sell pears and", "plums every day."])
    found = await why(library, quote="Pears and plums")
    assert found.stage == "split_across_chunks"


@pytest.mark.parametrize("expected", [{"quote": "melons"}, {"page_number": 7}])
async def test_quote_missing_from_the_document_is_reported(library: Library, expected: dict[str, object]) -> None:
    await store(library, ["We sell pears."])
    assert (await why(library, **expected)).stage == "not_in_document"


async def test_chunk_in_another_language_is_reported(library: Library) -> None:
    await store(library, CROWD, filename="crowd.pdf")
    await store(library, [Passage("Vendiamo pane fresco ogni mattina nella bottega.", language="it")])
    found = await why(library, query="which pears, plums and cherries of this stall are the best")
    assert found.stage == "language"
    assert found.change is not None
    assert "(it)" in found.change.text


async def test_chunk_without_query_words_is_reported(library: Library) -> None:
    await store(library, CROWD, filename="crowd.pdf")
    await store(library, ["Bread is baked here every morning."])
    found = await why(library)
    assert (found.stage, found.fused_rank, found.keyword_rank) == ("keyword_rank", None, None)
    assert (found.code, found.values) == ("holds_no_word", {"taken": SETTINGS.candidates})
    mended = await why(library, query="bread baked")
    assert mended.stage == "found"


async def test_chunk_too_distant_in_meaning_is_reported(library: Library) -> None:
    await store(library, CROWD, filename="crowd.pdf")
    await store(library, ["Bread is baked here every morning."])
    found = await why(library, hybrid=False)
    assert found.stage == "semantic_rank"
    assert found.semantic_rank is not None
    assert found.semantic_rank > SETTINGS.candidates


async def test_chunk_voted_down_by_the_other_arm_is_reported(library: Library) -> None:
    await store(library, CROWD[:10], filename="crowd.pdf")
    document_id = await store(library, ["Fruit of all kinds."])
    await means(library, document_id, QUESTION)
    found = await why(library)
    assert (found.stage, found.semantic_rank, found.keyword_rank) == ("fusion", 1, None)
    assert found.change is not None
    mended = await why(library, **{str(found.change.field): found.change.value})
    assert mended.stage == "found"


async def test_chunk_below_top_k_is_reported_with_the_needed_top_k(library: Library) -> None:
    crowd = [f"{QUESTION} {QUESTION} {'filler ' * number}" for number in range(8)]
    await store(library, crowd, filename="crowd.pdf")
    await store(library, ["Pears, plums and cherries with bread, nuts, wine, water, salt and all that is sold here."])
    found = await why(library, top_k=3)
    assert found.stage == "top_k"
    assert found.change is not None
    assert (await why(library, top_k=found.change.value)).stage == "found"


async def test_chunk_beyond_the_token_limit_is_reported(library: Library) -> None:
    await store(library, ["Pears, plums and cherries."])
    found = await why(library, token_budget=1)
    assert found.stage == "token_budget"
    assert found.change is not None
    assert (await why(library, token_budget=found.change.value)).stage == "found"


async def test_document_out_of_scope_is_not_found(library: Library) -> None:
    await store(library, ["Pears."])
    other = await store(library, ["Plums."], filename="b.pdf")
    scope = Scope(actor="key:1", documents=frozenset([other]))
    with pytest.raises(UnknownReference) as raised:
        await why_in_scope(library, scope)
    assert "a.pdf" not in str(raised.value.details.get("available"))
