"""What the API adds to its SQL and to embedding the query, over a library of 10,000 passages and more.

    python benchmarks/search_latency.py SET... [--chunks N] [--rounds N] [--cache DIR]

The sets' documents are copied, with some noise on their embeddings, until there are N chunks. Requests go through the
whole application (authentication, validation, serialisation) in this process, one after the other, with questions of
the sets; their vectors are computed afresh each time. SQL is every
exchange with Postgres, from here and back: who asks, begin and commit included.
"""

import argparse
import asyncio
import dataclasses
import hashlib
import itertools
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import corpora
import httpx
import numpy as np
import psycopg
from corpora import KeptEmbeddings
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import text

from lectern.app import create_app
from lectern.db.engine import create_engine
from lectern.db.session import Database
from lectern.embedded.throwaway import ThrowawayDatabase, throwaway_postgres
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo, Vectors, normalised
from lectern.embeddings.registry import create_provider
from lectern.migrations.runner import migrate
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
    """Milliseconds spent in SQL and in embedding since the last reset."""

    def __init__(self) -> None:
        self.sql = self.embedding = 0.0

    def reset(self) -> None:
        self.sql = self.embedding = 0.0

    def watch(self) -> None:
        """Count every exchange with Postgres: sign-in, statements, beginnings and ends of transactions."""
        exchange = psycopg.AsyncConnection.wait

        async def timed(*arguments: object, **options: object) -> object:
            begun = time.perf_counter()
            try:
                return await exchange(*arguments, **options)  # pyright: ignore[reportArgumentType, reportUnknownVariableType] (handed on)
            finally:
                self.sql += (time.perf_counter() - begun) * 1000

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
        begun = time.perf_counter()
        vector = await self._provider.embed_query(text)
        self._clock.embedding += (time.perf_counter() - begun) * 1000
        return vector

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
            key: normalised((vector + noise[index]).astype(np.float32))
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


async def requests(
    app: FastAPI, clock: Clock, bodies: Sequence[dict[str, Any]], *, rounds: int
) -> list[tuple[float, float, float]]:
    """Total, SQL and embedding of each request, after a first round that is not counted."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://lectern.test") as client:
        credentials = {"email": ADMIN[0], "password": ADMIN[1], "use_cookies": False}
        signed_in = await client.post("/api/v1/auth/sign-in", json=credentials)
        headers = {"Authorization": f"Bearer {signed_in.json()['access_token']}"}
        taken: list[tuple[float, float, float]] = []
        for number in range(rounds + 1):
            for body in bodies:
                clock.reset()
                begun = time.perf_counter()
                response = await client.post("/api/v1/search", json=body, headers=headers)
                total = (time.perf_counter() - begun) * 1000
                response.raise_for_status()
                if number:
                    taken.append((total, clock.sql, clock.embedding))
        return taken


def show(name: str, taken: Sequence[tuple[float, float, float]]) -> None:
    """One line: medians, and what the API adds."""
    totals, sql, embedding = (sorted(column) for column in zip(*taken, strict=True))
    added = statistics.median(total - part - model for total, part, model in taken)
    middle = [statistics.median(column) for column in (totals, sql, embedding)]
    p95 = totals[int(len(totals) * 0.95)]
    print(
        f"{name:24s} API p50 {middle[0]:6.1f}  p95 {p95:6.1f}   SQL p50 {middle[1]:6.1f}   "
        f"embedding p50 {middle[2]:5.1f}   added p50 {added:4.1f} ms"
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
            app.state.search_engine = SearchEngine(database, provider, SearchSettings())
            for name, extra in (
                ("hybrid", {}),
                ("hybrid, explained", {"explain": True}),
                ("without rectangles", {"rectangles": False}),
                ("meaning only", {"hybrid": False}),
                ("within one filename", {"documents": [questions[0].document]}),
            ):
                bodies = [{"query": question.text, **extra} for question in questions]
                show(name, await requests(app, clock, bodies, rounds=arguments.rounds))
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
    with throwaway_postgres() as server:
        server.prepare_template(migrate)
        with server.fresh_database() as address:
            asyncio.run(measure(address, arguments))


if __name__ == "__main__":
    main()
