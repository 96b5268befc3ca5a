"""Hits, errors and messages of searches."""

import pytest
from sqlalchemy import text

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.documents.models import Document
from lectern.embeddings.errors import EmbeddingsUnavailable
from lectern.embeddings.provider import Vectors
from lectern.embeddings.providers.hash import HashProvider
from lectern.http.references import UnknownReference
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.schemas import SearchRequest
from lectern.settings import SearchSettings

from .conftest import EXACT, INDEXED, Library, feature, store
from .library import Passage

REPORT = [
    "Net sales were $222,730 in fiscal 2017 against $192,052 the year before.",
    "Under art. 12-bis of law 63/2013 the item SKU-0042 is exempt, at a rate of 4.5%.",
    "Our stores are open on Sundays.",
]


@pytest.mark.parametrize("settings", [EXACT, INDEXED], ids=["exact", "index"])
@pytest.mark.parametrize(
    ("query", "page"),
    [("222,730", 1), ("222.730", 1), ("art. 12-bis", 2), ("SKU-0042", 2), ("63/2013", 2), ("4,5 %", 2), ("sundays", 3)],
)
async def test_numbers_and_identifiers_match_exactly(
    library: Library, settings: SearchSettings, query: str, page: int
) -> None:
    await store(library, [*REPORT, *("Nothing to see here, number 222 and 730.",) * 3])
    response = await library.search(query, settings=settings)
    assert response.data[0].page_number == page
    assert response.data[0].keyword_rank == 1
    snippet = response.data[0].snippet
    assert snippet.matches
    assert all(0 <= match.start < match.end <= len(snippet.text) for match in snippet.matches)


async def test_words_of_title_filename_and_heading_match_a_chunk(library: Library) -> None:
    await store(library, ["Everything went well."], title="Acme Corporation", filename="acme_2017_report.pdf")
    await store(library, [Passage("Everything went well.", heading="Liquidity")], filename="b.pdf")
    for query, filename in (
        ("acme corporation", "acme_2017_report.pdf"),
        ("2017", "acme_2017_report.pdf"),
        ("liquidity", "b.pdf"),
    ):
        response = await library.search(query)
        assert response.data[0].document == filename
        assert response.data[0].keyword_rank == 1


@pytest.mark.parametrize(
    ("query", "best", "is_named"),
    [
        ("What was the profit of Acme in 2023?", "ACME_2023Q4_report", True),
        ("What was the profit of Acme in FY2021?", "ACME_2021_report", True),
        ("What was the profit in 2021?", None, False),
        ("What does the report say of profit?", "ACME_2023Q4_report", True),
        ("What was the profit?", None, False),
    ],
)
async def test_document_named_by_word_and_year_or_as_latest_ranks_first(
    library: Library, query: str, best: str | None, *, is_named: bool
) -> None:
    passages = ["The profit of Acme was larger in 2021 than in 2022 and 2023.", "Nothing else."]
    for name in ("ACME_2021_report", "ACME_2022_report", "ACME_2023Q4_report"):
        await store(library, passages, filename=f"{name}.pdf")
    response = await library.search(query, explain=True, top_k=3)
    shares = {hit.document.removesuffix(".pdf"): feature(hit, "is_titled") for hit in response.data}
    assert any(shares.values()) == is_named
    if best:
        assert response.data[0].document == f"{best}.pdf"
        assert shares[best] == max(shares.values())


async def test_each_chunk_is_stemmed_in_its_language(library: Library) -> None:
    await store(library, [Passage("Le acquisizioni delle società controllate", "it")], filename="it.pdf")
    await store(library, ["The acquisitions of subsidiaries"], filename="en.pdf")
    assert (await library.search("acquisizione di una società controllata")).data[0].document == "it.pdf"
    assert (await library.search("acquisition of a subsidiary")).data[0].document == "en.pdf"


async def test_semantic_mode_disables_the_keyword_arm(library: Library) -> None:
    await store(library, REPORT)
    response = await library.search("stores open on Sundays", hybrid=False)
    assert response.metadata.strategy.keyword == "off"
    assert all(hit.keyword_rank is None for hit in response.data)
    assert response.data[0].page_number == 3


async def test_query_without_a_word_of_the_library_is_ranked_by_the_model(library: Library) -> None:
    await store(library, REPORT)
    response = await library.search("czynne sklepy niedzielami", explain=True)
    assert response.metadata.strategy.keyword == "off"
    assert all(hit.explain and hit.explain.features for hit in response.data)
    assert response.metadata.confidence is not None


