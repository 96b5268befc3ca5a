"""Two-factor authentication: RFC vectors, enrolment, the second step of signing in, recovery and reset."""

import asyncio
import base64
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from tests.accounts.test_sign_in import AUTH, bearer, me, sign_in
from tests.api import ADMIN_PASSWORD, Api, api_settings, open_api

from lectern.accounts.second_factor import totp

SECOND = f"{AUTH}/second-factor"
PASSWORD = {"current_password": ADMIN_PASSWORD}


@pytest.fixture
async def fresh(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_api(api_settings(database, tmp_path), is_new=True) as made:
        yield made


def code_of(secret: str, *, steps: int = 0) -> str:
    return totp.hotp(base64.b32decode(secret), totp.current_step(time.time()) + steps)


async def enrol(api: Api) -> tuple[str, list[str], dict[str, str]]:
    """Turn it on for the administrator. Return the secret, the recovery codes and the headers of the session."""
    headers = bearer((await sign_in(api, use_cookies=False)).json()["access_token"])
    begun = await api.client.post(SECOND, json=PASSWORD, headers=headers)
    assert begun.status_code == 200
    secret = begun.json()["secret"]
    code = code_of(secret, steps=-1)
    confirmed = await api.client.post(f"{SECOND}/confirm", json={"code": code}, headers=headers)
    assert confirmed.status_code == 200, confirmed.text
    return secret, confirmed.json()["recovery_codes"], headers


async def challenge(api: Api) -> str:
    response = await sign_in(api, use_cookies=False)
    assert (response.status_code, response.json()["code"]) == (401, "second_factor_required")
    assert "access_token" not in response.text
    assert not response.headers.get_list("set-cookie")
    return response.json()["challenge_token"]


async def second_step(api: Api, challenge_token: str, code: str) -> httpx.Response:
    body = {"challenge_token": challenge_token, "code": code, "use_cookies": False}
    return await api.client.post(f"{AUTH}/sign-in/second-factor", json=body)


@pytest.mark.parametrize(
    ("counter", "code"),
    list(
        enumerate(["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"])
    ),
)
def test_hotp_has_the_codes_of_rfc_4226(counter: int, code: str) -> None:
    assert totp.hotp(b"12345678901234567890", counter) == code


@pytest.mark.parametrize(
    ("at", "sha1", "sha256", "sha512"),
    [
        (59, "94287082", "46119246", "90693936"),
        (1111111109, "07081804", "68084774", "25091201"),
        (1111111111, "14050471", "67062674", "99943326"),
        (1234567890, "89005924", "91819424", "93441116"),
        (2000000000, "69279037", "90698825", "38618901"),
        (20000000000, "65353130", "77737706", "47863826"),
    ],
)
def test_totp_has_the_codes_of_rfc_6238(at: int, sha1: str, sha256: str, sha512: str) -> None:
    seed = b"1234567890" * 7
    for algorithm, length, code in (("sha1", 20, sha1), ("sha256", 32, sha256), ("sha512", 64, sha512)):
        assert totp.hotp(seed[:length], totp.current_step(at), digits=8, algorithm=algorithm) == code


def test_a_code_is_accepted_one_step_early_or_late_only() -> None:
    secret = totp.new_secret()
    codes = {drift: totp.hotp(base64.b32decode(secret), 1_000 + drift) for drift in range(-2, 3)}
    steps = {drift: totp.find_step(secret, code, at=30_000.0) for drift, code in codes.items()}
    assert steps == {-2: None, -1: 999, 0: 1_000, 1: 1_001, 2: None}
    assert totp.find_step(secret, "\u0661\u0662\u0663456", at=30_000.0) is None


async def test_enrolment_asks_for_the_password_and_a_code(fresh: Api) -> None:
    headers = bearer((await sign_in(fresh, use_cookies=False)).json()["access_token"])
    early = await fresh.client.post(f"{SECOND}/confirm", json={"code": "123456"}, headers=headers)
    assert (early.status_code, early.json()["code"]) == (409, "second_factor_not_enabled")
    assert early.json()["hint"] == "Begin the setup first."
    wrong = await fresh.client.post(SECOND, json={"current_password": "wrong wrong wrong"}, headers=headers)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "wrong_password")
    begun = (await fresh.client.post(SECOND, json=PASSWORD, headers=headers)).json()
    assert begun["uri"].startswith("otpauth://totp/Lectern:admin%40example.org?secret=" + begun["secret"])
    assert (await sign_in(fresh)).status_code == 200  # not confirmed yet
    refused = await fresh.client.post(f"{SECOND}/confirm", json={"code": "000000"}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "wrong_code")
    body = {"code": code_of(begun["secret"])}
    confirmed = await fresh.client.post(f"{SECOND}/confirm", json=body, headers=headers)
    assert len(set(confirmed.json()["recovery_codes"])) == 10
    assert confirmed.headers["cache-control"] == "no-store"
    assert (await fresh.client.get(SECOND, headers=headers)).json() == {"is_enabled": True, "recovery_codes_left": 10}
    for path, again in ((SECOND, PASSWORD), (f"{SECOND}/confirm", body)):
        response = await fresh.client.post(path, json=again, headers=headers)
        assert (response.status_code, response.json()["code"]) == (409, "second_factor_enabled")


