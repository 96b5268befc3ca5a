"""Measure the time that the API adds to SQL and to embedding the query, over a library of 10,000 chunks and more.

    python benchmarks/search_latency.py SET... [--chunks N] [--rounds N] [--cache DIR]

The documents of the sets are copied, with noise on their embeddings, until there are N chunks. Requests with questions
of the sets go through the whole application in this process, one after the other, on uvloop. Each is timed from the
first event to the last byte of the response. The query is embedded each time, except in "cached vector" lines.

SQL is all round trips to Postgres, with authentication, begin and commit. The query is embedded while the candidate
scope is loaded. "Added" is the time in which neither runs.
"""

import argparse
import asyncio
import contextlib
import dataclasses
import hashlib
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import corpora
import numpy as np
import psycopg
import uvloop
from corpora import EmbeddingFileCache
from pydantic import SecretStr
from scale_library import ADMIN
from sqlalchemy import text
from starlette.types import ASGIApp, Message, Scope
from throwaway import ThrowawayDatabase, fresh_library
from timing import quantiles

from lectern.app import create_app
from lectern.db.engine import create_engine
from lectern.db.session import Database
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo, Vectors, normalize
from lectern.embeddings.registry import create_provider
from lectern.search.service import SearchEngine
from lectern.settings import (
    AccountsSettings,
    DatabaseSettings,
    EmbeddedSettings,
    EmbeddingsSettings,
    HttpSettings,
    SearchSettings,
    Settings,
    StorageSettings,
)

NOISE = 0.02
CACHED = ", cached vector"


class Clock:
    """Milliseconds of SQL, of embedding, and of either, since the last reset. Both can run at the same time."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Set all times to zero."""
        self.sql = self.embedding = self.either = 0.0
        self._running, self._started = 0, 0.0

    @contextlib.contextmanager
    def time(self, name: str) -> Generator[None]:
        """Add the time of the block to `sql` or `embedding`."""
        started = time.perf_counter()
        if not self._running:
            self._started = started
        self._running += 1
        try:
            yield
        finally:
            ended = time.perf_counter()
            setattr(self, name, getattr(self, name) + (ended - started) * 1000)
            self._running -= 1
            if not self._running:
                self.either += (ended - self._started) * 1000

    def patch_psycopg(self) -> None:
        """Time every round trip to Postgres."""
        exchange = psycopg.AsyncConnection.wait

        async def timed(*arguments: object, **options: object) -> object:
            with self.time("sql"):
                return await exchange(*arguments, **options)  # pyright: ignore[reportArgumentType, reportUnknownVariableType] (passed on)

        psycopg.AsyncConnection.wait = timed  # pyright: ignore[reportAttributeAccessIssue] (for this run)


class TimedProvider:
    """An embedding provider that times its queries."""

    def __init__(self, provider: EmbeddingProvider, clock: Clock) -> None:
        self._provider, self._clock = provider, clock

    @property
    def info(self) -> ProviderInfo:
        return self._provider.info

    async def prepare(self) -> None:
        await self._provider.prepare()

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return await self._provider.embed_documents(texts)

    async def embed_query(self, text: str) -> Vectors:
        with self._clock.time("embedding"):
            return await self._provider.embed_query(text)

    def count_tokens(self, text: str) -> int:
        return self._provider.count_tokens(text)

    async def close(self) -> None:
        await self._provider.close()


