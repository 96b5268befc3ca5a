"""Sign in, refresh sessions, and sign out with immediate effect."""

import asyncio
import time
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from tests.api import ADMIN_EMAIL, ADMIN_PASSWORD, Api, api_settings, open_api

from lectern.accounts.errors import TooManySignIns
from lectern.accounts.passwords import PasswordHasher
from lectern.accounts.tokens import TokenClaims
from lectern.settings import AccountsSettings

AUTH = "/api/v1/auth"
OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
async def fresh(database: ThrowawayDatabase, tmp_path: Path) -> Any:
    """The API on its first day: its administrator is the one of the settings."""
    async with open_api(api_settings(database, tmp_path), is_new=True) as made:
        yield made


async def sign_in(api: Api, password: str = ADMIN_PASSWORD, **more: Any) -> httpx.Response:
    body = {"email": ADMIN_EMAIL, "password": password, **more}
    return await api.client.post(f"{AUTH}/sign-in", json=body)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def me(api: Api, token: str) -> int:
    return (await api.client.get(f"{AUTH}/me", headers=bearer(token))).status_code


async def test_a_browser_gets_cookies_that_scripts_cannot_read(fresh: Api) -> None:
    response = await sign_in(fresh)
    assert response.status_code == 200
    assert "access_token" not in response.text or response.json()["access_token"] is None
    session, refresh = response.headers.get_list("set-cookie")
    assert session.startswith("lectern_session=")
    assert refresh.startswith("lectern_refresh=")
    for cookie in (session, refresh):
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
    assert "Path=/;" in session
    assert f"Path={AUTH}/refresh" in refresh
    assert (await fresh.client.get(f"{AUTH}/me")).json()["role"] == "admin"
    signed_out = await fresh.client.post(f"{AUTH}/sign-out", headers=OWN)
    assert signed_out.status_code == 200
    assert (await fresh.client.get(f"{AUTH}/me")).status_code == 401


@pytest.mark.parametrize(
    ("http", "is_secure"),
    [
        ({"cookie_secure": None}, False),
        ({"cookie_secure": None, "public_url": "http://docs.example"}, False),
        ({"cookie_secure": None, "public_url": "https://docs.example"}, True),
        ({"cookie_secure": False, "public_url": "https://docs.example"}, False),
        ({"cookie_secure": True}, True),
    ],
)
async def test_cookies_are_for_https_only_where_people_use_it(
    database: ThrowawayDatabase,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    http: dict[str, object],
    is_secure: bool,  # noqa: FBT001 - a case of the table
) -> None:
    settings = api_settings(database, tmp_path, http=http)
    async with open_api(settings, is_new=True) as api:
        cookies = (await sign_in(api)).headers.get_list("set-cookie")
        assert [("Secure" in cookie) for cookie in cookies] == [is_secure] * 2
        assert ("plain HTTP" in caplog.text) is is_secure
        api.client.base_url = api.client.base_url.copy_with(scheme="https")
        cookies = (await sign_in(api)).headers.get_list("set-cookie")
        assert all("Secure" in cookie for cookie in cookies) is (http["cookie_secure"] is not False)


async def test_another_site_cannot_sign_a_browser_in(fresh: Api) -> None:
    body = {"email": ADMIN_EMAIL, "password": ADMIN_PASSWORD}
    response = await fresh.client.post(f"{AUTH}/sign-in", json=body, headers={"Sec-Fetch-Site": "cross-site"})
    assert (response.status_code, response.json()["code"]) == (403, "cross_site_request")


@pytest.mark.parametrize("operation", ["sign-in", "refresh", "password", "sign-out"])
async def test_bodies_of_sign_in_are_limited(fresh: Api, operation: str) -> None:
    async def unannounced() -> AsyncGenerator[bytes]:
        yield b'{"email": "'
        yield b"x" * 10_000

    headers = {"Content-Type": "application/json"}
    announced = await fresh.client.post(f"{AUTH}/{operation}", content=b"x" * 8_193, headers=headers)
    assert (announced.status_code, announced.json()["code"]) == (413, "body_too_large")
    assert "8,192" in announced.json()["detail"]
    if operation != "sign-out":  # It reads no body.
        response = await fresh.client.post(f"{AUTH}/{operation}", content=unannounced(), headers=headers)
        assert (response.status_code, response.json()["code"]) == (413, "body_too_large")


