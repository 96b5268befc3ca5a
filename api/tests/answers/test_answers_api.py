"""`POST /answers` without a language model."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import update
from tests.answers.library import ANSWERS, ask, open_library, stream
from tests.api import Api
from tests.search.library import store_document

from lectern.answers.entities import contradicts_company
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import Document
from lectern.search.ranking.confidence import LOW_CONFIDENCE


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
async def own_api(filled_database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_library(filled_database, tmp_path) as made:
        yield made


async def test_answer_quotes_a_sentence_with_page_and_rectangles(api: Api) -> None:
    response = await ask(api, "What is the fee for a paper statement?")
    assert set(response) == {"data", "metadata", "message"}
    data, metadata = response["data"], response["metadata"]
    assert (data["outcome"], data["answer_found"]) == ("answered", True)
    assert "The fee for a paper statement is 3 euro." in data["answer"]
    citation = data["citations"][0]
    assert (citation["number"], citation["document"], citation["page_number"]) == (1, "tariff.pdf", 3)
    assert citation["snippet"] in data["answer"]
    assert data["sentences"][0]["citations"] == [1]
    rectangles = (await api.client.get(citation["links"]["rectangles"], headers=(await api.person()).headers)).json()
    assert rectangles["highlights"] == citation["highlights"]
    assert citation["highlights"][0]["rects"]
    assert (metadata["mode"], metadata["model"], metadata["reason"]) == ("extractive", None, None)
    assert data["nearest"] == []


async def test_unanswerable_question_returns_nearest_chunks(api: Api) -> None:
    response = await ask(api, "How many astronauts work for the lighthouse of Alexandria?")
    assert (response["data"]["answer_found"], response["data"]["answer"]) == (False, "")
    assert (response["data"]["citations"], response["data"]["sentences"]) == ([], [])
    assert 0 < len(response["data"]["nearest"]) <= 3
    assert response["metadata"]["reason"] == "contradicted"
    assert "do not answer" not in response["message"]


async def test_low_confidence_finds_nothing(api: Api) -> None:
    response = await ask(api, "Who won the football world cup in 1982?")
    assert response["metadata"]["confidence"] < LOW_CONFIDENCE
    assert (response["data"]["outcome"], response["data"]["answer_found"]) == ("nothing_found", False)
    assert response["message"].startswith("Nothing found: no passage seems to be about this question.")


async def test_confidence_rises_with_an_answer_and_falls_without(api: Api) -> None:
    headers = (await api.person()).headers

    async def change(question: str) -> float:
        search = (await api.client.post("/api/v1/search", json={"query": question}, headers=headers)).json()
        return (await ask(api, question))["metadata"]["confidence"] - search["metadata"]["confidence"]

    assert await change("What is the fee for a paper statement?") > 0
    assert await change("How long is the fee for a paper statement valid?") < 0
    assert await change("Qual era nel 2024 l'utile netto di Quercialta?") > 0


async def test_name_in_another_spelling_is_shown_but_not_answered(api: Api) -> None:
    exact, similar, other = [
        (await ask(api, f"What was the net profit of {name} in 2024?"))
        for name in ("Quercialta", "Quercialto", "Montefalco")
    ]
    assert [one["data"]["answer_found"] for one in (exact, similar, other)] == [True, False, False]
    assert [one["metadata"]["reason"] for one in (similar, other)] == ["weak_evidence", "contradicted"]
    assert similar["data"]["nearest"][0]["document"] == "report_2024.pdf"
    assert similar["metadata"]["confidence"] > other["metadata"]["confidence"]


async def test_empty_scope_finds_nothing(api: Api) -> None:
    response = await ask(api, "What is the fee?", created_before="2001-01-01T00:00:00Z")
    assert (response["data"]["outcome"], response["data"]["nearest"]) == ("nothing_found", [])
    assert response["message"].startswith("There are no passages to answer from. Add documents, or remove filters.")


async def test_without_a_certain_answer_the_closest_sentences_are_marked(api: Api) -> None:
    question = "How long is the fee for a paper statement valid?"
    *_, (name, response) = await stream(api, question)
    data = response["data"]
    assert (name, data["outcome"], data["answer"]) == ("end", "closest_passages", "")
    assert "with certainty. The closest passages may hold the answer" in response["message"]
    first = data["nearest"][0]
    sentence = first["snippet"][first["sentence"]["start"] : first["sentence"]["end"]]
    assert "paper statement" in sentence
    assert (first["document"], first["page_number"]) == ("tariff.pdf", 3)
    assert first["char_end"] - first["char_start"] == len(sentence)


async def test_question_about_a_missing_year_is_not_answered(api: Api) -> None:
    found = await ask(api, "What was the net profit of Quercialta in 2024?")
    assert "47.9" in found["data"]["answer"]
    assert "41.2" not in found["data"]["answer"]
    narrowed = await ask(api, "What was the net profit of Quercialta in 2024?", document="report_2023.pdf")
    assert narrowed["data"]["answer_found"] is False
    assert narrowed["metadata"]["reason"] == "contradicted"
    assert narrowed["message"].startswith("The passages found are about other years or names than the question.")
    assert narrowed["data"]["document_filter"] == ["report_2023.pdf"]


async def test_question_about_a_name_in_no_document_is_not_answered(api: Api) -> None:
    response = await ask(api, "What was the net profit of Valmorsa in 2024?")
    assert (response["data"]["outcome"], response["metadata"]["reason"]) == ("closest_passages", "contradicted")
    assert response["message"].startswith("The passages found are about other years or names than the question.")
    assert response["data"]["nearest"]


async def test_translated_name_does_not_exclude_a_document_in_another_language(api: Api) -> None:
    response = await ask(api, "Qual era nel 2024 l'utile netto della Banca Popolare Quercialta, in milioni di euro?")
    assert "47.9" in response["data"]["answer"], response
    english = await ask(api, "What was the net profit of the Popular Bank Valmorsa in 2024, in millions of euro?")
    assert english["metadata"]["reason"] == "contradicted"


async def test_question_that_several_documents_answer_is_underspecified(api: Api) -> None:
    response = await ask(api, "How much is the profit?")
    assert (response["data"]["outcome"], response["metadata"]["reason"]) == ("closest_passages", "underspecified")
    assert response["message"].startswith("The question is too general. The closest passages may hold the answer")
    narrowed = await ask(api, "How much is the profit?", document="report_2024.pdf")
    assert "47.9" in narrowed["data"]["answer"]


async def test_figures_that_an_average_can_be_calculated_from_are_no_answer(api: Api) -> None:
    response = await ask(api, "What was the average net profit of Quercialta in 2024?")
    assert (response["data"]["outcome"], response["metadata"]["reason"]) == ("closest_passages", "not_calculated")
    assert response["message"] == (
        "The passages have the data, but the answer must be calculated or found by comparing rows. "
        "Read the closest passages, and calculate it or compare their rows."
    )
    (nearest, *_) = response["data"]["nearest"]
    assert "47.9" in nearest["snippet"][nearest["sentence"]["start"] : nearest["sentence"]["end"]]


async def test_documents_that_answer_differently_are_named(api: Api) -> None:
    response = await ask(api, "How much was the net profit of Quercialta?")
    assert (response["data"]["outcome"], response["metadata"]["reason"]) == ("closest_passages", "ambiguous_document")
    message = response["message"]
    assert message.startswith("Several documents may be meant: report_202")
    assert {name for name in ("report_2023.pdf", "report_2024.pdf", "tariff.pdf") if name in message} == {
        "report_2023.pdf",
        "report_2024.pdf",
    }


async def test_question_without_a_subject_is_not_answered(api: Api) -> None:
    assert not (await ask(api, "What is it?"))["data"]["answer_found"]


@pytest.mark.parametrize(
    ("question", "passage", "document", "expected"),
    [
        ("Quali ricavi ha Gamma Spa?", "Alfa Spa ha ricavi per 12 milioni.", "", True),
        ("Quali ricavi ha Alfa S.p.A.?", "Alfa Spa ha ricavi per 12 milioni.", "", False),
        ("What did Gamma, Inc. earn?", "Alfa Ltd earned 5 million.", "The contract of Gamma with Alfa Ltd", False),
        ("What did Gamma Inc earn?", "The company earned 5 million.", "", False),
        ("What did Gamma earn?", "Alfa Ltd earned 5 million.", "", False),
    ],
)
def test_chunk_about_another_company_is_recognized_by_legal_form(
    question: str, passage: str, document: str, *, expected: bool
) -> None:
    assert contradicts_company(question, passage, document=f"{document}\n{passage}") is expected


async def test_comparison_answers_from_each_document(api: Api) -> None:
    documents = ["report_2023.pdf", "report_2024.pdf"]
    data = (await ask(api, "Compare the net profit of Quercialta.", documents=documents))["data"]
    assert {citation["document"] for citation in data["citations"]} == set(documents)
    assert "41.2" in data["answer"]
    assert "47.9" in data["answer"]


async def test_stream_sends_retrieval_citations_tokens_and_end(api: Api) -> None:
    events = await stream(api, "What is the fee for a paper statement?")
    names = [name for name, _ in events]
    assert names[0] == "retrieval"
    assert names[1:3] == ["citation", "token"]
    assert names[-1] == "end"
    assert "problem" not in names
    end = events[-1][1]
    assert events[1][1] == end["data"]["citations"][0]
    assert " ".join(data["text"] for name, data in events if name == "token") == end["data"]["answer"]
    assert events[0][1]["retrieved_count"] == end["data"]["retrieved_count"]


async def test_answer_uses_only_documents_in_scope(api: Api) -> None:
    question = "When does the vault of the branch open in the morning?"
    assert "nine" in (await ask(api, question))["data"]["answer"]
    key = await api.key(await api.person(role="admin"), tags=["fees"], toolsets=["answers"])
    narrowed = await ask(api, question, key)
    assert narrowed["data"]["answer_found"] is False
    assert "vault" not in str(narrowed["data"]["nearest"])


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_invalid_request_fails_before_streaming(api: Api, is_streamed: bool) -> None:  # noqa: FBT001 - pytest names it
    headers = (await api.person()).headers
    bodies = [
        ({"question": " "}, "validation_error"),
        ({"question": "a", "top_k": 0}, "validation_error"),
        ({"question": "a", "document": "nothing.pdf"}, "unknown_document"),
        ({"question": "a", "tags": ["nothing"]}, "unknown_tag"),
    ]
    for body, code in bodies:
        response = await api.client.post(ANSWERS, json={**body, "stream": is_streamed}, headers=headers)
        assert (response.status_code, response.json()["code"]) == (422, code)
    assert (await api.client.post(ANSWERS, json={"question": "a"})).status_code == 401


@pytest.mark.parametrize(
    ("question", "document", "said"),
    [
        ("How many pages does the tariff have?", None, "tariff.pdf has 3 pages."),
        ("How many pages does the 2024 file have?", None, "report_2024.pdf has 1 page."),
        ("Quante pagine ha il documento?", "tariff.pdf", "tariff.pdf ha 3 pagine."),
        (
            "How often is the word fee mentioned?",
            "tariff.pdf",
            '"fee" appears 3 times in tariff.pdf, on page 1 (1), 3 (2)',
        ),
        ('Quante volte compare "fee"?', "tariff.pdf", "«fee» compare 3 volte in tariff.pdf, a pagina 1 (1), 3 (2)"),
    ],
)
async def test_counting_question_counts_the_full_text(api: Api, question: str, document: str | None, said: str) -> None:
    response = await ask(api, question, document=document)
    assert response["metadata"]["mode"] == "count"
    assert response["data"]["answer"].startswith(said)
    assert "full text" in response["message"]
    if "fee" in question:
        assert [citation["page_number"] for citation in response["data"]["citations"]] == [1, 3, 3]
        assert all(citation["highlights"][0]["rects"] for citation in response["data"]["citations"])


async def test_other_forms_are_counted_beside_the_term(api: Api) -> None:
    response = await ask(api, "How often is the word statements mentioned?", document="tariff.pdf")
    said = '"statements" appears 1 time in tariff.pdf, on page 3 (1). Other forms: statement (1).'
    assert response["data"]["answer"] == said


async def test_absent_term_is_counted_as_zero(api: Api) -> None:
    question = "How often is 'annual report' mentioned in the tariff?"
    (_, retrieval), *_, (_, response) = await stream(api, question, top_k=1)
    assert {source["document"] for source in retrieval["sources"]} <= {"report_2023.pdf", "report_2024.pdf"}
    assert response["data"]["answer"] == '"annual report" appears 0 times in tariff.pdf.'
    filtered = await ask(api, question, top_k=1, tags={"any": ["reports"]})
    assert filtered["metadata"]["mode"] != "count", "the filter leaves no tariff"


async def test_nothing_is_counted_in_a_document_without_text(own_api: Api) -> None:
    async with own_api.database.session(SYSTEM_SCOPE) as session:
        stored = await store_document(session, [], filename="locked.pdf")
        await session.execute(update(Document).where(Document.id == stored).values(status="failed"))
    response = await ask(own_api, "How often is 'fee' mentioned?", document="locked.pdf")
    assert response["data"]["outcome"] == "nothing_found"
    assert "Documents that could not be read: 1. Nothing was counted in locked.pdf" in response["message"]
    both = await ask(own_api, "How often is 'fee' mentioned?", documents=["locked.pdf", "tariff.pdf"])
    assert both["data"]["answer"].startswith('"fee" appears 3 times in tariff.pdf')
    assert "Nothing was counted in locked.pdf" in both["message"]
    quote = {"quote": "A fee is charged", "documents": ["locked.pdf"]}
    headers = (await own_api.person()).headers
    verified = await own_api.client.post("/api/v1/quotes/verify", json=quote, headers=headers)
    assert verified.json()["message"].endswith("Documents that could not be read: 1.")
    stats = await own_api.client.get(f"/api/v1/documents/{stored}/stats", headers=headers)
    assert (stats.status_code, stats.json()["code"]) == (409, "nothing_to_count")


async def test_uncounted_question_explains_what_is_needed(api: Api) -> None:
    for question in ("How many pages does the report have?", "How many pages may the 2024 file have?"):
        response = await ask(api, question)
        assert response["metadata"]["mode"] != "count"
        assert "Nothing was counted: name the one document" in response["message"]
