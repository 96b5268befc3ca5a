"""Tools, resources and prompts that the official conformance suite requires of a server.

The suite prescribes those named `test_*`, and tests the protocol and the guard with them. They are on the same server
object as Lectern's own tools, in a toolset of the test's key only.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.mcpserver.tools import Tool
from mcp.types import (
    AudioContent,
    Completion,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)
from pydantic import BaseModel, Field

from conformance_rounds import ROUNDS, add_prompt_round
from lectern_mcp.protocol import LecternServer, Toolset

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="
AnyContext = Context[Any, Any]


async def test_simple_text() -> str:
    return "This is a simple text response for testing."


async def test_image_content() -> ImageContent:
    return ImageContent(data=PNG, mime_type="image/png")


async def test_audio_content() -> AudioContent:
    return AudioContent(data=WAV, mime_type="audio/wav")


def _embedded(uri: str, text: str, mime_type: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(resource=TextResourceContents(uri=uri, text=text, mime_type=mime_type))


async def test_embedded_resource() -> EmbeddedResource:
    return _embedded("test://embedded-resource", "This is an embedded resource content.")


async def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
    data = json.dumps({"test": "data", "value": 123})
    return [
        TextContent(text="Multiple content types test:"),
        ImageContent(data=PNG, mime_type="image/png"),
        _embedded("test://mixed-content-resource", data, "application/json"),
    ]


async def test_error_handling() -> str:
    raise RuntimeError("This tool intentionally returns an error for testing")


async def _log(context: AnyContext, *lines: str) -> str:
    for line in lines:
        await context.session.send_log_message("info", line, related_request_id=context.request_id)  # pyright: ignore[reportDeprecated]  # the suite tests it
        await asyncio.sleep(0.02)
    return "done"


async def test_tool_with_logging(context: AnyContext) -> str:
    return await _log(context, "Tool execution started", "Tool processing data", "Tool execution completed")


async def test_logging_tool(context: AnyContext) -> str:
    return await _log(context, "A line that nobody asked for")


async def test_tool_with_progress(context: AnyContext) -> str:
    for step in (0, 50, 100):
        await context.report_progress(step, 100)
        await asyncio.sleep(0.02)
    return "done"


async def test_sampling(prompt: str, context: AnyContext) -> str:
    message = SamplingMessage(role="user", content=TextContent(text=prompt))
    answer = await context.session.create_message([message], max_tokens=100)  # pyright: ignore[reportDeprecated]  # the suite tests it
    return f"LLM response: {answer.content.text if isinstance(answer.content, TextContent) else ''}"


class _Person(BaseModel):
    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


async def test_elicitation(message: str, context: AnyContext) -> str:
    return f"User response: {await context.elicit(message, _Person)}"


async def test_elicitation_sep1034_defaults(context: AnyContext) -> str:
    return f"Elicitation completed: {await context.elicit('Defaults', _Person)}"


async def test_elicitation_sep1330_enums(context: AnyContext) -> str:
    return f"Elicitation completed: {await context.elicit('Enums', _Person)}"


TOOLS: tuple[Callable[..., Awaitable[Any]], ...] = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_tool_with_logging,
    test_logging_tool,
    test_tool_with_progress,
    test_sampling,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
    *ROUNDS,
)
FIXTURES = Toolset(
    "fixtures",
    tuple(Tool.from_function(function, description="A fixture of the conformance suite.") for function in TOOLS),
    timeout_seconds=10,
)


def add_fixtures(server: LecternServer) -> None:
    """Resources, prompts and the methods that Lectern does not offer; its tools come as the toolset `FIXTURES`."""
    _add_resources(server)
    _add_prompts(server)
    add_prompt_round(server)
    _add_methods(server)


def _add_resources(server: MCPServer[None]) -> None:
    @server.resource("test://static-text", description="Text", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", description="Image", mime_type="image/png")
    def static_binary() -> bytes:
        return b"\x89PNG\r\n\x1a\n"

    @server.resource("test://template/{id}/data", description="Template", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002 - the suite names it
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def _add_prompts(server: MCPServer[None]) -> None:
    @server.prompt(description="Simple")
    def test_simple_prompt() -> str:
        return "This is a simple prompt for testing."

    @server.prompt(description="With arguments")
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(description="With a resource")
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803 - the suite names it
        resource = _embedded(resourceUri, "Embedded resource content for testing.")
        return [UserMessage(resource), UserMessage("Please process the embedded resource above.")]

    @server.prompt(description="With an image")
    def test_prompt_with_image() -> list[UserMessage]:
        image = ImageContent(data=PNG, mime_type="image/png")
        return [UserMessage(image), UserMessage("Please analyze the image above.")]


def _add_methods(server: MCPServer[None]) -> None:
    @server.completion()
    async def complete(*_: Any) -> Completion:
        return Completion(values=["paris", "park", "party"], total=3, has_more=False)

    async def nothing(_context: Any, _params: Any) -> EmptyResult:
        return EmptyResult()

    low_level = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]  # the high level offers no such methods
    low_level.add_request_handler("logging/setLevel", SetLevelRequestParams, nothing)
    low_level.add_request_handler("resources/subscribe", SubscribeRequestParams, nothing)
    low_level.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, nothing)
