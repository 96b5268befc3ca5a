"""`POST /answers` with a real language model: protocol and verification.

A small model is mostly wrong. These tests assert only properties that hold for any output.
"""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.small_model import INSTALL_HINT, find_weights, serving_small_model
from benchmarks.throwaway import ThrowawayDatabase
from tests.answers.library import ask, open_library, stream
from tests.answers.test_chat_endpoint import FEE, QUESTION
from tests.answers.test_steps import GROWTH
from tests.api import Api

from lectern.settings import AnswersSettings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.alone,
    pytest.mark.needs("the small language model"),
    pytest.mark.timeout(900),
]
SCAN = Path(__file__).parents[3] / "test-docs" / "documents" / "verbale-collaudo-scansione.pdf"
SAID = {None, "model_abstained", "unsupported"}


@pytest.fixture(scope="module")
async def address() -> AsyncGenerator[str]:
    if find_weights() is None:
        pytest.skip(f"needs the small language model; {INSTALL_HINT}")
    async with serving_small_model() as made:
        yield made


def settings_of(address: str, **more: Any) -> AnswersSettings:
    return AnswersSettings(
        base_url=address, model="smollm2", timeout_seconds=600, max_answer_tokens=600, max_source_tokens=1_000, **more
    )


@pytest.fixture
async def api(filled_database: ThrowawayDatabase, tmp_path: Path, address: str) -> AsyncGenerator[Api]:
    async with open_library(filled_database, tmp_path, answers=settings_of(address)) as made:
        yield made


def assert_verified(response: dict[str, Any]) -> None:
    """Assert that each sentence is cited and each citation is a chunk of the named document."""
    data, metadata = response["data"], response["metadata"]
    assert (metadata["mode"], metadata["model"], metadata["structured_output"]) == ("model", "smollm2", "json_schema")
    assert metadata["reason"] in SAID
    assert metadata["usage"]["requests"] == 1
    assert metadata["usage"]["prompt_tokens"] > 300
    assert metadata["usage"]["completion_tokens"] > 5
    assert data["answer_found"] is bool(data["sentences"]) is (metadata["reason"] is None)
    numbers = {citation["number"] for citation in data["citations"]}
    for sentence in data["sentences"]:
        assert sentence["citations"]
        assert set(sentence["citations"]) <= numbers
    assert {citation["document"] for citation in data["citations"]} <= {"tariff.pdf"}
    assert data["nearest"] or data["answer_found"]


async def test_real_model_answers_are_verified(api: Api) -> None:
    assert_verified(await ask(api, QUESTION, top_k=1, document="tariff.pdf"))


async def test_real_model_streams_the_same_answer(api: Api) -> None:
    events = await stream(api, QUESTION, top_k=1, document="tariff.pdf")
    names = [name for name, _ in events]
    assert (names[0], names[-1]) == ("retrieval", "end")
    end = events[-1][1]
    assert_verified(end)
    tokens = [event["text"] for name, event in events if name == "token"]
    assert tokens == [sentence["text"] for sentence in end["data"]["sentences"]]
    assert names.count("citation") == len(end["data"]["citations"])
    assert FEE.split()[0] in str(events[0][1]["sources"])


@pytest.mark.parametrize("question", [GROWTH, "Compare the net profit of Quercialta in 2023 and in 2024."])
async def test_real_model_answers_in_several_steps(api: Api, question: str) -> None:
    response = await ask(api, question, top_k=1, steps="always", tags={"any": ["reports"]})
    data, trace = response["data"], response["metadata"]["trace"]
    print(json.dumps({"outcome": data["outcome"], "answer": data["answer"], "trace": trace}, indent=1))
    assert trace["steps"][0]["kind"] == "plan"
    assert all(step["tokens"] > 0 for step in trace["steps"] if step["kind"] in {"plan", "draft"})
    assert (trace["route"] == "single_step") is (trace["route_reason"] == "unusable_plan")
    assert all(cell["value"] in cell["quote"] for cell in trace["evidence"])
    assert all(sentence["citations"] for sentence in data["sentences"])
    assert data["answer_found"] is bool(data["sentences"])


async def test_real_server_without_vision_is_reported(
    filled_database: ThrowawayDatabase, tmp_path: Path, address: str
) -> None:
    async with open_library(filled_database, tmp_path, answers=settings_of(address, vision_pages=1)) as api:
        await assert_refusal(api)


async def assert_refusal(api: Api) -> None:
    """Ask about a document without text, so the page images are needed."""
    headers = (await api.person()).headers
    item = await api.upload(headers, SCAN.read_bytes(), filename="scan.pdf")
    named = item["document"]["id"]
    await api.sql(
        "INSERT INTO pages (document_id, page_number, kind, text, char_start, char_count, width_points, height_points,"
        " boxes) VALUES (CAST(:id AS uuid), 1, 'unreadable', '', 0, 0, 595, 842, '')",
        id=named,
    )
    response = await ask(api, QUESTION, headers, document=named)
    vision = response["metadata"]["vision"]
    assert (vision["status"], vision["problem"]["code"]) == ("refused", "answer_model_cannot_see")
    assert [page["page_number"] for page in vision["pages"]] == [1]
    assert (response["data"]["answer_found"], response["metadata"]["is_vision_used"]) == (False, False)
    assert "refuses images" in response["message"]
