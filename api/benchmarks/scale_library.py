"""A large library in a Postgres of its own that is kept in a folder: built once, measured many times.

Written straight into the tables that ingestion writes; words and weights come from the functions of the index, and the
counts from its own recount. Both large indexes are built at the end, as a restored backup would have them built.
"""

import json
import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from scale_pool import MixedPassage, PoolPassage, mix
from throwaway import PASSWORD, ThrowawayDatabase

from lectern.db.migrations.runner import migrate
from lectern.embedded import cluster
from lectern.embedded.binaries import find_binaries
from lectern.embedded.children import Watchdog
from lectern.embedded.data_folder import DataFolder
from lectern.embedded.postgres import EmbeddedPostgres
from lectern.embedded.tuning import tuned_settings
from lectern.embeddings.generations import Generation, prepare_generation
from lectern.embeddings.provider import ProviderInfo
from lectern.extraction.layout.boxes import WordBoxes, pack_boxes

CHUNKS_EACH: Final = 40  # of a document, two a page
DOCUMENTS_AT_ONCE: Final = 25
WORDS_A_LINE: Final = 12
TAGS: Final = {"broad": 0.3, "narrow": 0.01}
PART: Final = "Part"  # the collection that 30 % of the documents are in
LIBRARY: Final = uuid.UUID("00000000-0000-4000-8000-000000000001")
ADMIN: Final = ("admin@example.org", "correct horse battery staple")

_INDEX_TEXT: Final = r"""
INSERT INTO chunk_lexical (chunk_id, document_id, language, tsv, lex)
SELECT c.id, c.document_id, c.language, i.tsv, i.lex
FROM chunks AS c JOIN documents AS d ON d.id = c.document_id
CROSS JOIN LATERAL lectern_build_lexical_entry(
    lectern_get_search_configuration(c.language),
    concat_ws(' ', d.title, regexp_replace(d.filename, '\.[[:alnum:]]{1,5}$', '')),
    coalesce(c.section_heading, ''), array_to_string(c.section_path, ' '), c.text) AS i
WHERE c.document_id = ANY (%s)
"""


@dataclass(frozen=True, slots=True)
class Server:
    """A running Postgres with the settings that `lectern up` gives it."""

    postgres: EmbeddedPostgres
    database: ThrowawayDatabase

    def restart(self) -> None:
        """Empty its own memory; what the operating system has cached stays."""
        self.postgres.stop()
        self.postgres.start()


