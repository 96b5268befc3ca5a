"""Measure lists and searches of people with 0, 100 and 10,000 granted documents, and with a granted tag of 10,000.

    python benchmarks/grants.py [--documents N] [--rounds N]      # 20,000 documents in a temporary Postgres

Half of the documents are in a collection with all people as members. Grants are for the other half. Of granted
documents 1,000 count, and they are in a collection of their own. Its only member reads them without grants.
Requests go to a real API, one client, the people in turn. Query vectors are in the cache, results are not.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import corpora
import httpx
import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from scale_library import ADMIN, copy_vectors
from scale_requests import running_server
from throwaway import ThrowawayDatabase, fresh_library
from timing import quantiles

from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.provider import ProviderInfo
from lectern.embeddings.registry import create_provider
from lectern.settings import EmbeddingsSettings

GRANTS: Final = {"none": 0, "hundred": 100, "member": 0, "many": 10_000, "tag": 0}
SAME_DOCUMENTS: Final = {"none": "none", "hundred": "none", "member": "none", "many": "member", "tag": "member"}
WORDS: Final = [
    *("contract", "invoice", "travel", "hotel", "budget", "pension"),
    *("audit", "supplier", "delivery", "warranty", "tenant", "bridge"),
]
QUERIES: Final = [f"{first} {second}" for first in WORDS[:5] for second in WORDS[5:9]]
FILL: Final = """
INSERT INTO collections (id, name, is_open)
VALUES (gen_random_uuid(), 'Own', false), (gen_random_uuid(), 'Other', false), (gen_random_uuid(), 'Counted', false);
INSERT INTO tags (id, name, normalized_name) VALUES (gen_random_uuid(), 'shared', 'shared');
INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256, status, language, page_count,
    chunk_count, embedded_chunk_count, keyword_ready_at, ready_at)
SELECT gen_random_uuid(), (SELECT id FROM collections WHERE name = CASE n %% 2 WHEN 0 THEN 'Own' ELSE 'Other' END),
    n || '.txt', 'text/plain', 1, n::text, 'ready', 'en', 1, 1, 1, now(), now() FROM generate_series(1, {documents}) n;
UPDATE documents SET collection_id = (SELECT id FROM collections WHERE name = 'Counted') WHERE id IN (
    SELECT d.id FROM documents d JOIN collections c ON c.id = d.collection_id AND c.name = 'Other'
    ORDER BY d.id LIMIT 1000);
INSERT INTO document_tags
SELECT d.id, t.id FROM documents d JOIN collections c ON c.id = d.collection_id AND c.name <> 'Own' CROSS JOIN tags t;
INSERT INTO chunks (id, document_id, chunk_index, page_number, last_page_number, char_start, char_end, token_count,
    content_type, importance, language, content_hash, text)
SELECT gen_random_uuid(), d.id, 1, 1, 1, 0, 9, 40, 'text', 0.5, 'en', '', (
    SELECT string_agg(words[1 + abs(hashtext(d.filename || w)) %% cardinality(words)] || ' ' || w, ' ')
    FROM generate_series(1, 20) w) FROM documents d, (SELECT %(words)s::text[] AS words) AS given;
INSERT INTO chunk_lexical (chunk_id, document_id, language, tsv, lex)
SELECT c.id, c.document_id, 'en', i.tsv, i.lex FROM chunks AS c JOIN documents AS d ON d.id = c.document_id
CROSS JOIN LATERAL lectern_build_lexical_entry(lectern_get_search_configuration('en'), d.filename, '', '', c.text) AS i
"""
SHARE: Final = """
INSERT INTO collection_members (collection_id, user_id)
SELECT c.id, u.id FROM collections c, users u
WHERE u.role = 'reader' AND (c.name = 'Own' OR (c.name = 'Counted' AND u.email = 'member@example.org'));
INSERT INTO document_grants (id, document_id, email, granted_by)
SELECT gen_random_uuid(), d.id, p.name || '@example.org', 'user:admin'
FROM unnest(%(names)s::text[], %(counts)s::int[]) AS p (name, count)
CROSS JOIN LATERAL (SELECT d.id FROM documents d JOIN collections c ON c.id = d.collection_id AND c.name <> 'Own'
    ORDER BY d.id LIMIT p.count) AS d;
