"""Single sign-on: requests and tokens that are forged, replayed or late, and what a right one gives."""

import time
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.accounts.forging_provider import (
    CLIENT_ID,
    SSO,
    ForgingProvider,
    come_back,
    depart,
    forging_provider,
    settings_of,
    sign_in_over,
)
from tests.api import Api, api_settings, open_api

from lectern.accounts.single_sign_on.service import read_next

AUTH = "/api/v1/auth"
OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def provider() -> Generator[ForgingProvider]:
    with forging_provider() as made:
        yield made


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path, provider: ForgingProvider) -> AsyncGenerator[Api]:
    accounts = {**settings_of(provider), "login_attempts_per_15_minutes": 10}
    async with open_api(api_settings(database, tmp_path, accounts=accounts)) as made:
        await made.sql("UPDATE sign_in_settings SET default_role = 'reader'")
        yield made


async def audit(api: Api, action: str) -> list[Any]:
    rows = await api.sql("SELECT details FROM audit_events WHERE action = :action ORDER BY id", action=action)
    return [row.details for row in rows]


async def test_the_first_sign_in_creates_an_account_and_a_session(api: Api, provider: ForgingProvider) -> None:
    response = await sign_in_over(api, provider, next_page="/documents?q=budget")
    assert (response.status_code, response.headers["location"]) == (303, "/documents?q=budget")
    session, refresh = response.headers.get_list("set-cookie")
    for cookie in (session, refresh):
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
    me = (await api.client.get(f"{AUTH}/me")).json()
    assert (me["name"], me["role"], me["has_password"]) == ("ada@example.org", "reader", False)
    (listed,) = (await api.client.get(f"{AUTH}/sessions")).json()
    assert listed["is_current"]
    ((user_id, password_hash, id_token),) = await api.sql(
        "SELECT u.id, password_hash, id_token FROM users u JOIN sessions s ON s.user_id = u.id WHERE name <> ''"
    )
    assert password_hash is None
    assert id_token.startswith("gAAAA")  # encrypted
    assert str(user_id) == me["id"]
    assert await audit(api, "user.create") == [{"issuer": provider.issuer, "email": "ada@example.org"}]
    assert await audit(api, "session.create") == [{"single_sign_on": True}]
    again = await sign_in_over(api, provider)
    assert again.headers["location"] == "/"
    assert (await api.client.get(f"{AUTH}/me")).json()["id"] == me["id"]


async def test_an_app_with_a_long_state_gets_its_consent_after_the_sign_in(api: Api, provider: ForgingProvider) -> None:
    consent = f"/oauth/authorize?state={'s' * 4_000}"
    assert (await sign_in_over(api, provider, next_page=consent)).headers["location"] == consent


async def test_nobody_gets_in_before_an_administrator_gave_a_role(api: Api, provider: ForgingProvider) -> None:
    await api.sql("UPDATE sign_in_settings SET default_role = DEFAULT")
    response = await sign_in_over(api, provider)
    assert (response.status_code, response.json()["code"]) == (403, "no_group_for_sign_in")


async def test_the_request_has_pkce_a_state_and_a_nonce_which_are_never_stored(
    api: Api, provider: ForgingProvider
) -> None:
    asked = await depart(api)
    assert asked["response_type"] == "code"
    assert asked["code_challenge_method"] == "S256"
    assert asked["scope"] == "openid email profile"
    assert asked["redirect_uri"].endswith(f"{SSO}/callback")
    assert min(len(asked[name]) for name in ("state", "nonce", "code_challenge")) >= 43
    stored = str(await api.sql("SELECT * FROM sign_in_requests"))
    assert not [name for name in ("state", "nonce", "code_challenge") if asked[name] in stored]
    second = await depart(api)
    assert not {asked[name] for name in ("state", "nonce", "code_challenge")} & set(second.values())


FORGED: dict[str, dict[str, Any]] = {
    "wrong audience": {"aud": "another-client"},
    "two audiences": {"aud": [CLIENT_ID, "another-client"]},
    "two audiences, for another": {"aud": [CLIENT_ID, "another-client"], "azp": "another-client"},
    "no audience": {"aud": None},
    "wrong issuer": {"iss": "https://login.example.org"},
    "expired": {"exp": int(time.time()) - 3_600},
    "no expiry": {"exp": None},
    "issued in the future": {"iat": int(time.time()) + 36_000, "nbf": int(time.time()) + 36_000},
    "nonce of another request": {"nonce": "n" * 43},
    "no nonce": {"nonce": None},
    "no subject": {"sub": None},
    "subject that is no text": {"sub": 7},
    "hash of another access token": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
}


