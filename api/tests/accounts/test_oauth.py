"""OAuth: a person consents, an app gets a key of that scope, and the key can be refreshed and revoked."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.accounts.oauth_client import CALLBACK, OAUTH, RESOURCE, OAuthTestClient, bearer, register, returned
from tests.api import SERVICE_KEY, Api, api_settings, open_api

ME = "/api/v1/auth/me"
KEYS = "/api/v1/keys"


TOKENS = "oauth_tokens WHERE key_id IN (SELECT id FROM api_keys WHERE created_by = :id)"


@pytest.fixture(scope="module")
async def api(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Api]:
    """One API for all tests. Each has people and a client of its own."""
    with postgres.fresh_database() as database:
        many = {"login_attempts_per_15_minutes": 1_000}  # registrations count too
        async with open_api(api_settings(database, tmp_path_factory.mktemp("oauth"), accounts=many)) as made:
            yield made


@pytest.fixture
async def client(api: Api) -> OAuthTestClient:
    return await register(api)


async def test_metadata_names_every_address_and_only_what_is_supported(api: Api) -> None:
    local = {"Host": "127.0.0.1:8000"}
    server = (await api.client.get("/.well-known/oauth-authorization-server", headers=local)).json()
    assert server["issuer"] == "http://127.0.0.1:8000"
    assert server["authorization_endpoint"] == "http://127.0.0.1:8000/oauth/authorize"
    for name in ("token", "registration", "revocation"):
        assert server[f"{name}_endpoint"].startswith("http://127.0.0.1:8000/api/v1/oauth/")
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["token_endpoint_auth_methods_supported"] == ["none"]
    assert server["client_id_metadata_document_supported"]
    for path in ("", "/mcp"):
        resource = (await api.client.get(f"/.well-known/oauth-protected-resource{path}", headers=local)).json()
        assert resource["resource"] == RESOURCE
        assert resource["authorization_servers"] == [server["issuer"]]


async def test_a_made_up_host_does_not_get_into_the_metadata(api: Api) -> None:
    answer = await api.client.get("/.well-known/oauth-authorization-server", headers={"Host": "evil.example"})
    assert "evil" not in answer.text


async def test_the_consent_screen_shows_who_asks_for_what(api: Api, client: OAuthTestClient) -> None:
    shown = (await client.preview(await api.person("reader"))).json()
    assert shown == {
        "client_name": "Claude",
        "client_host": None,
        "redirect_host": "claude.example",
        "is_loopback": False,
        "toolsets": ["search", "answers"],
        "redirect_to": None,
    }


@pytest.mark.parametrize(
    ("scope", "toolsets"),
    [
        (None, ["search"]),
        ("openid", ["search"]),
        ("connector", ["connector"]),
        ("search answers library extract connector", ["search", "answers", "library", "extract"]),
    ],
)
async def test_the_toolsets_that_an_app_asks_for_are_proposed(
    api: Api, client: OAuthTestClient, scope: str | None, toolsets: list[str]
) -> None:
    shown = (await client.preview(await api.person(), scope=scope)).json()
    assert shown["toolsets"] == toolsets


async def test_a_consent_becomes_a_key_of_the_chosen_scope(api: Api, client: OAuthTestClient) -> None:
    admin = await api.person("admin")
    tag = (await api.client.post("/api/v1/tags", json={"name": "Fees"}, headers=admin.headers)).json()
    back = await client.answer(admin, {"name": "My Claude", "toolsets": ["search"], "tags": ["fees"]})
    assert back.keys() == {"code", "state", "iss"}
    assert back["state"] == "state & more"
    response = await client.redeem(back["code"])
    assert response.headers["cache-control"] == "no-store"
    tokens = response.json()
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3_600, "search")
    me = (await api.client.get(ME, headers=bearer(tokens))).json()
    assert (me["kind"], me["name"], me["tag_ids"], me["can_write"]) == ("key", "My Claude", [tag["id"]], False)
    keys = (await api.client.get(KEYS, headers=admin.headers)).json()["items"]
    (listed,) = (key for key in keys if key["name"] == "My Claude")
    assert (listed["client_name"], listed["id"], listed["expires_at"]) == ("Claude", me["id"], None)
    answer = await api.client.post("/api/v1/answers", json={"question": "Why?"}, headers=bearer(tokens))
    assert answer.json()["code"] == "toolset_required"


async def test_secrets_are_stored_as_hashes(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    code = await client.code(person)
    tokens = (await client.redeem(code)).json()
    rows = await api.sql("SELECT t::text FROM oauth_tokens t UNION ALL SELECT k::text FROM api_keys k")
    stored = " ".join(row[0] for row in rows)
    assert not [secret for secret in (code, tokens["access_token"], tokens["refresh_token"]) if secret in stored]


async def test_a_person_may_refuse(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    back = await client.answer(person, None)
    assert (back["error"], back["state"]) == ("access_denied", "state & more")
    assert (await api.client.get(KEYS, headers=person.headers)).json()["items"] == []


async def test_a_key_and_nobody_cannot_consent(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    key = await api.key(person)
    for headers, status in ((key, 403), ({}, 401)):
        body = {"request": client.request(), "key": {"name": "k"}}
        assert (await api.client.post(f"{OAUTH}/authorization", json=body, headers=headers)).status_code == status
        shown = await api.client.get(f"{OAUTH}/authorization", params=client.request(), headers=headers)
        assert shown.status_code == status


async def test_a_person_gives_no_more_than_it_has(api: Api, client: OAuthTestClient) -> None:
    reader, admin = await api.person("reader"), await api.person("admin")
    await api.collection(admin, "secret", is_open=False)
    writing = await client.decide(reader, {"name": "k", "can_write": True})
    assert writing.json()["code"] == "scope_not_yours"
    hidden = await client.decide(reader, {"name": "k", "collections": ["secret"]})
    assert hidden.json()["code"] == "unknown_collection"
    assert "secret" not in str(hidden.json()["available"])


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
        ({"resource": "http://127.0.0.1:8001/api"}, "invalid_target"),
    ],
)
async def test_a_wrong_request_is_answered_to_the_client(
    api: Api, client: OAuthTestClient, changes: dict[str, Any], error: str
) -> None:
    person = await api.person()
    shown = (await client.preview(person, **changes)).json()["redirect_to"]
    assert shown.startswith(f"{CALLBACK}?")
    assert returned(shown)["error"] == error
    assert (await client.answer(person, {"name": "k"}, **changes))["error"] == error
    assert await api.sql(f"SELECT FROM {TOKENS}", id=person.id) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "unknown"},
        {"redirect_uri": "https://claude.example/other"},
        {"redirect_uri": f"{CALLBACK}/"},
        {"redirect_uri": f"{CALLBACK}?x=1"},
        {"redirect_uri": "https://evil.example/api/mcp/auth_callback"},
        {"redirect_uri": "javascript:alert(1)"},
    ],
)
async def test_a_wrong_client_or_address_is_answered_to_the_person(
    api: Api, client: OAuthTestClient, changes: dict[str, Any]
) -> None:
    person = await api.person()
    for response in (await client.preview(person, **changes), await client.decide(person, {"name": "k"}, **changes)):
        assert (response.status_code, response.json()["code"]) == (422, "oauth_client_refused")


async def test_a_request_without_resource_means_the_only_one(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    back = await client.answer(person, {"name": "k"}, resource=None)
    assert (await client.redeem(back["code"], resource=None)).status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": "x" * 43},
        {"code_verifier": None},
        {"redirect_uri": None},
        {"redirect_uri": "https://claude.example/"},
        {"client_id": "another"},
    ],
)
async def test_a_code_is_for_its_client_and_request_and_is_used_up(
    api: Api, client: OAuthTestClient, changes: dict[str, Any]
) -> None:
    code = await client.code(await api.person())
    refused = await client.redeem(code, **changes)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert (await client.redeem(code)).json()["error"] == "invalid_grant"


async def test_a_code_used_twice_revokes_what_it_gave(api: Api, client: OAuthTestClient) -> None:
    code = await client.code(await api.person())
    tokens = (await client.redeem(code)).json()
    assert (await client.redeem(code)).json()["error"] == "invalid_grant"
    assert (await api.client.get(ME, headers=bearer(tokens))).status_code == 401
    assert (await client.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


async def test_a_code_lives_for_a_minute_and_leaves_an_expired_key(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    code = await client.code(person)
    (row,) = await api.sql(f"SELECT expires_at - now() AS life FROM {TOKENS}", id=person.id)
    assert timedelta(seconds=50) < row.life <= timedelta(seconds=60)
    await api.sql("UPDATE oauth_tokens SET expires_at = now()")  # of all tests, which are over
    assert (await client.redeem(code)).json()["error"] == "invalid_grant"
    (key,) = (await api.client.get(KEYS, headers=person.headers)).json()["items"]
    assert datetime.fromisoformat(key["expires_at"]) < datetime.now(UTC) + timedelta(seconds=60)


async def test_a_refresh_gives_new_tokens_and_keeps_the_scope(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    first = await client.connect(person, toolsets=["search"], can_write=False)
    second = (await client.refresh(first["refresh_token"])).json()
    assert second["scope"] == first["scope"]
    assert second["access_token"] != first["access_token"]
    assert second["refresh_token"] != first["refresh_token"]
    # A request that was on its way with the old token still works, for a minute.
    assert [(await api.client.get(ME, headers=bearer(each))).status_code for each in (first, second)] == [200, 200]
    await api.sql("UPDATE api_keys SET previous_expires_at = now()")
    assert [(await api.client.get(ME, headers=bearer(each))).status_code for each in (first, second)] == [401, 200]
    assert len((await api.client.get(KEYS, headers=person.headers)).json()["items"]) == 1


async def test_a_refresh_token_used_twice_revokes_the_family(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    first = await client.connect(person)
    second = (await client.refresh(first["refresh_token"])).json()
    third = (await client.refresh(second["refresh_token"])).json()
    assert (await client.refresh(first["refresh_token"])).json()["error"] == "invalid_grant"
    assert (await api.client.get(ME, headers=bearer(third))).status_code == 401
    assert (await client.refresh(third["refresh_token"])).json()["error"] == "invalid_grant"
    (key,) = (await api.client.get(KEYS, headers=person.headers)).json()["items"]
    of_key = "SELECT FROM audit_events WHERE action = 'key.reuse_detected' AND target = :target"
    assert len(await api.sql(of_key, target=f"key:{key['id']}")) == 1


async def test_an_access_token_ends_before_its_key_and_is_refreshed(api: Api, client: OAuthTestClient) -> None:
    tokens = await client.connect(await api.person())
    await api.sql("UPDATE api_keys SET secret_expires_at = now()")
    assert (await api.client.get(ME, headers=bearer(tokens))).status_code == 401
    body = {"key": tokens["access_token"]}
    service = {"Authorization": f"Bearer {SERVICE_KEY}"}
    introspected = await api.client.post(f"{KEYS}/introspect", json=body, headers=service)
    assert not introspected.json()["is_active"]
    again = (await client.refresh(tokens["refresh_token"])).json()
    assert (await api.client.get(ME, headers=bearer(again))).status_code == 200


async def test_no_token_outlives_the_expiry_that_the_person_chose(api: Api, client: OAuthTestClient) -> None:
    end = datetime.now(UTC) + timedelta(minutes=10)
    tokens = await client.connect(await api.person(), expires_at=end.isoformat())
    assert tokens["expires_in"] <= 600
    await api.sql("UPDATE api_keys SET expires_at = now()")
    assert (await api.client.get(ME, headers=bearer(tokens))).status_code == 401
    assert (await client.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


async def test_a_refresh_token_is_for_its_client_and_resource(api: Api, client: OAuthTestClient) -> None:
    person, other = await api.person(), await register(api)
    tokens = await client.connect(person)
    wrong = await client.refresh(tokens["refresh_token"], resource="https://other.example/mcp")
    assert wrong.json()["error"] == "invalid_target"
    assert (await other.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


async def test_revoking_the_key_ends_all_tokens(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    tokens = await client.connect(person)
    (key,) = (await api.client.get(KEYS, headers=person.headers)).json()["items"]
    assert (await api.client.delete(f"{KEYS}/{key['id']}", headers=person.headers)).status_code == 204
    assert (await api.client.get(ME, headers=bearer(tokens))).status_code == 401
    assert (await client.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


async def test_deactivating_the_person_ends_all_tokens(api: Api, client: OAuthTestClient) -> None:
    admin, person = await api.person("admin"), await api.person()
    tokens, code = await client.connect(person), await client.code(person)
    await api.client.patch(f"/api/v1/users/{person.id}", json={"is_active": False}, headers=admin.headers)
    assert (await api.client.get(ME, headers=bearer(tokens))).status_code == 401
    assert (await client.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"
    assert (await client.redeem(code)).json()["error"] == "invalid_grant"


@pytest.mark.parametrize("name", ["access_token", "refresh_token"])
async def test_a_client_revokes_its_own_tokens_only(api: Api, client: OAuthTestClient, name: str) -> None:
    person, other = await api.person(), await register(api)
    key, tokens = await api.key(person), await client.connect(person)

    async def revoke(token: str, who: OAuthTestClient) -> int:
        form = {"token": token, "client_id": who.client_id}
        return (await api.client.post(f"{OAUTH}/revoke", data=form)).status_code

    secret = key["Authorization"].removeprefix("Bearer ")
    for token, who in ((tokens[name], other), (secret, client), ("unknown", client)):
        assert await revoke(token, who) == 200
    assert [(await api.client.get(ME, headers=each)).status_code for each in (key, bearer(tokens))] == [200, 200]
    assert await revoke(tokens[name], client) == 200
    assert (await api.client.get(ME, headers=bearer(tokens))).status_code == 401


async def test_a_person_cannot_take_the_secret_of_an_app(api: Api, client: OAuthTestClient) -> None:
    person = await api.person()
    await client.connect(person)
    (key,) = (await api.client.get(KEYS, headers=person.headers)).json()["items"]
    rotated = await api.client.post(f"{KEYS}/{key['id']}/rotate", headers=person.headers)
    assert (rotated.status_code, rotated.json()["code"]) == (409, "key_of_client")


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("grant_type=password&username=a&password=b", "unsupported_grant_type"),
        ("", "unsupported_grant_type"),
        ("grant_type=refresh_token&client_id=a", "invalid_request"),
        ("grant_type=refresh_token&client_id=a&client_id=b&refresh_token=c", "invalid_request"),
        ("grant_type=authorization_code&client_id=a&code=b", "invalid_grant"),
        ("grant_type=refresh_token&client_id=%00&refresh_token=%ff%00", "invalid_grant"),
        (b"\xff\xfe", "invalid_request"),
        ("&".join(f"a{number}=b" for number in range(60)), "invalid_request"),
    ],
)
async def test_wrong_token_requests_get_the_errors_of_the_standard(api: Api, content: str | bytes, error: str) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    response = await api.client.post(f"{OAUTH}/token", content=content, headers=headers)
    assert (response.status_code, response.json()["error"]) == (400, error)
    assert response.headers["cache-control"] == "no-store"
