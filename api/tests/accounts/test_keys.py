"""API keys: shown once, hashed, limited in scope, and invalid when revoked or expired."""

import asyncio
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from tests.api import LIBRARY, SERVICE_KEY, Api

from lectern.accounts.errors import ApiKeyNotFound
from lectern.accounts.keys.service import get_named_key
from lectern.db.scope import SYSTEM_SCOPE

KEYS = "/api/v1/keys"
ME = "/api/v1/auth/me"
SERVICE = {"Authorization": f"Bearer {SERVICE_KEY}"}


async def test_key_is_returned_once_and_only_its_hash_is_stored(api: Api) -> None:
    editor = await api.person()
    made = (await api.client.post(KEYS, json={"name": "agent"}, headers=editor.headers)).json()
    assert made["key"].startswith(made["api_key"]["prefix"] + "_")
    assert made["api_key"]["prefix"].startswith("lk_")
    listed = await api.client.get(KEYS, headers=editor.headers)
    assert made["key"] not in listed.text
    (row,) = await api.sql("SELECT k.*::text FROM api_keys k")
    assert made["key"] not in row[0]


async def test_a_wrong_key_and_a_missing_one_have_different_messages(api: Api) -> None:
    wrong = (await api.client.get(ME, headers={"Authorization": "Bearer lk_wrong"})).json()
    missing = (await api.client.get(ME)).json()
    assert (wrong["code"], missing["code"]) == ("unauthorized", "unauthorized")
    assert wrong["detail"] == "The API key or access token is unknown, revoked or expired."
    assert missing["detail"] == "Sign in or send a valid API key."


async def test_a_key_says_what_it_may(api: Api) -> None:
    admin = await api.person("admin")
    tag = (await api.client.post("/api/v1/tags", json={"name": "Fees"}, headers=admin.headers)).json()
    key = await api.key(admin, can_write=True, toolsets=["search", "answers"], tags=["fees"], collections=["library"])
    me = (await api.client.get(ME, headers=key)).json()
    assert me["kind"] == "key"
    assert me["role"] is None
    assert me["can_write"]
    assert me["toolsets"] == ["search", "answers"]
    assert me["tag_ids"] == [tag["id"]]
    assert me["collection_ids"] == [str(LIBRARY)]
    assert me["document_ids"] is None


