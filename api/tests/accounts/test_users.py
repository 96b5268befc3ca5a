"""Administrators manage users. The last administrator cannot be removed."""

import asyncio
import uuid

import pytest
from tests.api import Api

from lectern.accounts.errors import UserNotFound
from lectern.accounts.users.service import get_user_by_email
from lectern.db.scope import SYSTEM_SCOPE

USERS = "/api/v1/users"
PASSWORD = "a long enough password"


async def test_only_administrators_look_after_people(api: Api) -> None:
    for role in ("editor", "reader"):
        person = await api.person(role)
        for method, path in (("GET", USERS), ("POST", USERS), ("GET", f"{USERS}/{person.id}")):
            response = await api.client.request(method, path, headers=person.headers, json={})
            assert response.status_code in {403, 422}
            assert "email" not in response.json().get("items", {})
        read = await api.client.get(USERS, headers=person.headers)
        assert (read.status_code, read.json()["code"]) == (403, "admins_only")


async def test_somebody_is_added_changed_and_removed(api: Api) -> None:
    admin = await api.person("admin")
    body = {"email": " New.Person@Example.ORG ", "password": PASSWORD, "role": "editor", "name": "New"}
    made = await api.client.post(USERS, json=body, headers=admin.headers)
    assert made.status_code == 201
    user = made.json()
    assert (user["email"], user["role"], user["is_active"]) == ("new.person@example.org", "editor", True)
    assert PASSWORD not in made.text
    assert "hash" not in made.text
    again = await api.client.post(USERS, json=body, headers=admin.headers)
    assert (again.status_code, again.json()["code"]) == (409, "email_taken")
    address = f"{USERS}/{user['id']}"
    changed = await api.client.patch(address, json={"role": "reader", "name": "Old"}, headers=admin.headers)
    assert (changed.json()["role"], changed.json()["name"]) == ("reader", "Old")
    assert (await api.client.delete(address, headers=admin.headers)).status_code == 204
    assert (await api.client.get(address, headers=admin.headers)).json()["code"] == "user_not_found"


@pytest.mark.parametrize(
    "change",
    [{"email": "x"}, {"email": "a b@c.d"}, {"password": "short"}, {"role": "owner"}, {"name": " "}, {"is_root": True}],
)
async def test_what_is_no_user_is_refused(api: Api, change: dict[str, object]) -> None:
    admin = await api.person("admin")
    body = {"email": "a@b.org", "password": PASSWORD, **change}
    assert (await api.client.post(USERS, json=body, headers=admin.headers)).status_code == 422


async def test_a_short_password_is_counted_in_characters(api: Api) -> None:
    admin = await api.person("admin")
    body = {"email": "a@b.org", "name": "A", "role": "reader", "password": "short"}
    problem = (await api.client.post(USERS, json=body, headers=admin.headers)).json()
    assert problem["detail"] == "body.password: Must have at least 12 characters"
    assert problem["errors"][0]["code"] == "string_too_short"


async def test_an_empty_change_is_refused(api: Api) -> None:
    admin = await api.person("admin")
    response = await api.client.patch(f"{USERS}/{admin.id}", json={}, headers=admin.headers)
    assert response.status_code == 422


@pytest.mark.parametrize("change", [{"role": "editor"}, {"is_active": False}, None])
async def test_the_last_administrator_stays_one(api: Api, change: dict[str, object] | None) -> None:
    admin = await api.person("admin")
    await api.sql("DELETE FROM users WHERE id <> :id", id=admin.id)
    address = f"{USERS}/{admin.id}"
    if change:
        response = await api.client.patch(address, json=change, headers=admin.headers)
    else:
        response = await api.client.delete(address, headers=admin.headers)
    assert (response.status_code, response.json()["code"]) == (409, "last_admin")


@pytest.mark.parametrize("change", [{"is_active": False}, None])
async def test_an_administrator_without_password_does_not_count_without_single_sign_on(
    api: Api, change: dict[str, object] | None
) -> None:
    admin, other = await api.person("admin"), await api.person("admin")
    await api.sql("DELETE FROM users WHERE id NOT IN (:one, :other)", one=admin.id, other=other.id)
    await api.sql("UPDATE users SET password_hash = NULL WHERE id = :id", id=other.id)

    async def remove(user_id: uuid.UUID) -> int:
        address = f"{USERS}/{user_id}"
        if change:
            return (await api.client.patch(address, json=change, headers=admin.headers)).status_code
        return (await api.client.delete(address, headers=admin.headers)).status_code

    assert await remove(admin.id) == 409
    assert await remove(other.id) < 300


