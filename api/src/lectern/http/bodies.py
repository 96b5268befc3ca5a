"""Limits of request bodies: size, time and number of values. They apply before anything parses a body."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lectern.errors import InvalidRequest, LecternError
from lectern.http.errors import BodyTooComplex, BodyTooLarge, BodyTooSlow
from lectern.http.problems import problem_response

BODY_SECONDS: Final = 20.0
PIECE_SECONDS: Final = 60.0
MAX_VALUES: Final = 20_000
MAX_DEPTH: Final = 32
# It always matches at a quote, also without a closing one. So the time is linear.
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACKET: Final = re.compile(rb"[\[\]{}]")


class BodyGuard:
    """Read the body of a request, or refuse it. Uploads are streamed, but each piece has to arrive in time."""

    def __init__(self, app: ASGIApp, *, max_bytes_of: Callable[[Scope], int | None]) -> None:
        """Limit each request to `max_bytes_of(scope)`. None means an upload, whose endpoint limits its size."""
        self.app = app
        self.max_bytes_of = max_bytes_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if "content-length" not in headers and "transfer-encoding" not in headers:
            await self.app(scope, receive, send)
            return
        max_bytes = self.max_bytes_of(scope)
        if max_bytes is None:
            await self.app(scope, _timed(receive), send)
            return
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read(receive, declared=headers.get("content-length", ""), max_bytes=max_bytes)
            if "json" in headers.get("content-type", "").lower():
                check_json(body)
        except (LecternError, TimeoutError) as error:
            problem = error if isinstance(error, LecternError) else BodyTooSlow()
            response = problem_response(problem, instance=scope["path"])
            response.headers["Connection"] = "close"  # The rest of the body is not read.
            await response(scope, receive, send)
            return
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return messages.pop() if messages else await receive()

        await self.app(scope, replay, send)


async def _read(receive: Receive, *, declared: str, max_bytes: int) -> bytes:
    error = BodyTooLarge(f"The body is larger than {max_bytes:,} bytes.", details={"max_bytes": max_bytes})
    if declared.isdecimal() and int(declared[:20]) > max_bytes:
        raise error
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > max_bytes:
            raise error
        if not message.get("more_body", False):
            return bytes(body)


def _timed(receive: Receive) -> Receive:
    """Raise BodyTooSlow when a piece of the body does not arrive in time."""
    is_complete = False

    async def timed() -> Message:
        nonlocal is_complete
        try:
            async with asyncio.timeout(None if is_complete else PIECE_SECONDS):
                message = await receive()
        except TimeoutError as error:
            raise BodyTooSlow from error
        is_complete = not message.get("more_body", False)
        return message

    return timed


def check_json(body: bytes) -> None:
    """Check the number of values and their depth without parsing. Raises BodyTooComplex, InvalidRequest."""
    if json.detect_encoding(body) not in {"utf-8", "utf-8-sig"}:
        raise InvalidRequest("The body is not UTF-8.")
    if _count_values(body) <= MAX_DEPTH:  # Commas and brackets in strings count too, so this is an upper bound.
        return
    bare = _STRING.sub(b"", body)
    if _count_values(bare) > MAX_VALUES:
        raise BodyTooComplex(f"The body has more than {MAX_VALUES:,} values.", details={"max_values": MAX_VALUES})
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket.group() in b"[{" else -1
        if depth > MAX_DEPTH:
            raise BodyTooComplex(f"The body is nested deeper than {MAX_DEPTH}.", details={"max_depth": MAX_DEPTH})


def _count_values(body: bytes) -> int:
    return body.count(b",") + body.count(b"[") + body.count(b"{")
