"""Two clients that we did not write, one for each era of the protocol, walk the service as an agent would."""

import json
from typing import Any

import pytest

from fake_api import USER_KEY, FakeApi, hit
from node import run_node


@pytest.mark.needs("Node and the npm packages of mcp/tests/clients")
@pytest.mark.parametrize(("script", "version"), [("handshake.mjs", "2025-11-25"), ("modern.mjs", "2026-07-28")])
async def test_a_typescript_client_finds_a_passage_and_opens_its_page(
    api: FakeApi, served: str, script: str, version: str
) -> None:
    api.hits = [hit(1, "Enhanced due diligence applies to politically exposed persons.", match="due diligence")]
    api.pages = {1: "The whole first page."}
    code, output = await run_node(script, f"{served}/mcp", USER_KEY)
    assert code == 0, output
    report: dict[str, Any] = json.loads(output)
    assert report["version"] == version
    assert report["server"]["name"] == "lectern"
    assert [tool["name"] for tool in report["tools"]][:2] == ["search", "search_by_tag"]
    assert all(tool["hasOutput"] for tool in report["tools"])
    assert [tool["name"] for tool in report["tools"] if not tool["hints"]["readOnlyHint"]] == [
        "query_documents",  # with `thread_id` the answer is saved
        "ingest_now",
        "add_document",
        "manage_cache",
    ]
    assert len(report["tools"]) == 5 + 3 + 11 + 13
    passage = report["found"]["structured"]["data"][0]
    assert passage["text"].splitlines()[1] in report["found"]["text"]
    assert report["page"] == {"uri": passage["url"], "mimeType": "text/plain", "text": "The whole first page."}
    assert "Question: Who?" in report["prompt"]["content"]["text"]
    assert len(report["templates"]) == 5


@pytest.mark.needs("Node and the npm packages of mcp/tests/clients")
@pytest.mark.parametrize("script", ["handshake.mjs", "modern.mjs"])
async def test_a_typescript_client_is_told_what_it_did_wrong(api: FakeApi, served: str, script: str) -> None:
    api.hits = [hit(1, "A passage.")]
    api.pages = {1: "The whole first page."}
    _, output = await run_node(script, f"{served}/mcp", USER_KEY)
    report: dict[str, Any] = json.loads(output)
    assert report["misspelt"]["isError"] is True
    assert report["misspelt"]["structuredContent"]["code"] == "VALIDATION_ERROR"
    assert "no argument tag" in report["misspelt"]["structuredContent"]["error"]
    assert report["unknownTool"]["thrown"]["code"] == -32602
    assert report["unknownPage"]["thrown"]["code"] == -32602
