"""`POST /answers` with a chat endpoint: verification, streaming and failures."""

import json
import logging
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from tests.answers.chat_server import ChatServer, chat_server, found, source_of
from tests.answers.library import ANSWERS, ask, open_library, stream
from tests.api import Api

from lectern.answers.errors import ModelTimeout
from lectern.answers.generation.chat import Exchange
from lectern.answers.generation.endpoint import ChatEndpoint
from lectern.answers.generation.prompt import make_prompt
from lectern.settings import AnswersSettings

QUESTION = "What is the fee for a paper statement?"
FEE = "The fee for a paper statement is 3 euro."


def honest(body: dict[str, Any]) -> dict[str, Any]:
    if FEE not in body["messages"][1]["content"]:
        return {"answer_found": False, "sentences": []}
    return found((FEE, [source_of(body, "paper statement")]))


@pytest.fixture
def server() -> Generator[ChatServer]:
    with chat_server(honest) as made:
        yield made


@pytest.fixture
async def api(filled_database: ThrowawayDatabase, tmp_path: Path, server: ChatServer) -> AsyncGenerator[Api]:
    settings = AnswersSettings(
        base_url=server.url, model="small", api_key=SecretStr("sk-secret"), timeout_seconds=60, max_answer_tokens=300
    )
    async with open_library(filled_database, tmp_path, answers=settings) as made:
        yield made


async def test_request_has_closed_labels_and_temperature_zero(api: Api, server: ChatServer) -> None:
    response = await ask(api, QUESTION, top_k=2)
    data, metadata = response["data"], response["metadata"]
    assert data["answer"] == FEE
    assert [(one["document"], one["page_number"], one["snippet"]) for one in data["citations"]] == [
        ("tariff.pdf", 3, FEE)
    ]
    assert data["citations"][0]["highlights"][0]["rects"]
    assert (metadata["mode"], metadata["model"], metadata["structured_output"]) == ("model", "small", "json_schema")
    costs = {"requests": 1, "prompt_tokens": 11, "completion_tokens": 7, "images": 0, "image_bytes": 0}
    assert metadata["usage"] == costs
    assert (metadata["is_vision_used"], metadata["vision"]) == (False, None)
    (request,) = server.requests
    assert (request["temperature"], request["max_tokens"]) == (0, 300)
    form = request["response_format"]["json_schema"]
    assert form["strict"] is True
    labels = form["schema"]["properties"]["sentences"]["items"]["properties"]["sources"]["items"]["enum"]
    assert labels == [f"S{number}" for number in range(1, data["retrieved_count"] + 1)]


async def test_unsupported_sentences_and_unknown_labels_are_dropped(api: Api, server: ChatServer) -> None:
    def inventive(body: dict[str, Any]) -> dict[str, Any]:
        fee = source_of(body, "paper statement")
        return found(
            (FEE, [fee, "S99"]),
            ("The fee for a paper statement is 4 euro.", [fee]),
            ("A fee is not charged for paper statements.", [fee]),
            ("The fee is set by the Board of Fiordalba.", [fee]),
            (FEE, ["S98"]),
            (FEE, []),
        )

    server.say = inventive
    response = await ask(api, QUESTION)
    assert response["data"]["answer"] == FEE
    assert (response["metadata"]["dropped_sentences"], response["metadata"]["dropped_labels"]) == (5, 2)
    assert "5 sentences" in response["message"]
    server.say = lambda body: found(("Payments cost 77 euro in Atlantis.", [source_of(body, "Payments")]))
    response = await ask(api, QUESTION)
    assert (response["data"]["answer_found"], response["data"]["citations"]) == (False, [])
    assert response["metadata"]["reason"] == "unsupported"
    assert response["data"]["nearest"]


async def test_documents_about_other_entities_are_not_sent(api: Api, server: ChatServer) -> None:
    response = await ask(api, "What is the fee for a paper statement at Quercialta Inc?")
    sources = server.requests[0]["messages"][1]["content"]
    assert "net profit of Quercialta" in sources
    assert "tariff.pdf" not in sources
    assert not response["data"]["answer_found"]
    assert "tariff.pdf" in [source["document"] for source in response["data"]["nearest"]]


async def test_name_that_no_document_has_filters_nothing(api: Api, server: ChatServer) -> None:
    response = await ask(api, "What is the fee for a paper statement at Fiordalba?")
    assert response["data"]["answer"] == FEE
    assert "tariff.pdf" in server.requests[0]["messages"][1]["content"]


async def test_restated_question_is_dropped(api: Api, server: ChatServer) -> None:
    server.say = lambda body: found(
        ("Fee for a paper statement", [source_of(body, "paper statement")]),
        (FEE, [source_of(body, "paper statement")]),
    )
    response = await ask(api, QUESTION)
    assert (response["data"]["answer"], response["metadata"]["dropped_sentences"]) == (FEE, 1)
    server.say = lambda body: found(("The fee for a paper statement.", [source_of(body, "paper statement")]))
    response = await ask(api, QUESTION)
    assert (response["data"]["answer_found"], response["metadata"]["reason"]) == (False, "unsupported")


