"""Test the messages that a model gets about failures in the real API and behind it.

A second API on the same library provokes failures: another embedding model than the library's, a chat endpoint that
does not respond, and a rate limit.
"""

import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from lectern.app import create_app
from lectern.settings import AnswersSettings, EmbeddingsSettings, HttpSettings
from mcp import Client
from pydantic import SecretStr

from fake_api import SERVICE_KEY
from harness import connecting, held
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from real_api import RealApi, real_api
from serving import serving

POLICY = "travel-and-expenses-policy.pdf"
QUESTION = {"question": "What is the hotel limit per night in London?"}
REQUESTS = 8


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    async with held(real_api(tmp_path_factory.mktemp("api"), documents={POLICY: ()})) as made:
        yield made


@pytest.fixture
def silent() -> Generator[str]:
    """The address of somebody who takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


@asynccontextmanager
async def troubled(api: RealApi, **sections: Any) -> AsyncGenerator[Client]:
    """A client of the service on a second API whose settings differ in these sections."""
    key, _ = await api.key(toolsets=["search", "answers"])
    async with serving(create_app(replace(api.settings, **sections))) as url:
        values = {"api_url": url, "rate_limit_per_minute": 0, "toolsets": ["search", "answers"]}
        service = Service(McpSettings.model_validate({"backend_api_key": SecretStr(SERVICE_KEY), **values}))
        async with serving(service.app()) as address, connecting(address, key=key) as client:
            yield client


async def failure(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, str]:
    """Return the error of a failed call."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    assert set(result.structured_content) == {"error", "code", "hint"}
    return result.structured_content


async def test_a_library_without_vectors_of_the_model_is_not_searched_by_meaning_alone(api: RealApi) -> None:
    async with troubled(api, embeddings=EmbeddingsSettings(provider="hash:32")) as client:
        said = await failure(client, "search", {"query": "hotel limit", "hybrid": False})
        found = await client.call_tool("search", {"query": "hotel limit", "hybrid": True})
    assert said["code"] == "MODEL_LOAD_ERROR"
    assert "hybrid=true" in said["hint"]
    assert found.structured_content["data"]


async def test_a_wrong_value_that_the_api_refuses_is_told_in_a_full_sentence(api: RealApi) -> None:
    async with troubled(api) as client:
        said = await failure(client, "query_documents", QUESTION | {"thread_id": "last"})
    assert said["error"].startswith("thread_id: ")
    assert said["error"].endswith(".")


async def test_a_chat_endpoint_that_says_nothing_is_a_timeout(api: RealApi, silent: str) -> None:
    answers = AnswersSettings(base_url=silent, model="none", timeout_seconds=0.5)
    async with troubled(api, answers=answers) as client:
        assert (await failure(client, "query_documents", QUESTION))["code"] == "TIMEOUT"


async def test_a_chat_endpoint_that_cannot_be_reached_is_no_fault_of_the_question(
    api: RealApi, unused_tcp_port: int
) -> None:
    answers = AnswersSettings(base_url=f"http://127.0.0.1:{unused_tcp_port}/v1", model="none")
    async with troubled(api, answers=answers) as client:
        said = await failure(client, "query_documents", QUESTION)
    assert said["code"] == "MODEL_LOAD_ERROR"
    assert "language model" in said["error"]
    assert "search_chunks" in said["hint"]
    assert str(unused_tcp_port) not in str(said)


async def test_too_many_requests_of_a_key_are_told_with_the_time_to_wait(api: RealApi) -> None:
    async with troubled(api, http=HttpSettings(cookie_secure=False, rate_limit_per_minute=REQUESTS)) as client:
        results = [await client.call_tool("search", {"query": "hotel"}) for _ in range(2 * REQUESTS)]
    refused = [result.structured_content for result in results if result.is_error]
    assert len(results) > len(refused) > 0
    assert {one["code"] for one in refused} == {"RATE_LIMITED"}
    assert " s" in refused[0]["hint"]
