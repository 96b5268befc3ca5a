"""The five tools, called by a real MCP client, with a counterpart in the API's place."""

from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent

from fake_api import PRINCIPAL, SERVICE_KEY, USER_KEY, WEB_URL, FakeApi, document, hit, tag
from harness import MakeService
from lectern_mcp.results import tokens_of

NAMES = ["search", "search_by_tag", "search_by_document", "list_documents", "list_tags"]


def text_of(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


async def test_the_default_toolset_is_exactly_five_tools_in_a_fixed_order(client: Client) -> None:
    assert [tool.name for tool in (await client.list_tools()).tools] == NAMES


async def test_arguments_and_their_defaults_are_those_that_were_promised(client: Client) -> None:
    schemas = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
    defaults = {
        name: {
            argument: "required" if argument in schema.get("required", []) else rule.get("default")
            for argument, rule in schema["properties"].items()
        }
        for name, schema in schemas.items()
    }
    ranked = {"top_k": 5, "hybrid": True, "max_tokens": 5000}
    assert defaults == {
        "search": {"query": "required", **ranked, "collection": None, "rerank": None},
        "search_by_tag": {"query": "required", "tags": "required", **ranked},
        "search_by_document": {"query": "required", "documents": "required", **ranked},
        "list_documents": {"tags": None, "status": None, "limit": 50, "cursor": None},
        "list_tags": {"cursor": None},
    }
    assert all(schema["additionalProperties"] is False for schema in schemas.values())


async def test_every_tool_says_that_it_only_reads_and_what_it_returns(client: Client) -> None:
    for tool in (await client.list_tools()).tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.annotations.destructive_hint is False
        assert tool.title
        assert tool.output_schema is not None
        assert set(tool.output_schema["properties"]) == {"notice", "data", "metadata", "message"}
        assert "Returns" in (tool.description or "")


@pytest.mark.parametrize(
    ("tool", "arguments", "body"),
    [
        ("search", {"query": "aml"}, {"query": "aml", "top_k": 5, "hybrid": True}),
        (
            "search_by_tag",
            {"query": "aml", "tags": ["a", "b"], "top_k": 3},
            {"query": "aml", "top_k": 3, "hybrid": True, "tags": {"any": ["a", "b"]}},
        ),
        (
            "search_by_document",
            {"query": "aml", "documents": ["x.pdf"], "hybrid": False},
            {"query": "aml", "top_k": 5, "hybrid": False, "documents": ["x.pdf"]},
        ),
    ],
)
async def test_a_search_tool_asks_the_api_for_exactly_what_it_was_given(
    api: FakeApi, client: Client, tool: str, arguments: dict[str, Any], body: dict[str, Any]
) -> None:
    await client.call_tool(tool, arguments)
    assert [(call.path, call.body) for call in api.calls] == [("/api/v1/search", {**body, "rectangles": False})]


async def test_the_api_is_asked_with_the_service_key_and_the_principal_never_with_the_callers_key(
    api: FakeApi, client: Client
) -> None:
    await client.call_tool("search", {"query": "aml"})
    sent = api.calls[0].headers
    assert sent["authorization"] == f"Bearer {SERVICE_KEY}"
    assert sent["x-lectern-principal"] == PRINCIPAL
    assert sent["x-request-id"]
    assert USER_KEY not in str(api.calls)


async def test_services_share_schemas_and_ask_their_own_api(api: FakeApi, client: Client) -> None:
    other_api = FakeApi()
    async with Client(MakeService(other_api)().server) as other:
        assert (await other.list_tools()).tools == (await client.list_tools()).tools
        await other.call_tool("search", {"query": "aml"})
    assert (len(api.calls), len(other_api.calls)) == (0, 1)
    await client.call_tool("search", {"query": "aml"})
    assert (len(api.calls), len(other_api.calls)) == (1, 1)


async def test_a_hit_arrives_as_text_and_as_data_with_its_place_and_scores(api: FakeApi, client: Client) -> None:
    api.hits = [hit(7, "Report within 24 hours.", match="24 hours", last_page_number=8, keyword_rank=None)]
    result = await client.call_tool("search", {"query": "when"})
    (passage,) = result.structured_content["data"]
    assert passage["url"] == f"{WEB_URL}/d/{api.hits[0]['document_id'][:8]}/7-8/14-23"
    assert (passage["document"], passage["page_number"], passage["last_page_number"]) == ("policy-7.pdf", 7, 8)
    assert (passage["score"], passage["section_heading"]) == (0.03, "7. Due diligence")
    assert f'<passage policy-7.pdf p. 7-8 "7. Due diligence" {passage["url"]}>' in text_of(result)
    assert "\nReport within 24 hours.</passage>" in text_of(result)


async def test_ranks_scores_and_matched_words_are_sent_on_request(api: FakeApi, everything: Client) -> None:
    explain: dict[str, Any] = {
        "features": [],
        "is_unmatched_language": False,
        "keyword_score": 7.1234,
        "similarity": 0.8765,
    }
    explain |= {"share": 1.0, "terms": []}
    api.hits = [hit(7, "Report within 24 hours.", match="24 hours", keyword_rank=None, explain=explain)]
    result = await everything.call_tool("search_chunks", {"query": "when", "explain": True})
    assert api.calls[-1].body["explain"] is True
    (passage,) = result.structured_content["data"]
    numbers = {"semantic_rank": 7, "similarity": 0.88, "keyword_score": 7.12}
    assert passage["scores"] == numbers | {"matched_terms": ["24 hours"]}
    assert " semantic_rank=7 similarity=0.88 keyword_score=7.12 " in text_of(result)


async def test_a_heading_that_the_passage_begins_with_is_not_repeated(api: FakeApi, client: Client) -> None:
    api.hits = [hit(7, "7. Due  diligence\nReport within 24 hours.")]
    result = await client.call_tool("search", {"query": "when"})
    assert "section_heading" not in result.structured_content["data"][0]
    assert text_of(result).count("Due") == 1


async def test_no_hit_is_an_answer_and_not_an_error(api: FakeApi, client: Client) -> None:
    api.message = "Nothing found. Rephrase, or remove a filter."
    result = await client.call_tool("search", {"query": "unicorns"})
    assert not result.is_error
    assert result.structured_content["data"] == []
    assert result.structured_content["message"] == api.message
    assert text_of(result) == api.message


async def test_what_was_not_searched_is_told_to_the_model(api: FakeApi, client: Client) -> None:
    api.message, api.gaps = "1 passage found. 2 documents still being processed.", {"documents_processing": 2}
    result = await client.call_tool("search", {"query": "x"})
    assert text_of(result) == api.message
    assert result.structured_content["metadata"]["coverage"]["documents_processing"] == 2


async def test_documents_are_listed_with_the_filters_that_were_given(api: FakeApi, client: Client) -> None:
    api.documents = [document(1), document(2, status="processing", page_count=None)]
    result = await client.call_tool("list_documents", {"tags": ["aml", "x"], "status": "ready", "limit": 10})
    assert api.calls[0].query == [("tags", "aml"), ("tags", "x"), ("status", "ready"), ("limit", "10")]
    assert result.structured_content["metadata"] == {"returned": 2, "total": 2, "next_cursor": None}
    assert result.structured_content["data"][1]["status"] == "processing"
    assert "policy-1.pdf | ready | 12 p. | policy, aml | " in text_of(result)


async def test_a_failed_document_is_listed_with_the_reason(api: FakeApi, client: Client) -> None:
    error = {"code": "no_text", "message": "The file has no text.", "hint": None, "details": None}
    api.documents = [document(1, status="failed", page_count=None, error=error, tags=[])]
    result = await client.call_tool("list_documents", {})
    assert result.structured_content["data"][0]["error"] == "The file has no text."
    assert "policy-1.pdf | failed: The file has no text. | " in text_of(result)


async def test_following_the_cursor_lists_every_document_once(api: FakeApi, client: Client) -> None:
    api.documents = [document(number) for number in range(120)]
    names: list[str] = []
    cursor: str | None = None
    while True:
        result = await client.call_tool("list_documents", {"limit": 50, "cursor": cursor})
        names += [row["filename"] for row in result.structured_content["data"]]
        cursor = result.structured_content["metadata"]["next_cursor"]
        if cursor is None:
            break
        assert f'cursor="{cursor}"' in text_of(result)
    assert names == [item["filename"] for item in api.documents]


async def test_a_listing_too_long_for_a_client_is_asked_for_again_in_a_smaller_page(
    api: FakeApi, client: Client
) -> None:
    api.documents = [document(number, title="A very long title. " * 15) for number in range(200)]
    result = await client.call_tool("list_documents", {"limit": 200})
    returned = result.structured_content["metadata"]["returned"]
    assert 0 < returned < 200
    assert result.structured_content["metadata"]["next_cursor"] == str(returned)


async def test_tags_are_listed_with_their_counts(api: FakeApi, client: Client) -> None:
    api.tags = [tag("aml", 4, description="Anti money laundering"), tag("travel", 1)]
    result = await client.call_tool("list_tags", {})
    assert [row["name"] for row in result.structured_content["data"]] == ["aml", "travel"]
    assert text_of(result).splitlines()[1:] == ["aml | 4 documents | Anti money laundering", "travel | 1 document"]


async def test_tags_with_long_descriptions_come_in_pages_that_fit_and_each_once(api: FakeApi, client: Client) -> None:
    api.tags = [tag(f"t{number}", description="What these documents are about. " * 15) for number in range(120)]
    names: list[str] = []
    cursor: str | None = None
    while True:
        result = await client.call_tool("list_tags", {"cursor": cursor})
        assert tokens_of(result) <= 5_000
        names += [row["name"] for row in result.structured_content["data"]]
        cursor = result.structured_content["metadata"]["next_cursor"]
        if cursor is None:
            break
    assert names == [item["name"] for item in api.tags]


async def test_arguments_that_a_client_sent_as_a_json_string_are_understood(api: FakeApi, client: Client) -> None:
    await client.call_tool("search_by_tag", {"query": "aml", "tags": '["a", "b"]'})
    assert api.calls[0].body["tags"] == {"any": ["a", "b"]}


async def test_an_unknown_tool_is_a_protocol_error(client: Client) -> None:
    with pytest.raises(MCPError) as caught:
        await client.call_tool("delete_everything", {})
    assert caught.value.code == -32602
    tools = "search, search_by_tag, search_by_document, list_documents, list_tags"
    assert caught.value.message == f"Unknown tool: delete_everything. Tools of this key: {tools}."
