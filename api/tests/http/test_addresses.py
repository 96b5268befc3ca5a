"""People learn at which address their agents reach the MCP service."""

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import ValidationError
from tests.api import Api, api_settings, open_api

from lectern.http.addresses import McpTarget, find_mcp_target, mcp_address
from lectern.settings import EmbeddedSettings, HttpSettings

PATH = "/api/v1/system/mcp-address"


@pytest.mark.parametrize(
    ("asked_at", "expected"),
    [
        ("http://127.0.0.1:8110", "http://127.0.0.1:8111/mcp"),
        ("http://evil.example:8110/", "http://127.0.0.1:8111/mcp"),  # anybody can write a Host header
        ("http://[::1]:8110", "http://[::1]:8111/mcp"),
        ("https://evil.example", "http://127.0.0.1:8111/mcp"),
        ("http://localhost:3000", "http://localhost:3000/mcp"),
    ],
)
def test_it_is_beside_the_api_or_behind_the_same_proxy(asked_at: str, expected: str) -> None:
    assert mcp_address(asked_at, http=HttpSettings(port=8110), mcp_port=8111) == expected


@pytest.mark.parametrize(
    ("configured", "expected"),
    [
        ("https://agents.example.org/mcp", "https://agents.example.org/mcp"),
        ("/mcp", "http://localhost:8000/mcp"),
        ("/tools/mcp", "http://localhost:8000/tools/mcp"),
        ("/mcp,http://mcp:8001/mcp", "http://localhost:8000/mcp"),
    ],
)
def test_configured_address_is_reported(configured: str, expected: str) -> None:
    assert mcp_address("http://localhost:8000/", http=HttpSettings(mcp_url=configured), mcp_port=8001) == expected


@pytest.mark.parametrize(
    ("settings", "url", "host"),
    [
        ({}, "http://127.0.0.1:8001/mcp", "127.0.0.1:8001"),
        ({"host": "0.0.0.0"}, "http://127.0.0.1:8001/mcp", "127.0.0.1:8001"),
        ({"public_url": "https://kb.example.org", "mcp_url": "/mcp"}, "https://kb.example.org/mcp", "kb.example.org"),
        (
            {"public_url": "https://kb.example.org", "mcp_url": "/mcp,http://mcp:8001/mcp"},
            "http://mcp:8001/mcp",
            "kb.example.org",
        ),
    ],
)
def test_this_server_calls_the_configured_address_with_the_host_of_agents(
    settings: dict[str, str], url: str, host: str
) -> None:
    assert find_mcp_target(http=HttpSettings.model_validate(settings), mcp_port=8001) == McpTarget(url, host)


def test_the_address_that_people_use_comes_before_the_one_that_was_asked() -> None:
    http = HttpSettings(public_url="https://kb.example.org/", mcp_url="/mcp")
    assert mcp_address("http://10.0.0.7:3000/", http=http, mcp_port=8001) == "https://kb.example.org/mcp"


@pytest.mark.parametrize(
    "wrong", ["mcp", "kb.example.org/mcp", "ftp://kb.example.org/mcp", "//kb.example.org/mcp", "/mcp,/mcp", "/mcp,"]
)
def test_what_is_neither_an_address_nor_a_path_is_refused(wrong: str) -> None:
    with pytest.raises(ValidationError):
        HttpSettings(mcp_url=wrong)


async def test_every_person_may_ask_and_no_key(api: Api) -> None:
    reader = await api.person("reader")
    response = await api.client.get(PATH, headers=reader.headers)
    assert response.status_code == 200, response.text
    assert response.json() == {"url": "http://127.0.0.1:8001/mcp"}
    assert (await api.client.get(PATH)).status_code == 401
    assert (await api.client.get(PATH, headers=await api.key(reader))).status_code == 403


async def test_port_of_the_installation_is_reported(database: ThrowawayDatabase, tmp_path: Path) -> None:
    embedded = EmbeddedSettings(data_dir=tmp_path, mcp_port=8111)
    settings = replace(api_settings(database, tmp_path, http={"port": 8110}), embedded=embedded)
    async with open_api(settings) as api:
        reader = await api.person("reader")
        headers = {**reader.headers, "Host": "localhost:8110"}
        assert (await api.client.get(PATH, headers=headers)).json() == {"url": "http://localhost:8111/mcp"}
