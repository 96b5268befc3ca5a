"""A language model behind the OpenAI chat protocol, as far as the sample agent needs it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import httpx

Style = Literal["native", "schema"]


class ModelFailed(Exception):
    """The model's server does not answer, or answers something that is no chat completion."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model wants called; `arguments` is None where what it wrote is no JSON object."""

    name: str
    arguments: dict[str, Any] | None
    id: str = "call"


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the model: an answer, or tools to call. Send `message` back with the next messages."""

    message: dict[str, Any]
    text: str = ""
    calls: tuple[ToolCall, ...] = ()


@dataclass(slots=True)
class ChatModel:
    """`native`: tools go into the request. `schema`: for models without tool calls, held to a JSON schema.

    Temperature is 0. `tokens` are those of all turns, as the server counts them.
    """

    http: httpx.AsyncClient
    name: str
    style: Style = "native"
    max_tokens: int = 800
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt": 0, "completion": 0})

    async def turn(
        self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], *, may_answer: bool = True
    ) -> Turn:
        """The next turn; with no tools it can only answer. `may_answer` needs a schema. Raises ModelFailed."""
        body: dict[str, Any] = {"model": self.name, "temperature": 0, "max_tokens": self.max_tokens}
        if self.style == "schema":
            form = {"name": "turn", "strict": True, "schema": turn_schema(tools, may_answer=may_answer)}
            body |= {"messages": list(messages), "response_format": {"type": "json_schema", "json_schema": form}}
            return _schema_turn(await self._ask(body))
        body |= {"messages": list(messages)} | ({"tools": [_declared(tool) for tool in tools]} if tools else {})
        return _native_turn(await self._ask(body))

    async def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        try:
            response = await self.http.post("chat/completions", json=body)
            response.raise_for_status()
            answered = response.json()
            said: dict[str, Any] = answered["choices"][0]["message"]
        except httpx.HTTPStatusError as error:
            raise ModelFailed(f"The model's server answered {error.response.status_code}.") from error
        except httpx.HTTPError as error:
            message = f"The model's server at {self.http.base_url} cannot be reached. Check OPENAI_BASE_URL."
            raise ModelFailed(message) from error
        except (ValueError, LookupError, TypeError) as error:
            raise ModelFailed("The model's server does not speak the OpenAI chat protocol.") from error
        used: dict[str, Any] = answered.get("usage") or {}
        for kind in self.tokens:
            self.tokens[kind] += used.get(f"{kind}_tokens") or 0
        return said


def turn_schema(tools: Sequence[dict[str, Any]], *, may_answer: bool = True) -> dict[str, Any]:
    """JSON schema of a turn: `{"tool": NAME, "arguments": {...}}` or `{"answer": TEXT}`."""
    forms = [_object({"tool": {"const": tool["name"]}, "arguments": tool["schema"]}) for tool in tools]
    return {"anyOf": [*forms, *([_object({"answer": {"type": "string"}})] if may_answer or not forms else [])]}


def described(tools: Sequence[dict[str, Any]]) -> str:
    """The tools as text, for a model that is not sent them in any other way."""
    lines = [
        f"- {tool['name']}: {tool['description'].splitlines()[0]} Arguments: {', '.join(tool['schema']['properties'])}."
        for tool in tools
    ]
    form = 'Reply with JSON only: {"tool": NAME, "arguments": {...}} to call a tool, or {"answer": TEXT} at the end.'
    return "\n".join(["Tools:", *lines, form])


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _declared(tool: dict[str, Any]) -> dict[str, Any]:
    function = {"name": tool["name"], "description": tool["description"], "parameters": tool["schema"]}
    return {"type": "function", "function": function}


def _native_turn(message: dict[str, Any]) -> Turn:
    asked: list[dict[str, Any]] = message.get("tool_calls") or []
    calls = tuple(
        ToolCall(call["function"]["name"], _object_of(call["function"].get("arguments") or "{}"), str(call["id"]))
        for call in asked
    )
    text = message.get("content") or ""
    reply = {"role": "assistant", "content": text} | ({"tool_calls": message["tool_calls"]} if calls else {})
    return Turn(reply, text, calls)


def _schema_turn(message: dict[str, Any]) -> Turn:
    text = message.get("content") or ""
    reply = {"role": "assistant", "content": text}
    turn = _object_of(text)
    if turn is None:  # the text is truncated, or the server ignores schemas
        return Turn(reply, text)
    if "tool" in turn:
        requested = turn.get("arguments")
        arguments = cast("dict[str, Any]", requested) if isinstance(requested, dict) else None
        return Turn(reply, calls=(ToolCall(str(turn["tool"]), arguments),))
    return Turn(reply, str(turn.get("answer", text)))


def _object_of(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