async def test_the_secret_is_encrypted_and_recovery_codes_are_hashed(fresh: Api) -> None:
    secret, codes, _ = await enrol(fresh)
    ((stored, hashes),) = await fresh.sql("SELECT totp_secret, recovery_code_hashes FROM users")
    assert secret not in stored
    assert fresh.accounts.cipher.decrypt(stored) == secret
    assert len(hashes) == 10
    assert not any(code.replace("-", "") in str(hashes) for code in codes)
    audit = str(await fresh.sql("SELECT action, details FROM audit_events"))
    assert "second_factor.enable" in audit
    assert secret not in audit


async def test_signing_in_takes_a_second_step_and_a_code_works_once(fresh: Api) -> None:
    secret, _, _ = await enrol(fresh)
    token = await challenge(fresh)
    assert await me(fresh, token) == 401  # no session
    refresh = await fresh.client.post(f"{AUTH}/refresh", json={"refresh_token": token})
    assert refresh.status_code == 401
    code = code_of(secret)
    signed_in = await second_step(fresh, token, f"{code[:3]} {code[3:]}")
    assert signed_in.status_code == 200
    assert await me(fresh, signed_in.json()["access_token"]) == 200
    for wrong in (code, code_of(secret, steps=-1), "12"):  # two replayed, one too short
        response = await second_step(fresh, await challenge(fresh), wrong)
        assert (response.status_code, response.json()["code"]) == (422, "wrong_code")
    refused = await fresh.sql("SELECT 1 FROM audit_events WHERE action = 'second_factor.refused'")
    assert len(refused) == 3
    assert (await second_step(fresh, token, code_of(secret, steps=1))).status_code == 200


async def test_of_two_requests_with_one_code_one_signs_in(fresh: Api) -> None:
    secret, codes, _ = await enrol(fresh)
    token = await challenge(fresh)
    for code in (code_of(secret), codes[0]):
        responses = await asyncio.gather(*(second_step(fresh, token, code) for _ in range(4)))
        assert sorted(response.status_code for response in responses) == [200, 422, 422, 422]