async def test_names_that_mean_nothing_to_the_maker_are_refused(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person()
    await api.collection(admin, "secret", is_open=False)
    body = {"name": "k", "collections": ["secret"]}
    response = await api.client.post(KEYS, json=body, headers=editor.headers)
    assert (response.status_code, response.json()["code"]) == (422, "unknown_collection")
    assert response.json()["available"] == ["Library"]
    close = await api.client.post(KEYS, json={"name": "k", "collections": ["Libary"]}, headers=editor.headers)
    assert close.json()["close_matches"] == ["Library"]


async def test_an_expired_a_revoked_and_an_orphaned_key_are_refused_alike(api: Api) -> None:
    admin, maker = await api.person("admin"), await api.person()
    past = await api.client.post(KEYS, json={"name": "k", "expires_at": "2020-01-01T00:00:00Z"}, headers=maker.headers)
    assert past.status_code == 422
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    expired, revoked, orphaned = await api.key(maker, expires_at=soon), await api.key(maker), await api.key(maker)
    assert [(await api.client.get(ME, headers=key)).status_code for key in (expired, revoked, orphaned)] == [200] * 3
    keys = (await api.client.get(KEYS, headers=maker.headers)).json()["items"]
    await api.sql("UPDATE api_keys SET expires_at = now() WHERE expires_at IS NOT NULL")
    gone = await api.client.delete(f"{KEYS}/{keys[1]['id']}", headers=maker.headers)
    assert gone.status_code == 204
    await api.client.patch(f"/api/v1/users/{maker.id}", json={"is_active": False}, headers=admin.headers)
    unknown = {"Authorization": "Bearer lk_00000000_nothing"}
    answers = [await api.client.get(ME, headers=key) for key in (expired, revoked, orphaned, unknown)]
    assert {answer.status_code for answer in answers} == {401}
    assert len({str({**answer.json(), "request_id": ""}) for answer in answers}) == 1


async def test_reactivating_a_user_does_not_revive_the_keys(api: Api) -> None:
    admin, maker = await api.person("admin"), await api.person()
    key, address = await api.key(maker), f"/api/v1/users/{maker.id}"
    for is_active in (False, True):
        await api.client.patch(address, json={"is_active": is_active}, headers=admin.headers)
        assert (await api.client.get(ME, headers=key)).status_code == 401
    ((details,),) = await api.sql("SELECT details FROM audit_events WHERE action = 'user.update' ORDER BY id LIMIT 1")
    assert details["revoked_keys"] == 1


async def test_a_reader_makes_reading_keys_only(api: Api) -> None:
    reader = await api.person("reader")
    refused = await api.client.post(KEYS, json={"name": "k", "can_write": True}, headers=reader.headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "scope_not_yours")
    key = await api.key(reader)
    denied = await api.client.post("/api/v1/tags", json={"name": "x"}, headers=key)
    assert denied.json()["code"] == "read_only"


async def test_a_writing_key_stops_writing_when_its_maker_becomes_a_reader(api: Api) -> None:
    admin, maker = await api.person("admin"), await api.person("editor")
    key = await api.key(maker, can_write=True)
    assert (await api.client.post("/api/v1/tags", json={"name": "x"}, headers=key)).status_code == 201
    await api.client.patch(f"/api/v1/users/{maker.id}", json={"role": "reader"}, headers=admin.headers)
    assert (await api.client.post("/api/v1/tags", json={"name": "y"}, headers=key)).status_code == 403


async def test_a_key_is_no_person(api: Api) -> None:
    admin = await api.person("admin")
    key = await api.key(admin, can_write=True)
    for path in (KEYS, "/api/v1/auth/sessions", "/api/v1/users", "/api/v1/system/audit"):
        refused = (await api.client.get(path, headers=key)).json()
        assert refused["code"] == "people_only"
        assert "/api/v1/auth/sign-in" in refused["hint"]
    assert (await api.client.post(KEYS, json={"name": "k"}, headers=key)).status_code == 403


async def test_people_look_after_their_own_keys_and_administrators_after_all(api: Api) -> None:
    admin, one, two = await api.person("admin"), await api.person(), await api.person()
    await api.key(one)
    (mine,) = (await api.client.get(KEYS, headers=one.headers)).json()["items"]
    assert (await api.client.get(KEYS, headers=two.headers)).json()["total"] == 0
    assert (await api.client.get(KEYS, headers=admin.headers)).json()["total"] == 1
    address = f"{KEYS}/{mine['id']}"
    for method in ("GET", "DELETE"):
        assert (await api.client.request(method, address, headers=two.headers)).json()["code"] == "api_key_not_found"
    renamed = await api.client.patch(address, json={"name": "new"}, headers=admin.headers)
    assert renamed.json()["name"] == "new"


async def test_the_last_use_is_noted_about_once_a_minute(api: Api) -> None:
    key = await api.key(await api.person())
    for _ in range(3):
        await api.client.get(ME, headers=key)
    ((first,),) = await api.sql("SELECT last_used_at FROM api_keys")
    await api.sql("UPDATE api_keys SET last_used_at = now() - interval '2 minutes'")
    await api.client.get(ME, headers=key)
    ((second,),) = await api.sql("SELECT last_used_at FROM api_keys")
    assert first is not None
    assert second >= first


async def introspect(api: Api, key: str, headers: dict[str, str] = SERVICE) -> tuple[int, dict[str, object]]:
    response = await api.client.post(f"{KEYS}/introspect", json={"key": key}, headers=headers)
    return response.status_code, response.json()


async def test_a_service_learns_whether_a_key_is_good_and_nothing_of_one_that_is_not(api: Api) -> None:
    editor = await api.person()
    key = (await api.key(editor, can_write=True, toolsets=["search", "library"]))["Authorization"][7:]
    status, answer = await introspect(api, key)
    assert status == 200
    assert answer["is_active"]
    assert str(answer["principal"]).startswith("key:")
    assert (answer["name"], answer["can_write"], answer["toolsets"]) == ("k", True, ["search", "library"])
    nothing = dict.fromkeys(answer) | {"is_active": False}
    for bad in ("lk_00000000_x", editor.token, "\u00e9", SERVICE_KEY):
        assert await introspect(api, bad) == (200, nothing)


async def test_only_services_introspect(api: Api) -> None:
    admin = await api.person("admin")
    key = await api.key(admin)
    for headers in (admin.headers, key, {"Authorization": f"Bearer {SERVICE_KEY}x"}):
        assert (await introspect(api, "x", headers))[1]["code"] == "service_only"
    assert (await introspect(api, "x", {}))[0] == 401


async def test_a_service_acts_as_the_key_it_names_and_as_nothing_else(api: Api) -> None:
    editor = await api.person()
    key = await api.key(editor)
    me = (await api.client.get(ME, headers=key)).json()
    named = {**SERVICE, "X-Lectern-Principal": f"key:{me['id']}"}
    assert (await api.client.get(ME, headers=named)).json() == me
    alone = await api.client.get(ME, headers=SERVICE)
    assert (alone.status_code, alone.json()["code"]) == (403, "service_only")
    for principal in (f"key:{uuid.uuid4()}", f"user:{editor.id}", "key:", "key:x", "system", str(me["id"])):
        refused = await api.client.get(ME, headers={**SERVICE, "X-Lectern-Principal": principal})
        assert refused.status_code == 401, principal
    await api.client.delete(f"{KEYS}/{me['id']}", headers=editor.headers)
    assert (await api.client.get(ME, headers=named)).status_code == 401


@pytest.mark.parametrize("who", ["person", "key", "cookie", "nobody"])
async def test_the_header_of_services_is_refused_from_others(api: Api, who: str) -> None:
    editor = await api.person()
    key = await api.key(editor)
    me = (await api.client.get(ME, headers=key)).json()
    headers = {
        "person": editor.headers,
        "key": key,
        "cookie": {"Cookie": f"lectern_session={editor.token}"},
        "nobody": {},
    }[who]
    response = await api.client.get(ME, headers={**headers, "X-Lectern-Principal": f"key:{me['id']}"})
    assert response.status_code == 401


async def test_keys_are_listed_in_pages(api: Api) -> None:
    editor = await api.person()
    await asyncio.gather(*(api.key(editor) for _ in range(5)))
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(3):
        parameters = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = (await api.client.get(KEYS, params=parameters, headers=editor.headers)).json()
        assert page["total"] == 5
        seen += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert cursor is None
    assert len(seen) == len(set(seen)) == 5


async def test_command_line_finds_a_key_by_id_prefix_or_unique_name(api: Api) -> None:
    editor = await api.person()
    names = ("agent", "twice", "twice")
    first, *_ = [
        (await api.client.post(KEYS, json={"name": name}, headers=editor.headers)).json()["api_key"] for name in names
    ]
    async with api.database.session(SYSTEM_SCOPE) as session:
        found = [await get_named_key(session, first[field]) for field in ("id", "prefix", "name")]
        for name, message in (("twice", "2 keys match"), ("agen", "No keys match")):
            with pytest.raises(ApiKeyNotFound, match=message):
                await get_named_key(session, name)
    assert {str(key.id) for key in found} == {first["id"]}