@contextmanager
def kept_server(folder: Path) -> Generator[Server]:
    """The server of a folder; a new one has an empty, migrated database."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)  # Postgres may run under another account
    watchdog = Watchdog()
    with DataFolder(folder / "data") as data:
        settings = {**tuned_settings(), "shared_preload_libraries": "pg_stat_statements"}
        options = {"binaries": find_binaries(), "password": PASSWORD, "watchdog": watchdog, "settings": settings}
        server = EmbeddedPostgres(data, **options)
        server.start()
        try:
            cluster.create_database(server.url(database="postgres"))
            database = ThrowawayDatabase(
                name=cluster.DATABASE,
                owner_url=server.url(database=cluster.DATABASE, user=cluster.OWNER, password=PASSWORD),
                service_url=server.url(database=cluster.DATABASE, user=cluster.SERVICE, password=PASSWORD),
                superuser_url=server.url(database=cluster.DATABASE),
            )
            cluster.bootstrap(database.superuser_url, owner_password=PASSWORD, service_password=PASSWORD)
            migrate(database.owner_url)
            with psycopg.connect(database.superuser_url) as connection:
                connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
            yield Server(server, database)
        finally:
            server.stop()
            watchdog.close()


def count_chunks(database: ThrowawayDatabase) -> int:
    """How many chunks there are."""
    with psycopg.connect(database.superuser_url) as connection:
        return connection.execute("SELECT count(*) FROM chunks").fetchone()[0]  # pyright: ignore[reportOptionalSubscript] (a count)


def any_document(database: ThrowawayDatabase) -> str:
    """The id of a document."""
    with psycopg.connect(database.superuser_url) as connection:
        return str(connection.execute("SELECT id FROM documents ORDER BY id LIMIT 1").fetchone()[0])  # pyright: ignore[reportOptionalSubscript] (there are)


def build(
    database: ThrowawayDatabase, pool: Mapping[str, Sequence[PoolPassage]], info: ProviderInfo, *, chunks: int
) -> dict[str, float]:
    """Let the library grow to `chunks`; seconds by step. What a run that was ended has written is kept."""
    generation = prepare_generation(database.owner_url, info)
    took: dict[str, float] = {}
    indexes = ("ix_chunk_lexical_tsv", f"ix_{generation.table_name}_embedding")
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        register_vector(connection)
        connection.execute("SET maintenance_work_mem = '4GB'")  # an index of neighbours is built in memory or slowly
        # rows pass by an index that is not ready; building it anew makes it so
        unready = "UPDATE pg_index SET indisready = false, indisvalid = false WHERE indexrelid = %s::regclass"
        for name in indexes:
            connection.execute(unready, (name,))
        connection.execute("ALTER TABLE chunk_lexical DISABLE TRIGGER count_inserted_lexemes")
        begun = time.perf_counter()
        _insert(connection, generation, pool, chunks=chunks)
        took["rows and term vectors"] = time.perf_counter() - begun
        for name in indexes:
            begun = time.perf_counter()
            connection.execute(f"REINDEX INDEX {name}".encode())
            took[name] = time.perf_counter() - begun
        begun = time.perf_counter()
        connection.execute("ALTER TABLE chunk_lexical ENABLE TRIGGER count_inserted_lexemes")
        connection.execute("SELECT lectern_recount_lexemes()")
        for merge in ("document_counts", "library_versions"):  # as ingestion does after each document
            connection.execute(f"SELECT lectern_merge_{merge}()".encode())
        took["counts of lexemes"] = time.perf_counter() - begun
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
    return took


def _insert(
    connection: psycopg.Connection[Any],
    generation: Generation,
    pool: Mapping[str, Sequence[PoolPassage]],
    *,
    chunks: int,
) -> None:
    part = uuid.uuid5(LIBRARY, PART)
    connection.execute("INSERT INTO collections (id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING", (part, PART))
    tags = {name: uuid.uuid5(LIBRARY, name) for name in TAGS}
    for name, key in tags.items():
        tag = "INSERT INTO tags (id, name, normalized_name) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
        connection.execute(tag, (key, name, name))
    languages = sorted(pool)
    weights = np.array([len(pool[language]) for language in languages], float)
    documents = -(-chunks // CHUNKS_EACH)
    there = connection.execute("SELECT count(*) FROM documents").fetchone()[0]  # pyright: ignore[reportOptionalSubscript] (a count)
    random = np.random.default_rng((7, there))
    for start in range(there, documents, DOCUMENTS_AT_ONCE):
        numbers = range(start, min(start + DOCUMENTS_AT_ONCE, documents))
        drawn = random.choice(len(languages), len(numbers), p=weights / weights.sum())
        made = {
            number: [mix(pool[languages[language]], random) for _ in range(CHUNKS_EACH)]
            for number, language in zip(numbers, drawn, strict=True)
        }
        with connection.transaction():
            _write(connection, generation, made, part=part, tags=tags, random=random)
        print(f"\r  {numbers.stop * CHUNKS_EACH:,} chunks", end="", flush=True)
    print()


def _write(
    connection: psycopg.Connection[Any],
    generation: Generation,
    made: Mapping[int, Sequence[MixedPassage]],
    *,
    part: uuid.UUID,
    tags: Mapping[str, uuid.UUID],
    random: np.random.Generator,
) -> None:
    ids = {number: uuid.uuid5(LIBRARY, f"document {number}") for number in made}
    collections = {number: part if random.random() < 0.3 else LIBRARY for number in made}
    columns = (
        "id, collection_id, filename, title, content_type, size_bytes, sha256, language, status, page_count,"
        " chunk_count, embedded_chunk_count, keyword_ready_at, ready_at"
    )
    now = connection.execute("SELECT now()").fetchone()[0]  # pyright: ignore[reportOptionalSubscript]
    with connection.cursor().copy(f"COPY documents ({columns}) FROM STDIN".encode()) as copy:
        for number, passages in made.items():
            heading = passages[0].chunk.section_heading or "Report"
            count = len(passages)
            language = passages[0].chunk.language
            name = f"{heading[:40]} {number}.pdf".replace("/", " ")
            title = f"{heading} {number}"
            fixed = (
                "application/pdf",
                1,
                f"{number:064x}",
                language,
                "ready",
                (count + 1) // 2,
                count,
                count,
                now,
                now,
            )
            copy.write_row((ids[number], collections[number], name, title, *fixed))
    with connection.cursor().copy("COPY document_tags (document_id, tag_id) FROM STDIN") as copy:
        for number in made:
            for name, share in TAGS.items():
                if random.random() < share:
                    copy.write_row((ids[number], tags[name]))
    placed = [row for number, passages in made.items() for row in _place(ids[number], passages)]
    _copy_pages(connection, placed)
    _copy_chunks(connection, placed)
    connection.execute(_INDEX_TEXT, (list(ids.values()),))
    _copy_vectors(connection, generation, placed)


@dataclass(frozen=True, slots=True)
class _Placed:
    document: uuid.UUID
    id: uuid.UUID
    index: int
    page: int
    start: int
    passage: MixedPassage


def _place(document: uuid.UUID, passages: Sequence[MixedPassage]) -> list[_Placed]:
    placed: list[_Placed] = []
    start = 0
    for index, passage in enumerate(passages):
        placed.append(_Placed(document, uuid.uuid5(document, str(index)), index, index // 2 + 1, start, passage))
        start += len(passage.text) + 1
    return placed


def _copy_pages(connection: psycopg.Connection[Any], placed: Sequence[_Placed]) -> None:
    columns = (
        "document_id, page_number, kind, text, char_start, char_count, chunk_count, width_points, height_points, boxes"
    )
    pages: dict[tuple[uuid.UUID, int], list[_Placed]] = {}
    for row in placed:
        pages.setdefault((row.document, row.page), []).append(row)
    with connection.cursor().copy(f"COPY pages ({columns}) FROM STDIN".encode()) as copy:
        for (document, number), rows in pages.items():
            text = "\n".join(row.passage.text for row in rows)
            values = (rows[0].start, len(text), len(rows), 595.0, 842.0, pack_boxes(_grid(text)))
            copy.write_row((document, number, "text", text, *values))


def _grid(text: str) -> WordBoxes:
    """Words in lines, as a page has them."""
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for word in text.split():
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
        ends.append(at)
    numbers = np.arange(len(starts))
    column, line = numbers % WORDS_A_LINE, numbers // WORDS_A_LINE
    height = 1 / (line[-1] + 2) if starts else 1
    left, top = 0.1 + 0.8 * column / WORDS_A_LINE, (line + 0.5) * height
    corners = np.stack([left, top, left + 0.06, top + height * 0.8], axis=1).astype(np.float64)
    return WordBoxes(np.array(starts, np.int64), np.array(ends, np.int64), line.astype(np.int64), corners)


def _copy_chunks(connection: psycopg.Connection[Any], placed: Sequence[_Placed]) -> None:
    columns = (
        "id, document_id, chunk_index, section_heading, section_path, page_number, last_page_number, char_start,"
        " char_end, token_count, content_type, importance, language, content_hash, text"
    )
    with connection.cursor().copy(f"COPY chunks ({columns}) FROM STDIN".encode()) as copy:
        for row in placed:
            chunk, text = row.passage.chunk, row.passage.text
            where = (row.page, row.page, row.start, row.start + len(text), chunk.token_count)
            kind = (chunk.content_type.value, chunk.importance, chunk.language, chunk.content_hash)
            path = (chunk.section_heading, list(chunk.section_path))
            copy.write_row((row.id, row.document, row.index, *path, *where, *kind, text))


def _copy_vectors(connection: psycopg.Connection[Any], generation: Generation, placed: Sequence[_Placed]) -> None:
    columns = "chunk_id, document_id, window_number, embedding"
    statement = f"COPY {generation.table_name} ({columns}) FROM STDIN WITH (FORMAT BINARY)"
    with connection.cursor().copy(statement.encode()) as copy:
        copy.set_types(["uuid", "uuid", "int2", "halfvec"])
        for row in placed:
            copy.write_row((row.id, row.document, 1, HalfVector(row.passage.vector)))


def sizes(database: ThrowawayDatabase) -> dict[str, Any]:
    """Rows and mebibytes of the large tables, with their indexes."""
    query = """
    SELECT c.relname, c.relkind::text, c.reltuples::bigint,
           CASE c.relkind WHEN 'r' THEN pg_table_size(c.oid) ELSE pg_relation_size(c.oid) END / 1048576.0
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
    ORDER BY 4 DESC LIMIT 14
    """
    with psycopg.connect(database.superuser_url) as connection:
        return {name: (kind, rows, round(float(size), 1)) for name, kind, rows, size in connection.execute(query)}


if __name__ == "__main__":  # what a library holds: python benchmarks/scale_library.py FOLDER
    import sys

    with kept_server(Path(sys.argv[1])) as kept:
        print(json.dumps(sizes(kept.database), indent=1))
