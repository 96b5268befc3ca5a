"""Failures reach the model as `isError` with `{error, code, hint}`: in its words, never in ours."""

import asyncio
import logging
from typing import Annotated, Any, get_args

import httpx
import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver.tools import Tool
from mcp.types import TextContent
from pydantic import AfterValidator, SecretStr, TypeAdapter, ValidationError
from starlette.responses import PlainTextResponse, Response

from fake_api import SERVICE_KEY, USER_KEY, FakeApi, document, problem
from harness import MakeService
from lectern_mcp.errors import DEFAULTS, Code, Failure
from lectern_mcp.principal import Caller
from lectern_mcp.protocol import Toolset
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from lectern_mcp.text import describe_faults

STATUSES: list[tuple[Response, Code]] = [
    (problem(400, "bad_request", "No."), "VALIDATION_ERROR"),
    (problem(422, "unknown_tag", "No tag is called aml2."), "VALIDATION_ERROR"),
    (problem(409, "conflict", "No."), "VALIDATION_ERROR"),
    (problem(404, "not_found", "No."), "NOT_FOUND"),
    (problem(401, "unauthorized", "No."), "UNAUTHORIZED"),
    (problem(403, "forbidden", "No."), "UNAUTHORIZED"),
    (problem(429, "rate_limited", "No."), "RATE_LIMITED"),
    (problem(504, "timed_out", "No."), "TIMEOUT"),
    (problem(503, "semantic_search_unavailable", "No."), "MODEL_LOAD_ERROR"),
    (problem(502, "answer_model_rejected", "No."), "MODEL_LOAD_ERROR"),
    (problem(504, "answer_model_timeout", "No."), "TIMEOUT"),
    (problem(502, "download_failed", "No."), "DOWNLOAD_ERROR"),
    (problem(422, "encrypted", "No."), "PROCESSING_ERROR"),
    (problem(500, "internal_error", "No."), "INTERNAL_ERROR"),
    (PlainTextResponse("<html>Bad gateway</html>", 502), "INTERNAL_ERROR"),
    (PlainTextResponse("not json", 200), "INTERNAL_ERROR"),
]


@pytest.mark.parametrize(("answer", "code"), STATUSES)
async def test_each_answer_of_the_api_has_its_code(api: FakeApi, client: Client, answer: Response, code: str) -> None:
    api.answer_instead = answer
    result = await client.call_tool("search", {"query": "x"})
    assert result.is_error
    assert set(result.structured_content) == {"error", "code", "hint"}
    assert result.structured_content["code"] == code
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert block.text.startswith(f"{code}: ")
    assert "\n" not in block.text


def test_every_code_is_produced_by_some_answer_of_the_api() -> None:
    assert {code for _, code in STATUSES} == set(get_args(Code)) - {"HOST_NOT_ALLOWED"}
    assert set(get_args(Code)) == set(DEFAULTS)


@pytest.mark.parametrize("names", [{"existing": ["aml", "travel"]}, {"available": ["aml", "travel"]}])
async def test_the_apis_own_words_and_the_names_that_exist_are_passed_on(
    api: FakeApi, client: Client, names: dict[str, list[str]]
) -> None:
    api.answer_instead = problem(
        422, "unknown_filter", "No such tag: 'amll' (did you mean 'aml'?).", hint="Nothing was searched.", **names
    )
    result = await client.call_tool("search_by_tag", {"query": "x", "tags": ["amll"]})
    assert result.structured_content == {
        "error": "No such tag: 'amll' (did you mean 'aml'?).",
        "code": "VALIDATION_ERROR",
        "hint": "Nothing was searched. Available: aml, travel.",
    }


async def test_what_a_broken_api_says_stays_behind(api: FakeApi, client: Client) -> None:
    api.answer_instead = problem(500, "internal_error", "psycopg.OperationalError: password=hunter2")
    result = await client.call_tool("search", {"query": "x"})
    assert "hunter2" not in str(result)
    assert result.structured_content["error"] == DEFAULTS["INTERNAL_ERROR"][0]


