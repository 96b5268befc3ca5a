"""Searches run on a hot standby while it is current, otherwise on the database."""

import uuid
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from benchmarks.throwaway import PASSWORD, ThrowawayPostgres, standby_of
from pydantic import SecretStr
from sqlalchemy import text
from tests.api import api_settings, open_api

from lectern.accounts.principals import Principal
from lectern.db.engine import create_engine, libpq_url
from lectern.db.replica import Replica
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database
from lectern.embedded.cluster import SERVICE
from lectern.embedded.postgres import EmbeddedPostgres
from lectern.search.result_cache import ResultCache
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings

from .conftest import Library, store

EVERYBODY = Scope(actor="key:1")


@pytest.fixture(scope="module")
def standby(postgres: ThrowawayPostgres) -> Generator[EmbeddedPostgres]:
    """A standby of the shared test server."""
    with standby_of(postgres.server) as server:
        yield server


@dataclass(frozen=True, slots=True)
class Pair:
    """A library and its standby."""

    library: Library
    standby: EmbeddedPostgres
    engine: SearchEngine

    async def ask(self, query: str = "pears", *, scope: Scope = EVERYBODY) -> SearchResponse:
        principal = Principal(kind="key", id=uuid.uuid4(), name="k", role=None, scope=scope, writable_collections=None)
        return await self.engine.search(SearchRequest(query=query), principal)

    def catch_up(self) -> None:
        """Wait until the standby has applied what the database has written."""
        with psycopg.connect(libpq_url(self.library.addresses.superuser_url), autocommit=True) as there:
            written = there.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
        assert written is not None
        with psycopg.connect(self.standby.url(database="postgres"), autocommit=True) as here:
            for _ in range(500):
                seen = here.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn, pg_sleep(.02)", written).fetchone()
                if seen is not None and seen[0]:
                    return
        raise TimeoutError("The standby does not catch up.")

    def on_standby(self, statement: LiteralString) -> None:
        with psycopg.connect(self.standby.url(database="postgres"), autocommit=True) as here:
            here.execute(statement)


@pytest.fixture
async def pair(library: Library, standby: EmbeddedPostgres) -> AsyncGenerator[Pair]:
    url = standby.url(database=library.addresses.name, user=SERVICE, password=PASSWORD)
    replica = Replica(Database(create_engine(url, pool_size=2)), retry_seconds=0.0)
    yield Pair(library, standby, replace(library.engine(), replica=replica))
    await replica.database.dispose()


async def test_replica_search_finds_the_same(pair: Pair) -> None:
    document_id = await store(pair.library, ["Pears are sold here.", "Apples and pears."])
    pair.catch_up()
    for scope in (SYSTEM_SCOPE, EVERYBODY, Scope(actor="key:2", documents=frozenset({document_id}))):
        response = await pair.ask(scope=scope)
        assert response.metadata.strategy.is_replica == scope.has_version
        alone = await pair.engine.search_in_scope(SearchRequest(query="pears"), scope)
        assert not alone.metadata.strategy.is_replica
        assert response.data == alone.data
        assert len(response.data) == 2


async def test_replica_enforces_the_scope_of_a_key(pair: Pair) -> None:
    mine = await store(pair.library, ["Pears are sold here."])
    await store(pair.library, ["Secret pears."], filename="secret.pdf")
    pair.catch_up()
    response = await pair.ask(scope=Scope(actor="key:2", documents=frozenset({mine})))
    assert {hit.document_id for hit in response.data} == {mine}
    assert (await pair.ask(scope=Scope(actor="key:3", collections=frozenset()))).data == []


async def test_lagging_replica_is_skipped(pair: Pair) -> None:
    document_id = await store(pair.library, ["Pears are sold here."])
    pair.catch_up()
    pair.on_standby("SELECT pg_wal_replay_pause()")
    try:
        async with pair.library.database.session(SYSTEM_SCOPE) as session:
            await session.execute(text("UPDATE documents SET deleted_at = now() WHERE id = :id"), {"id": document_id})
        response = await pair.ask()
        assert not response.metadata.strategy.is_replica
        assert response.data == []
    finally:
        pair.on_standby("SELECT pg_wal_replay_resume()")
    pair.catch_up()
    response = await pair.ask()
    assert response.metadata.strategy.is_replica
    assert response.data == []


