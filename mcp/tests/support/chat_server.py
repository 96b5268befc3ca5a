"""A server on loopback that speaks the OpenAI chat protocol and says what a test tells it to: somebody else's model."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ChatServer:
    """`say` makes the message from the request."""

    say: Callable[[dict[str, Any]], dict[str, Any]]
    url: str = ""
    status: int = 200
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


class _Handler(BaseHTTPRequestHandler):
    state: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.state.requests.append({**body, "path": self.path, "authorization": self.headers["authorization"]})
        answered = {
            "object": "chat.completion",
            "choices": [{"index": 0, "finish_reason": "stop", "message": self.state.say(body)}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }
        payload = json.dumps(answered).encode()
        self.send_response(self.state.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Keep quiet."""


@contextmanager
def chat_server(say: Callable[[dict[str, Any]], dict[str, Any]]) -> Generator[ChatServer]:
    """Serve until the end of the block."""
    state = ChatServer(say)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"state": state}))
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def calling(tool: str, **arguments: Any) -> dict[str, Any]:
    """A message that calls a tool."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": function}],
    }


def saying(text: str) -> dict[str, Any]:
    """A message that is text."""
    return {"role": "assistant", "content": text}