@pytest.mark.parametrize("claims", FORGED.values(), ids=FORGED.keys())
async def test_id_tokens_with_wrong_claims_are_refused(
    api: Api, provider: ForgingProvider, claims: dict[str, Any]
) -> None:
    provider.claims = claims
    response = await sign_in_over(api, provider)
    assert (response.status_code, response.json()["code"]) == (401, "identity_token_invalid")
    assert not response.headers.get_list("set-cookie")
    assert await api.sql("SELECT 1 FROM identities") == []


async def test_signatures_of_strangers_and_weak_algorithms_are_refused(api: Api, provider: ForgingProvider) -> None:
    def sign_with_stranger() -> None:
        provider.sign_with("stranger")
        provider.header["kid"] = "first"

    def sign_with_nothing() -> None:
        provider.header = {"alg": "none"}

    def send_rubbish() -> None:
        provider.id_token = "a.b.c"

    for forge in (
        sign_with_stranger,
        sign_with_nothing,
        provider.sign_with_public_key_as_secret,
        send_rubbish,
    ):
        forge()
        response = await sign_in_over(api, provider)
        assert (response.status_code, response.json()["code"]) == (401, "identity_token_invalid"), forge
    assert await api.sql("SELECT 1 FROM identities") == []


async def test_new_keys_are_fetched_when_they_sign_and_not_more_often(api: Api, provider: ForgingProvider) -> None:
    assert (await sign_in_over(api, provider)).status_code == 303
    identity_provider: Any = api.accounts.provider
    provider.published = ["first", "second"]
    provider.sign_with("second")
    identity_provider._clock = lambda: time.monotonic() + 60  # the keys are a minute old
    assert (await sign_in_over(api, provider)).status_code == 303
    assert provider.asked.count("/keys") == 2
    provider.sign_with("stranger")
    for _ in range(3):
        assert (await sign_in_over(api, provider)).status_code == 401
    assert provider.asked.count("/keys") == 2
    assert provider.asked.count("/.well-known/openid-configuration") == 1


async def test_elliptic_curves_are_accepted(api: Api, provider: ForgingProvider) -> None:
    provider.sign_with_curve()
    assert (await sign_in_over(api, provider)).status_code == 303


async def test_a_state_works_once_and_in_its_browser_only(api: Api, provider: ForgingProvider) -> None:
    asked = await depart(api)
    provider.nonces["code-1"] = (asked["nonce"], asked["code_challenge"])
    secret = api.client.cookies["lectern_single_sign_on"]
    api.client.cookies.clear()
    other = await come_back(api, code="code-1", state=asked["state"])
    assert (other.status_code, other.json()["code"]) == (401, "sign_in_request_expired")
    api.client.cookies.set("lectern_single_sign_on", secret, domain="lectern.test", path=SSO)
    invented = await come_back(api, code="code-1", state="invented")
    assert invented.json()["code"] == "sign_in_request_expired"
    assert (await come_back(api, code="code-1", state=asked["state"])).status_code == 303
    provider.nonces["code-1"] = (asked["nonce"], asked["code_challenge"])
    replayed = await come_back(api, code="code-1", state=asked["state"])
    assert replayed.json()["code"] == "sign_in_request_expired"
    late = await depart(api)
    await api.sql("UPDATE sign_in_requests SET expires_at = now() - interval '1 second'")
    assert (await come_back(api, code="c", state=late["state"])).json()["code"] == "sign_in_request_expired"


async def test_a_code_of_another_request_fails_by_its_verifier(api: Api, provider: ForgingProvider) -> None:
    stolen = await depart(api)
    provider.nonces["code-1"] = (stolen["nonce"], stolen["code_challenge"])
    own = await depart(api)
    response = await come_back(api, code="code-1", state=own["state"])
    assert (response.status_code, response.json()["code"]) == (401, "sign_in_not_completed")