async def test_the_time_to_wait_is_passed_on(api: FakeApi, client: Client) -> None:
    api.answer_instead = problem(429, "rate_limited", "Too many.")
    api.answer_instead.headers["Retry-After"] = "17"
    result = await client.call_tool("search", {"query": "x"})
    assert "17 s" in result.structured_content["hint"]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("search", {"query": "x", "tag": ["aml"]}, "search has no argument tag."),
        ("search", {}, "query is required."),
        ("search", {"query": ""}, "query must have 1 or more characters."),
        ("search", {"query": "x" * 4_001}, "query must have at most 4000 characters."),
        ("search", {"query": "x", "top_k": 0}, "top_k must be at least 1."),
        ("search", {"query": "x", "top_k": 10**9}, "top_k must be at most 20."),
        ("search", {"query": "x", "max_tokens": 1}, "max_tokens must be at least 500."),
        ("search_by_tag", {"query": "x"}, "tags is required."),
        ("search_by_tag", {"query": "x", "tags": []}, "tags must have 1 or more entries."),
        ("search_by_document", {"query": "x", "documents": [""]}, "documents.0 must have 1 or more characters."),
        ("search", {"query": True, "top_k": 2.5}, "query must be text; top_k must be a whole number."),
        ("search", {"query": "x", "top_k": "many"}, "top_k must be a whole number."),
        ("search", {"query": "x", "hybrid": "maybe"}, "hybrid must be true or false."),
        ("search_by_tag", {"query": "x", "tags": 5}, "tags must be a list."),
        ("search", {"query": "x", "topk": 5}, "search has no argument topk (did you mean top_k?)."),
        ("list_documents", {"status": "lost"}, "status must be 'queued', 'processing', 'ready' or 'failed'."),
        ("list_documents", {"limit": 1_000}, "limit must be at most 200."),
        ("list_tags", {"limit": 5}, "list_tags has no argument limit."),
    ],
)
async def test_a_wrong_argument_is_named_in_one_line_before_the_api_is_asked(
    api: FakeApi, client: Client, tool: str, arguments: dict[str, Any], says: str
) -> None:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content["code"] == "VALIDATION_ERROR"
    assert says in result.structured_content["error"]
    assert not [words for words in ("pydantic", "Input should", "Field required") if words in str(result)]
    assert api.calls == []


async def test_a_null_character_in_a_query_is_the_apis_to_refuse(api: FakeApi, client: Client) -> None:
    api.answer_instead = problem(422, "validation_error", "query: NUL characters\x00 are not\nallowed")
    result = await client.call_tool("search", {"query": "a\x00b"})
    assert api.calls[0].body["query"] == "a\x00b"
    assert result.structured_content["error"] == "query: NUL characters are not allowed."


def settings(**values: Any) -> McpSettings:
    return McpSettings.model_validate({"backend_api_key": SERVICE_KEY, "mcp_api_key": USER_KEY, **values})


