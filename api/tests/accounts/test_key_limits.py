"""Rotation, networks and lifetimes of API keys."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import SERVICE_KEY, Api, Person, api_settings, open_api

from lectern.accounts.authentication import is_address_allowed
from lectern.accounts.keys.service import ENVIRONMENT_KEY_ID

KEYS = "/api/v1/keys"
ME = "/api/v1/auth/me"
SERVICE = {"Authorization": f"Bearer {SERVICE_KEY}"}


def in_days(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


async def status(api: Api, secret: str) -> int:
    return (await api.client.get(ME, headers={"Authorization": f"Bearer {secret}"})).status_code


async def introspect(api: Api, secret: str, client: str | None = None) -> dict[str, Any]:
    body = {"key": secret, "client": client}
    return (await api.client.post(f"{KEYS}/introspect", json=body, headers=SERVICE)).json()


async def make(api: Api, maker: Person, **wanted: Any) -> tuple[str, str]:
    """Return the address and the secret of a new key."""
    made = (await api.client.post(KEYS, json={"name": "k", **wanted}, headers=maker.headers)).json()
    return f"{KEYS}/{made['api_key']['id']}", made["key"]


async def rotate(api: Api, maker: Person, address: str, **wanted: Any) -> httpx.Response:
    return await api.client.post(f"{address}/rotate", json=wanted, headers=maker.headers)


async def test_both_secrets_work_until_the_overlap_ends(api: Api) -> None:
    editor = await api.person()
    address, old = await make(api, editor)
    rotated = (await rotate(api, editor, address)).json()
    new, listed = rotated["key"], rotated["api_key"]
    assert new.startswith(listed["prefix"] + "_")
    assert old.startswith(listed["previous_prefix"] + "_")
    hours = (datetime.fromisoformat(listed["previous_expires_at"]) - datetime.now(UTC)).total_seconds() / 3600
    assert 23.9 < hours <= 24
    assert [await status(api, secret) for secret in (old, new)] == [200, 200]
    assert (await introspect(api, old))["expires_at"] == listed["previous_expires_at"]
    behalf = (await introspect(api, old))["principal"]
    assert (await api.client.get(ME, headers={**SERVICE, "X-Lectern-Principal": behalf})).status_code == 200
    await api.sql("UPDATE api_keys SET previous_expires_at = now()")
    assert [await status(api, secret) for secret in (old, new)] == [401, 200]
    assert not (await introspect(api, old))["is_active"]
    assert (await api.client.get(ME, headers={**SERVICE, "X-Lectern-Principal": behalf})).status_code == 401


async def test_rotation_without_overlap_ends_the_old_secret_at_once(api: Api) -> None:
    editor, other = await api.person(), await api.person()
    address, old = await make(api, editor)
    new = (await rotate(api, editor, address, overlap_hours=0)).json()["key"]
    assert [await status(api, secret) for secret in (old, new)] == [401, 200]
    newest = (await rotate(api, editor, address)).json()["key"]
    assert [await status(api, secret) for secret in (old, new, newest)] == [401, 200, 200]
    await api.client.delete(address, headers=editor.headers)
    assert [await status(api, secret) for secret in (new, newest)] == [401, 401]
    assert (await rotate(api, editor, address)).json()["code"] == "api_key_inactive"
    assert (await rotate(api, other, address)).json()["code"] == "api_key_not_found"


async def test_an_old_secret_never_outlives_its_key(api: Api) -> None:
    editor = await api.person()
    soon = in_days(1 / 24)
    address, old = await make(api, editor, expires_at=soon)
    listed = (await rotate(api, editor, address, overlap_hours=720, expires_at=in_days(90))).json()["api_key"]
    assert datetime.fromisoformat(listed["previous_expires_at"]) == datetime.fromisoformat(soon)
    assert datetime.fromisoformat(listed["expires_at"]) > datetime.now(UTC) + timedelta(days=89)
    assert (await introspect(api, old))["expires_at"] == listed["previous_expires_at"]


@pytest.mark.parametrize(
    ("networks", "address", "is_allowed"),
    [
        (None, "", True),
        (["10.0.0.0/8"], "10.1.2.3", True),
        (["10.0.0.0/8"], "::ffff:10.1.2.3", True),
        (["10.0.0.0/8"], "11.1.2.3", False),
        (["192.0.2.1/32", "2001:db8::/32"], "2001:db8:1::7", True),
        (["2001:db8::/32"], "192.0.2.1", False),
        (["0.0.0.0/0", "::/0"], "unknown", False),
        (["0.0.0.0/0"], "10.0.0.1, 10.0.0.2", False),
    ],
)
def test_addresses_and_networks(networks: list[str] | None, address: str, *, is_allowed: bool) -> None:
    assert is_address_allowed(networks, address) is is_allowed


async def test_key_works_from_its_networks_only(api: Api) -> None:
    editor = await api.person()
    address, secret = await make(api, editor, allowed_networks=["10.0.0.0/8", "2001:db8::/32"])
    refused = await api.client.get(ME, headers={"Authorization": f"Bearer {secret}"})
    assert (refused.status_code, refused.json()["code"]) == (403, "address_not_allowed")
    assert "127.0.0.1" in refused.json()["detail"]
    changed = await api.client.patch(address, json={"allowed_networks": ["127.0.0.0/8"]}, headers=editor.headers)
    assert changed.json()["allowed_networks"] == ["127.0.0.0/8"]
    assert await status(api, secret) == 200
    await api.client.patch(address, json={"allowed_networks": None}, headers=editor.headers)
    assert await status(api, secret) == 200
    for wrong in (["10.0.0.1/8"], ["somewhere"], []):
        body = {"name": "k", "allowed_networks": wrong}
        response = await api.client.post(KEYS, json=body, headers=editor.headers)
        assert (response.status_code, response.json()["code"]) == (422, "validation_error")
        (error,) = response.json()["errors"]
        assert error["message"] in {"Must be a network such as 10.0.0.0/8", "Must have at least 1 item"}


async def test_service_forwards_the_address_and_nobody_else_can(api: Api) -> None:
    editor = await api.person()
    _, secret = await make(api, editor, allowed_networks=["10.0.0.0/8"])
    assert not (await introspect(api, secret, "192.0.2.1"))["is_active"]
    behalf = {**SERVICE, "X-Lectern-Principal": str((await introspect(api, secret, "10.0.0.7"))["principal"])}
    for client, expected in (("10.0.0.7", 200), ("192.0.2.1", 403), ("unknown", 403)):
        response = await api.client.get(ME, headers={**behalf, "X-Lectern-Client": client})
        assert response.status_code == expected
    own = {"Authorization": f"Bearer {secret}", "X-Lectern-Client": "10.0.0.7"}
    assert (await api.client.get(ME, headers=own)).json()["code"] == "address_not_allowed"


@pytest.fixture
async def strict(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    settings = api_settings(database, tmp_path, accounts={"key_max_days": 30, "mcp_api_key": "k" * 40})
    async with open_api(settings) as made:
        yield made


async def test_keys_must_expire_where_the_policy_says_so(strict: Api) -> None:
    editor = await strict.person()
    for wanted in ({}, {"expires_at": None}, {"expires_at": in_days(31)}):
        refused = await strict.client.post(KEYS, json={"name": "k", **wanted}, headers=editor.headers)
        assert (refused.status_code, refused.json()["code"]) == (422, "key_lifetime_refused")
        assert "30 days" in refused.json()["hint"]
    address, _ = await make(strict, editor, expires_at=in_days(30))
    assert (await strict.client.get(f"{KEYS}/policy", headers=editor.headers)).json()["max_days"] == 30
    assert (await rotate(strict, editor, address, expires_at=in_days(60))).json()["code"] == "key_lifetime_refused"
    await strict.sql("UPDATE api_keys SET expires_at = NULL")
    assert (await rotate(strict, editor, address)).json()["code"] == "key_lifetime_refused"
    assert (await rotate(strict, editor, address, expires_at=in_days(29))).status_code == 200


async def test_key_from_the_environment_is_not_rotated(strict: Api) -> None:
    admin = await strict.person("admin")
    refused = await rotate(strict, admin, f"{KEYS}/{ENVIRONMENT_KEY_ID}")
    assert (refused.status_code, refused.json()["code"]) == (409, "key_from_environment")
