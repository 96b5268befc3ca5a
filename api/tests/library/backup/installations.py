"""Installations to be saved and to be filled, and what is compared between them."""

import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from psycopg import sql
from tests.ingestion.library import DIMENSIONS, Library

from lectern.db.engine import create_engine, libpq_url
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.providers.hash import HashProvider
from lectern.library.backup.restoring import Target
from lectern.search.schemas import SearchRequest
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings
from lectern.storage.store import open_originals

# A user with a key and a session, tags on documents, another collection, an entry of the audit log, a second model.
FURNITURE = """
INSERT INTO users (id, email, name, password_hash, role) VALUES
    ('00000000-0000-4000-8000-0000000000a1', 'ada@example.com', E'Ada "L" \\t\\n\\\\N', 'hash', 'admin'),
    ('00000000-0000-4000-8000-0000000000a2', 'bob@example.com', 'Bob', 'hash', 'reader');
INSERT INTO api_keys (id, name, prefix, key_hash, tag_ids, created_by) VALUES
    ('00000000-0000-4000-8000-0000000000b1', 'agent', 'lk_1', 'hash', '{}', '00000000-0000-4000-8000-0000000000a1');
INSERT INTO collections (id, name) VALUES ('00000000-0000-4000-8000-0000000000c1', 'Verträge');
INSERT INTO collection_members VALUES
    ('00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-0000000000a2', true);
INSERT INTO tags (id, name, normalized_name, owner_id) VALUES
    ('00000000-0000-4000-8000-0000000000d1', 'Policy', 'policy', '00000000-0000-4000-8000-0000000000a1');
UPDATE documents SET owner_id = '00000000-0000-4000-8000-0000000000a1';
INSERT INTO document_tags SELECT id, '00000000-0000-4000-8000-0000000000d1' FROM documents;
UPDATE embedding_generations SET confidence_bias = 0.5, ranker_fit = '{"ranker": "1", "weights": {"coverage": 0.25}}';
INSERT INTO audit_events (actor, action, details) VALUES ('user:1', 'sign_in', '{"a": [1, "é"]}');
"""


@dataclass(frozen=True)
class Place:
    """An empty installation: a database and a folder for originals."""

    urls: ThrowawayDatabase
    folder: Path

    @property
    def target(self) -> Target:
        originals = open_originals(self.folder.as_uri(), default_folder=self.folder)
        return Target(owner_url=self.urls.owner_url, service_url=self.urls.service_url, originals=originals)

    async def originals(self) -> set[str]:
        return {sha256 async for sha256 in self.target.originals.list()}


@asynccontextmanager
async def fresh_place(postgres: ThrowawayPostgres, folder: Path) -> AsyncGenerator[Place]:
    with postgres.fresh_database() as urls:
        yield Place(urls, folder / f"originals-{uuid.uuid4().hex}")


async def run(url: str, statements: str) -> None:
    """Statements as the owner of the database."""
    async with await psycopg.AsyncConnection.connect(libpq_url(url)) as connection:
        await connection.execute(statements.encode())


async def contents(url: str) -> dict[str, tuple[int, str]]:
    """Of every lasting table: how many rows, and a hash of all of them. Loading them leaves a mark of its own."""
    query = (
        "SELECT count(*), coalesce(md5(string_agg(h, '' ORDER BY h)), '') FROM (SELECT md5(t::text) AS h FROM {} t) s"
    )
    found: dict[str, tuple[int, str]] = {}
    async with await psycopg.AsyncConnection.connect(libpq_url(url)) as connection:
        tables = await connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
            " AND relpersistence = 'p' AND relname <> 'library_version_tokens'"
        )
        for (table,) in await tables.fetchall():
            row = await (await connection.execute(sql.SQL(query).format(sql.Identifier(table)))).fetchone()
            assert row is not None
            found[table] = (row[0], row[1])
    return found


async def structure(url: str) -> set[tuple[Any, ...]]:
    """Every index, constraint, trigger and policy, and where every sequence stands."""
    queries = (
        "SELECT 'index', indexdef, '' FROM pg_indexes WHERE schemaname = 'public'",
        """SELECT 'constraint', conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'""",
        """SELECT 'trigger', tgrelid::regclass::text || '.' || tgname, tgenabled::text
        FROM pg_trigger WHERE NOT tgisinternal""",
        "SELECT 'policy', tablename || '.' || policyname, coalesce(qual, '') FROM pg_policies",
        "SELECT 'sequence', sequencename, coalesce(last_value::text, '') FROM pg_sequences WHERE schemaname = 'public'",
    )
    async with await psycopg.AsyncConnection.connect(libpq_url(url)) as connection:
        found: set[tuple[Any, ...]] = set()
        for query in queries:
            found |= set(await (await connection.execute(query)).fetchall())
    return found


async def answers(urls: ThrowawayDatabase, queries: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """The first ten hits of each query, with what ranked them."""
    engine = create_engine(urls.service_url, pool_size=2)
    try:
        searching = SearchEngine(Database(engine), HashProvider(DIMENSIONS), SearchSettings())
        found: list[list[tuple[Any, ...]]] = []
        for query in queries:
            response = await searching.search_in_scope(SearchRequest(query=query, top_k=10), SYSTEM_SCOPE)
            found.append([(hit.chunk_id, hit.score, hit.semantic_rank, hit.keyword_rank) for hit in response.data])
        return found
    finally:
        await engine.dispose()


async def queries_of(library: Library, count: int) -> list[str]:
    """Headings and first words of chunks: queries that this library has answers to."""
    heads = await library.value(
        "SELECT array_agg(q) FROM (SELECT DISTINCT left(text, 60) AS q FROM chunks"
        " UNION SELECT DISTINCT section_heading FROM chunks WHERE section_heading <> '' ORDER BY q LIMIT :count) s",
        count=count,
    )
    return [query for query in heads if query.strip()]