async def test_body_of_sign_in_below_the_limit_is_read(fresh: Api) -> None:
    padding = " " * 8_000
    body = f'{{"email": "{ADMIN_EMAIL}", "password": "{ADMIN_PASSWORD}"{padding}}}'
    response = await fresh.client.post(f"{AUTH}/sign-in", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 200


async def test_a_wrong_password_and_an_unknown_address_are_answered_alike(fresh: Api) -> None:
    wrong = await sign_in(fresh, "not the password")
    unknown = await sign_in(fresh, email="nobody@example.org")
    assert wrong.status_code == unknown.status_code == 401
    assert {**wrong.json(), "request_id": ""} == {**unknown.json(), "request_id": ""}
    assert wrong.json()["code"] == "invalid_credentials"
    assert "lectern users set-password" in wrong.json()["hint"]


async def test_a_program_gets_tokens_and_a_refresh_token_works_once(fresh: Api) -> None:
    first = (await sign_in(fresh, use_cookies=False)).json()
    assert await me(fresh, first["access_token"]) == 200
    body = {"refresh_token": first["refresh_token"]}
    second = (await fresh.client.post(f"{AUTH}/refresh", json=body)).json()
    assert await me(fresh, second["access_token"]) == 200
    again = await fresh.client.post(f"{AUTH}/refresh", json=body)
    assert (again.status_code, again.json()["code"]) == (401, "refresh_token_reused")
    # the thief and the victim are both out
    assert await me(fresh, second["access_token"]) == 401
    last = await fresh.client.post(f"{AUTH}/refresh", json={"refresh_token": second["refresh_token"]})
    assert last.status_code == 401
    rows = await fresh.sql("SELECT action FROM audit_events WHERE action = 'session.reuse_detected'")
    assert len(rows) == 1


async def test_a_refresh_token_of_many_exchanges_ago_ends_the_sign_in_too(fresh: Api) -> None:
    tokens = (await sign_in(fresh, use_cookies=False)).json()
    oldest = tokens["refresh_token"]
    for _ in range(3):
        body = {"refresh_token": tokens["refresh_token"]}
        tokens = (await fresh.client.post(f"{AUTH}/refresh", json=body)).json()
    response = await fresh.client.post(f"{AUTH}/refresh", json={"refresh_token": oldest})
    assert response.json()["code"] == "refresh_token_reused"
    assert await me(fresh, tokens["access_token"]) == 401


async def test_the_cookie_of_a_browser_is_refreshed_from_our_own_pages_only(fresh: Api) -> None:
    await sign_in(fresh)
    refused = await fresh.client.post(f"{AUTH}/refresh", headers={"Sec-Fetch-Site": "cross-site"})
    assert refused.status_code == 403
    assert (await fresh.client.post(f"{AUTH}/refresh", headers=OWN)).status_code == 200
    assert (await fresh.client.get(f"{AUTH}/me")).status_code == 200


async def test_signing_out_everywhere_ends_every_token_at_once(fresh: Api) -> None:
    tokens = [(await sign_in(fresh, use_cookies=False)).json()["access_token"] for _ in range(3)]
    listed = (await fresh.client.get(f"{AUTH}/sessions", headers=bearer(tokens[0]))).json()
    assert [session["is_current"] for session in listed].count(True) == 1
    assert len(listed) == 3
    response = await fresh.client.post(f"{AUTH}/sign-out-everywhere", headers=bearer(tokens[0]))
    assert response.status_code == 204
    assert [await me(fresh, token) for token in tokens] == [401, 401, 401]


async def test_one_session_is_ended_at_once_and_only_by_its_owner(fresh: Api) -> None:
    mine, other = [(await sign_in(fresh, use_cookies=False)).json() for _ in range(2)]
    listed = (await fresh.client.get(f"{AUTH}/sessions", headers=bearer(mine["access_token"]))).json()
    (ended,) = [session["id"] for session in listed if not session["is_current"]]
    address, somebody = f"{AUTH}/sessions/{ended}", await fresh.person("admin")
    foreign = await fresh.client.delete(address, headers=somebody.headers)
    assert (foreign.status_code, foreign.json()["code"]) == (404, "session_not_found")
    assert foreign.json()["hint"] == "It may have ended. List your sessions again."
    assert (await fresh.client.delete(address, headers=bearer(mine["access_token"]))).status_code == 204
    assert [await me(fresh, tokens["access_token"]) for tokens in (mine, other)] == [200, 401]
    refresh = await fresh.client.post(f"{AUTH}/refresh", json={"refresh_token": other["refresh_token"]})
    assert refresh.status_code == 401
    again = await fresh.client.delete(address, headers=bearer(mine["access_token"]))
    assert again.json()["code"] == "session_not_found"
    assert len(await fresh.sql("SELECT 1 FROM audit_events WHERE action = 'session.delete'")) == 1


@pytest.mark.parametrize("revoke_keys", [False, True])
@pytest.mark.parametrize("operation", ["password", "sign-out-everywhere"])
async def test_keys_are_revoked_with_the_sessions_if_asked_to(fresh: Api, operation: str, *, revoke_keys: bool) -> None:
    headers = bearer((await sign_in(fresh, use_cookies=False)).json()["access_token"])
    key = bearer((await fresh.client.post("/api/v1/keys", json={"name": "k"}, headers=headers)).json()["key"])
    others = await fresh.key(await fresh.person())
    body: dict[str, Any] = {"revoke_keys": revoke_keys}
    if operation == "password":
        body |= {"current_password": ADMIN_PASSWORD, "new_password": "another long password"}
    assert (await fresh.client.post(f"{AUTH}/{operation}", json=body, headers=headers)).status_code == 204
    statuses = [(await fresh.client.get(f"{AUTH}/me", headers=given)).status_code for given in (key, others)]
    assert statuses == [401 if revoke_keys else 200, 200]


async def test_an_expired_access_token_still_signs_out(fresh: Api) -> None:
    person = await fresh.person()
    claims = TokenClaims(person.id, person.session_id)
    past = datetime.now(UTC) - timedelta(hours=2)
    old = fresh.accounts.tokens.sign(claims, audience="lectern:access", now=past, life=timedelta(hours=1))
    assert await me(fresh, old) == 401
    await fresh.client.post(f"{AUTH}/sign-out", headers=bearer(old))
    assert await me(fresh, person.token) == 401


@pytest.mark.parametrize("token", ["", "x", "lk_", "lk_00000000_x", "a.b.c", "\u00e9", "x" * 9_000])
async def test_a_token_that_is_none_is_refused(api: Api, token: str) -> None:
    response = await api.client.get(f"{AUTH}/me", headers={b"Authorization": f"Bearer {token}".encode()})
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == 'Bearer realm="lectern"'


async def test_tokens_are_good_for_one_purpose_and_one_secret(api: Api, fresh_secret_api: Api) -> None:
    person = await api.person()
    claims = TokenClaims(person.id, person.session_id)
    now, life = datetime.now(UTC), timedelta(hours=1)
    refresh = api.accounts.tokens.sign(claims, audience="lectern:refresh", now=now, life=life)
    foreign = fresh_secret_api.accounts.tokens.sign(claims, audience="lectern:access", now=now, life=life)
    assert [await me(api, token) for token in (refresh, foreign)] == [401, 401]
    response = await api.client.post(f"{AUTH}/refresh", json={"refresh_token": person.token})
    assert response.status_code == 401


@pytest.fixture
async def fresh_secret_api(database: ThrowawayDatabase, tmp_path: Path) -> Any:
    settings = api_settings(database, tmp_path, accounts={"jwt_secret_key": "another-secret-0123456789-0123456789"})
    async with open_api(settings, is_new=True) as made:
        yield made


async def test_a_user_who_may_no_longer_sign_in_is_out_at_once(api: Api) -> None:
    admin, person = await api.person("admin"), await api.person()
    await api.client.patch(f"/api/v1/users/{person.id}", json={"is_active": False}, headers=admin.headers)
    assert await me(api, person.token) == 401


async def test_failed_sign_ins_make_the_next_one_wait_and_not_everybody_else(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    settings = api_settings(database, tmp_path, accounts={"login_attempts_per_15_minutes": 3})
    async with open_api(settings, is_new=True) as api:
        statuses = [(await sign_in(api, "wrong wrong wrong")).status_code for _ in range(4)]
        assert statuses == [401, 401, 401, 429]
        refused = await sign_in(api)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_sign_ins")
        assert 0 < int(refused.headers["retry-after"]) <= 300
        other = await sign_in(api, email="somebody@example.org")
        assert other.status_code == 401


async def sign_in_from(api: Api, ip: str, password: str = "wrong wrong wrong", email: str = ADMIN_EMAIL) -> int:
    transport = httpx.ASGITransport(api.app, client=(ip, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://lectern.test") as client:
        return (await client.post(f"{AUTH}/sign-in", json={"email": email, "password": password})).status_code


async def test_other_clients_do_not_lock_an_account_out(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path, accounts={"login_attempts_per_15_minutes": 1})
    async with open_api(settings, is_new=True) as api:
        assert await sign_in_from(api, "192.0.2.1", ADMIN_PASSWORD) == 200
        others = [await sign_in_from(api, f"198.51.100.{number}") for number in range(12)]
        assert others == [401] * 10 + [429] * 2
        assert await sign_in_from(api, "203.0.113.1", ADMIN_PASSWORD) == 429
        assert await sign_in_from(api, "192.0.2.1", ADMIN_PASSWORD) == 200
        assert await sign_in_from(api, "198.51.100.99") == 401  # The right password forgives.


async def test_own_account_does_not_reset_the_limit_of_the_client(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path, accounts={"login_attempts_per_15_minutes": 2})
    async with open_api(settings, is_new=True) as api:
        refused = 0
        for number in range(12):
            refused += await sign_in_from(api, "192.0.2.1", email=f"{number}@example.org") == 429
            await sign_in_from(api, "192.0.2.1", ADMIN_PASSWORD)
        assert refused == 2
        assert await sign_in_from(api, "192.0.2.2", ADMIN_PASSWORD) == 200


async def test_addresses_of_one_ipv6_network_count_as_one_client(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path, accounts={"login_attempts_per_15_minutes": 1})
    async with open_api(settings, is_new=True) as api:
        assert [await sign_in_from(api, f"2001:db8::{number}") for number in (1, 2)] == [401, 429]
        assert await sign_in_from(api, "2001:db8:0:1::1") == 401


def default_hasher() -> PasswordHasher:
    """Return the hasher of an installation. Those of the other tests are cheap."""
    settings = AccountsSettings()
    return PasswordHasher(passes=settings.password_hash_passes, kib=settings.password_hash_kib)


async def test_a_hash_has_the_cost_of_rfc_9106() -> None:
    hasher, password = default_hasher(), SecretStr("some password")
    cheap = PasswordHasher(passes=1, kib=32)
    made, weak = await hasher.hash(password), await cheap.hash(password)
    assert made.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert (hasher.is_outdated(made), hasher.is_outdated(weak)) == (False, True)
    assert await hasher.verify(password, weak)
    hasher.close()
    cheap.close()


async def test_an_unknown_user_costs_as_much_as_a_wrong_password() -> None:
    hasher = default_hasher()
    made = await hasher.hash(SecretStr("some password"))

    async def measure(password_hash: str | None) -> float:
        """Return the processor time, which other processes do not change."""
        started_at = time.process_time()
        assert await hasher.verify(SecretStr("another password"), password_hash) is False
        return time.process_time() - started_at

    known, unknown = [min([await measure(one) for _ in range(5)]) for one in (made, None)]
    assert 0.5 < unknown / known < 2
    hasher.close()


async def test_hashing_has_a_short_queue() -> None:
    hasher, password = PasswordHasher(passes=1, kib=32), SecretStr("some password")
    outcomes = await asyncio.gather(*(hasher.verify(password, None) for _ in range(24)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes].count(TooManySignIns) == 4
    assert await hasher.verify(password, None) is False
    hasher.close()


async def test_a_right_password_forgives_the_failures_before(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path, accounts={"login_attempts_per_15_minutes": 2})
    async with open_api(settings, is_new=True) as api:
        for _ in range(3):
            assert (await sign_in(api, "wrong wrong wrong")).status_code == 401
            assert (await sign_in(api)).status_code == 200


async def test_a_new_password_ends_the_other_sign_ins(fresh: Api) -> None:
    mine, other = [(await sign_in(fresh, use_cookies=False)).json()["access_token"] for _ in range(2)]
    body = {"current_password": "wrong wrong wrong", "new_password": "another long password"}
    wrong = await fresh.client.post(f"{AUTH}/password", json=body, headers=bearer(mine))
    assert wrong.json()["code"] == "wrong_password"
    body["current_password"] = ADMIN_PASSWORD
    changed = await fresh.client.post(f"{AUTH}/password", json=body, headers=bearer(mine))
    assert changed.status_code == 204
    assert [await me(fresh, token) for token in (mine, other)] == [200, 401]
    assert (await sign_in(fresh)).status_code == 401
    assert (await sign_in(fresh, "another long password")).status_code == 200


async def test_passwords_are_not_stored_or_logged(fresh: Api, caplog: pytest.LogCaptureFixture) -> None:
    await sign_in(fresh)
    (row,) = await fresh.sql("SELECT password_hash FROM users")
    assert row[0].startswith("$argon2id$")
    assert ADMIN_PASSWORD not in row[0] + caplog.text
