"""Answer history: access, expiry and feedback."""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.answers.library import ANSWERS, ask, open_library
from tests.api import Api

from lectern.answers.follow_ups.threads import AskedQuestion
from lectern.answers.history.service import delete_expired, save_answer
from lectern.answers.schemas import AnswerRequest, AnswerResponse
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.trash.repository import lock, measure, remove

GOLDEN = "/api/v1/evaluations/golden"
QUESTION = "What is the fee for a paper statement?"
ASKED = AskedQuestion(original=QUESTION, request=AnswerRequest(question=QUESTION))
VERSION = """
INSERT INTO document_versions
    (document_id, number, state, filename, content_type, size_bytes, sha256, created_by, current_at)
VALUES (:id, :number, :state, 'tariff.pdf', 'text/plain', 1, 'sha', 'me', now() + make_interval(secs => :moment))
"""


@pytest.fixture
async def api(filled_database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_library(filled_database, tmp_path) as made:
        yield made


async def history(api: Api, headers: dict[str, str], **parameters: Any) -> dict[str, Any]:
    response = await api.client.get(ANSWERS, params=parameters, headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


async def test_saved_answer_is_private(api: Api) -> None:
    asker, admin = (await api.person()).headers, (await api.person(role="admin")).headers
    given = await ask(api, QUESTION, asker)
    await ask(api, "What is the secret of the sphinx?", asker, save=False)
    (entry,) = (await history(api, asker))["items"]
    assert (entry["id"], entry["question"], entry["answer"]) == (given["data"]["id"], QUESTION, given["data"]["answer"])
    url = f"{ANSWERS}/{entry['id']}"
    assert (await api.client.get(url, headers=asker)).json()["response"] == given
    assert (await history(api, admin))["items"] == []
    for method in ("GET", "DELETE"):
        response = await api.client.request(method, url, headers=admin)
        assert (response.status_code, response.json()["code"]) == (404, "answer_not_found")
    assert (await api.client.delete(url, headers=asker)).status_code == 204
    assert (await history(api, asker)) == {"items": [], "next_cursor": None, "total": 0}


async def test_history_is_paged_and_can_be_deleted(api: Api) -> None:
    asker = (await api.person()).headers
    for number in range(3):
        await ask(api, f"{QUESTION} ({number})", asker)
    first = await history(api, asker, limit=2)
    rest = await history(api, asker, limit=2, cursor=first["next_cursor"])
    assert [entry["question"][-2] for entry in (*first["items"], *rest["items"])] == ["2", "1", "0"]
    assert (first["total"], rest["next_cursor"]) == (3, None)
    assert (await api.client.delete(ANSWERS, headers=asker)).status_code == 422
    assert (await api.client.delete(ANSWERS, params={"confirm": "true"}, headers=asker)).status_code == 204
    assert (await history(api, asker))["total"] == 0


async def test_answer_is_hidden_with_its_document(api: Api) -> None:
    maker = await api.person(role="admin")
    key = await api.key(maker, tags=["fees", "secret"], toolsets=["answers"])
    saved = await ask(api, "When does the vault of the branch open in the morning?", key)
    assert saved["data"]["answer_found"] is True
    assert (await history(api, key))["total"] == 1
    await api.sql("DELETE FROM document_tags WHERE document_id = :id", id=saved["data"]["citations"][0]["document_id"])
    assert (await history(api, key))["total"] == 0
    gone = await api.client.get(f"{ANSWERS}/{saved['data']['id']}", headers=key)
    assert gone.status_code == 404


async def test_purging_a_document_deletes_its_answers(api: Api) -> None:
    asker = (await api.person()).headers
    cited = await ask(api, QUESTION, asker)
    document_id = cited["data"]["citations"][0]["document_id"]
    response = await ask(api, "How many astronauts work for the lighthouse of Alexandria?", asker)
    assert response["data"]["nearest"]
    made = {"query": QUESTION, "document": document_id, "page_number": 3}
    assert (await api.client.post(GOLDEN, json=made, headers=asker)).status_code == 201
    async with api.database.session(SYSTEM_SCOPE) as session:  # like a purge, without an original
        measured = await measure(session, [uuid.UUID(document_id)])
        await remove(session, [uuid.UUID(document_id)])
    assert measured["golden_queries"].rows == 1
    assert "saved_answers" not in measured  # their number would tell of other people
    left = await api.sql("SELECT response::text AS said FROM saved_answers")
    assert not [row for row in left if document_id in row.said or "paper statement is 3" in row.said]
    assert await api.sql("SELECT 1 FROM golden_queries") == []


async def test_answer_is_not_saved_if_its_document_is_purged_meanwhile(api: Api) -> None:
    asker = await api.person()
    given = await ask(api, QUESTION, asker.headers, save=False)
    document_id = uuid.UUID(given["data"]["citations"][0]["document_id"])
    answer = AnswerResponse.model_validate(given)
    async with api.database.session(SYSTEM_SCOPE) as session:
        await remove(session, [document_id])
    async with api.database.session(SYSTEM_SCOPE) as session:
        saved = await save_answer(session, SYSTEM_SCOPE, answer, ASKED)
    assert saved == answer
    assert await api.sql("SELECT 1 FROM saved_answers") == []


async def test_purge_waits_for_a_concurrent_save(api: Api) -> None:
    given = await ask(api, QUESTION, save=False)
    document_id = uuid.UUID(given["data"]["citations"][0]["document_id"])

    async def purge() -> None:
        async with api.database.session(SYSTEM_SCOPE) as session:
            await lock(session, [document_id])
            await remove(session, [document_id])

    async with api.database.session(SYSTEM_SCOPE) as session:
        await save_answer(session, SYSTEM_SCOPE, AnswerResponse.model_validate(given), ASKED)
        purging = asyncio.create_task(purge())
        await _wait_for_a_lock(api)
    await purging
    assert await api.sql("SELECT 1 FROM saved_answers") == []


async def _wait_for_a_lock(api: Api) -> None:
    async with asyncio.timeout(30):
        while not await api.sql("SELECT 1 FROM pg_locks WHERE NOT granted"):  # noqa: ASYNC110 - only Postgres knows
            await asyncio.sleep(0.01)


async def test_answer_with_a_changed_document_is_outdated(api: Api) -> None:
    asker = (await api.person()).headers
    given = await ask(api, QUESTION, asker)
    document_id = given["data"]["citations"][0]["document_id"]
    other = await ask(api, "When does the vault of the branch open in the morning?", asker, document="vault.pdf")
    await api.sql(VERSION, id=document_id, number=1, state="replaced", moment=-3600)
    await api.sql(VERSION, id=document_id, number=2, state="current", moment=3600)
    items = (await history(api, asker))["items"]
    assert {entry["id"]: entry["is_outdated"] for entry in items} == {
        given["data"]["id"]: True,
        other["data"]["id"]: False,
    }
    current = (await api.client.get(f"{ANSWERS}/{given['data']['id']}", headers=asker)).json()
    assert current["is_outdated"] is True
    await api.sql("UPDATE document_versions SET current_at = now() - interval '1 day'")
    assert not [entry for entry in (await history(api, asker))["items"] if entry["is_outdated"]]


async def test_answer_depends_on_the_documents_it_filters_by(api: Api) -> None:
    asker = (await api.person()).headers
    given = await ask(api, QUESTION, asker, documents=["tariff.pdf", "vault.pdf"])
    assert given["data"]["document_filter"] == ["tariff.pdf", "vault.pdf"]
    (row,) = await api.sql("SELECT document_ids FROM saved_answers")
    assert len(row.document_ids) == 2


async def test_expired_answers_are_deleted(api: Api) -> None:
    asker = (await api.person()).headers
    await ask(api, QUESTION, asker)
    await api.sql("UPDATE saved_answers SET created_at = now() - interval '91 days'")
    await ask(api, QUESTION, asker)
    await delete_expired(api.database, days=0)
    assert (await history(api, asker))["total"] == 2
    await delete_expired(api.database, days=90)
    assert (await history(api, asker))["total"] == 1


async def test_feedback_creates_golden_queries(api: Api) -> None:
    asker = (await api.person(role="reader")).headers
    given = await ask(api, QUESTION, asker)
    url = f"{ANSWERS}/{given['data']['id']}/feedback"
    noted = (await api.client.put(url, json={"verdict": "helpful"}, headers=asker)).json()
    assert (noted["verdict"], noted["golden_query_id"] is not None) == ("helpful", True)
    wrong = {"verdict": "wrong", "right": {"document": "tariff.pdf", "page_number": 1}}
    assert (await api.client.put(url, json=wrong, headers=asker)).status_code == 200
    items = (await api.client.get(GOLDEN, headers=asker)).json()["items"]
    assert [(one["query"], one["document"], one["page_number"]) for one in items] == [
        (QUESTION, "tariff.pdf", 1),
        (QUESTION, "tariff.pdf", 3),
    ]
    assert (await history(api, asker))["items"][0]["verdict"] == "wrong"
    bad = {"verdict": "wrong", "right": {"document": "tariff.pdf", "page_number": 9}}
    response = await api.client.put(url, json=bad, headers=asker)
    assert (response.status_code, response.json()["code"]) == (404, "page_not_found")
    bad["right"] = {"document": "tariff.pdf", "page_number": 2**31}
    response = await api.client.put(url, json=bad, headers=asker)
    assert (response.status_code, response.json()["code"]) == (422, "validation_error")


async def test_read_only_key_rates_without_golden_queries(api: Api) -> None:
    key = await api.key(await api.person(role="admin"), toolsets=["answers"])
    given = await ask(api, QUESTION, key)
    url = f"{ANSWERS}/{given['data']['id']}/feedback"
    right = {"verdict": "wrong", "right": {"document": "tariff.pdf", "page_number": 1}}
    refused = await api.client.put(url, json=right, headers=key)
    assert (refused.status_code, refused.json()["code"]) == (403, "read_only")
    assert (await history(api, key))["items"][0]["verdict"] is None
    noted = await api.client.put(url, json={"verdict": "helpful"}, headers=key)
    assert (noted.status_code, noted.json()["golden_query_id"]) == (200, None)
    assert (await history(api, key))["items"][0]["verdict"] == "helpful"
    assert await api.sql("SELECT 1 FROM golden_queries") == []


async def test_golden_queries_follow_document_access(api: Api) -> None:
    reader, other = (await api.person(role="reader")).headers, (await api.person(role="reader")).headers
    wanted = {"query": "When does the vault open?", "document": "vault.pdf", "page_number": 1}
    made = (await api.client.post(GOLDEN, json=wanted, headers=reader)).json()
    again = (await api.client.post(GOLDEN, json=wanted, headers=other)).json()
    assert made["id"] == again["id"]
    key = await api.key(await api.person(role="admin"), tags=["fees"], can_write=True, toolsets=["answers"])
    assert (await api.client.get(GOLDEN, headers=key)).json()["total"] == 0
    refused = await api.client.post(GOLDEN, json=wanted, headers=key)
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_document")
    for headers, status in ((other, 404), (key, 404), (reader, 204)):
        assert (await api.client.delete(f"{GOLDEN}/{made['id']}", headers=headers)).status_code == status
    assert (await api.client.delete(f"{GOLDEN}/{uuid.uuid4()}", headers=reader)).status_code == 404
