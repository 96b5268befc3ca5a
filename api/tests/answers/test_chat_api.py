"""The OpenAI-compatible API, with the official client."""

from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from openai.types.chat import ChatCompletionChunk
from pydantic import SecretStr
from tests.answers.chat_server import chat_server, found, source_of
from tests.answers.library import open_library
from tests.api import Api

from lectern.answers.chat_api.content import ChatContent
from lectern.answers.chat_api.schemas import AnswerFacts
from lectern.settings import AnswersSettings, HttpSettings

COMPLETIONS = "/v1/chat/completions"
ANSWERED = "What is the fee for a paper statement?"
UNCERTAIN = "How long is the fee for a paper statement valid?"
UNRELATED = "Who won the football world cup in 1982?"
VAULT = "When does the vault of the branch open in the morning?"
FEE = "The fee for a paper statement is 3 euro."
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


def connect(api: Api, headers: dict[str, str]) -> openai.AsyncOpenAI:
    key = headers["Authorization"].removeprefix("Bearer ")
    transport = httpx.AsyncClient(transport=httpx.ASGITransport(api.app))
    return openai.AsyncOpenAI(base_url="http://lectern.test/v1", api_key=key, max_retries=0, http_client=transport)


@pytest.fixture
async def client(api: Api) -> openai.AsyncOpenAI:
    return connect(api, await api.key(await api.person("admin"), toolsets=["answers"]))


def user(text: Any) -> Any:
    return [{"role": "user", "content": text}]


async def ask(client: openai.AsyncOpenAI, question: str, model: str = "lectern") -> tuple[str, str, list[Any]]:
    """Return the outcome, the content and the annotations."""
    completion = await client.chat.completions.create(model=model, messages=user(question))
    (choice,) = completion.choices
    assert (choice.finish_reason, choice.message.role, completion.model) == ("stop", "assistant", model)
    facts: Any = completion.model_extra
    return facts["lectern"]["outcome"], choice.message.content or "", choice.message.annotations or []


async def test_answer_has_footnotes_sources_and_annotations(client: openai.AsyncOpenAI) -> None:
    outcome, content, annotations = await ask(client, ANSWERED)
    assert outcome == "answered"
    answer, sources = content.split("\n\nSources:\n\n")
    assert f"{FEE} [1]" in answer
    assert sources.startswith("- [1] [Tariff, page 3](http://127.0.0.1:8000/documents/")
    assert sources.endswith("Answered with exact sentences from the documents.")
    cited = annotations[0].url_citation
    assert content[cited.start_index : cited.end_index] == "[1]"
    assert f"({cited.url})" in sources
    assert "?page=3&start=" in cited.url
    assert cited.title == "Tariff, page 3"


async def test_answer_without_a_chat_endpoint_reports_no_usage(client: openai.AsyncOpenAI) -> None:
    completion = await client.chat.completions.create(model="lectern", messages=user(ANSWERED))
    assert completion.usage is None
    assert completion.object == "chat.completion"
    facts: Any = completion.model_extra
    assert set(AnswerFacts.model_json_schema(mode="serialization")["required"]) <= set(facts["lectern"])


async def test_uncertain_answer_quotes_the_closest_passages(client: openai.AsyncOpenAI) -> None:
    outcome, content, annotations = await ask(client, UNCERTAIN)
    assert outcome == "closest_passages"
    assert content.startswith(
        "No single sentence answers this with certainty. The closest passages may hold the answer"
    )
    assert "\n\n> " in content
    assert FEE in content
    cited = annotations[0].url_citation
    assert content[cited.start_index : cited.end_index] == "[1]"


async def test_unrelated_question_finds_nothing(client: openai.AsyncOpenAI) -> None:
    outcome, content, _ = await ask(client, UNRELATED)
    assert outcome == "nothing_found"
    assert content.startswith("Nothing found: no passage seems to be about this question.")


