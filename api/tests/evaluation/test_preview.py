"""Settings tried on the golden queries before anybody applies them, over HTTP."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from tests.answers.asking import open_library
from tests.api import Api

from lectern.answers.golden.schemas import GoldenQueryResponse
from lectern.embedded.throwaway import ThrowawayDatabase
from lectern.evaluation.golden import as_questions
from lectern.settings import SearchSettings

EVALUATIONS = "/api/v1/evaluations"
STARRED = (
    ("What is the fee for a paper statement?", "tariff.pdf", 3),
    ("What is the fee for a paper statement?", "tariff.pdf", 1),
    ("net profit of Quercialta in 2024", "report_2024.pdf", 1),
)


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_library(database, tmp_path) as made:
        yield made


async def test_a_setting_is_tried_on_the_golden_queries_and_nothing_is_applied(api: Api) -> None:
    admin = (await api.person(role="admin")).headers
    for query, document, page_number in STARRED:
        starred = {"query": query, "document": document, "page_number": page_number}
        assert (await api.client.post(f"{EVALUATIONS}/golden", json=starred, headers=admin)).status_code == 201

    response = await api.client.post(f"{EVALUATIONS}/preview", json={"settings": {"rrf_k": 7}}, headers=admin)

    shown = response.json()
    assert response.status_code == 200, response.text
    assert shown["questions"] == 2  # two pages of one document answer the same words
    assert shown["before"]["recall@5"]["value"] == 1.0
    assert shown["environment"] == {"LECTERN_SEARCH_RRF_K": "7"}
    assert len(shown["won"]) + len(shown["lost"]) + shown["same"] == 2
    assert "Nothing is applied." in shown["message"]
    listed = (await api.client.get(f"{EVALUATIONS}/settings", headers=admin)).json()["items"]
    by_name = {setting["name"]: setting for setting in listed}
    assert set(by_name) == set(SearchSettings.model_fields)
    assert (by_name["rrf_k"]["value"], by_name["rrf_k"]["environment_variable"]) == (60, "LECTERN_SEARCH_RRF_K")


async def test_a_preview_that_cannot_be_is_refused(api: Api) -> None:
    admin, reader = (await api.person(role="admin")).headers, (await api.person()).headers
    refused: tuple[tuple[dict[str, str], dict[str, Any], int, str], ...] = (
        (admin, {"settings": {"rrf_k": 7}}, 409, "too_few_golden_queries"),
        (admin, {"settings": {"colour": "red"}}, 422, "unknown_search_setting"),
        (admin, {"settings": {"rrf_k": 0}}, 422, "unknown_search_setting"),
        (admin, {"settings": {}}, 422, "validation_error"),
        (reader, {"settings": {"rrf_k": 7}}, 403, "admins_only"),
    )
    for headers, body, status, code in refused:
        response = await api.client.post(f"{EVALUATIONS}/preview", json=body, headers=headers)
        assert (response.status_code, response.json()["code"]) == (status, code)


def test_pages_of_two_documents_are_two_questions() -> None:
    common = {"query": "fee", "created_by": "system", "created_at": "2026-11-22T10:00:00Z"}
    ids = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(1, 4)]
    places = [
        GoldenQueryResponse.model_validate(
            {**common, "id": key, "document_id": ids[0], "document": document, "page_number": page}
        )
        for key, document, page in zip(ids, ("a.pdf", "b.pdf", "a.pdf"), (1, 2, 3), strict=True)
    ]

    questions = as_questions(places)

    assert [(sorted(one.documents), sorted(one.pages)) for one in questions] == [(["a.pdf"], [1, 3]), (["b.pdf"], [2])]
    assert [one.id for one in questions] == [ids[0], ids[1]]