async def test_unreachable_replica_is_skipped_for_a_while(pair: Pair, caplog: pytest.LogCaptureFixture) -> None:
    await store(pair.library, ["Pears are sold here."])
    nowhere = "postgresql://nobody:x@127.0.0.1:1/nothing"
    replica = Replica(Database(create_engine(nowhere)), retry_seconds=60)
    engine = replace(pair.engine, replica=replica)
    alone = replace(pair, engine=engine)
    for _ in range(3):
        response = await alone.ask()
        assert len(response.data) == 1
        assert not response.metadata.strategy.is_replica
    assert replica.is_unavailable
    messages = [record.message for record in caplog.records]
    assert messages.count("The replica is unavailable; reading from the primary") == 1
    await replica.database.dispose()


async def test_one_request_retries_a_replica_while_others_skip_it() -> None:
    now = [100.0]
    replica = Replica(Database(create_engine("postgresql://nobody:x@127.0.0.1:1/nothing")), clock=lambda: now[0])
    seen: list[bool] = []

    async def fail() -> None:
        seen.append(replica.is_unavailable)
        raise psycopg.OperationalError("gone")

    async def succeed() -> str:
        seen.append(replica.is_unavailable)
        return "found"

    assert await replica.read(fail) is None
    assert replica.is_unavailable
    now[0] += 6
    assert not replica.is_unavailable
    assert await replica.read(succeed) == "found"
    assert seen == [False, True]
    assert not replica.is_unavailable


async def test_lagging_replica_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    now = [100.0]
    replica = Replica(Database(create_engine("postgresql://nobody:x@127.0.0.1:1/nothing")), clock=lambda: now[0])

    async def behind() -> str | None:
        return None

    async def level() -> str | None:
        return "found"

    def warning_count() -> int:
        return sum("for a minute" in record.message for record in caplog.records)

    for seconds, expected in ((0, 0), (59, 0), (1, 1), (60, 1)):
        now[0] += seconds
        assert await replica.read(behind) is None
        assert warning_count() == expected
    assert not replica.is_unavailable
    assert await replica.read(level) == "found"
    for seconds, expected in ((0, 1), (60, 2)):
        now[0] += seconds
        await replica.read(behind)
        assert warning_count() == expected


async def test_search_survives_a_replica_that_stops(pair: Pair) -> None:
    await store(pair.library, ["Pears are sold here."])
    pair.catch_up()
    assert (await pair.ask()).metadata.strategy.is_replica
    pair.standby.stop()
    try:
        for _ in range(2):
            response = await pair.ask()
            assert len(response.data) == 1
            assert not response.metadata.strategy.is_replica
    finally:
        pair.standby.start()
    pair.catch_up()
    assert (await pair.ask()).metadata.strategy.is_replica


async def test_installation_searches_on_the_configured_replica(
    pair: Pair, standby: EmbeddedPostgres, tmp_path: Path
) -> None:
    addresses = pair.library.addresses
    settings = api_settings(addresses, tmp_path)
    url = standby.url(database=addresses.name, user=SERVICE, password=PASSWORD)
    settings.database = settings.database.model_copy(update={"replica_url": SecretStr(url)})
    settings.embeddings = EmbeddingsSettings(provider="hash:64")
    await store(pair.library, ["Pears are sold here."])
    async with open_api(settings) as api:
        person = await api.person()
        pair.catch_up()
        answer = await api.client.post("/api/v1/search", json={"query": "pears"}, headers=person.headers)
        assert answer.json()["metadata"]["strategy"]["is_replica"] is True
        assert answer.json()["metadata"]["returned"] == 1


async def test_other_database_is_not_accepted_as_replica(pair: Pair, postgres: ThrowawayPostgres) -> None:
    await store(pair.library, ["Pears are sold here."])
    with postgres.fresh_database() as other:
        made = Database(create_engine(other.service_url, pool_size=2))
        response = await replace(pair, engine=replace(pair.engine, replica=Replica(made))).ask()
        await made.dispose()
    assert len(response.data) == 1
    assert not response.metadata.strategy.is_replica


async def test_replica_response_is_cached_until_the_database_changes(pair: Pair) -> None:
    document_id = await store(pair.library, ["Pears are sold here."])
    pair.catch_up()
    keeping = replace(pair, engine=replace(pair.engine, cache=ResultCache(max_bytes=100_000)))
    first, again = await keeping.ask(), await keeping.ask()
    assert first.metadata.strategy.is_replica
    assert [first.metadata.is_cached, again.metadata.is_cached] == [False, True]
    async with pair.library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("UPDATE documents SET deleted_at = now() WHERE id = :id"), {"id": document_id})
    response = await keeping.ask()
    assert (response.data, response.metadata.is_cached) == ([], False)
