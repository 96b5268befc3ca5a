"""A loopback server with the OpenAI chat protocol and scripted answers.

It acts as a model that obeys the last instruction it reads: the adversary of these tests.
"""

import base64
import json
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from itertools import pairwise
from typing import Any

from tests.loopback import serving

Said = Mapping[str, Any] | str


@dataclass
class ChatServer:
    """`say` builds the answer to a request. `statuses` are consumed first. A float is a delay in seconds."""

    say: Callable[[dict[str, Any]], Said]
    url: str = ""
    statuses: list[int | float] = field(default_factory=list[int | float])
    refuses_schemas: bool = False
    refuses_pictures: int = 0  # the status it returns
    refusal: str = ""
    finish_reason: str = "stop"
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


class _Handler(BaseHTTPRequestHandler):
    state: ChatServer

    def do_POST(self) -> None:
        state = self.state
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        state.requests.append({**body, "authorization": self.headers["authorization"], "path": self.path})
        status = state.statuses.pop(0) if state.statuses else 200
        if isinstance(status, float):
            time.sleep(status)  # simulates a slow server
            status = 200
        if state.refuses_schemas and body["response_format"]["type"] == "json_schema":
            status = 400
        if state.refuses_pictures and pictures_of(body):
            status = state.refuses_pictures
        if status != 200:
            self._refuse(status)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        said = state.say(body)
        text = said if isinstance(said, str) else json.dumps(said)
        for start in range(0, len(text), 7):
            self._chunk(delta={"content": text[start : start + 7]})
        self._chunk(delta={}, finish_reason=state.finish_reason)
        self._chunk(usage={"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18})
        self.wfile.write(b"data: [DONE]\n\n")

    def _chunk(self, **parts: Any) -> None:
        usage = parts.pop("usage", None)
        choices = [] if usage else [{"index": 0, "finish_reason": None, **parts}]
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}
        self.wfile.write(f"data: {json.dumps({**chunk, 'usage': usage})}\n\n".encode())

    def _refuse(self, status: int) -> None:
        message = f"refused: {self.headers['authorization']} {self.state.refusal}"
        said = {"error": {"message": message, "code": None, "type": "x"}}
        payload = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Keep quiet."""


@contextmanager
def chat_server(say: Callable[[dict[str, Any]], Said]) -> Generator[ChatServer]:
    """Serve until the end of the block."""
    state = ChatServer(say)
    with serving(_Handler, state) as address:
        state.url = f"{address}/v1"
        yield state


def source_of(body: dict[str, Any], words: str) -> str:
    """Return the label of the first source that contains these words."""
    blocks = body["messages"][1]["content"].split("[source ")[1:]
    return next(block.split("] ", 1)[1].split("\n", 1)[0] for block in blocks if words in block)


def pictures_of(body: dict[str, Any]) -> dict[str, bytes]:
    """Return the images of a request by label."""
    content = body["messages"][1]["content"]
    parts: list[dict[str, Any]] = [] if isinstance(content, str) else content
    found: dict[str, bytes] = {}
    for before, part in pairwise(parts):
        if part["type"] == "image_url":
            label = before["text"].split("] ", 1)[1].split("\n", 1)[0]
            form, _, written = part["image_url"]["url"].partition(",")
            assert form == "data:image/jpeg;base64"
            found[label] = base64.b64decode(written, validate=True)
    return found


def found(*sentences: tuple[str, list[str]]) -> dict[str, Any]:
    """Build an answer in the requested format."""
    return {"answer_found": True, "sentences": [{"text": text, "sources": labels} for text, labels in sentences]}
