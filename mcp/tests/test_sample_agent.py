"""The sample agent, as a program of its own: a model of somebody else's asks the real library over MCP."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import pytest
from small_model import INSTALL_HINT, find_weights, serving_small_model

from chat_server import ChatServer, calling, chat_server, saying
from fake_api import SERVICE_KEY
from harness import held
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from real_api import ENVIRONMENT_KEY, RealApi, real_api
from serving import serving

AGENT = Path(__file__).parents[1] / "clients" / "lectern_agent.py"
QUESTION = "What is the hotel limit per night in London?"


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {"travel-and-expenses-policy.pdf": ("travel",)}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents)) as made:
        yield made


@pytest.fixture(scope="module")
async def url(api: RealApi) -> AsyncGenerator[str]:
    values = {"backend_api_key": SERVICE_KEY, "api_url": api.url, "rate_limit_per_minute": 0}
    async with held(serving(Service(McpSettings.model_validate(values)).app())) as address:
        yield f"{address}/mcp"


@pytest.fixture
def model() -> Generator[ChatServer]:
    with chat_server(searching) as server:
        yield server


def searching(body: dict[str, Any]) -> dict[str, Any]:
    """Searches for what was asked, then says the amount of the first passage that has one."""
    last = body["messages"][-1]
    if last["role"] != "tool":
        return calling("search", query=last["content"])
    amount = re.search(r"£ ?\d+|\d+ (?:GBP|pounds|EUR)|(?:GBP|EUR) ?\d+", last["content"])
    return saying(f"It says {amount[0] if amount else 'nothing'}.")


async def run_agent(
    mcp: str, model: str, *arguments: str, key: str = ENVIRONMENT_KEY, said: str = ""
) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the program."""
    environment = {"LECTERN_KEY": key, "OPENAI_BASE_URL": model, "OPENAI_API_KEY": "sk-of-the-model"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(AGENT),
        "--mcp",
        mcp,
        *arguments,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate(said.encode())
    return process.returncode or 0, output.decode(), errors.decode()


async def test_one_question_is_answered_from_a_passage_that_the_model_searched_for(
    url: str, model: ChatServer, tmp_path: Path
) -> None:
    log = tmp_path / "log.md"
    code, output, errors = await run_agent(url, model.url, "--log", str(log), "--result-tokens", "900", QUESTION)
    assert (code, "call search" in errors) == (0, True)
    first, second = model.requests
    assert first["authorization"] == "Bearer sk-of-the-model"
    assert (first["path"], first["temperature"]) == ("/v1/chat/completions", 0)
    offered = {tool["function"]["name"]: tool["function"] for tool in first["tools"]}
    assert set(offered) == {"search", "search_by_tag", "search_by_document", "list_documents", "list_tags"}
    assert "max_tokens" not in offered["search"]["parameters"]["properties"]
    result = second["messages"][-1]
    assert (result["role"], result["tool_call_id"]) == ("tool", "c1")
    assert "<passage " in result["content"]
    assert "travel-and-expenses-policy.pdf" in result["content"]
    assert output.strip() == searching(second)["content"]
    kept = log.read_text(encoding="utf-8")
    assert [line for line in kept.splitlines() if line.startswith("## ")] == [
        "## question",
        "## call search",
        "## result of search",
        "## answer",
        "## tokens",
    ]
    assert "20 of prompts, 10 written" in kept
    assert ENVIRONMENT_KEY not in kept + output + errors + json.dumps(model.requests)


async def test_a_conversation_goes_on_until_an_empty_line_and_remembers_what_was_said(
    url: str, model: ChatServer
) -> None:
    code, output, _ = await run_agent(url, model.url, said=f"{QUESTION}\nAnd in Rome?\n\nNever asked\n")
    assert (code, len(output.splitlines())) == (0, 2)
    asked = [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "user"]
    assert asked == [QUESTION, "And in Rome?"]


async def test_a_model_without_tool_calls_is_held_to_a_schema_that_is_a_call_or_an_answer(
    url: str, model: ChatServer
) -> None:
    def by_schema(body: dict[str, Any]) -> dict[str, Any]:
        is_answered = body["messages"][-1]["content"].startswith("Result of search:")
        said = {"answer": "Done."} if is_answered else {"tool": "search", "arguments": {"query": "hotel"}}
        return saying(json.dumps(said))

    model.say = by_schema
    code, output, _ = await run_agent(url, model.url, "--tool-style", "schema", "--tools", "search", "--", QUESTION)
    assert (code, output.strip()) == (0, "Done.")
    first, second = [request["response_format"]["json_schema"]["schema"]["anyOf"] for request in model.requests]
    assert [form["required"] for form in first] == [["tool", "arguments"]], "it searches before it answers"
    assert [form["required"] for form in second] == [["tool", "arguments"], ["answer"]]
    assert first[0]["properties"]["tool"] == {"const": "search"}
    assert "tools" not in model.requests[0]
    assert "- search:" in model.requests[0]["messages"][0]["content"]


async def test_the_model_gets_the_error_of_a_wrong_call_and_rounds_are_counted(url: str, model: ChatServer) -> None:
    wrong = [calling("invent"), calling("search", quer="x"), calling("search_by_tag", query="x", tags=["nowhere"])]
    model.say = lambda _: wrong[min(len(model.requests), len(wrong)) - 1]
    code, _, errors = await run_agent(url, model.url, "--most-calls", "3", QUESTION)
    replies = [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "tool"]
    assert replies[0] == "There is no tool invent."
    assert replies[1].startswith("VALIDATION_ERROR: search has no argument quer (did you mean query?).")
    assert "nowhere" in replies[2]
    assert "tools" not in model.requests[-1]
    assert (code, errors.splitlines()[-1]) == (
        1,
        "lectern-agent: The model calls tools and does not come to an answer.",
    )


async def test_a_failing_model_missing_tools_and_a_wrong_key_are_one_line_each(url: str, model: ChatServer) -> None:
    model.status = 503
    code, _, errors = await run_agent(url, model.url, QUESTION)
    assert (code, errors) == (1, "lectern-agent: The model's server answered 503.\n")
    code, _, errors = await run_agent(url, "http://127.0.0.1:1/v1", QUESTION)
    reason = "The model's server at http://127.0.0.1:1/v1/ cannot be reached. Check OPENAI_BASE_URL."
    assert (code, errors) == (1, f"lectern-agent: {reason}\n")
    code, _, errors = await run_agent(url, model.url, "--tools", "query_documents", "--", QUESTION)
    assert (code, errors.startswith("lectern-agent: The key has none of these tools")) == (1, True)
    code, _, errors = await run_agent(url, model.url, QUESTION, key="wrong-key-0123456789abcdef")
    assert (code, len(errors.splitlines())) == (1, 1)
    assert errors.startswith("lectern-agent: The MCP service cannot be used: ")
    assert "wrong-key" not in errors


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.needs("the small language model")
@pytest.mark.timeout(900)
async def test_a_real_model_calls_a_tool_of_the_library_and_says_something(url: str, tmp_path: Path) -> None:
    if find_weights() is None:
        pytest.skip(f"needs the small language model; {INSTALL_HINT}")
    log = tmp_path / "log.md"
    limits = ["--result-tokens", "500", "--answer-tokens", "250", "--most-calls", "1"]
    async with serving_small_model() as address:
        code, output, errors = await run_agent(
            url, address, "--tool-style", "schema", "--tools", "search", "--log", str(log), *limits, "--", QUESTION
        )
    assert (code, bool(output.strip())) == (0, True), errors
    assert "## call search" in log.read_text(encoding="utf-8")
    assert "passage" in log.read_text(encoding="utf-8").split("## result of search")[1]
