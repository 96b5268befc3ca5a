"""Measure the cost of row-level security: the same statements in different scopes.

    python benchmarks/row_level_security.py [DOCUMENTS]      # 2,000 with 100,000 chunks, in a temporary Postgres

Prints the median execution time as Postgres reports it, which depends little on other load.
"""

import argparse
import asyncio
import re
import statistics
from typing import Any

import psycopg
from sqlalchemy import text
from throwaway import ThrowawayDatabase, fresh_library

from lectern.db.engine import create_engine
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database

CHUNKS, RUNS = 100_000, 15
FILL = """
INSERT INTO collections (id, name) SELECT gen_random_uuid(), 'c' || n FROM generate_series(1, 20) n;
INSERT INTO tags (id, name, normalized_name)
SELECT gen_random_uuid(), 't' || n, 't' || n FROM generate_series(1, 100) n;
INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256, status)
SELECT gen_random_uuid(), (SELECT id FROM collections WHERE name = 'c' || (n % 20 + 1)), n || '.txt', 'text/plain', 1,
    n::text, 'ready' FROM generate_series(1, {documents}) n;
INSERT INTO document_tags SELECT d.id, t.id FROM documents d JOIN tags t ON hashtext(d.filename || t.name) % 50 = 0;
INSERT INTO tags (id, name, normalized_name) VALUES (gen_random_uuid(), 'most', 'most');
INSERT INTO document_tags
SELECT d.id, t.id FROM documents d JOIN tags t ON t.name = 'most' AND hashtext(d.filename) % 10 <> 0;
INSERT INTO chunks (id, document_id, chunk_index, page_number, last_page_number, char_start, char_end, token_count,
    content_type, importance, language, content_hash, text)
SELECT gen_random_uuid(), d.id, n, 1, 1, 0, 9, 9, 'text', 0.5, 'en', '', repeat('some words ', 40)
FROM documents d, generate_series(1, {chunks_per_document}) n
"""
STATEMENTS = {
    "newest 50 documents": "SELECT * FROM documents ORDER BY created_at DESC, id DESC LIMIT 50",
    "count of documents": "SELECT count(*) FROM documents",
    "chunks of one document": "SELECT * FROM chunks WHERE document_id = :id",
    "200 chunks by id": "SELECT * FROM chunks WHERE id = ANY(:ids)",
    "count of all chunks": "SELECT count(*) FROM chunks",
    "names of collections": "SELECT name FROM collections ORDER BY name",
}


async def milliseconds(database: Database, scope: Scope, statement: str, values: dict[str, Any]) -> float:
    """Return the median execution time of a statement."""
    async with database.session(scope) as session:
        times: list[float] = []
        for _ in range(RUNS):
            plan = await session.execute(text(f"EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) {statement}"), values)
            times.append(plan.scalar_one()[0]["Execution Time"])
    return statistics.median(times)


async def fill(database: Database, documents: int) -> None:
    """Store documents in 20 collections, with about 2 of 100 tags each."""
    statements = FILL.format(documents=documents, chunks_per_document=max(CHUNKS // documents, 1))
    async with database.session(SYSTEM_SCOPE) as session:
        for statement in statements.split(";"):
            await session.execute(text(statement))


async def measure(database: Database) -> None:
    """Print a table of statements by scopes."""
    async with database.session(SYSTEM_SCOPE) as session:
        collections = list((await session.execute(text("SELECT id FROM collections"))).scalars())
        tags = list((await session.execute(text("SELECT id FROM tags WHERE name <> 'most' LIMIT 2"))).scalars())
        most = (await session.execute(text("SELECT id FROM tags WHERE name = 'most'"))).scalar_one()
        visible = "SELECT c.id, c.document_id FROM chunks c JOIN document_tags dt ON dt.document_id = c.document_id"
        query = text(f"{visible} AND dt.tag_id = ANY(:tags) LIMIT 200")
        rows = (await session.execute(query, {"tags": tags})).all()
    values = {"id": rows[0].document_id, "ids": [row.id for row in rows]}
    scopes = {
        "everything (system role)": SYSTEM_SCOPE,
        "not narrowed (scoped role)": Scope(actor="b"),
        "all collections by id": Scope(actor="b", collections=frozenset(collections)),
        "20 of 21 collections": Scope(actor="b", collections=frozenset(collections[1:])),
        "2 tags": Scope(actor="b", tags=frozenset(tags)),
        "tag of 9 in 10 documents": Scope(actor="b", tags=frozenset([most])),
    }
    print(f"{'ms':28}" + "".join(f"{name:>28}" for name in scopes))
    for name, statement in STATEMENTS.items():
        own = {key: value for key, value in values.items() if re.search(f":{key}\\b", statement)}
        times = [await milliseconds(database, scope, statement, own) for scope in scopes.values()]
        print(f"{name:28}" + "".join(f"{value:28.2f}" for value in times))


async def run(address: ThrowawayDatabase, documents: int) -> None:
    """Fill a library, gather statistics and measure with the role of the services."""
    database = Database(create_engine(address.service_url, pool_size=2, statement_timeout_seconds=300))
    await fill(database, documents)
    with psycopg.connect(address.superuser_url, autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE")
    await measure(database)
    await database.dispose()


def main() -> None:
    """Measure on a temporary Postgres."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=int, nargs="?", default=2_000)
    arguments = parser.parse_args()
    with fresh_library() as address:
        asyncio.run(run(address, arguments.documents))


if __name__ == "__main__":
    main()
