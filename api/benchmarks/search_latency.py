"""What the API adds to its SQL and to embedding the query, over a library of 10,000 passages and more.

    python benchmarks/search_latency.py SET... [--chunks N] [--rounds N] [--cache DIR]

The sets' documents are copied, with some noise on their embeddings, until there are N chunks. Requests go through the
whole application (authentication, validation, serialisation) in this process and on the event loop it is served with,
one after the other, with questions of the sets. Each is timed where a server hands it over: from its first event to the
last byte of its response. Their vectors are computed afresh, but where it says "vector kept".

SQL is every exchange with Postgres, from here and back: who asks, begin and commit included. A question is embedded
while its ground is looked up, so what the API adds is the time in which neither was under way.
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
from corpora import KeptEmbeddings
from pydantic import SecretStr
from sqlalchemy import text
from starlette.types import ASGIApp, Message, Scope
from throwaway import ThrowawayDatabase, fresh_library

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

ADMIN = ("admin@example.org", "correct horse battery staple")
NOISE = 0.02


class Clock:
    """Milliseconds spent in SQL, in embedding, and in either (they overlap), since the last reset."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.sql = self.embedding = self.either = 0.0
        self._under_way, self._begun = 0, 0.0

    @contextlib.contextmanager
    def running(self, what: str) -> Generator[None]:
        """Count this as `sql` or `embedding`."""
        begun = time.perf_counter()
        if not self._under_way:
            self._begun = begun
        self._under_way += 1
        try:
            yield
        finally:
            ended = time.perf_counter()
            setattr(self, what, getattr(self, what) + (ended - begun) * 1000)
            self._under_way -= 1
            if not self._under_way:
                self.either += (ended - self._begun) * 1000

    def watch(self) -> None:
        """Count every exchange with Postgres: sign-in, statements, beginnings and ends of transactions."""
        exchange = psycopg.AsyncConnection.wait

        async def timed(*arguments: object, **options: object) -> object:
            with self.running("sql"):
                return await exchange(*arguments, **options)  # pyright: ignore[reportArgumentType, reportUnknownVariableType] (handed on)

        psycopg.AsyncConnection.wait = timed  # pyright: ignore[reportAttributeAccessIssue] (for this run)


class Timed:
    """A model whose queries are timed; documents get a little noise, so that copies differ."""

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
        with self._clock.running("embedding"):
            return await self._provider.embed_query(text)

    def count_tokens(self, text: str) -> int:
        return self._provider.count_tokens(text)

    async def close(self) -> None:
        await self._provider.close()


class NoisyEmbeddings(KeptEmbeddings):
    """Cached embeddings, each time a little different."""

    def __init__(self, cache: Path) -> None:
        super().__init__(cache)
        self._random = np.random.default_rng(1)

    def get(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        found = super().get(fingerprint, hashes)
        noise = self._random.normal(0, NOISE, (len(found), next(iter(found.values())).shape[0] if found else 0))
        return {
            key: normalize((vector + noise[index]).astype(np.float32))
            for index, (key, vector) in enumerate(found.items())
        }


async def fill(address: ThrowawayDatabase, provider: EmbeddingProvider, arguments: argparse.Namespace) -> int:
    """Copies of the sets' documents until there are enough chunks."""
    generation = await asyncio.to_thread(prepare_generation, address.owner_url, provider.info)
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    cuts = await asyncio.to_thread(corpora.cut_sets, arguments.sets, arguments.cache)
    kept, chunks = NoisyEmbeddings(arguments.cache), 0
    for copy in itertools.count():
        for cut in cuts:
            sha256 = hashlib.sha256(f"{cut.sha256}:{copy}".encode()).hexdigest()
            copied = dataclasses.replace(cut, sha256=sha256)
            await corpora.store(database, copied, generation=generation, provider=provider, kept=kept)
            chunks += len(cut.chunked.chunks)
        if chunks >= arguments.chunks:
            break
    async with create_engine(address.owner_url).connect() as owner:
        await (await owner.execution_options(isolation_level="AUTOCOMMIT")).execute(text("VACUUM ANALYZE"))
    await database.dispose()
    return chunks


def api_settings(address: ThrowawayDatabase, folder: Path) -> Settings:
    """An API on the library, with an administrator."""
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


class Caller:
    """Hands requests to an application as a server does, without a server's or a client's own time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self.token = app, ""

    async def sign_in(self) -> None:
        """From here on, every request is the administrator's."""
        credentials = {"email": ADMIN[0], "password": ADMIN[1], "use_cookies": False}
        self.token = json.loads(await self.post("/api/v1/auth/sign-in", credentials))["access_token"]

    async def post(self, path: str, body: object) -> bytes:
        """The body of a response; RuntimeError where it is a failure."""
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
class Taken:
    """Milliseconds of one request; `added` is what was neither SQL nor embedding."""

    total: float
    sql: float
    embedding: float
    added: float


async def requests(caller: Caller, clock: Clock, bodies: Sequence[dict[str, Any]], *, rounds: int) -> list[Taken]:
    """What each request took, after a first round that is not counted."""
    taken: list[Taken] = []
    for number in range(rounds + 1):
        for body in bodies:
            clock.reset()
            begun = time.perf_counter()
            await caller.post("/api/v1/search", body)
            total = (time.perf_counter() - begun) * 1000
            if number:
                taken.append(Taken(total, clock.sql, clock.embedding, total - clock.either))
    return taken


def show(name: str, taken: Sequence[Taken]) -> None:
    """One line of medians."""
    total, sql, embedding, added = (
        statistics.median(getattr(one, column) for one in taken) for column in Taken.__slots__
    )
    p95 = sorted(one.total for one in taken)[int(len(taken) * 0.95)]
    print(
        f"{name:24s} API p50 {total:6.1f}  p95 {p95:6.1f}   SQL p50 {sql:6.1f}   "
        f"embedding p50 {embedding:5.1f}   added p50 {added:4.1f} ms"
    )


async def measure(address: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Fill, then ask with and without filters."""
    clock = Clock()
    embeddings = EmbeddingsSettings(threads=arguments.threads)
    provider = Timed(create_provider(embeddings, model_dir=arguments.cache / "models"), clock)
    await provider.prepare()
    chunks = await fill(address, provider, arguments)
    questions = [question for folder in arguments.sets for question in corpora.read_questions(folder)][:40]
    print(f"\n{chunks:,} chunks, {len(questions)} questions, {arguments.rounds} rounds, one request at a time")
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(api_settings(address, Path(folder)))
        async with app.router.lifespan_context(app):
            database: Database = app.state.database
            clock.watch()
            engines = {
                "": SearchEngine(database, provider, SearchSettings()),
                ", vector kept": SearchEngine(database, CachedQueries(provider), SearchSettings()),
            }
            caller = Caller(app)
            await caller.sign_in()
            for name, extra, kept in (
                ("hybrid", {}, ""),
                ("hybrid", {}, ", vector kept"),
                ("hybrid, explained", {"explain": True}, ""),
                ("without rectangles", {"rectangles": False}, ""),
                ("meaning only", {"hybrid": False}, ""),
                ("one document", {"documents": [questions[0].document]}, ""),
                ("one document", {"documents": [questions[0].document]}, ", vector kept"),
            ):
                app.state.search_engine = engines[kept]
                bodies = [{"query": question.text, **extra} for question in questions]
                show(name + kept, await requests(caller, clock, bodies, rounds=arguments.rounds))
    await provider.close()


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    arguments = parser.parse_args()
    with fresh_library() as address:
        uvloop.run(measure(address, arguments))


if __name__ == "__main__":
    main()