class NoisyEmbeddings(EmbeddingFileCache):
    """An embedding cache that adds noise, because copies of a document must differ."""

    def __init__(self, cache: Path) -> None:
        super().__init__(cache)
        self._random = np.random.default_rng(1)

    def get(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        vectors = super().get(fingerprint, hashes)
        noise = self._random.normal(0, NOISE, (len(vectors), next(iter(vectors.values())).shape[0] if vectors else 0))
        return {
            key: normalize((vector + noise[index]).astype(np.float32))
            for index, (key, vector) in enumerate(vectors.items())
        }


async def fill(address: ThrowawayDatabase, provider: EmbeddingProvider, arguments: argparse.Namespace) -> int:
    """Store copies of the documents until there are enough chunks, and return the number of chunks."""
    generation = await asyncio.to_thread(prepare_generation, address.owner_url, provider.info)
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    files = await asyncio.to_thread(corpora.chunk_sets, arguments.sets, arguments.cache)
    embeddings, chunks = NoisyEmbeddings(arguments.cache), 0
    for number in itertools.count():
        for file in files:
            sha256 = hashlib.sha256(f"{file.sha256}:{number}".encode()).hexdigest()
            copy = dataclasses.replace(file, sha256=sha256)
            await corpora.store(database, copy, generation=generation, provider=provider, embeddings=embeddings)
            chunks += len(file.chunked.chunks)
        if chunks >= arguments.chunks:
            break
    async with create_engine(address.owner_url).connect() as owner:
        await (await owner.execution_options(isolation_level="AUTOCOMMIT")).execute(text("VACUUM ANALYZE"))
    await database.dispose()
    return chunks


def api_settings(address: ThrowawayDatabase, folder: Path) -> Settings:
    """Return the settings of an API on the library, with an administrator."""
    return Settings(
        database=DatabaseSettings(url=SecretStr(address.service_url)),
        embedded=EmbeddedSettings(data_dir=folder),
        storage=StorageSettings(url=(folder / "store").as_uri()),
        http=HttpSettings(cookie_secure=False, rate_limit_per_minute=0),
        embeddings=EmbeddingsSettings(provider="hash:8"),
        accounts=AccountsSettings(
            jwt_secret_key=SecretStr("jwt-secret-of-the-benchmark-0123456789"),
            backend_api_key=SecretStr("service-key-of-the-benchmark-0123456789"),
            admin_email=ADMIN[0],
            admin_password=SecretStr(ADMIN[1]),
        ),
    )


class InProcessClient:
    """A client of the application without the time of a server or an HTTP client."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self.token = app, ""

    async def sign_in(self) -> None:
        """Send later requests as the administrator."""
        credentials = {"email": ADMIN[0], "password": ADMIN[1], "use_cookies": False}
        self.token = json.loads(await self.post("/api/v1/auth/sign-in", credentials))["access_token"]

    async def post(self, path: str, body: object) -> bytes:
        """Return the body of a response. Raise RuntimeError if the request failed."""
        events = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]
        sent: list[Message] = []

        async def receive() -> Message:
            return events.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(self._scope(path), receive, send)
        content = b"".join(message.get("body", b"") for message in sent)
        if sent[0]["status"] != HTTPStatus.OK:
            raise RuntimeError(content.decode())
        return content

    def _scope(self, path: str) -> Scope:
        headers = [(b"host", b"lectern.test"), (b"content-type", b"application/json")]
        if self.token:
            headers.append((b"authorization", f"Bearer {self.token}".encode()))
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": headers,
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 8000),
            "state": {},
        }


@dataclass(frozen=True, slots=True)
class InProcessTiming:
    """Milliseconds of a request. `added` is the time of neither SQL nor embedding."""

    total: float
    sql: float
    embedding: float
    added: float


async def time_requests(
    client: InProcessClient, clock: Clock, bodies: Sequence[dict[str, Any]], *, rounds: int
) -> list[InProcessTiming]:
    """Return the timing of each request, after a first round that does not count."""
    timings: list[InProcessTiming] = []
    for number in range(rounds + 1):
        for body in bodies:
            clock.reset()
            started = time.perf_counter()
            await client.post("/api/v1/search", body)
            total = (time.perf_counter() - started) * 1000
            if number:
                timings.append(InProcessTiming(total, clock.sql, clock.embedding, total - clock.either))
    return timings


def print_timings(name: str, timings: Sequence[InProcessTiming]) -> None:
    """Print a line of medians."""
    total, p95, _ = quantiles([one.total for one in timings])
    sql, embedding, added = (
        statistics.median(getattr(one, field) for one in timings) for field in ("sql", "embedding", "added")
    )
    print(
        f"{name:24s} API p50 {total:6.1f}  p95 {p95:6.1f}   SQL p50 {sql:6.1f}   "
        f"embedding p50 {embedding:5.1f}   added p50 {added:4.1f} ms"
    )


async def measure(address: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Fill a library, and time searches with and without filters."""
    clock = Clock()
    embeddings = EmbeddingsSettings(threads=arguments.threads)
    provider = TimedProvider(create_provider(embeddings, model_dir=arguments.cache / "models"), clock)
    await provider.prepare()
    chunks = await fill(address, provider, arguments)
    questions = corpora.read_questions(arguments.sets)[:40]
    documents = sorted(questions[0].documents)
    print(f"\n{chunks:,} chunks, {len(questions)} questions, {arguments.rounds} rounds, one request at a time")
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(api_settings(address, Path(folder)))
        async with app.router.lifespan_context(app):
            database: Database = app.state.database
            clock.patch_psycopg()
            engines = {
                "": SearchEngine(database, provider, SearchSettings()),
                CACHED: SearchEngine(database, CachedQueries(provider), SearchSettings()),
            }
            client = InProcessClient(app)
            await client.sign_in()
            for name, extra, suffix in (
                ("hybrid", {}, ""),
                ("hybrid", {}, CACHED),
                ("hybrid, explained", {"explain": True}, ""),
                ("without rectangles", {"rectangles": False}, ""),
                ("semantic only", {"hybrid": False}, ""),
                ("one document", {"documents": documents}, ""),
                ("one document", {"documents": documents}, CACHED),
            ):
                app.state.search_engine = engines[suffix]
                bodies = [{"query": question.text, **extra} for question in questions]
                print_timings(name + suffix, await time_requests(client, clock, bodies, rounds=arguments.rounds))
    await provider.close()


def main() -> None:
    """Measure on a temporary Postgres."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    with fresh_library() as address:
        uvloop.run(measure(address, arguments))


if __name__ == "__main__":
    main()