async def test_a_browser_gets_its_cookies_after_the_second_step(fresh: Api) -> None:
    secret, _, _ = await enrol(fresh)
    body: dict[str, Any] = {"challenge_token": await challenge(fresh), "code": code_of(secret)}
    elsewhere = await fresh.client.post(
        f"{AUTH}/sign-in/second-factor", json=body, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (403, "cross_site_request")
    response = await fresh.client.post(f"{AUTH}/sign-in/second-factor", json=body)
    assert len(response.headers.get_list("set-cookie")) == 2
    assert (await fresh.client.get(f"{AUTH}/me")).status_code == 200


@pytest.mark.parametrize("token", ["x", "a.b.c"])
async def test_a_challenge_that_is_none_is_refused(fresh: Api, token: str) -> None:
    access = (await sign_in(fresh, use_cookies=False)).json()["access_token"]
    for given in (token, access):
        response = await second_step(fresh, given, "123456")
        assert (response.status_code, response.json()["code"]) == (401, "challenge_expired")


async def test_recovery_codes_work_once_each(fresh: Api) -> None:
    _, codes, headers = await enrol(fresh)
    assert (await second_step(fresh, await challenge(fresh), codes[0].upper())).status_code == 200
    assert (await second_step(fresh, await challenge(fresh), codes[0])).json()["code"] == "wrong_code"
    assert (await second_step(fresh, await challenge(fresh), codes[1].replace("-", " "))).status_code == 200
    assert (await fresh.client.get(SECOND, headers=headers)).json()["recovery_codes_left"] == 8
    used = await fresh.sql("SELECT 1 FROM audit_events WHERE action = 'second_factor.use_recovery_code'")
    assert len(used) == 2


async def test_wrong_codes_make_the_next_one_wait(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path, accounts={"login_attempts_per_15_minutes": 3})
    async with open_api(settings, is_new=True) as api:
        secret, codes, _ = await enrol(api)
        token = await challenge(api)
        statuses = [(await second_step(api, token, "000000")).status_code for _ in range(4)]
        assert statuses == [422, 422, 422, 429]
        for right in (code_of(secret), codes[0]):
            response = await second_step(api, token, right)
            assert (response.status_code, response.json()["code"]) == (429, "too_many_sign_ins")


async def test_turning_it_off_takes_the_password_and_a_code(fresh: Api) -> None:
    secret, codes, headers = await enrol(fresh)
    for body, code in (
        ({"current_password": "wrong wrong wrong", "code": code_of(secret)}, "wrong_password"),
        ({**PASSWORD, "code": "000000"}, "wrong_code"),
    ):
        response = await fresh.client.post(f"{SECOND}/disable", json=body, headers=headers)
        assert (response.status_code, response.json()["code"]) == (422, code)
    body = {**PASSWORD, "code": codes[0]}
    assert (await fresh.client.post(f"{SECOND}/disable", json=body, headers=headers)).status_code == 204
    assert (await sign_in(fresh)).status_code == 200
    assert (await fresh.client.post(f"{SECOND}/disable", json=body, headers=headers)).status_code == 409
    ((stored, hashes),) = await fresh.sql("SELECT totp_secret, recovery_code_hashes FROM users")
    assert (stored, hashes) == (None, [])
    begun = (await fresh.client.post(SECOND, json=PASSWORD, headers=headers)).json()  # again, in the same step
    body = {"code": code_of(begun["secret"])}
    assert (await fresh.client.post(f"{SECOND}/confirm", json=body, headers=headers)).status_code == 200


async def test_an_administrator_resets_a_lost_second_factor(fresh: Api) -> None:
    secret, _, headers = await enrol(fresh)
    listed = (await fresh.client.get("/api/v1/users", headers=headers)).json()["items"]
    assert [user["has_second_factor"] for user in listed] == [True]
    token = await challenge(fresh)
    editor, admin = await fresh.person(), await fresh.person("admin")
    address = f"/api/v1/users/{listed[0]['id']}/second-factor"
    assert (await fresh.client.delete(address, headers=editor.headers)).status_code == 403
    assert (await fresh.client.delete(address, headers=admin.headers)).status_code == 204
    assert (await second_step(fresh, token, code_of(secret))).json()["code"] == "challenge_expired"
    assert (await sign_in(fresh)).status_code == 200
    events = await fresh.sql("SELECT actor FROM audit_events WHERE action = 'second_factor.reset'")
    assert events == [(f"user:{admin.id}",)]
    unknown = f"/api/v1/users/{editor.session_id}/second-factor"
    assert (await fresh.client.delete(unknown, headers=admin.headers)).json()["code"] == "user_not_found"


async def test_api_keys_work_without_a_code_and_cannot_change_it(fresh: Api) -> None:
    _, _, headers = await enrol(fresh)
    made = await fresh.client.post("/api/v1/keys", json={"name": "k"}, headers=headers)
    key = bearer(made.json()["key"])
    assert (await fresh.client.get(f"{AUTH}/me", headers=key)).status_code == 200
    assert (await fresh.client.get(SECOND, headers=key)).json()["code"] == "people_only"


async def test_a_new_signing_key_reads_secrets_of_the_previous_one(database: ThrowawayDatabase, tmp_path: Path) -> None:
    old, new, other = (SecretStr(letter * 40) for letter in "onx")
    keys = [old.get_secret_value(), f"{new.get_secret_value()},{old.get_secret_value()}", new.get_secret_value()]
    secret, codes = "", list[str]()
    for number, value in enumerate(keys):
        settings = api_settings(database, tmp_path, accounts={"jwt_secret_key": SecretStr(value)})
        async with open_api(settings, is_new=True) as api:
            if number == 0:
                secret, codes, _ = await enrol(api)
            else:
                response = await second_step(api, await challenge(api), code_of(secret, steps=number - 1))
                assert response.status_code == 200
    async with open_api(api_settings(database, tmp_path, accounts={"jwt_secret_key": other}), is_new=True) as api:
        token = await challenge(api)
        unreadable = await second_step(api, token, code_of(secret, steps=1))
        assert (unreadable.status_code, unreadable.json()["code"]) == (409, "second_factor_unreadable")
        assert (await second_step(api, token, codes[0])).status_code == 200