async def test_repeated_sentence_is_returned_once(api: Api, server: ChatServer) -> None:
    server.say = lambda body: found(*[(FEE, [source_of(body, "paper statement")])] * 5)
    data = (await ask(api, QUESTION, top_k=2))["data"]
    assert (data["answer"], len(data["sentences"]), len(data["citations"])) == (FEE, 1, 1)


async def test_model_may_abstain(api: Api, server: ChatServer) -> None:
    answers: list[dict[str, Any]] = [
        {"answer_found": False, "sentences": []},
        found((FEE, ["S1"])) | {"answer_found": False},
    ]
    for said in answers:
        server.say = lambda _, said=said: said
        response = await ask(api, QUESTION)
        assert response["data"]["answer_found"] is False
        assert response["metadata"]["reason"] == "model_abstained"


async def test_confidence_counts_the_best_sentence_if_the_model_abstains(api: Api, server: ChatServer) -> None:
    server.say = lambda _: {"answer_found": False, "sentences": []}
    asked = "How long is the fee for a paper statement valid?"
    response = await ask(api, asked)
    headers = (await api.person()).headers
    search = (await api.client.post("/api/v1/search", json={"query": asked}, headers=headers)).json()
    assert response["metadata"]["mode"] == "model"
    assert 0 < response["metadata"]["evidence"] < 0.3
    assert response["metadata"]["confidence"] < search["metadata"]["confidence"]
    assert response["data"]["nearest"][0]["sentence"] is not None


async def test_only_supported_sentences_are_streamed(api: Api, server: ChatServer) -> None:
    server.say = lambda body: found(("Paper is free for ever.", ["S1"]), (FEE, [source_of(body, "paper statement")]))
    events = await stream(api, QUESTION)
    assert [name for name, _ in events] == ["retrieval", "citation", "token", "end"]
    assert "free for ever" not in json.dumps(events[1:])
    assert events[2][1] == {"text": FEE, "citations": [1]}


async def test_endpoint_without_schema_support_gets_json_object(
    api: Api, server: ChatServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.refuses_schemas = True
    with caplog.at_level(logging.WARNING, logger="lectern.answers"):
        first = await ask(api, QUESTION)
        second = await ask(api, QUESTION)
    assert (first["data"]["answer"], second["data"]["answer"]) == (FEE, FEE)
    assert [one["metadata"]["structured_output"] for one in (first, second)] == ["json_object", "json_object"]
    assert (first["metadata"]["usage"]["requests"], second["metadata"]["usage"]["requests"]) == (2, 1)
    assert len([record for record in caplog.records if "rejects a JSON schema" in record.message]) == 1


@pytest.mark.parametrize(
    ("statuses", "status", "code"),
    [
        ([503, 503], 503, "answer_model_unavailable"),
        ([401], 503, "answer_model_rejected"),
        ([404], 503, "answer_model_rejected"),
    ],
)
async def test_failing_endpoint_returns_a_problem_without_fallback(
    api: Api, server: ChatServer, statuses: list[int | float], status: int, code: str
) -> None:
    server.statuses = list(statuses)
    response = await api.client.post(ANSWERS, json={"question": QUESTION}, headers=(await api.person()).headers)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json()["hint"]
    assert "sk-secret" not in response.text
    server.statuses = list(statuses)
    events = await stream(api, QUESTION)
    assert [name for name, _ in events] == ["retrieval", "problem"]
    assert events[-1][1]["code"] == code


async def test_silent_endpoint_times_out(server: ChatServer) -> None:
    server.statuses = [1.5]
    endpoint = ChatEndpoint(AnswersSettings(base_url=server.url, model="small", timeout_seconds=1))
    prompt = make_prompt("Why?", [], nonce="n", max_source_tokens=1_000)
    with pytest.raises(ModelTimeout):
        _ = [piece async for piece in endpoint.stream(prompt, Exchange())]
    await endpoint.close()


async def test_malformed_or_cut_answer_returns_a_problem(api: Api, server: ChatServer) -> None:
    headers = (await api.person()).headers
    server.say = lambda _: "I would rather chat about the weather."
    response = await api.client.post(ANSWERS, json={"question": QUESTION}, headers=headers)
    assert (response.status_code, response.json()["code"]) == (503, "answer_model_unreadable")
    server.say, server.finish_reason = honest, "length"
    response = await api.client.post(ANSWERS, json={"question": QUESTION}, headers=headers)
    assert (response.status_code, response.json()["code"]) == (503, "answer_model_unreadable")
    assert "longer than" in response.json()["detail"]


async def test_counts_and_contradictions_skip_the_endpoint(api: Api, server: ChatServer) -> None:
    counted = await ask(api, "How many pages does the tariff have?")
    assert counted["metadata"]["mode"] == "count"
    contradicted = await ask(api, "What was the profit in 1999?", document="report_2023.pdf")
    assert contradicted["metadata"]["reason"] == "contradicted"
    assert server.requests == []
