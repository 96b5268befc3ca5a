"""Previews of search settings on golden queries, over HTTP."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import text
from tests.answers.library import open_library
from tests.api import Api

from lectern.answers.golden.schemas import GoldenQueryResponse
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.service import replace_embeddings
from lectern.evaluation.golden import to_questions
from lectern.settings import EmbeddingsSettings, SearchSettings

EVALUATIONS = "/api/v1/evaluations"
STARRED = (
    ("What is the fee for a paper statement?", "tariff.pdf", 3),
    ("What is the fee for a paper statement?", "tariff.pdf", 1),
    ("net profit of Quercialta in 2024", "report_2024.pdf", 1),
)


@pytest.fixture
async def api(filled_database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_library(filled_database, tmp_path) as made:
        yield made


async def test_preview_compares_settings_without_applying_them(api: Api) -> None:
    admin = (await api.person(role="admin")).headers
    for query, document, page_number in STARRED:
        starred = {"query": query, "document": document, "page_number": page_number}
        assert (await api.client.post(f"{EVALUATIONS}/golden", json=starred, headers=admin)).status_code == 201

    response = await api.client.post(f"{EVALUATIONS}/preview", json={"settings": {"ranker": "fusion"}}, headers=admin)

    preview = response.json()
    assert response.status_code == 200, response.text
    assert preview["questions"] == 2  # two pages of one document answer the same words
    assert preview["before"]["recall@5"]["value"] == 1.0
    assert preview["environment"] == {"LECTERN_SEARCH_RANKER": "fusion"}
    assert len(preview["improved"]) + len(preview["regressed"]) + preview["unchanged"] == 2
    assert "Nothing is applied." in preview["message"]
    listed = (await api.client.get(f"{EVALUATIONS}/settings", headers=admin)).json()["items"]
    by_name = {setting["name"]: setting for setting in listed}
    assert set(by_name) == {name for name, field in SearchSettings.model_fields.items() if field.validation_alias}
    assert (by_name["ranker"]["value"], by_name["ranker"]["environment_variable"]) == ("model", "LECTERN_SEARCH_RANKER")


async def test_preview_compares_embeddings(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    other = HashProvider(48)
    generation = prepare_generation(filled_database.owner_url, HashProvider(64).info)
    later = prepare_generation(filled_database.owner_url, other.info)
    both = EmbeddingsSettings(provider="hash:64", next_provider="hash:48")
    async with open_library(filled_database, tmp_path, embeddings=both) as api:
        admin = (await api.person(role="admin")).headers
        for query, document, page_number in STARRED:
            starred = {"query": query, "document": document, "page_number": page_number}
            assert (await api.client.post(f"{EVALUATIONS}/golden", json=starred, headers=admin)).status_code == 201

        async def tried(wanted: int) -> tuple[int, dict[str, Any]]:
            body = {"embeddings": wanted}
            response = await api.client.post(f"{EVALUATIONS}/preview", json=body, headers=admin)
            return response.status_code, response.json()

        async def used(wanted: int) -> tuple[int, str]:
            response = await api.client.post(f"/api/v1/system/embeddings/{wanted}/use", headers=admin)
            return response.status_code, response.json()["code"] if response.content else ""

        status, empty = await tried(later.id)
        assert (status, empty["environment"]) == (200, {})
        assert "4 documents have no such embeddings yet" in empty["message"]
        assert await used(later.id) == (409, "generation_incomplete")
        assert await used(99) == (404, "generation_not_found")
        assert (await tried(99))[1]["code"] == "generation_not_found"

        async with api.database.session(SYSTEM_SCOPE) as session:
            chunks = (await session.execute(text("SELECT id, text FROM chunks"))).all()
            vectors = await other.embed_documents([chunk.text for chunk in chunks])
            ids = [chunk.id for chunk in chunks]
            await replace_embeddings(session, later, chunk_ids=ids, window_numbers=[1] * len(ids), vectors=vectors)
        status, full = await tried(later.id)
        assert status == 200
        assert "no such embeddings" not in full["message"]
        assert len(full["improved"]) + len(full["regressed"]) + full["unchanged"] == 2

        assert await used(later.id) == (204, "")
        facts = (await api.client.get("/api/v1/system", headers=admin)).json()["embeddings"]
        assert (facts["embedding_model"], facts["dimensions"]) == ("hash:48", 48)
        preview = [
            (each["id"], each["state"], each["is_set"], each["embedded_chunks"]) for each in facts["generations"]
        ]
        assert preview == [(later.id, "active", True, len(ids)), (generation.id, "retired", True, len(ids))]
        answer = await api.client.post(
            "/api/v1/answers", json={"question": "What is the fee for a paper statement?"}, headers=admin
        )
        assert answer.json()["data"]["answer_found"], answer.text
        assert await used(generation.id) == (204, "")
        audit = (await api.client.get("/api/v1/system/audit", headers=admin)).json()["items"]
        assert [event["target"] for event in audit if event["action"] == "embeddings.use"] == [
            f"generation:{generation.id}",
            f"generation:{later.id}",
        ]
        reader = (await api.person()).headers
        refused = await api.client.post(f"/api/v1/system/embeddings/{later.id}/use", headers=reader)
        assert refused.status_code == 403


async def test_invalid_preview_is_rejected(api: Api) -> None:
    admin, reader = (await api.person(role="admin")).headers, (await api.person()).headers
    refused: tuple[tuple[dict[str, str], dict[str, Any], int, str], ...] = (
        (admin, {"settings": {"ranker": "fusion"}}, 409, "too_few_golden_queries"),
        (admin, {"settings": {"colour": "red"}}, 422, "unknown_search_setting"),
        (admin, {"settings": {"ranker": "best"}}, 422, "unknown_search_setting"),
        (admin, {"settings": {}}, 422, "validation_error"),
        (admin, {}, 422, "validation_error"),
        (reader, {"settings": {"ranker": "fusion"}}, 403, "admins_only"),
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

    questions = to_questions(places)

    assert [(sorted(one.documents), sorted(one.pages)) for one in questions] == [(["a.pdf"], [1, 3]), (["b.pdf"], [2])]
    assert [one.id for one in questions] == [ids[0], ids[1]]
