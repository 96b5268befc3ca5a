"""Test rights from groups, linking of accounts, and disabling local passwords without a lockout."""

import uuid
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.accounts.forging_provider import ForgingProvider, forging_provider, settings_of, sign_in_over
from tests.api import Api, Person, api_settings, open_api

from lectern.accounts.sign_in.service import allow_local_passwords
from lectern.cli.open_installation import OPERATOR
from lectern.db.scope import SYSTEM_SCOPE

AUTH = "/api/v1/auth"
SETTINGS = "/api/v1/sign-in-settings"
OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def provider() -> Generator[ForgingProvider]:
    with forging_provider() as made:
        yield made


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path, provider: ForgingProvider) -> AsyncGenerator[Api]:
    accounts = settings_of(provider)
    async with open_api(api_settings(database, tmp_path, accounts=accounts)) as made:
        await made.sql("UPDATE sign_in_settings SET default_role = 'reader'")
        yield made


async def configure(api: Api, admin: Person, **wanted: Any) -> httpx.Response:
    body = {"provider_name": "Example", "default_role": "reader", **wanted}
    return await api.client.put(SETTINGS, json=body, headers=admin.headers)


def group(name: str, role: str | None = None, **collections: bool) -> dict[str, Any]:
    given = [{"collection_id": collection, "can_write": can_write} for collection, can_write in collections.items()]
    return {"name": name, "role": role, "collections": given}


async def me(api: Api) -> dict[str, Any]:
    return (await api.client.get(f"{AUTH}/me")).json()


async def test_groups_give_role_and_collections_until_the_next_sign_in(api: Api, provider: ForgingProvider) -> None:
    admin = await api.person("admin")
    first, second = [await api.collection(admin, name, is_open=False) for name in ("First", "Second")]
    first, second = sorted((first, second))
    groups = [group("/staff", "reader", **{first: False}), group("/editors", "editor", **{first: True, second: True})]
    saved = await configure(api, admin, groups=groups, group_claim="teams")
    assert saved.status_code == 200, saved.text
    assert {item["name"]: item for item in saved.json()["groups"]} == {item["name"]: item for item in groups}

    provider.claims = {"teams": ["/staff", "/editors", "/unknown"], "groups": ["admins"]}
    assert (await sign_in_over(api, provider)).status_code == 303
    found = await me(api)
    assert found["role"] == "editor"
    assert {first, second} < set(found["collection_ids"])
    members = (await api.client.get(f"/api/v1/collections/{first}/members", headers=admin.headers)).json()
    assert [(member["can_write"], member["is_from_group"]) for member in members] == [(True, True)]

    await api.client.put(
        f"/api/v1/collections/{second}/members/{found['id']}", json={"can_write": False}, headers=admin.headers
    )
    provider.claims = {"teams": "/staff"}
    await sign_in_over(api, provider)
    found = await me(api)
    assert found["role"] == "reader"
    assert {first, second} < set(found["collection_ids"])  # an administrator gave the second
    rows = await api.sql("SELECT collection_id, can_write, is_from_group FROM collection_members")
    assert {(str(row[0]), row[1], row[2]) for row in rows} == {(first, False, True), (second, False, False)}

    provider.claims = {}
    await sign_in_over(api, provider)
    assert first not in (await me(api))["collection_ids"]


async def test_who_has_no_group_is_refused_and_loses_what_groups_gave(api: Api, provider: ForgingProvider) -> None:
    admin = await api.person("admin")
    closed = await api.collection(admin, "Closed", is_open=False)
    await configure(api, admin, default_role=None, groups=[group("staff", "editor", **{closed: True})])
    provider.claims = {"groups": ["/staff", "guests"]}
    stranger = await sign_in_over(api, provider)
    assert (stranger.status_code, stranger.json()["code"]) == (403, "no_group_for_sign_in")
    ((details,),) = await api.sql("SELECT details FROM audit_events WHERE action = 'session.refused'")
    assert details == {"reason": "no_group_for_sign_in", "groups": ["/staff", "guests"]}
    assert await api.sql("SELECT 1 FROM users WHERE email = 'ada@example.org'") == []

    provider.claims = {"groups": ["staff"]}
    assert (await sign_in_over(api, provider)).status_code == 303
    token = api.client.cookies["lectern_session"]
    provider.claims = {"groups": []}
    assert (await sign_in_over(api, provider)).status_code == 403
    old = await api.client.get(f"{AUTH}/me", headers={"Authorization": f"Bearer {token}"})
    assert old.status_code == 401
    assert await api.sql("SELECT 1 FROM collection_members") == []
    ((role,),) = await api.sql("SELECT role FROM users WHERE email = 'ada@example.org'")
    assert role == "reader"
    provider.claims = {"_claim_names": {"groups": "src1"}}
    assert "too many" in (await sign_in_over(api, provider)).json()["detail"]


async def test_the_last_administrator_stays_one(api: Api, provider: ForgingProvider) -> None:
    admin = await api.person("admin")
    await configure(api, admin, groups=[group("admins", "admin")])
    provider.claims = {"groups": ["admins"]}
    await sign_in_over(api, provider)
    await api.sql("DELETE FROM users WHERE email <> 'ada@example.org'")
    provider.claims = {"groups": []}
    assert (await sign_in_over(api, provider)).status_code == 303
    assert (await me(api))["role"] == "admin"
    other = await api.person("admin")
    await sign_in_over(api, provider)
    assert (await me(api))["role"] == "reader"
    assert (await api.client.get(f"{AUTH}/me", headers=other.headers)).json()["role"] == "admin"


