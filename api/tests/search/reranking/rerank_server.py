"""A loopback server with both reranking protocols and scripted scores."""

import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import serving


@dataclass
class RerankServer:
    """`score` scores a passage. `answer`, if set, replaces the response. `pause_seconds` delays it."""

    score: Callable[[str], float]
    url: str = ""
    status: int = 200
    answer: Any = None
    pause_seconds: float = 0
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


class _Handler(BaseHTTPRequestHandler):
    state: RerankServer

    def do_POST(self) -> None:
        state = self.state
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        state.requests.append({**body, "authorization": self.headers["authorization"]})
        time.sleep(state.pause_seconds)  # simulates a slow server
        payload = json.dumps(self._answer(body)).encode()
        self.send_response(state.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        with suppress(BrokenPipeError):  # a client does not wait for a slow server
            self.wfile.write(payload)

    def _answer(self, body: dict[str, Any]) -> Any:
        if self.state.answer is not None:
            return self.state.answer
        texts, name = (body["texts"], "score") if "texts" in body else (body["documents"], "relevance_score")
        scored = [{"index": index, name: self.state.score(text)} for index, text in enumerate(texts)]
        scored.sort(key=lambda item: -item[name])  # servers answer best first
        return scored if "texts" in body else {"id": "r", "results": scored, "usage": {"total_tokens": 7}}

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Keep quiet."""


@contextmanager
def rerank_server(score: Callable[[str], float]) -> Generator[RerankServer]:
    """Serve until the end of the block."""
    state = RerankServer(score)
    with serving(_Handler, state) as address:
        state.url = f"{address}/rerank"
        yield state