async def test_an_api_that_is_down_is_a_readable_error(unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(settings(api_url=f"http://127.0.0.1:{unused_tcp_port}"))
    monkeypatch.setattr(service.principals, "resolve", _anyone)
    async with Client(service.server) as client:
        result = await client.call_tool("search", {"query": "x"})
    assert result.structured_content["code"] == "INTERNAL_ERROR"
    assert result.structured_content["error"] == "The Lectern API cannot be reached."
    assert "LECTERN_API_URL" in result.structured_content["hint"]


async def test_over_stdio_the_address_of_another_server_is_named_as_the_fault() -> None:
    elsewhere = httpx.MockTransport(lambda _request: httpx.Response(404, text="Not Found"))
    service = Service(McpSettings.model_validate({"mcp_api_key": USER_KEY}), elsewhere)
    async with Client(service.server) as client:
        with pytest.raises(MCPError, match="The Lectern API cannot be reached"):
            await client.call_tool("search", {"query": "x"})


async def _anyone(_key: SecretStr) -> Caller:
    return Caller("key:x", frozenset({"search"}))


class _Slow(httpx.AsyncBaseTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("introspect"):
            return httpx.Response(200, json={"is_active": True, "principal": "key:x", "toolsets": ["search"]})
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_call_that_takes_too_long_is_ended_with_its_code() -> None:
    async with Client(Service(settings(tool_timeout_seconds=0.05), _Slow()).server) as client:
        result = await client.call_tool("search", {"query": "x"})
    assert result.structured_content["code"] == "TIMEOUT"


async def test_a_crash_shows_no_more_than_its_request_id_and_is_logged(
    make_service: MakeService, api: FakeApi, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> str:
        raise RuntimeError("secret plan")

    api.keys[USER_KEY]["toolsets"] = ["search", "broken"]
    toolset = Toolset("broken", (Tool.from_function(broken, description="Breaks."),), timeout_seconds=5)
    async with Client(make_service(more=(toolset,)).server) as client:
        result = await client.call_tool("broken", {})
    assert result.structured_content["code"] == "INTERNAL_ERROR"
    assert "secret plan" not in str(result)
    assert "request id" in result.structured_content["hint"]
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.exc_info is not None


async def test_a_tool_outside_the_keys_toolsets_is_neither_listed_nor_callable(
    make_service: MakeService, api: FakeApi
) -> None:
    api.keys[USER_KEY]["toolsets"] = ["answers"]
    async with Client(make_service().server) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["query_documents", "search_chunks", "document_stats"]
        with pytest.raises(Exception, match="Unknown tool: search"):
            await client.call_tool("search", {"query": "x"})
    assert api.calls == []


def test_a_failure_has_the_words_of_its_code_unless_it_is_given_others() -> None:
    assert Failure("NOT_FOUND").as_dict() == {
        "error": "Nothing that you may see has this name or id.",
        "code": "NOT_FOUND",
        "hint": "See list_documents or list_tags.",
    }
    assert Failure("NOT_FOUND", "No page 9.", hint="It has 3.").as_dict()["error"] == "No page 9."


async def test_what_a_tool_takes_is_said_when_it_was_given_something_else(client: Client) -> None:
    for arguments in ({"query": "x", "tags": 5}, {"query": "x", "tag": ["aml"]}, {"tags": ["aml"]}):
        result = await client.call_tool("search_by_tag", arguments)
        assert result.structured_content["hint"].endswith(
            "Arguments: query (required), tags (required), top_k, hybrid, max_tokens."
        )


async def test_a_field_is_named_as_the_tool_names_it_and_not_as_the_api_does(api: FakeApi, client: Client) -> None:
    api.answer_instead = problem(422, "invalid_request", "body.query: String should have at least 1 character")
    blank = await client.call_tool("search", {"query": " "})
    assert blank.structured_content["error"] == "query: String should have at least 1 character."
    api.answer_instead = problem(422, "invalid_request", "body: Give either url or content.")
    neither = await client.call_tool("search", {"query": " "})
    assert neither.structured_content["error"] == "Give either url or content."


async def test_names_do_not_follow_a_close_one(api: FakeApi, client: Client) -> None:
    names = {"close_matches": ["aml"], "available": ["travel", "aml"]}
    api.answer_instead = problem(422, "unknown_tag", "Unknown tag: 'am'.", hint="Did you mean 'aml'?", **names)
    result = await client.call_tool("search_by_tag", {"query": "x", "tags": ["am"]})
    assert result.structured_content["hint"] == "Did you mean 'aml'?"


async def test_what_exists_is_listed_once(api: FakeApi, client: Client) -> None:
    api.answer_instead = problem(422, "unknown_tag", "Unknown tag: 'x'.", hint="There are: 'aml'.", available=["aml"])
    result = await client.call_tool("search_by_tag", {"query": "x", "tags": ["x"]})
    assert result.structured_content["hint"] == "There are: 'aml'."


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_document_content", {}),
        ("get_outline", {}),
        ("read_pages", {"pages": "1"}),
        ("find_in_document", {"text": "word"}),
    ],
)
async def test_a_document_that_is_not_read_yet_is_no_empty_text(
    api: FakeApi, everything: Client, tool: str, arguments: dict[str, str]
) -> None:
    queued = document(1, status="queued", page_count=None)
    api.documents = [queued]
    result = await everything.call_tool(tool, {"document": queued["id"], **arguments})
    assert result.structured_content == {
        "code": "PROCESSING_ERROR",
        "error": "The document has no text yet: it is queued.",
        "hint": "Call again when list_documents shows it as ready.",
    }


def test_braces_in_the_words_of_a_fault_are_kept() -> None:
    def refuse(_: str) -> str:
        raise ValueError("{x} is no place")

    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Annotated[str, AfterValidator(refuse)]).validate_python("a")
    assert "{x} is no place" in describe_faults(caught.value)
