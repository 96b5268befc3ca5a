"""A loopback server with the OpenAI embeddings protocol and scripted failures."""

import base64
import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal

import numpy as np
from tests.loopback import serving

from lectern.embeddings.providers.hash import word_vector

Trouble = Literal["nan", "fewer", "html", "numbers"]


@dataclass
class OpenAIServer:
    """`answers` are used up first, one a request: a status, or seconds to wait. `requests` is what was asked."""

    dimensions: int = 64
    url: str = ""
    answers: list[int | float] = field(default_factory=list[int | float])
    error_code: str | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    trouble: Trouble | None = None
    is_shuffling: bool = False
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    arrivals_seconds: list[float] = field(default_factory=list[float])


class _Handler(BaseHTTPRequestHandler):
    state: OpenAIServer

    def do_POST(self) -> None:
        state = self.state
        state.arrivals_seconds.append(time.monotonic())
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        state.requests.append({**body, "authorization": self.headers["authorization"], "path": self.path})
        answer = state.answers.pop(0) if state.answers else 200
        if isinstance(answer, float):
            time.sleep(answer)  # a slow server is what this is
        elif answer != 200:
            message = f"refused: {self.headers['authorization']}"  # as careless servers do
            self._send(answer, {"error": {"message": message, "code": state.error_code, "type": "x", "param": None}})
            return
        self._send(200, "<html>not the API</html>" if state.trouble == "html" else _answer(state, body))

    def _send(self, status: int, content: object) -> None:
        text = content if isinstance(content, str) else json.dumps(content)
        payload = text.encode()
        self.send_response(status)
        self.send_header("content-type", "text/html" if isinstance(content, str) else "application/json")
        self.send_header("content-length", str(len(payload)))
        for name, value in self.state.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Keep quiet."""


def _answer(state: OpenAIServer, body: dict[str, Any]) -> dict[str, Any]:
    vectors = [word_vector(text, dimensions=state.dimensions) for text in body["input"]]
    if state.trouble == "nan":
        vectors[0][0] = np.nan
    if state.trouble == "fewer":
        vectors = vectors[1:]
    data = [
        {"object": "embedding", "index": index, "embedding": base64.b64encode(vector.tobytes()).decode()}
        for index, vector in enumerate(vectors)
    ]
    if body.get("encoding_format") != "base64" or state.trouble == "numbers":
        for item, vector in zip(data, vectors, strict=True):
            item["embedding"] = vector.tolist()
    if state.is_shuffling:
        data.reverse()
    return {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@contextmanager
def openai_server() -> Generator[OpenAIServer]:
    """Serve until the end of the block."""
    state = OpenAIServer()
    with serving(_Handler, state) as address:
        state.url = f"{address}/v1"
        yield state
