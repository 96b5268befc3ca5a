"""Build a large library in a Postgres that stays in a folder, to be measured many times.

Rows are copied into the tables that ingestion writes. Term vectors come from the database's own functions, and the
lexeme statistics from its recount. Both large indexes are built at the end, as by a restored backup.
"""

import time
import uuid
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import psycopg
from corpora import LIBRARY
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from scale_pool import MixedChunk, RealChunk, mix
from throwaway import PASSWORD, ThrowawayDatabase, ThrowawayPostgres

from lectern.db.migrations.runner import migrate
from lectern.embedded import cluster
from lectern.embedded.binaries import find_binaries
from lectern.embedded.children import Watchdog
from lectern.embedded.data_folder import DataFolder
from lectern.embedded.postgres import EmbeddedPostgres
from lectern.embedded.tuning import tuned_settings
from lectern.embeddings.generations import Generation, prepare_generation
from lectern.embeddings.provider import ProviderInfo, Vectors
from lectern.extraction.layout.boxes import WordBoxes, pack_boxes

CHUNKS_PER_DOCUMENT: Final = 40  # two on each page
DOCUMENTS_PER_BATCH: Final = 25
WORDS_PER_LINE: Final = 12
TAGS: Final = {"broad": 0.3, "narrow": 0.01}
PART: Final = "Part"  # the collection of 30 % of the documents
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
    """A running Postgres with the settings of `lectern up`."""

    postgres: EmbeddedPostgres
    database: ThrowawayDatabase

    def restart(self) -> None:
        """Restart with empty buffers. The cache of the operating system stays."""
        self.postgres.stop()
        self.postgres.start()


@contextmanager
def open_server(folder: Path) -> Generator[Server]:
    """Run the server of a folder. A new one gets an empty, migrated database."""
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
            database = ThrowawayPostgres(server).database(cluster.DATABASE)
            cluster.bootstrap(database.superuser_url, owner_password=PASSWORD, service_password=PASSWORD)
            migrate(database.owner_url)
            with psycopg.connect(database.superuser_url) as connection:
                connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
            yield Server(server, database)
        finally:
            server.stop()
            watchdog.close()


def count_chunks(database: ThrowawayDatabase) -> int:
    """Return the number of chunks."""
    with psycopg.connect(database.superuser_url) as connection:
        return _fetch_value(connection, "SELECT count(*) FROM chunks")


def first_document(database: ThrowawayDatabase) -> str:
    """Return the lowest id of a document."""
    with psycopg.connect(database.superuser_url) as connection:
        return str(_fetch_value(connection, "SELECT id FROM documents ORDER BY id LIMIT 1"))


def _fetch_value(connection: psycopg.Connection[Any], query: str) -> Any:  # noqa: ANN401 - any SQL value
    row = connection.execute(query.encode()).fetchone()
    assert row
    return row[0]


def build(
    database: ThrowawayDatabase, pool: Mapping[str, Sequence[RealChunk]], info: ProviderInfo, *, chunks: int
) -> dict[str, float]:
    """Add documents until there are `chunks`, and return the seconds of each step. Continue after an aborted run."""
    generation = prepare_generation(database.owner_url, info)
    seconds: dict[str, float] = {}
    indexes = ("ix_chunk_lexical_tsv", f"ix_{generation.table_name}_embedding")
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        register_vector(connection)
        connection.execute("SET maintenance_work_mem = '4GB'")  # a larger HNSW index builds slowly
        # An index that is not ready gets no rows until REINDEX.
        unready = "UPDATE pg_index SET indisready = false, indisvalid = false WHERE indexrelid = %s::regclass"
        for name in indexes:
            connection.execute(unready, (name,))
        connection.execute("ALTER TABLE chunk_lexical DISABLE TRIGGER count_inserted_lexemes")
        started = time.perf_counter()
        _insert(connection, generation, pool, chunks=chunks)
        seconds["rows and term vectors"] = time.perf_counter() - started
        for name in indexes:
            started = time.perf_counter()
            connection.execute(f"REINDEX INDEX {name}".encode())
            seconds[name] = time.perf_counter() - started
        started = time.perf_counter()
        connection.execute("ALTER TABLE chunk_lexical ENABLE TRIGGER count_inserted_lexemes")
        connection.execute("SELECT lectern_recount_lexemes()")
        for merge in ("document_counts", "library_versions"):  # like ingestion after each document
            connection.execute(f"SELECT lectern_merge_{merge}()".encode())
        seconds["lexeme statistics"] = time.perf_counter() - started
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
    return seconds


