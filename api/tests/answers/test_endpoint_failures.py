"""Failures of the chat endpoint during a stream, each with its error code."""

import json
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from tests.answers.chat_server import found
from tests.loopback import serving

from lectern.answers.errors import ModelUnavailable, ModelUnreadable
from lectern.answers.generation.answer_parser import AnswerParser
from lectern.answers.generation.chat import Exchange
from lectern.answers.generation.endpoint import ChatEndpoint
from lectern.answers.generation.prompt import make_prompt
from lectern.errors import LecternError
from lectern.settings import AnswersSettings

SAID = json.dumps(found(("The fee is 3 euro.", ["S1"])))


class _Raw(BaseHTTPRequestHandler):
    """Sends these bytes with a Content-Length that is too large."""

    state: bytes

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(self.state.removesuffix(b"CUT")) + 9 * self.state.endswith(b"CUT")))
        self.end_headers()
        self.wfile.write(self.state.removesuffix(b"CUT"))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Keep quiet."""


def event(data: Any) -> bytes:
    return f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def chunk(content: Any, **more: Any) -> bytes:
    return event({"id": "c", "choices": [{"index": 0, "delta": {"content": content}}], **more})


async def answer_over(body: bytes) -> tuple[str, Exchange]:
    with serving(_Raw, body) as url:
        settings = AnswersSettings(base_url=f"{url}/v1", model="m", timeout_seconds=20, max_answer_tokens=50)
        endpoint, exchange = ChatEndpoint(settings), Exchange()
        prompt = make_prompt("What?", [], nonce="n", max_source_tokens=10)
        try:
            return "".join([piece async for piece in endpoint.stream(prompt, exchange)]), exchange
        finally:
            await endpoint.close()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (chunk(SAID[:20]) + b"CUT", ModelUnavailable),
        (chunk(SAID[:20]) + event("{rubbish"), ModelUnreadable),
        (event(5), ModelUnreadable),
        (event([1]), ModelUnreadable),
        (b"data: \xff\xfe\n\n", ModelUnreadable),
        (chunk([{"type": "text", "text": SAID}]), ModelUnreadable),
        (chunk(" " * 1_000) * 3, ModelUnreadable),
    ],
)
async def test_failure_during_the_stream_returns_a_problem(body: bytes, expected: type[LecternError]) -> None:
    with pytest.raises(expected):
        await answer_over(body)


async def test_an_endpoint_that_cannot_be_reached_names_its_setting_and_no_class() -> None:
    endpoint = ChatEndpoint(AnswersSettings(base_url="http://127.0.0.1:9/v1", model="m", timeout_seconds=20))
    prompt = make_prompt("What?", [], nonce="n", max_source_tokens=10)
    with pytest.raises(ModelUnavailable) as caught:
        _ = [piece async for piece in endpoint.stream(prompt, Exchange())]
    await endpoint.close()
    assert caught.value.message == "The chat endpoint cannot be reached."
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("Check LECTERN_ANSWERS_BASE_URL")


@pytest.mark.parametrize(
    "end",
    [
        event({"id": "c", "choices": None, "usage": {"prompt_tokens": 1, "completion_tokens": None}}),
        event({"id": "c"}),
        event({"id": "c", "choices": [{"index": 0}]}),
        event({"id": "c", "choices": [], "usage": {"prompt_tokens": 1}}),
    ],
)
async def test_omitted_optional_fields_are_accepted(end: bytes) -> None:
    text, _ = await answer_over(chunk(SAID) + end + event("[DONE]"))
    assert text == SAID


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SAID, True),
        (f"```json\n{SAID}\n```", True),
        ('{"answer_found": false}', True),
        ('{"answer_found": true, "sentences": []}', True),
        ('{"answer_found": true, "sentences": ["The fee is 3 euro."]}', False),
        ('{"answer_found": true, "sentences": "The fee is 3 euro."}', False),
        ('{"answer_found": true, "sentences": [{"text": "The fee is 3 euro."}]}', False),
        ('{"answer_found": "yes", "sentences": []}', False),
        ("[]", False),
    ],
)
def test_unreadable_sentences_are_not_an_abstention(text: str, *, expected: bool) -> None:
    reader = AnswerParser()
    reader.feed(text)
    assert reader.is_valid() is expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["1. Open the file.", "2. Click **Save**."], ["Open the file.", "Click Save."]),
        (["Follow two steps:", "- Open it.", "- Close it."], ["Follow two steps:", "Open it.", "Close it."]),
        (["3. Quartal 2024: 5 Mio. EUR."], ["3. Quartal 2024: 5 Mio. EUR."]),
        (["The fee is 3 euro. It is due in May."], ["The fee is 3 euro.", "It is due in May."]),
        (["Yes. The fee is 3 euro."], ["Yes. The fee is 3 euro."]),
        (["See [the price list](https://example.com/prices)."], ["See the price list."]),
        (["No."], ["No."]),
    ],
)
def test_marks_of_lists_and_markdown_are_removed(texts: list[str], expected: list[str]) -> None:
    said = {"answer_found": True, "sentences": [{"text": text, "sources": ["S1"]} for text in texts]}
    assert [sentence.text for sentence in AnswerParser().feed(json.dumps(said))] == expected
