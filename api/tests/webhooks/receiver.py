"""A receiver of webhooks that verifies every message, and answers as the test says."""

import asyncio
import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import serving


@dataclass
class Received:
    """A message as it arrived."""

    id: str
    timestamp: int
    signatures: list[str]
    body: bytes
    at: float = field(default_factory=time.time)

    @property
    def message(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def type(self) -> str:
        return self.message["type"]

    def is_signed_with(self, secret: str) -> bool:
        """Verify as the specification says, apart from our own code."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = b".".join([self.id.encode(), str(self.timestamp).encode(), self.body])
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return f"v1,{expected}" in self.signatures and abs(self.at - self.timestamp) < 60


@dataclass
class Receiver:
    """The received requests, in order. `statuses` are the next responses, then 204."""

    url: str = ""
    received: list[Received] = field(default_factory=list[Received])
    statuses: list[int] = field(default_factory=list[int])
    delay_seconds: float = 0.0
    body_bytes: int = 0
    """The declared length of each answer's body, which never arrives."""
    arrived: threading.Event = field(default_factory=threading.Event)

    async def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until what arrived meets a condition."""
        async with asyncio.timeout(240):
            while not condition():
                self.arrived.clear()
                await asyncio.to_thread(self.arrived.wait, 0.2)

    @property
    def types(self) -> list[str]:
        return [each.type for each in self.received]


class _Handler(BaseHTTPRequestHandler):
    state: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        signatures = self.headers["webhook-signature"].split(" ")
        received = Received(self.headers["webhook-id"], int(self.headers["webhook-timestamp"]), signatures, body)
        self.state.received.append(received)
        self.state.arrived.set()
        time.sleep(self.state.delay_seconds)
        status = self.state.statuses.pop(0) if self.state.statuses else 204
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", self.state.url + "/elsewhere")
        self.send_header("Content-Length", str(self.state.body_bytes))
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - of the base class
        """Print nothing."""


@contextmanager
def receiving() -> Generator[Receiver]:
    receiver = Receiver()
    with serving(_Handler, receiver) as url:
        receiver.url = url
        yield receiver
