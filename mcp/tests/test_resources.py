"""Documents, outlines, pages and the prompt, read by a real client."""

import json
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import TextContent, TextResourceContents

from fake_api import USER_KEY, FakeApi, document, hit, problem
from harness import MakeService
from samples import exact_tokens

ONE = document(1)


async def read(client: Client, uri: str) -> TextResourceContents:
    (contents,) = (await client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    return contents


async def test_there_are_templates_for_a_document_its_outline_and_its_pages(client: Client) -> None:
    templates = (await client.list_resource_templates()).resource_templates
    assert [(template.uri_template, template.mime_type) for template in templates] == [
        ("lectern://documents/{document_id}", "application/json"),
        ("lectern://documents/{document_id}/outline", "text/plain"),
        ("lectern://documents/{document_id}/pages/{page_number}", "text/plain"),
        ("lectern://documents/{document_id}/pages/{page_number}/image", "image/webp"),
        ("lectern://documents/{document_id}/original", "application/octet-stream"),
    ]
    assert all(template.description and template.title for template in templates)


async def test_the_url_of_a_hit_opens_its_page(api: FakeApi, client: Client) -> None:
    api.hits, api.pages = [hit(3, "A passage.")], {3: "A passage.\nAnd the rest\x00 of the page."}
    found = await client.call_tool("search", {"query": "x"})
    page = await read(client, found.structured_content["data"][0]["url"])
    assert page.text == "A passage.\nAnd the rest of the page."
    assert api.calls[-1].path == f"/api/v1/documents/{api.hits[0]['document_id']}/pages/3"


async def test_a_document_is_its_record(api: FakeApi, client: Client) -> None:
    api.documents = [ONE]
    record: dict[str, Any] = json.loads((await read(client, f"lectern://documents/{ONE['id']}")).text)
    assert (record["filename"], record["page_count"], record["tags"]) == ("policy-1.pdf", 12, ["policy", "aml"])


async def test_an_outline_is_indented_by_level(api: FakeApi, client: Client) -> None:
    api.outline = [
        {"title": "1 Scope", "level": 1, "page_number": 1},
        {"title": "1.1 Who", "level": 2, "page_number": 2},
    ]
    assert (await read(client, f"lectern://documents/{ONE['id']}/outline")).text == "1 Scope (p. 1)\n  1.1 Who (p. 2)"


async def test_an_empty_outline_says_so(client: Client) -> None:
    assert (await read(client, f"lectern://documents/{ONE['id']}/outline")).text == "This document has no outline."


@pytest.mark.parametrize(
    "sentence", ["A sentence of a very long page. ", "1 2 3 4 5 6 7. ", "Unverhältnismäßigkeiten. "]
)
async def test_a_page_longer_than_a_client_takes_is_cut_and_says_so(
    api: FakeApi, client: Client, sentence: str
) -> None:
    api.pages = {1: sentence * 30_000}
    text = (await read(client, f"lectern://documents/{ONE['id']}/pages/1")).text
    page, note = text.splitlines()
    assert page.endswith(sentence.strip())
    assert 8_000 < exact_tokens(page) <= 20_000
    assert note.startswith(f"[Cut after {len(page)} of {len(sentence) * 30_000} characters")


@pytest.mark.parametrize(
    "path", ["nope", "nope/outline", f"{ONE['id']}/pages/0", f"{ONE['id']}/pages/x", f"{ONE['id']}/pages/-1", "../keys"]
)
async def test_a_malformed_address_is_not_found_and_the_api_is_not_asked(
    api: FakeApi, client: Client, path: str
) -> None:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(f"lectern://documents/{path}")
    assert caught.value.code == -32602
    assert api.calls == []


async def test_an_unknown_page_is_not_found_in_the_apis_words(api: FakeApi, client: Client) -> None:
    api.pages = {1: "One."}
    with pytest.raises(MCPError) as caught:
        await client.read_resource(f"lectern://documents/{ONE['id']}/pages/2")
    assert (caught.value.code, caught.value.message) == (-32602, "The document has no such page.")
    assert caught.value.data["code"] == "NOT_FOUND"


async def test_a_failure_of_the_api_is_an_internal_error_that_shows_nothing(api: FakeApi, client: Client) -> None:
    api.answer_instead = problem(500, "internal_error", "stack trace")
    with pytest.raises(MCPError) as caught:
        await client.read_resource(f"lectern://documents/{ONE['id']}/pages/1")
    assert caught.value.code == -32603
    assert "stack" not in str(caught.value)


@pytest.mark.parametrize("toolsets", [["search"], ["search", "library"]])
async def test_only_originals_that_the_key_may_read_are_listed(
    api: FakeApi, make_service: MakeService, toolsets: list[str]
) -> None:
    api.documents = [ONE]
    api.keys[USER_KEY]["toolsets"] = toolsets
    async with Client(make_service(toolsets=toolsets).server) as client:
        uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
    originals = [f"lectern://documents/{ONE['id']}/original"] if "library" in toolsets else []
    assert uris == ["rag://tool-descriptions", "rag://supported-formats", *originals]


async def test_the_prompt_asks_for_citations(client: Client) -> None:
    (prompt,) = (await client.list_prompts()).prompts
    assert prompt.name == "answer_with_citations"
    (message,) = (await client.get_prompt(prompt.name, {"question": "What is {CDD}?"})).messages
    assert isinstance(message.content, TextContent)
    assert message.content.text.endswith("Question: What is {CDD}?")
    assert "[filename, p. page]" in message.content.text


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("nope", {}, "Unknown prompt: nope."),
        ("answer_with_citations", {}, "question is required. Arguments: question, document, tag."),
        (
            "answer_with_citations",
            {"question": "x", "tags": "y"},
            "answer_with_citations has no argument tags (did you mean tag?).",
        ),
        ("answer_with_citations", {"question": ""}, "question must have 1 or more characters."),
        ("answer_with_citations", {"question": "x" * 4_001}, "question must have at most 4000 characters."),
    ],
)
async def test_an_unknown_prompt_or_arguments_that_cannot_be_used_are_invalid(
    client: Client, name: str, arguments: dict[str, str], says: str
) -> None:
    with pytest.raises(MCPError) as caught:
        await client.get_prompt(name, arguments)
    assert caught.value.code == -32602
    assert says in caught.value.message