async def test_two_administrators_who_demote_each_other_leave_one(api: Api) -> None:
    one, two = await api.person("admin"), await api.person("admin")
    await api.sql("DELETE FROM users WHERE id NOT IN (:one, :two)", one=one.id, two=two.id)

    async def demote(by: dict[str, str], whom: object) -> int:
        return (await api.client.patch(f"{USERS}/{whom}", json={"role": "editor"}, headers=by)).status_code

    statuses = await asyncio.gather(demote(one.headers, two.id), demote(two.headers, one.id))
    assert sorted(statuses) in ([200, 403], [200, 409])
    assert len(await api.sql("SELECT id FROM users WHERE role = 'admin'")) == 1


async def test_a_new_password_by_an_administrator_ends_the_sign_ins_of_the_person(api: Api) -> None:
    admin, person = await api.person("admin"), await api.person()
    await api.client.patch(f"{USERS}/{person.id}", json={"password": PASSWORD}, headers=admin.headers)
    assert (await api.client.get("/api/v1/auth/me", headers=person.headers)).status_code == 401


async def test_removing_a_person_ends_the_keys_and_keeps_the_documents(api: Api) -> None:
    admin, person = await api.person("admin"), await api.person()
    key = await api.key(person)
    await api.upload(person.headers)
    await api.client.delete(f"{USERS}/{person.id}", headers=admin.headers)
    assert (await api.client.get("/api/v1/auth/me", headers=key)).status_code == 401
    assert (await api.client.get("/api/v1/documents", headers=admin.headers)).json()["total"] == 1


async def test_people_are_listed_in_pages(api: Api) -> None:
    admin = await api.person("admin")
    for _ in range(4):
        await api.person()
    first = (await api.client.get(USERS, params={"limit": 4}, headers=admin.headers)).json()
    parameters = {"limit": 4, "cursor": first["next_cursor"]}
    second = (await api.client.get(USERS, params=parameters, headers=admin.headers)).json()
    assert first["total"] == second["total"] == 6
    assert len({user["id"] for user in first["items"] + second["items"]}) == 6
    assert second["next_cursor"] is None


async def test_every_change_is_in_the_audit_log_with_its_actor_and_request(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person()
    headers = {**editor.headers, "X-Request-ID": "trace-7"}
    await api.client.post("/api/v1/tags", json={"name": "x"}, headers=headers)
    await api.upload(headers)
    parameters = {"actor": f"user:{editor.id}"}
    page = (await api.client.get("/api/v1/system/audit", params=parameters, headers=admin.headers)).json()
    assert [event["action"] for event in page["items"]] == ["document.upload", "tag.create"]
    assert {event["request_id"] for event in page["items"]} == {"trace-7"}
    limited = {"limit": 1, **parameters}
    first = (await api.client.get("/api/v1/system/audit", params=limited, headers=admin.headers)).json()
    limited["cursor"] = first["next_cursor"]
    second = (await api.client.get("/api/v1/system/audit", params=limited, headers=admin.headers)).json()
    assert [second["items"][0]["action"], second["next_cursor"]] == ["tag.create", None]
    refused = await api.client.get("/api/v1/system/audit", headers=editor.headers)
    assert refused.status_code == 403


async def test_what_is_refused_is_not_in_the_audit_log(api: Api) -> None:
    reader = await api.person("reader")
    await api.client.post("/api/v1/tags", json={"name": "x"}, headers=reader.headers)
    assert await api.sql("SELECT 1 FROM audit_events WHERE actor = :actor", actor=f"user:{reader.id}") == []


async def test_command_line_finds_a_user_by_address_in_any_case(api: Api) -> None:
    admin = await api.person("admin")
    made = await api.client.post(
        USERS, json={"email": "ann@example.org", "password": PASSWORD, "role": "reader"}, headers=admin.headers
    )
    async with api.database.session(SYSTEM_SCOPE) as session:
        assert str((await get_user_by_email(session, " Ann@Example.ORG")).id) == made.json()["id"]
        with pytest.raises(UserNotFound, match=r"bob@example\.org"):
            await get_user_by_email(session, "bob@example.org")