async def test_trash_is_not_searched(library: Library) -> None:
    active = await store(library, ["pears and apples"], filename="kept.pdf")
    thrown = await store(library, ["pears and apples"], filename="thrown.pdf")
    async with library.database.session(SYSTEM_SCOPE) as session:
        document = await session.get_one(Document, thrown)
        document.deleted_at = document.created_at
    for settings in (EXACT, INDEXED):
        response = await library.search("pears", settings=settings)
        assert [hit.document_id for hit in response.data] == [active]
        assert response.metadata.coverage.documents_in_scope == 1
    with pytest.raises(UnknownReference):
        await library.search("pears", documents=["thrown.pdf"])


class Unreachable(HashProvider):
    """A model whose server is down."""

    async def embed_query(self, text: str) -> Vectors:
        raise EmbeddingsUnavailable


async def test_search_without_its_model_uses_keywords_and_reports_it(library: Library) -> None:
    await store(library, REPORT)
    engine = library.engine(provider=Unreachable(64))
    response = await engine.search_in_scope(SearchRequest(query="Sundays"), SYSTEM_SCOPE)
    assert response.data[0].page_number == 3
    assert response.metadata.strategy.is_degraded
    assert "by keyword only" in response.message
    with pytest.raises(SemanticSearchUnavailable):
        await engine.search_in_scope(SearchRequest(query="Sundays", hybrid=False), SYSTEM_SCOPE)


async def test_embeddings_of_other_models_are_not_compared(library: Library) -> None:
    await store(library, REPORT)
    response = await library.engine(provider=HashProvider(32)).search_in_scope(
        SearchRequest(query="Sundays"), SYSTEM_SCOPE
    )
    assert response.metadata.strategy.semantic == "off"
    assert "no complete embeddings of hash:32" in response.message


async def test_empty_library_is_reported(library: Library) -> None:
    response = await library.search("anything")
    assert response.data == []
    assert response.message.startswith("No documents to search.")
    assert response.metadata.confidence is None


async def test_search_for_absent_text_has_low_confidence(library: Library) -> None:
    await store(library, REPORT)
    response = await library.search("zygomorphic xylophones quarrel unabashedly")
    assert response.metadata.confidence is not None
    assert response.metadata.confidence < 0.3
    assert "Low confidence" in response.message


async def test_scores_are_probabilities_that_decrease_from_below_the_confidence(library: Library) -> None:
    await store(library, REPORT)
    response = await library.search("net sales in fiscal 2017")
    scores = [hit.score for hit in response.data]
    assert response.metadata.confidence is not None
    assert response.metadata.confidence > scores[0] > 0.5
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("state", ["available", "locked", "none"])
async def test_hit_reports_if_its_pages_can_be_rendered(library: Library, state: str) -> None:
    document_id = await store(library, REPORT)
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(
            text("UPDATE documents SET page_images = :state WHERE id = :id"), {"state": state, "id": document_id}
        )
    assert (await library.search("Sundays")).data[0].page_images == state


async def test_unsearched_documents_are_reported(library: Library) -> None:
    await store(library, REPORT)
    async with library.database.session(SYSTEM_SCOPE) as session:
        for status in ("queued", "processing", "failed"):
            session.add(
                Document(
                    collection_id=library.shelf.collection,
                    filename=f"{status}.pdf",
                    content_type="application/pdf",
                    size_bytes=1,
                    sha256=status,
                    status=status,
                    unreadable_page_count=2 if status == "failed" else 0,
                )
            )
    response = await library.search("Sundays")
    coverage = response.metadata.coverage
    assert (coverage.documents_in_scope, coverage.documents_searched) == (4, 1)
    assert (coverage.documents_processing, coverage.documents_failed, coverage.pages_unreadable) == (2, 1, 2)
    assert "2 documents still being processed." in response.message
    assert "1 document could not be read." in response.message


async def test_scope_hides_chunks_names_and_statistics(library: Library) -> None:
    seen = await store(library, ["apples for everybody"], filename="seen.pdf", tags=["public"])
    await store(library, ["apples in secret quarters"], filename="hidden.pdf", tags=["secret"])
    scope = Scope(actor="key:1", documents=frozenset({seen}))
    for settings in (EXACT, INDEXED):
        response = await library.search("apples secret", scope=scope, settings=settings, explain=True)
        assert {hit.document_id for hit in response.data} == {seen}
        assert response.metadata.coverage.documents_in_scope == 1
        explained = response.data[0].explain
        assert explained is not None
        assert explained.keyword_score is None
        assert [(term.term, term.idf, term.chunk_count) for term in explained.terms] == [("appl", None, None)]
    filters: list[dict[str, object]] = [{"tags": ["secret"]}, {"documents": ["hidden.pdf"]}]
    for fields in filters:
        with pytest.raises(UnknownReference) as refused:
            await library.engine().search_in_scope(SearchRequest.model_validate({"query": "apples", **fields}), scope)
        assert "secret" not in refused.value.details["available"]
        assert "hidden.pdf" not in refused.value.details["available"]