@pytest.mark.parametrize("question", [ANSWERED, UNCERTAIN, UNRELATED])
async def test_stream_adds_up_to_the_plain_answer(client: openai.AsyncOpenAI, question: str) -> None:
    outcome, content, annotations = await ask(client, question)
    chunks = await stream(client, question)
    assert [chunks[0].choices[0].delta.role, chunks[-1].choices[0].finish_reason] == ["assistant", "stop"]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == content
    assert len({chunk.id for chunk in chunks}) == 1
    extra: Any = [chunk.choices[0].delta.model_extra for chunk in chunks]
    sent = [members["annotations"] for members in extra if "annotations" in members]
    assert sent == [[annotation.model_dump() for annotation in annotations]]
    facts: Any = chunks[-1].model_extra
    assert facts["lectern"]["outcome"] == outcome


async def stream(client: openai.AsyncOpenAI, question: str, **wanted: Any) -> list[ChatCompletionChunk]:
    chunks = await client.chat.completions.create(model="lectern", messages=user(question), stream=True, **wanted)
    return [chunk async for chunk in chunks]


async def test_stream_ends_with_done(api: Api, client: openai.AsyncOpenAI) -> None:
    body = {"model": "lectern", "messages": user(ANSWERED), "stream": True}
    response = await api.client.post(COMPLETIONS, json=body, headers={"Authorization": f"Bearer {client.api_key}"})
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.text.endswith("\n\ndata: [DONE]\n\n")


async def test_question_is_the_last_user_message_and_content_can_have_parts(client: openai.AsyncOpenAI) -> None:
    messages: Any = [
        {"role": "system", "content": "Answer in verse."},
        *user([{"type": "text", "text": UNRELATED}, IMAGE]),
        {"role": "assistant", "content": "Nothing found.", "refusal": None, "annotations": []},
        *user([{"type": "text", "text": ANSWERED}]),
    ]
    completion = await client.chat.completions.create(
        model="lectern", messages=messages, temperature=0, max_tokens=5, user="me", seed=1, n=1
    )
    assert FEE in (completion.choices[0].message.content or "")


@pytest.mark.parametrize("outcome", ["answered", "nothing_found"])
async def test_follow_up_is_rewritten_from_the_messages_before_it(client: openai.AsyncOpenAI, outcome: str) -> None:
    asked = "What was the net profit of Quercialta in {}?"
    last = {"answered": "And in 2024?", "nothing_found": "And in 2019?"}[outcome]
    messages: Any = [
        *user(asked.format(2022)),
        {"role": "assistant", "content": "The documents do not say it."},
        *user("And in 2023?"),
        {"role": "assistant", "content": None},
        *user(last),
    ]
    completion = await client.chat.completions.create(model="lectern", messages=messages)
    facts: Any = completion.model_extra
    rewritten = asked.format(last[-5:-1])
    assert (facts["lectern"]["outcome"], facts["lectern"]["rewritten_question"]) == (outcome, rewritten)
    content = completion.choices[0].message.content or ""
    assert content.endswith(f"\n\nAsked as: {rewritten}")
    assert "47.9" in content or outcome != "answered"


async def test_models_are_the_scopes_of_the_key(api: Api, client: openai.AsyncOpenAI) -> None:
    everything = [model.id async for model in client.models.list()]
    assert everything[:2] == ["lectern", "lectern/collection/Library"]
    assert {"lectern/tag/fees", "lectern/tag/reports", "lectern/tag/secret"} <= set(everything)
    narrow = connect(api, await api.key(await api.person("admin"), toolsets=["answers"], tags=["fees"]))
    assert [model.id async for model in narrow.models.list() if "/tag/" in model.id] == ["lectern/tag/fees"]
    listed = [model async for model in narrow.models.list()]
    assert [await narrow.models.retrieve(model.id) for model in listed] == listed
    for unknown in ("gpt-4", "lectern/tag/secret", "lectern/document/nothing.pdf", "lectern/tag/", "lectern/tag/\0"):
        with pytest.raises(openai.NotFoundError) as refused:
            await narrow.models.retrieve(unknown)
        assert (refused.value.code, refused.value.type) == ("model_not_found", "invalid_request_error")


