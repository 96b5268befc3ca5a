"""Fixtures of the conformance suite that ask the client for input and are called again with it (2026-07-28)."""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)

AnyContext = Context[Any, Any]
Answer = str | InputRequiredResult


def _ask(message: str, field: str, kind: str = "string") -> ElicitRequest:
    schema: Any = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _sample(text: str, max_tokens: int) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(text=text))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=max_tokens))


def _rounds(context: AnyContext, state: str | None = None, **requests: InputRequest) -> InputRequiredResult | None:
    """The question, unless the client has answered all of it."""
    answers = context.input_responses or {}
    if all(name in answers for name in requests):
        return None
    return InputRequiredResult(input_requests=requests, request_state=state)


def _accepted(context: AnyContext, name: str) -> dict[str, Any]:
    answer = (context.input_responses or {})[name]
    return dict(answer.content or {}) if isinstance(answer, ElicitResult) else {}


async def test_input_required_result_elicitation(context: AnyContext) -> Answer:
    question = _rounds(context, user_name=_ask("What is your name?", "name"))
    return question or f"Hello, {_accepted(context, 'user_name').get('name')}!"


async def test_input_required_result_sampling(context: AnyContext) -> Answer:
    question = _rounds(context, capital_question=_sample("What is the capital of France?", 100))
    return question or str((context.input_responses or {})["capital_question"])


async def test_input_required_result_list_roots(context: AnyContext) -> Answer:
    question = _rounds(context, client_roots=ListRootsRequest())
    return question or str((context.input_responses or {})["client_roots"])


async def test_input_required_result_request_state(context: AnyContext) -> Answer:
    question = _rounds(context, "the state", confirm=_ask("Please confirm", "ok", "boolean"))
    return question or ("state-ok" if context.request_state == "the state" else "state lost")


async def test_input_required_result_tampered_state(context: AnyContext) -> Answer:
    return await test_input_required_result_request_state(context)


async def test_input_required_result_multiple_inputs(context: AnyContext) -> Answer:
    question = _rounds(
        context,
        "the state",
        user_name=_ask("What is your name?", "name"),
        greeting=_sample("Generate a greeting", 50),
        client_roots=ListRootsRequest(),
    )
    return question or f"Hello, {_accepted(context, 'user_name').get('name')}!"


async def test_input_required_result_multi_round(context: AnyContext) -> Answer:
    if context.request_state is None:
        return InputRequiredResult(
            input_requests={"step1": _ask("Step 1: What is your name?", "name")}, request_state="round 1"
        )
    if context.request_state == "round 1":
        return InputRequiredResult(
            input_requests={"step2": _ask("Step 2: What is your favorite color?", "color")}, request_state="round 2"
        )
    return "Both steps are done."


async def test_input_required_result_capabilities(context: AnyContext) -> Answer:
    declared = context.client_capabilities
    requests: dict[str, InputRequest] = {}
    if declared and declared.sampling is not None:
        requests["greeting"] = _sample("Generate a greeting", 50)
    if declared and declared.elicitation is not None:
        requests["user_name"] = _ask("What is your name?", "name")
    return _rounds(context, None, **requests) or "done"


async def test_missing_capability(context: AnyContext) -> Answer:
    declared = context.client_capabilities
    if declared is None or declared.sampling is None:
        data: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "This needs sampling.", data)
    return "done"


async def test_streaming_elicitation(context: AnyContext) -> Answer:
    return await test_input_required_result_elicitation(context)


ROUNDS: tuple[Callable[..., Awaitable[Answer]], ...] = (
    test_input_required_result_elicitation,
    test_input_required_result_sampling,
    test_input_required_result_list_roots,
    test_input_required_result_request_state,
    test_input_required_result_tampered_state,
    test_input_required_result_multiple_inputs,
    test_input_required_result_multi_round,
    test_input_required_result_capabilities,
    test_missing_capability,
    test_streaming_elicitation,
)


def add_prompt_round(server: MCPServer[None]) -> None:
    @server.prompt(description="Asks for its context")
    async def test_input_required_result_prompt(context: AnyContext) -> Answer:
        question = _rounds(context, user_context=_ask("What context should the prompt use?", "context"))
        return question or f"Context: {_accepted(context, 'user_context').get('context')}"