INSERT INTO tag_grants (id, tag_id, email, granted_by)
SELECT gen_random_uuid(), t.id, 'tag@example.org', u.id FROM tags t, users u WHERE u.role = 'admin'
"""


def fill(database: ThrowawayDatabase, info: ProviderInfo, *, documents: int) -> None:
    """Store documents of one chunk with a random vector."""
    generation = prepare_generation(database.owner_url, info)
    random = np.random.default_rng(7)
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        register_vector(connection)
        for statement in FILL.format(documents=documents).split(";"):
            connection.execute(statement.encode(), {"words": WORDS})
        chunks = connection.execute("SELECT id, document_id FROM chunks").fetchall()
        vectors = random.standard_normal((len(chunks), info.dimensions))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        copy_vectors(connection, generation, ((*chunk, vector) for chunk, vector in zip(chunks, vectors, strict=True)))
        connection.execute("SELECT lectern_recount_lexemes()")


def share(database: ThrowawayDatabase) -> None:
    """Add members, grants of documents and the grant of a tag, and gather statistics."""
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        for statement in SHARE.split(";"):
            connection.execute(statement.encode(), {"names": list(GRANTS), "counts": list(GRANTS.values())})
        connection.execute("VACUUM ANALYZE")


def sign_in(api: httpx.Client, email: str) -> dict[str, str]:
    """Return the authorization header of a person."""
    body = {"email": email, "password": ADMIN[1], "use_cookies": False}
    token = api.post("/auth/sign-in", json=body).raise_for_status().json()["access_token"]
    return {"Authorization": f"Bearer {token}"}


def measure(api: httpx.Client, people: dict[str, dict[str, str]], *, rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return the milliseconds of searches and lists by person."""
    milliseconds: dict[str, dict[str, list[float]]] = {name: {"search": [], "list": []} for name in people}
    for number in range(rounds):
        query = QUERIES[number % len(QUERIES)]
        for name, headers in people.items():
            calls: dict[str, dict[str, Any]] = {
                "search": {"method": "POST", "url": "/search", "json": {"query": query}},
                "list": {"method": "GET", "url": "/documents", "params": {"limit": 50}},
            }
            for kind, call in calls.items():
                started = time.perf_counter()
                api.request(**call, headers=headers).raise_for_status()
                if number >= len(QUERIES):  # the first rounds fill the cache of query vectors
                    milliseconds[name][kind].append((time.perf_counter() - started) * 1000)
    return milliseconds


async def run(database: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Fill a library, start a server and measure."""
    models = arguments.cache / "models"
    fill(database, create_provider(EmbeddingsSettings(), model_dir=models).info, documents=arguments.documents)
    print(f"{arguments.documents:,} documents", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        async with running_server(database.service_url, folder=Path(folder), models=models) as (url, _):
            await asyncio.to_thread(report, database, f"{url}/api/v1", arguments.rounds)


def report(database: ThrowawayDatabase, url: str, rounds: int) -> None:
    """Print a line for each person, with ratios to the person who reads the same documents without grants."""
    with httpx.Client(base_url=url, timeout=60) as api:
        admin = sign_in(api, ADMIN[0])
        for name in GRANTS:
            body = {"email": f"{name}@example.org", "password": ADMIN[1], "role": "reader"}
            api.post("/users", json=body, headers=admin).raise_for_status()
        share(database)
        people = {name: sign_in(api, f"{name}@example.org") for name in GRANTS}
        milliseconds = measure(api, people, rounds=rounds)
    for name, kinds in milliseconds.items():
        for kind, values in kinds.items():
            p50, p95, _ = quantiles(values)
            base50, base95, _ = quantiles(milliseconds[SAME_DOCUMENTS[name]][kind])
            print(f"{name:8} {kind:7} p50 {p50:6.1f} ({p50 / base50:.2f})  p95 {p95:6.1f} ({p95 / base95:.2f})")


def main() -> None:
    """Measure on a temporary Postgres."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=100)
    arguments = parser.parse_args()
    with fresh_library() as database:
        asyncio.run(run(database, arguments))


if __name__ == "__main__":
    main()