async def test_answers_of_another_issuer_and_errors_are_refused(api: Api, provider: ForgingProvider) -> None:
    asked = await depart(api)
    mixed = await come_back(api, code="c", state=asked["state"], iss="https://login.example.org")
    assert mixed.json()["code"] == "identity_token_invalid"
    asked = await depart(api)
    denied = await come_back(api, error="access_denied", error_description="<b>No</b>", state=asked["state"])
    assert (denied.status_code, denied.json()["code"]) == (401, "sign_in_not_completed")
    assert denied.json()["detail"] == "The identity provider did not complete the sign-in: access_denied."
    asked = await depart(api)
    strange = await come_back(api, error="<b>No</b>", state=asked["state"])
    assert (strange.status_code, strange.json()["code"]) == (401, "sign_in_not_completed")
    assert "<b>" not in denied.text + strange.text


async def test_people_see_errors_on_the_sign_in_page_and_the_log_has_the_reason(
    api: Api, provider: ForgingProvider, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"accept": "text/html,application/xhtml+xml"}
    response = await api.client.get(f"{SSO}/callback", params={"state": "x", "code": "y"}, headers=headers)
    assert (response.status_code, response.headers["location"]) == (303, "/sign-in?problem=sign_in_request_expired")
    provider.metadata = {"issuer": "https://login.example.org"}
    response = await api.client.get(SSO, headers=headers)
    assert response.headers["location"] == "/sign-in?problem=identity_provider_failed"
    assert "names another issuer. Set OIDC_ISSUER to https://login.example.org" in caplog.text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"issuer": "https://login.example.org"}, "names another issuer"),
        ({"token_endpoint": "http://login.example.org/token"}, "is not https"),
        ({"id_token_signing_alg_values_supported": ["HS256", "none"]}, "none of the supported algorithms"),
        ({"jwks_uri": None}, "not valid: jwks_uri"),
    ],
)
async def test_a_discovery_document_that_cannot_be_trusted_is_refused(
    api: Api, provider: ForgingProvider, change: dict[str, Any], words: str
) -> None:
    provider.metadata = change
    response = await api.client.get(SSO)
    problem = response.json()
    assert (response.status_code, problem["code"]) == (503, "identity_provider_failed")
    assert words in problem["detail"]
    assert problem["hint"]


async def test_a_wrong_client_secret_is_named(api: Api, provider: ForgingProvider) -> None:
    identity_provider: Any = api.accounts.provider
    identity_provider._secret = "wrong"
    response = await sign_in_over(api, provider)
    assert response.status_code == 503
    assert "OIDC_CLIENT_SECRET" in response.json()["hint"]


async def test_the_userinfo_endpoint_adds_what_the_id_token_lacks(api: Api, provider: ForgingProvider) -> None:
    provider.has_userinfo = True
    provider.claims = {"email": None, "email_verified": None, "name": None}
    provider.userinfo = {"email": "grace@example.org", "name": "Grace", "sub": "somebody-else"}
    response = await sign_in_over(api, provider)
    assert (response.status_code, response.json()["code"]) == (401, "identity_token_invalid")
    provider.userinfo["sub"] = "subject-1"
    assert (await sign_in_over(api, provider)).status_code == 303
    assert (await api.client.get(f"{AUTH}/me")).json()["name"] == "grace@example.org"


async def test_attempts_of_a_client_are_limited_and_successes_are_not(api: Api, provider: ForgingProvider) -> None:
    for _ in range(30):
        assert (await sign_in_over(api, provider)).status_code == 303
    statuses = [(await come_back(api, code="c", state="x")).status_code for _ in range(51)]
    assert statuses[:50] == [401] * 50
    assert statuses[50] == 429
    assert (await api.client.get(SSO)).json()["code"] == "too_many_sign_ins"


async def test_sign_out_ends_the_session_here_and_at_the_provider(api: Api, provider: ForgingProvider) -> None:
    await sign_in_over(api, provider)
    response = await api.client.post(f"{AUTH}/sign-out", headers=OWN)
    url = urlsplit(str(response.json()["redirect_to"]))
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    assert url.path == "/logout"
    assert query["client_id"] == CLIENT_ID
    assert query["post_logout_redirect_uri"].endswith("/")
    assert query["id_token_hint"].count(".") == 2
    assert (await api.client.get(f"{AUTH}/me")).status_code == 401
    person = await api.person()
    by_password = await api.client.post(f"{AUTH}/sign-out", headers=person.headers)
    assert by_password.json() == {"redirect_to": None}


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "/a\\b",
        "javascript:x",
        "/a\nb",
        "",
        "/api/v1/x",
        None,
    ],
)
def test_only_local_pages_are_opened_afterwards(path: str | None) -> None:
    assert read_next(path) == "/"
    assert read_next("/d/abc?page=2#x") == "/d/abc?page=2#x"