@pytest.mark.parametrize(
    ("model", "is_answered"),
    [
        ("lectern", True),
        ("lectern/collection/library", True),
        ("lectern/tag/secret", True),
        ("lectern/document/vault.pdf", True),
        ("lectern/tag/fees", False),
        ("lectern/document/tariff.pdf", False),
    ],
)
async def test_model_is_a_scope(client: openai.AsyncOpenAI, model: str, is_answered: bool) -> None:  # noqa: FBT001 - pytest names it
    outcome, content, _ = await ask(client, VAULT, model)
    assert (outcome == "answered", "vault" in content) == (is_answered, is_answered)


async def test_narrow_key_sees_its_scope_only(api: Api) -> None:
    narrow = connect(api, await api.key(await api.person("admin"), toolsets=["answers"], tags=["fees"]))
    outcome, content, _ = await ask(narrow, VAULT)
    assert outcome != "answered"
    assert "vault" not in content
    for model in ("lectern/tag/secret", "lectern/tag/invented", "lectern/document/vault.pdf"):
        with pytest.raises(openai.NotFoundError) as refused:
            await ask(narrow, VAULT, model)
        assert (refused.value.code, refused.value.type) == ("model_not_found", "invalid_request_error")


@pytest.mark.parametrize(
    "model",
    ["gpt-4o", "lectern/", "lectern/tag", "lectern/tag/", "lectern/nothing/x", "lectern/tag/nothing", "", "x" * 601],
)
@pytest.mark.parametrize("is_streamed", [False, True])
async def test_unknown_model_is_not_found(client: openai.AsyncOpenAI, model: str, *, is_streamed: bool) -> None:
    with pytest.raises((openai.NotFoundError, openai.BadRequestError)) as refused:
        await client.chat.completions.create(model=model, messages=user(ANSWERED), stream=is_streamed)
    assert refused.value.code == ("string_too_long" if len(model) > 600 else "model_not_found")


@pytest.mark.parametrize(
    ("wanted", "param", "code"),
    [
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools", "unsupported_value"),
        ({"n": 2}, "n", "unsupported_value"),
        ({"response_format": {"type": "json_object"}}, "response_format", "unsupported_value"),
        ({"stop": ["."]}, "stop", "unsupported_value"),
        ({"logprobs": True}, "logprobs", "unsupported_value"),
        ({"messages": user([{"type": "text", "text": "What?"}, IMAGE])}, "messages", "unsupported_value"),
        ({"messages": user(" ")}, "messages", "no_question"),
        ({"messages": [{"role": "system", "content": "Hello"}]}, "messages", "no_question"),
        ({"messages": user("x" * 4_001)}, "messages", "string_too_long"),
        ({"extra_body": {"knowledge": 1}}, "knowledge", "extra_forbidden"),
    ],
)
async def test_what_would_change_the_answer_is_refused(
    client: openai.AsyncOpenAI, wanted: dict[str, Any], param: str, code: str
) -> None:
    request: Any = {"model": "lectern", "messages": user(ANSWERED), **wanted}
    with pytest.raises(openai.BadRequestError) as refused:
        await client.chat.completions.create(**request)
    error = refused.value
    assert (error.param, error.code, error.type) == (param, code, "invalid_request_error")
    assert param in error.message


async def test_harmless_values_of_refused_parameters_are_accepted(client: openai.AsyncOpenAI) -> None:
    harmless: Any = {"tools": [], "tool_choice": "none", "stop": None, "response_format": {"type": "text"}}
    completion = await client.chat.completions.create(model="lectern", messages=user(ANSWERED), extra_body=harmless)
    assert FEE in (completion.choices[0].message.content or "")


