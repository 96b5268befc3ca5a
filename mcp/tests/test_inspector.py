"""The MCP inspector, without its screen, goes over the whole surface in both eras of the protocol."""

import json
from pathlib import Path
from typing import Any

import pytest

from fake_api import USER_KEY, FakeApi, hit
from node import run_node

INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
TOOL_FAILED = 5  # the inspector's exit code
pytestmark = pytest.mark.needs("Node and the npm packages of mcp/tests/clients")


class Inspector:
    """The inspector's command line at one address."""

    def __init__(self, url: str, *, era: str, home: Path) -> None:
        self._given = ("--cli", "--transport", "http", "--server-url", f"{url}/mcp", "--protocol-era", era)
        self._given += ("--header", f"Authorization: Bearer {USER_KEY}", "--format", "json", "--quiet")
        self._home = home

    async def run(self, method: str, *arguments: str) -> tuple[int, dict[str, Any]]:
        """Exit code and the first of the objects that are printed: the result, where there is one, else the error."""
        code, output = await run_node(INSPECTOR, *self._given, "--method", method, *arguments, home=self._home)
        return code, json.loads(output.strip().splitlines()[0])

    async def result(self, method: str, *arguments: str) -> dict[str, Any]:
        code, printed = await self.run(method, *arguments)
        assert code == 0, printed
        return printed["result"]


@pytest.fixture(params=["legacy", "modern"])
def inspector(api: FakeApi, served: str, tmp_path: Path, request: pytest.FixtureRequest) -> Inspector:
    api.hits = [hit(1, "Enhanced due diligence applies to politically exposed persons.", match="due diligence")]
    api.pages = {1: "The whole first page."}
    return Inspector(served, era=request.param, home=tmp_path)


async def test_every_tool_is_listed_with_schemas_that_other_clients_can_use(inspector: Inspector) -> None:
    """`--strict` fails when a schema has an error for one of the clients that the inspector knows."""
    tools = (await inspector.result("tools/list", "--strict"))["tools"]
    assert len(tools) == 5 + 3 + 11 + 13
    assert all(tool["outputSchema"]["type"] == "object" for tool in tools)


async def test_a_passage_is_found_and_its_page_opened(inspector: Inspector) -> None:
    arguments = ("--tool-name", "search", "--tool-arg", "query=due diligence", "--tool-arg", "top_k=2")
    found = await inspector.result("tools/call", *arguments)
    (passage,) = found["structuredContent"]["data"]
    (page,) = (await inspector.result("resources/read", "--uri", passage["url"]))["contents"]
    assert page == {"uri": passage["url"], "mimeType": "text/plain", "text": "The whole first page."}


async def test_resources_templates_and_prompts_are_there(inspector: Inspector) -> None:
    resources = (await inspector.result("resources/list"))["resources"]
    assert {one["uri"] for one in resources} == {"rag://tool-descriptions", "rag://supported-formats"}
    assert len((await inspector.result("resources/templates/list"))["resourceTemplates"]) == 5
    (prompt,) = (await inspector.result("prompts/list"))["prompts"]
    asked = ("--prompt-name", prompt["name"], "--prompt-args", "question=Who?")
    (message,) = (await inspector.result("prompts/get", *asked))["messages"]
    assert "Question: Who?" in message["content"]["text"]


async def test_what_was_done_wrong_is_said(inspector: Inspector) -> None:
    misspelt = ("--tool-name", "search", "--tool-args-json", json.dumps({"query": "x", "tag": ["aml"]}))
    code, printed = await inspector.run("tools/call", *misspelt)
    assert code == TOOL_FAILED
    assert printed["result"]["isError"] is True
    assert printed["result"]["structuredContent"]["code"] == "VALIDATION_ERROR"
    code, printed = await inspector.run("tools/call", "--tool-name", "drop_tables")
    assert (code, printed["error"]["code"]) == (TOOL_FAILED, "tool_not_found")
