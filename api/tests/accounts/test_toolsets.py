"""Toolsets are rights: a key calls the operations of its toolsets and nothing else."""

import json
import re
import uuid
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.api import Api

from lectern.accounts.toolsets import CHANGES, EVERY_KEY, OPERATIONS, TOOLS, Toolset

OPENAPI = json.loads((Path(__file__).parents[2] / "openapi.json").read_text())
KEYS = "/api/v1/keys"
METHODS = {"get", "post", "put", "patch", "delete"}
STREAMS = {"stream_all_events", "stream_document_events"}
OPEN = {
    *("sign_in", "sign_in_with_code", "refresh_session", "sign_out", "get_health", "get_metrics", "get_readiness"),
    *("get_authorization_server_metadata", "get_protected_resource_metadata"),
    *("get_sign_in_methods", "begin_single_sign_on", "finish_single_sign_on"),
    *("register_oauth_client", "exchange_oauth_token", "revoke_oauth_token"),
}
"""Operations that ask for no principal."""
SERVICE = {"introspect_api_key"}
REFUSALS = {"toolset_required", "people_only", "read_only"}


def operations() -> dict[str, tuple[str, str]]:
    """Method and path of each operation, with an id that nothing has."""
    found = {
        operation["operationId"]: (method, re.sub(r"\{(\w+)\}", fill, path))
        for path, methods in OPENAPI["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    }
    return {name: call for name, call in found.items() if name not in OPEN | SERVICE}


def fill(parameter: re.Match[str]) -> str:
    return "1" if parameter[1] in {"page_number", "number", "generation_id"} else str(uuid.UUID(int=7))


def test_table_names_operations_that_exist() -> None:
    listed = EVERY_KEY.union(*OPERATIONS.values())
    assert listed <= set(operations()), "an operation in accounts/toolsets.py has another name"
    assert listed > CHANGES
    assert set(OPERATIONS) == set(TOOLS) == set(get_args(Toolset))


@pytest.mark.parametrize("toolset", get_args(Toolset))
async def test_key_calls_the_operations_of_its_toolset_only(api: Api, toolset: Toolset) -> None:
    maker = await api.person("admin")
    writer, reader = [await api.key(maker, toolsets=[toolset], can_write=can) for can in (True, False)]
    allowed = OPERATIONS[toolset] | EVERY_KEY
    for name, (method, path) in operations().items():
        refused = await code_of(api, method, path, reader) if name not in allowed - CHANGES else None
        assert refused is None or refused in REFUSALS, (name, refused)
        if name in STREAMS & allowed:
            continue
        code = await code_of(api, method, path, writer)
        assert (code not in REFUSALS) == (name in allowed), (name, code)


async def code_of(api: Api, method: str, path: str, headers: dict[str, str]) -> Any:
    body: dict[str, Any] | None = {} if method in {"post", "put", "patch"} else None
    response = await api.client.request(method.upper(), path, headers=headers, json=body)
    problem = response.json().get("error", response.json())
    return problem.get("code") if response.status_code >= 400 else None


async def test_refusal_names_the_toolset_and_users_are_unaffected(api: Api) -> None:
    editor = await api.person()
    key = await api.key(editor)
    document = await api.upload(editor.headers)
    original = f"/api/v1/documents/{document['document']['id']}/original"
    refused = await api.client.get(original, headers=key)
    assert (refused.status_code, refused.json()["code"]) == (403, "toolset_required")
    assert "--toolset library" in refused.json()["hint"]
    assert (await api.client.get(original, headers=editor.headers)).status_code == 200


async def test_default_is_search_and_library_for_writers(api: Api) -> None:
    editor = await api.person()
    for can_write, expected in ((False, ["search"]), (True, ["search", "library"])):
        body = {"name": "k", "can_write": can_write}
        made = (await api.client.post(KEYS, json=body, headers=editor.headers)).json()
        assert made["api_key"]["toolsets"] == expected


async def test_toolsets_of_a_key_can_be_changed(api: Api) -> None:
    editor = await api.person()
    key = await api.key(editor)
    address = f"{KEYS}/{(await api.client.get('/api/v1/auth/me', headers=key)).json()['id']}"
    changed = await api.client.patch(address, json={"toolsets": ["library"]}, headers=editor.headers)
    assert (changed.json()["toolsets"], changed.json()["name"]) == (["library"], "k")
    assert await code_of(api, "post", "/api/v1/search", key) == "toolset_required"
    assert (await api.client.get("/api/v1/documents", headers=key)).status_code == 200


async def test_policy_and_view_say_what_a_key_may_do(api: Api) -> None:
    admin, other = await api.person("admin"), await api.person()
    await api.upload(admin.headers, tags=["fees"])
    await api.upload(admin.headers, b"Other.", filename="other.txt")
    policy = (await api.client.get(f"{KEYS}/policy", headers=other.headers)).json()
    assert policy["max_days"] is None
    assert [one["name"] for one in policy["toolsets"]] == list(OPERATIONS)
    key = await api.key(admin, tags=["fees"], toolsets=["answers"])
    key_id = (await api.client.get("/api/v1/auth/me", headers=key)).json()["id"]
    view = (await api.client.get(f"{KEYS}/{key_id}/view", headers=admin.headers)).json()
    assert (view["document_count"], view["tag_count"]) == (1, 1)
    assert view["tools"] == list(TOOLS["answers"])
    assert set(view["operations"]) == (OPERATIONS["answers"] | EVERY_KEY) - CHANGES
    assert (await api.client.get(f"{KEYS}/{key_id}/view", headers=other.headers)).status_code == 404
    await api.client.delete(f"{KEYS}/{key_id}", headers=admin.headers)
    gone = await api.client.get(f"{KEYS}/{key_id}/view", headers=admin.headers)
    assert (gone.status_code, gone.json()["code"]) == (409, "api_key_inactive")