async def test_credentials_and_toolsets_are_required(api: Api) -> None:
    with pytest.raises(openai.AuthenticationError) as unknown:
        await connect(api, {"Authorization": "Bearer lk_nothing"}).models.list()
    assert unknown.value.type == "invalid_request_error"
    search_only = connect(api, await api.key(await api.person("admin"), toolsets=["search"]))
    with pytest.raises(openai.PermissionDeniedError) as refused:
        await ask(search_only, ANSWERED)
    assert refused.value.code == "toolset_required"
    assert "--toolset answers" in refused.value.message


async def test_limit_of_a_key_says_when_to_come_back(filled_database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(filled_database, tmp_path, http=HttpSettings(rate_limit_per_minute=2)) as api:
        client = connect(api, (await api.person("admin")).headers)
        with pytest.raises(openai.RateLimitError) as limited:
            _ = [await client.models.list() for _ in range(9)]
    assert limited.value.type == "rate_limit_error"
    assert int(limited.value.response.headers["retry-after"]) > 0


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "nothing", 404), ("PUT", "models", 405)])
@pytest.mark.parametrize("accept", ["application/json", "text/html"])
async def test_unknown_paths_and_methods_have_the_form(
    api: Api, method: str, path: str, status: int, accept: str
) -> None:
    response = await api.client.request(method, f"/v1/{path}", headers={"Accept": accept})
    assert response.status_code == status
    assert response.json()["error"].keys() == {"message", "type", "param", "code"}


async def test_body_that_is_no_json_has_the_form(api: Api, client: openai.AsyncOpenAI) -> None:
    headers = {"Authorization": f"Bearer {client.api_key}", "Content-Type": "application/json"}
    for content in (b"{", b'{"model": "' + b"x" * 2_000_000, b"[" * 40):
        response = await api.client.post(COMPLETIONS, content=content, headers=headers)
        assert response.status_code in {400, 413}
        assert response.json()["error"]["type"] == "invalid_request_error"


async def test_answers_are_not_saved(api: Api) -> None:
    person = await api.person("admin")
    await ask(connect(api, person.headers), ANSWERED)
    assert (await api.client.get("/api/v1/answers", headers=person.headers)).json()["items"] == []


async def test_markdown_of_a_document_is_shown_as_text() -> None:
    content = ChatContent("http://lectern.test")
    added = content.add_sentence('See ![x](http://evil.test/a) and [b][c] <img src="x"> 3 < 4 [d]: e', [1])
    assert added == 'See ![x]\\(http://evil.test/a) and [b]\\[c] \\<img src="x"> 3 < 4 [d]\\: e [1]'


@pytest.mark.parametrize("status", [200, 500])
async def test_chat_endpoint_counts_the_tokens_and_its_failure_ends_the_stream(
    filled_database: ThrowawayDatabase, tmp_path: Path, status: int
) -> None:
    def say(body: dict[str, Any]) -> dict[str, Any]:
        return found((FEE, [source_of(body, "paper statement")]))

    with chat_server(say) as server:
        server.statuses = [status] * 9 if status != 200 else []
        answers = AnswersSettings(base_url=server.url, model="m", api_key=SecretStr("k"))
        async with open_library(filled_database, tmp_path, answers=answers) as api:
            client = connect(api, (await api.person("admin")).headers)
            if status == 200:
                chunks = await stream(client, ANSWERED, stream_options={"include_usage": True})
                usage = chunks[-1].usage
                assert usage
                assert (chunks[-1].choices, usage.prompt_tokens, usage.total_tokens) == ([], 11, 18)
                completion = await client.chat.completions.create(model="lectern", messages=user(ANSWERED))
                assert completion.usage == usage
                return
            with pytest.raises(openai.APIError) as failed:
                await stream(client, ANSWERED)
            assert (failed.value.code, failed.value.type) == ("answer_model_unavailable", "server_error")
            with pytest.raises(openai.InternalServerError):
                await ask(client, ANSWERED)
