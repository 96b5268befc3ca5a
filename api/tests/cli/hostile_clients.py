"""Fifty clients without credentials that send what is expensive or slow.

`python -m tests.cli.hostile_clients PORT SECONDS [KIND]`: each sends the next request as soon as it has a response.
Prints the number of responses by status as JSON.
"""

import asyncio
import itertools
import json
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

Request = AsyncGenerator[bytes]
Kind = Callable[[int], Request]


def _post(path: str, body: bytes, *, key: str = "") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: {key}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


FIELDS = [b"{%s}" % b",".join(b'"k%d":1' % field for field in range(count)) for count in (700, 80_000)]


async def sign_in(number: int) -> Request:
    """Guess a password."""
    yield _post("/api/v1/auth/sign-in", b'{"email": "user%d@example.org", "password": "a wrong one"}' % number)


async def huge_body(number: int) -> Request:
    """Send two megabytes, announced or not."""
    if number % 2:
        yield _post("/api/v1/search", b"x" * 2_000_000, key="Bearer lk_unknown")
        return
    yield b"POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    for _ in range(20):
        yield b"186a0\r\n" + b"x" * 100_000 + b"\r\n"


async def unknown_keys(number: int) -> Request:
    """Send tens of thousands of unknown fields."""
    path, key = ("/api/v1/auth/sign-in", "") if number % 4 < 2 else ("/api/v1/keys", f"Bearer lk_{number}")
    yield _post(path, FIELDS[number % 2], key=key)


async def deep_json(number: int) -> Request:
    """Send nested lists, or long ones."""
    body = b"[" * 100_000 if number % 2 else b'{"query":[' + b"1," * 19_000 + b"1]}"
    yield _post("/api/v1/search", body, key=f"Bearer lk_{number}")


async def slow(number: int) -> Request:
    """Send a head or a body byte by byte."""
    yield _post("/api/v1/auth/sign-in", b"x" * 1_000)[: 60 if number % 2 else 200]
    while True:
        await asyncio.sleep(0.5)
        yield b"x"


KINDS: tuple[Kind, ...] = (sign_in, huge_body, unknown_keys, deep_json, slow)


async def _send(port: int, request: Request) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def write() -> None:
        with suppress(OSError):
            async for piece in request:
                writer.write(piece)
                await writer.drain()

    writing = asyncio.create_task(write())
    try:
        line = await reader.readline()
        return line.split(b" ")[1].decode() if line else "closed"
    except OSError:
        return "closed"
    finally:
        writing.cancel()
        writer.close()


async def _attack(
    port: int, counts: Counter[str], kind: Callable[[int], Request], numbers: "itertools.count[int]"
) -> None:
    while True:
        status = await _send(port, kind(next(numbers)))
        counts[f"{kind.__name__} {status}"] += 1


async def main(port: int, seconds: float, *names: str) -> None:
    """Attack with all kinds, or with those that are named."""
    kinds = [kind for kind in KINDS if not names or kind.__name__ in names]
    counts: Counter[str] = Counter()
    numbers = itertools.count()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
            for kind in kinds * (50 // len(kinds)):
                group.create_task(_attack(port, counts, kind, numbers))
    sys.stdout.write(json.dumps(counts))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), *sys.argv[3:]))