def _insert(
    connection: psycopg.Connection[Any],
    generation: Generation,
    pool: Mapping[str, Sequence[RealChunk]],
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
    documents = -(-chunks // CHUNKS_PER_DOCUMENT)
    existing = _fetch_value(connection, "SELECT count(*) FROM documents")
    random = np.random.default_rng((7, existing))
    for start in range(existing, documents, DOCUMENTS_PER_BATCH):
        numbers = range(start, min(start + DOCUMENTS_PER_BATCH, documents))
        drawn = random.choice(len(languages), len(numbers), p=weights / weights.sum())
        batch = {
            number: [mix(pool[languages[language]], random) for _ in range(CHUNKS_PER_DOCUMENT)]
            for number, language in zip(numbers, drawn, strict=True)
        }
        with connection.transaction():
            _write(connection, generation, batch, part=part, tags=tags, random=random)
        print(f"\r  {numbers.stop * CHUNKS_PER_DOCUMENT:,} chunks", end="", flush=True)
    print()


def _write(
    connection: psycopg.Connection[Any],
    generation: Generation,
    batch: Mapping[int, Sequence[MixedChunk]],
    *,
    part: uuid.UUID,
    tags: Mapping[str, uuid.UUID],
    random: np.random.Generator,
) -> None:
    ids = {number: uuid.uuid5(LIBRARY, f"document {number}") for number in batch}
    collections = {number: part if random.random() < 0.3 else LIBRARY for number in batch}
    columns = (
        "id, collection_id, filename, title, content_type, size_bytes, sha256, language, status, page_count,"
        " chunk_count, embedded_chunk_count, keyword_ready_at, ready_at"
    )
    now = _fetch_value(connection, "SELECT now()")
    with connection.cursor().copy(f"COPY documents ({columns}) FROM STDIN".encode()) as copy:
        for number, chunks in batch.items():
            heading = chunks[0].chunk.section_heading or "Report"
            name = f"{heading[:40]} {number}.pdf".replace("/", " ")
            identity = (ids[number], collections[number], name, f"{heading} {number}")
            file = ("application/pdf", 1, f"{number:064x}", chunks[0].chunk.language, "ready")
            counts = ((len(chunks) + 1) // 2, len(chunks), len(chunks))
            copy.write_row((*identity, *file, *counts, now, now))
    with connection.cursor().copy("COPY document_tags (document_id, tag_id) FROM STDIN") as copy:
        for number in batch:
            for name, share in TAGS.items():
                if random.random() < share:
                    copy.write_row((ids[number], tags[name]))
    placed = [row for number, chunks in batch.items() for row in _place(ids[number], chunks)]
    _copy_pages(connection, placed)
    _copy_chunks(connection, placed)
    connection.execute(_INDEX_TEXT, (list(ids.values()),))
    copy_vectors(connection, generation, [(row.id, row.document, row.chunk.vector) for row in placed])


@dataclass(frozen=True, slots=True)
class _PlacedChunk:
    document: uuid.UUID
    id: uuid.UUID
    index: int
    page: int
    start: int
    chunk: MixedChunk


def _place(document: uuid.UUID, chunks: Sequence[MixedChunk]) -> list[_PlacedChunk]:
    placed: list[_PlacedChunk] = []
    start = 0
    for index, chunk in enumerate(chunks):
        placed.append(_PlacedChunk(document, uuid.uuid5(document, str(index)), index, index // 2 + 1, start, chunk))
        start += len(chunk.text) + 1
    return placed


def _copy_pages(connection: psycopg.Connection[Any], placed: Sequence[_PlacedChunk]) -> None:
    columns = (
        "document_id, page_number, kind, text, char_start, char_count, chunk_count, width_points, height_points, boxes"
    )
    pages: dict[tuple[uuid.UUID, int], list[_PlacedChunk]] = {}
    for row in placed:
        pages.setdefault((row.document, row.page), []).append(row)
    with connection.cursor().copy(f"COPY pages ({columns}) FROM STDIN".encode()) as copy:
        for (document, number), rows in pages.items():
            text = "\n".join(row.chunk.text for row in rows)
            values = (rows[0].start, len(text), len(rows), 595.0, 842.0, pack_boxes(_grid(text)))
            copy.write_row((document, number, "text", text, *values))


def _grid(text: str) -> WordBoxes:
    """Return boxes of the words, arranged in lines."""
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for word in text.split():
        position = text.index(word, position)
        starts.append(position)
        position += len(word)
        ends.append(position)
    numbers = np.arange(len(starts))
    column, line = numbers % WORDS_PER_LINE, numbers // WORDS_PER_LINE
    height = 1 / (line[-1] + 2) if starts else 1
    left, top = 0.1 + 0.8 * column / WORDS_PER_LINE, (line + 0.5) * height
    corners = np.stack([left, top, left + 0.06, top + height * 0.8], axis=1).astype(np.float64)
    return WordBoxes(np.array(starts, np.int64), np.array(ends, np.int64), line.astype(np.int64), corners)


def _copy_chunks(connection: psycopg.Connection[Any], placed: Sequence[_PlacedChunk]) -> None:
    columns = (
        "id, document_id, chunk_index, section_heading, section_path, page_number, last_page_number, char_start,"
        " char_end, token_count, content_type, importance, language, content_hash, text"
    )
    with connection.cursor().copy(f"COPY chunks ({columns}) FROM STDIN".encode()) as copy:
        for row in placed:
            chunk, text = row.chunk.chunk, row.chunk.text
            where = (row.page, row.page, row.start, row.start + len(text), chunk.token_count)
            kind = (chunk.content_type.value, chunk.importance, chunk.language, chunk.content_hash)
            path = (chunk.section_heading, list(chunk.section_path))
            copy.write_row((row.id, row.document, row.index, *path, *where, *kind, text))


def copy_vectors(
    connection: psycopg.Connection[Any], generation: Generation, rows: Iterable[tuple[uuid.UUID, uuid.UUID, Vectors]]
) -> None:
    """Write the vector of the only window of each chunk. A row has chunk, document and vector."""
    columns = "chunk_id, document_id, window_number, embedding"
    statement = f"COPY {generation.table_name} ({columns}) FROM STDIN WITH (FORMAT BINARY)"
    with connection.cursor().copy(statement.encode()) as copy:
        copy.set_types(["uuid", "uuid", "int2", "halfvec"])
        for chunk, document, vector in rows:
            copy.write_row((chunk, document, 1, HalfVector(vector)))


def sizes(database: ThrowawayDatabase) -> dict[str, Any]:
    """Return kind, rows and mebibytes of the largest tables and indexes by name."""
    query = """
    SELECT c.relname, c.relkind::text, c.reltuples::bigint,
           CASE c.relkind WHEN 'r' THEN pg_table_size(c.oid) ELSE pg_relation_size(c.oid) END / 1048576.0
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
    ORDER BY 4 DESC LIMIT 14
    """
    with psycopg.connect(database.superuser_url) as connection:
        return {name: (kind, rows, round(float(size), 1)) for name, kind, rows, size in connection.execute(query)}
