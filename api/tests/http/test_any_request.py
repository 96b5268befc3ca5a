"""No valid request of the OpenAPI document causes a 500, whether an administrator or a scoped key sends it."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from benchmarks.throwaway import ThrowawayPostgres
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.api import SERVICE_KEY, Api, api_settings, open_api, read_openapi

from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.settings import EmbeddingsSettings

EXAMPLES = 8
LEFT_OUT = {"stream_all_events", "stream_document_events"}  # they never end by themselves
PROTOCOL_ERRORS = {  # of OAuth and of OpenAI, not problems
    *("register_oauth_client", "exchange_oauth_token", "revoke_oauth_token"),
    *("create_chat_completion", "list_chat_models", "get_chat_model"),
}
SCHEMA: Any = schemathesis.openapi.from_dict(read_openapi())
OPERATIONS = {str(found.ok().definition.raw["operationId"]): found.ok() for found in SCHEMA.get_all_operations()}
NO_CHECKS = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.large_base_example,
]


@pytest.fixture(scope="module")
async def asked(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Api]:
    folder: Path = tmp_path_factory.mktemp("asked")
    with postgres.fresh_database() as database:
        described = api_settings(database, folder, http={"rate_limit_per_minute": 0})
        described.embeddings = EmbeddingsSettings(provider="hash:64")
        # where nothing is embedded, a search by meaning alone is refused with a 503
        await asyncio.to_thread(prepare_generation, database.owner_url, HashProvider(64).info)
        async with open_api(described) as made:
            await made.upload((await made.person()).headers, b"Some text.", tags=["a"])
            yield made


@pytest.fixture(scope="module")
async def scoped_key(asked: Api) -> str:
    toolsets = ["search", "answers", "library", "extract"]
    headers = await asked.key(await asked.person("admin"), can_write=True, tags=["a"], toolsets=toolsets)
    return headers["Authorization"]


@pytest.mark.parametrize("caller", ["either", pytest.param("key", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - LEFT_OUT))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=NO_CHECKS)
@given(data=st.data())
async def test_no_request_is_answered_with_a_500(
    asked: Api,
    scoped_key: str,
    name: str,
    caller: str,
    data: st.DataObject,
) -> None:
    case = data.draw(OPERATIONS[name].as_strategy())
    sent: dict[str, Any] = case.as_transport_kwargs(base_url="http://lectern.test")
    is_key = caller == "key" or data.draw(st.booleans())
    token = scoped_key if is_key else await _administrator(asked, name)
    headers = {**_headers(sent), "Authorization": token}
    response = await asked.client.request(**_as_httpx(sent), headers=headers)
    assert response.status_code < 500, response.text
    if response.is_error and name in PROTOCOL_ERRORS:
        assert {"error", "code"} & response.json().keys()
    elif response.is_error:
        assert response.headers["content-type"] == "application/problem+json"
        assert response.json()["code"]


async def _administrator(asked: Api, name: str) -> str:
    """Return the credential of a new administrator, because some requests end its sessions, or of the services."""
    if name == "introspect_api_key":
        return f"Bearer {SERVICE_KEY}"
    return (await asked.person("admin")).headers["Authorization"]


def _headers(sent: dict[str, Any]) -> dict[str, str]:
    """Generate headers that a client can send, without the one for services."""
    given: dict[str, object] = dict(sent.get("headers") or {})
    return {
        key: value
        for key, value in given.items()
        if isinstance(value, str) and value.isascii() and value.isprintable() and key.lower() != "x-lectern-principal"
    }


def _as_httpx(sent: dict[str, Any]) -> dict[str, Any]:
    """Convert a request for httpx. Other tests cover files and forms."""
    files, content = sent.pop("files", None), sent.pop("data", None)
    if files:
        sent["files"] = [(key, value) for key, value in files]
    if isinstance(content, bytes | str):
        sent["content"] = content
    return {key: sent[key] for key in ("method", "url", "params", "json", "files", "content") if key in sent}
