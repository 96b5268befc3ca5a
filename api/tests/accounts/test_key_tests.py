"""The token with which the API tests a key: for introspection only, for seconds, and for a valid key."""

import uuid
from datetime import UTC, datetime, timedelta

from pydantic import SecretStr
from tests.api import SERVICE_KEY, Api, Person

from lectern.accounts.keys.connection import TOKEN_LIFE, read_test_token
from lectern.accounts.tokens import Audience, TokenClaims

KEYS = "/api/v1/keys"
SERVICE = {"Authorization": f"Bearer {SERVICE_KEY}"}


def sign(api: Api, person: Person, key_id: str, *, audience: Audience = "lectern:key-test", age: int = 0) -> str:
    claims = TokenClaims(person.id, uuid.UUID(key_id))
    now = datetime.now(UTC) - timedelta(seconds=age)
    return api.accounts.tokens.sign(claims, audience=audience, now=now, life=TOKEN_LIFE)


async def introspect(api: Api, secret: str) -> dict[str, object]:
    return (await api.client.post(f"{KEYS}/introspect", json={"key": secret}, headers=SERVICE)).json()


async def made_key(api: Api, person: Person) -> str:
    made = await api.client.post(KEYS, json={"name": "k", "toolsets": ["answers"]}, headers=person.headers)
    return made.json()["api_key"]["id"]


async def test_a_token_has_the_permissions_of_its_key_for_seconds(api: Api) -> None:
    person = await api.person()
    key_id = await made_key(api, person)
    granted = await introspect(api, sign(api, person, key_id))
    assert (granted["is_active"], granted["toolsets"]) == (True, ["answers"])
    assert str(granted["principal"]).startswith(f"key:{key_id}:lk_")
    assert datetime.fromisoformat(str(granted["expires_at"])) <= datetime.now(UTC) + TOKEN_LIFE
    await api.client.delete(f"{KEYS}/{key_id}", headers=person.headers)
    assert not (await introspect(api, sign(api, person, key_id)))["is_active"]


async def test_old_and_other_tokens_are_no_keys(api: Api) -> None:
    person = await api.person()
    key_id = await made_key(api, person)
    old = sign(api, person, key_id, age=31)
    access = sign(api, person, key_id, audience="lectern:access")
    for token in (old, access, person.token):
        assert not (await introspect(api, token))["is_active"]
        assert read_test_token(api.accounts.tokens, SecretStr(token)) is None


async def test_a_token_opens_nothing_else(api: Api) -> None:
    person = await api.person()
    headers = {"Authorization": f"Bearer {sign(api, person, await made_key(api, person))}"}
    for path in ("/api/v1/auth/me", "/api/v1/documents", KEYS):
        assert (await api.client.get(path, headers=headers)).status_code == 401


async def test_nobody_tests_the_key_of_another_person(api: Api) -> None:
    owner, other = await api.person(), await api.person()
    path = f"{KEYS}/{await made_key(api, owner)}/test"
    foreign, unknown = [
        await api.client.post(target, headers=other.headers) for target in (path, f"{KEYS}/{uuid.uuid4()}/test")
    ]
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.json()["code"] == unknown.json()["code"] == "api_key_not_found"
