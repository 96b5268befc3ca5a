"""Requests and responses in the form of OpenAI's Chat Completions API."""

from typing import Annotated, Any, Final, Literal

from pydantic import (
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    create_model,
    field_validator,
)
from pydantic_core import PydanticCustomError

from lectern.answers.schemas import Mode, Outcome
from lectern.http.schemas import RequestModel, ResponseModel
from lectern.search.schemas import MAX_QUERY_CHARACTERS

MAX_MESSAGES: Final = 1_000
_NO_EFFECT: Final = "Has no effect."

NoItems = Annotated[list[Any], Field(max_length=0)]
NoFields = Annotated[dict[str, Any], Field(max_length=0)]


class ContentPart(RequestModel):
    """A part of a message. Only parts of type `text` can be read."""

    model_config = ConfigDict(extra="ignore")

    type: str
    text: str | None = None


class ChatMessage(RequestModel):
    """A message of the conversation. Clients send earlier answers back, with members that are not read."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[ContentPart] | None = None

    @property
    def text(self) -> str:
        """The text, without spaces around it."""
        parts = [self.content] if isinstance(self.content, str) else [part.text or "" for part in self.content or []]
        return "\n".join(parts).strip()


class TextFormat(RequestModel):
    """The only supported form of an answer."""

    type: Literal["text"]


class StreamOptions(RequestModel):
    """Options of a stream."""

    include_usage: bool | None = Field(
        default=None, description="Send the tokens of the chat endpoint, if one was used."
    )
    include_obfuscation: bool | None = Field(default=None, description=_NO_EFFECT)


_UNUSED: Final = (
    "frequency_penalty", "max_completion_tokens", "max_tokens", "metadata", "parallel_tool_calls", "presence_penalty",
    "prompt_cache_key", "reasoning_effort", "safety_identifier", "seed", "service_tier", "store", "temperature",
    "top_p", "user", "verbosity",
)  # fmt: skip
"""Parameters that tune a language model or describe the caller."""
_UNUSED_FIELDS: Final[dict[str, Any]] = {name: (Any, Field(default=None, description=_NO_EFFECT)) for name in _UNUSED}
UnusedParameters = create_model("UnusedParameters", __base__=RequestModel, **_UNUSED_FIELDS)


class ChatCompletionRequest(UnusedParameters):
    """A conversation. Its last user message is the question, and earlier ones complete a follow-up."""

    model: str = Field(
        max_length=600, description="`lectern`, or `lectern/` with `collection/`, `tag/` or `document/` and a name."
    )
    messages: list[ChatMessage] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: bool | None = Field(default=None, description="Answer with server-sent events.")
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    response_format: TextFormat | None = None
    tool_choice: Literal["none", "auto"] | None = None
    logprobs: Literal[False] | None = None
    tools: NoItems | None = None
    stop: NoItems | None = None
    logit_bias: NoFields | None = None

    @field_validator("n", "response_format", "tool_choice", "logprobs", "tools", "stop", "logit_bias", mode="wrap")
    @classmethod
    def _refuse_unsupported(cls, value: Any, handler: ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401 - any field
        try:
            return handler(value)
        except ValidationError as error:
            raise PydanticCustomError("unsupported_value", "Not supported. Omit this parameter.") from error

    @field_validator("messages")
    @classmethod
    def _require_question(cls, messages: list[ChatMessage]) -> list[ChatMessage]:
        question = _last_of_user(messages)
        if question is None or not question.text:
            raise PydanticCustomError("no_question", "There is no user message with text.")
        content = question.content
        if isinstance(content, list) and any(part.type != "text" for part in content):
            raise PydanticCustomError("unsupported_value", "The last user message may have parts of type `text` only.")
        if len(question.text) > MAX_QUERY_CHARACTERS:
            raise PydanticCustomError(
                "string_too_long",
                "The last user message is longer than {max_length} characters.",
                {"max_length": MAX_QUERY_CHARACTERS},
            )
        return messages

    @property
    def question(self) -> str:
        """The text of the last user message."""
        message = _last_of_user(self.messages)
        return message.text if message else ""


def _last_of_user(messages: list[ChatMessage]) -> ChatMessage | None:
    return next((message for message in reversed(messages) if message.role == "user"), None)


class UrlCitation(ResponseModel):
    """A footnote mark in the content, and the place that it names."""

    start_index: int
    end_index: int
    url: str
    title: str


class Annotation(ResponseModel):
    """A citation in the form of a web search."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class AssistantMessage(ResponseModel):
    """The answer with its sources."""

    role: Literal["assistant"] = "assistant"
    content: str
    annotations: list[Annotation]


class Choice(ResponseModel):
    """The only answer."""

    index: Literal[0] = 0
    message: AssistantMessage
    finish_reason: Literal["stop"] = "stop"


class ChatUsage(ResponseModel):
    """Tokens that the chat endpoint counted."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class AnswerFacts(ResponseModel):
    """Facts about an answer. OpenAI has no such member."""

    outcome: Outcome
    mode: Mode
    confidence: float | None = Field(default=None, description="Absent if none was estimated.")
    rewritten_question: str | None = Field(
        default=None, description="What was asked instead of a follow-up question. Absent if that was asked itself."
    )


class ChatCompletion(ResponseModel):
    """An answer. `usage` is absent if no chat endpoint was used, or if it counted nothing."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int = Field(description="Unix time in seconds.")
    model: str
    choices: list[Choice]
    usage: ChatUsage | None = None
    lectern: AnswerFacts


class ChatModel(ResponseModel):
    """A scope as a model."""

    id: str
    object: Literal["model"] = "model"
    created: int = Field(description="Unix time in seconds; 0 for the library.")
    owned_by: Literal["lectern"] = "lectern"


class ChatModels(ResponseModel):
    """The models that the caller may use."""

    object: Literal["list"] = "list"
    data: list[ChatModel]
