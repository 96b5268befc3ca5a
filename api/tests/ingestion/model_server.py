"""A loopback embedding service that waits for permission to respond, or returns errors."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import SecretStr

from lectern.embeddings.providers.hash import HashProvider
from lectern.settings import EmbeddingsSettings

DIMENSIONS = 16


@dataclass
class ModelServer:
    """`refusals` are the statuses of the next requests. Later requests wait for `may_answer`."""

    url: str = ""
    refusals: list[int] = field(default_factory=list[int])
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)
    is_requested: asyncio.Event = field(default_factory=asyncio.Event)
    has_lost_client: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def settings(self) -> EmbeddingsSettings:
        return EmbeddingsSettings(
            provider=f"openai:{self.url}", dimensions=DIMENSIONS, openai_api_key=SecretStr("key"), model="test"
        )

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await self._answer(await _read(reader), reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.has_lost_client.set()
        finally:
            writer.close()

    async def _answer(self, body: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.is_requested.set()
        if self.refusals:
            status = self.refusals.pop(0)
            await _write(writer, status, {"error": {"message": "not now", "type": "x", "code": None, "param": None}})
            return
        await self._wait(reader)
        vectors = await HashProvider(DIMENSIONS).embed_documents(body["input"])
        data = [{"object": "embedding", "index": at, "embedding": row.tolist()} for at, row in enumerate(vectors)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        await _write(writer, 200, {"object": "list", "model": body["model"], "data": data, "usage": usage})

    async def _wait(self, reader: asyncio.StreamReader) -> None:
        waiting = asyncio.ensure_future(self.may_answer.wait())
        leaving = asyncio.ensure_future(reader.readexactly(1))
        await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if leaving.done():
            leaving.result()
        leaving.cancel()
        await asyncio.wait({leaving})


async def _read(reader: asyncio.StreamReader) -> dict[str, Any]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(next(line.split(":")[1] for line in head.split("\r\n") if line.startswith("content-length")))
    return json.loads(await reader.readexactly(length))


async def _write(writer: asyncio.StreamWriter, status: int, content: object) -> None:
    payload = json.dumps(content).encode()
    head = f"HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {len(payload)}\r\n\r\n"
    writer.write(head.encode() + payload)
    await writer.drain()


@asynccontextmanager
async def model_server() -> AsyncGenerator[ModelServer]:
    state = ModelServer()
    server = await asyncio.start_server(state.serve, "127.0.0.1", 0)
    state.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield state
    finally:
        state.may_answer.set()
        server.close()