async def test_accounts_are_linked_only_if_allowed_and_verified_and_once(api: Api, provider: ForgingProvider) -> None:
    admin, person = await api.person("admin"), await api.person("editor")
    email = f"{person.id}@example.org"
    provider.claims = {"email": email.upper()}
    refused = await sign_in_over(api, provider)
    assert (refused.status_code, refused.json()["code"]) == (403, "identity_not_linked")
    await configure(api, admin, is_linking_allowed=True, default_role="editor")
    for verified in (False, None, "true"):
        provider.claims = {"email": email, "email_verified": verified}
        assert (await sign_in_over(api, provider)).json()["code"] == "identity_not_linked"
    provider.claims = {"email": email}
    assert (await sign_in_over(api, provider)).status_code == 303
    assert (await me(api))["id"] == str(person.id)
    linked = await api.sql("SELECT target FROM audit_events WHERE action = 'user.link_identity'")
    assert [row.target for row in linked] == [f"user:{person.id}"]
    provider.claims = {"email": email, "sub": "who-got-the-address-later"}
    assert (await sign_in_over(api, provider)).json()["code"] == "identity_not_linked"
    provider.claims = {"email": "renamed@example.org"}
    await sign_in_over(api, provider)
    assert (await me(api))["id"] == str(person.id)


async def test_identities_need_an_address_and_disabled_accounts_stay_disabled(
    api: Api, provider: ForgingProvider
) -> None:
    admin = await api.person("admin")
    provider.claims = {"email": None}
    assert (await sign_in_over(api, provider)).json()["code"] == "identity_without_email"
    provider.claims = {}
    await sign_in_over(api, provider)
    user_id = (await me(api))["id"]
    await api.client.patch(f"/api/v1/users/{user_id}", json={"is_active": False}, headers=admin.headers)
    refused = await sign_in_over(api, provider)
    assert (refused.status_code, refused.json()["code"]) == (403, "account_disabled")
    assert await api.sql("SELECT 1 FROM users WHERE email = 'ada@example.org' AND is_active") == []


async def test_accounts_without_a_password_never_sign_in_with_one(api: Api, provider: ForgingProvider) -> None:
    await sign_in_over(api, provider)
    for password in ("none", "a password of nobody"):
        body = {"email": "ada@example.org", "password": password}
        response = await api.client.post(f"{AUTH}/sign-in", json=body)
        assert (response.status_code, response.json()["code"]) == (401, "invalid_credentials")
    body = {"current_password": "x", "new_password": "another long password of mine"}
    change = await api.client.post(f"{AUTH}/password", json=body, headers=OWN)
    assert (change.status_code, change.json()["code"]) == (409, "without_password")


async def test_only_an_administrator_over_single_sign_on_switches_passwords_off(
    api: Api, provider: ForgingProvider
) -> None:
    by_password = await api.person("admin")
    refused = await configure(api, by_password, has_local_passwords=False, groups=[group("admins", "admin")])
    assert (refused.status_code, refused.json()["code"]) == (403, "single_sign_on_required")
    await configure(api, by_password, groups=[group("admins", "admin")])
    provider.claims = {"groups": ["admins"]}
    await sign_in_over(api, provider)
    body = {"provider_name": "Example", "has_local_passwords": False, "groups": [group("admins", "admin")]}
    assert (await api.client.put(SETTINGS, json=body, headers=OWN)).status_code == 200
    assert (await api.client.get(f"{AUTH}/methods")).json() == {"has_passwords": False, "single_sign_on": "Example"}
    ended = await api.client.get(f"{AUTH}/me", headers=by_password.headers)
    assert ended.status_code == 401
    sign_in = {"email": "nobody@example.org", "password": "whatever it is"}
    response = await api.client.post(f"{AUTH}/sign-in", json=sign_in)
    assert (response.status_code, response.json()["code"]) == (403, "local_passwords_off")
    assert (await me(api))["role"] == "admin"

    async with api.database.session(SYSTEM_SCOPE) as session:
        await allow_local_passwords(session, OPERATOR)
    assert (await api.client.post(f"{AUTH}/sign-in", json=sign_in)).json()["code"] == "invalid_credentials"


async def test_without_a_provider_passwords_always_work(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_api(api_settings(database, tmp_path)) as api:
        await api.sql("UPDATE sign_in_settings SET has_local_passwords = false")
        assert (await api.client.get(f"{AUTH}/methods")).json() == {"has_passwords": True, "single_sign_on": None}
        body = {"email": "nobody@example.org", "password": "whatever it is"}
        assert (await api.client.post(f"{AUTH}/sign-in", json=body)).json()["code"] == "invalid_credentials"
        response = await api.client.get(f"{AUTH}/single-sign-on")
        assert (response.status_code, response.json()["code"]) == (409, "single_sign_on_off")


async def test_the_settings_name_known_collections_and_each_group_once(api: Api, provider: ForgingProvider) -> None:
    admin, editor = await api.person("admin"), await api.person("editor")
    assert (await configure(api, editor)).status_code == 403
    unknown = await configure(api, admin, groups=[group("staff", None, **{str(uuid.uuid4()): True})])
    assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown_collection")
    twice = await configure(api, admin, groups=[group("staff"), group("staff ")])
    assert twice.status_code == 422
    closed = await api.collection(admin, "Closed", is_open=False)
    await configure(api, admin, groups=[group("staff", "reader", **{closed: True})])
    await api.client.delete(f"/api/v1/collections/{closed}", headers=admin.headers)
    shown = (await api.client.get(SETTINGS, headers=admin.headers)).json()
    assert shown["groups"] == [group("staff", "reader")]
    assert shown["issuer"] == provider.issuer
    assert shown["redirect_uri"].endswith("/api/v1/auth/single-sign-on/callback")
    changes = await api.sql("SELECT actor FROM audit_events WHERE action = 'sign_in_settings.update'")
    assert [row.actor for row in changes] == [f"user:{admin.id}"]
