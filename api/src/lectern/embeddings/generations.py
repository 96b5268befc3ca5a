"""Generations: one table of embeddings for each model. Another model or dimension gets a new table.

Call `prepare_generation(owner_url, provider.info)` after every `migrate`. It is idempotent and takes milliseconds.
Other packages use generations through `service.py`.
"""

from dataclasses import dataclass
from typing import Final, Literal, cast

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import Connection, SmallInteger, TableClause, Uuid, column, insert, select, table, text

from lectern.db.engine import owner_transaction
from lectern.embeddings.errors import EmbeddingsMismatch, GenerationActive, GenerationNotFound
from lectern.embeddings.models import EmbeddingGeneration
from lectern.embeddings.provider import ProviderInfo

GenerationState = Literal["filling", "active", "retired"]
# Links of each vector, and candidates considered for them. With the usual 16 and 64, chunks with many near-duplicates
# become unreachable (docs/adr/0021).
HNSW_NEIGHBOURS: Final = 24
HNSW_CONSTRUCTION: Final = 128
_ADVISORY_LOCK: Final = 7_263_510_443  # any fixed number that no other lock uses


@dataclass(frozen=True, slots=True)
class Generation:
    """The embeddings of one model. The table has chunk_id, document_id, window_number and embedding."""

    id: int
    fingerprint: str
    dimensions: int
    state: GenerationState

    @property
    def table_name(self) -> str:
        return f"chunk_embeddings_{self.id}"

    @property
    def table(self) -> TableClause:
        """The typed table for SQLAlchemy statements."""
        return table(
            self.table_name,
            column("chunk_id", Uuid),
            column("document_id", Uuid),
            column("window_number", SmallInteger),
            column("embedding", HALFVEC(self.dimensions)),
        )


def generation_of(row: EmbeddingGeneration) -> Generation:
    """Build the value object of a row."""
    return Generation(row.id, row.fingerprint, row.dimensions, cast("GenerationState", row.state))


def prepare_generation(owner_url: str, info: ProviderInfo) -> Generation:
    """Create the table of the model if it is missing, as the owner of the schema.

    The first model of a database is active at once. A later one is `filling` until it is activated.

    Raises:
        EmbeddingsMismatch: The fingerprint is known with other dimensions.
    """
    with owner_transaction(owner_url) as connection:
        return ensure_generation(connection, info)


def ensure_generation(connection: Connection, info: ProviderInfo) -> Generation:
    """Run `prepare_generation` on a connection of the owner."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _ADVISORY_LOCK})
    known = select(EmbeddingGeneration.__table__).where(EmbeddingGeneration.fingerprint == info.fingerprint)
    row = connection.execute(known).one_or_none()
    if row is None:
        return _create(connection, info)
    if row.dimensions != info.dimensions:
        raise EmbeddingsMismatch(f"{info.id} had {row.dimensions} dimensions before and has {info.dimensions} now.")
    return Generation(row.id, row.fingerprint, row.dimensions, row.state)


def drop_generation(connection: Connection, generation_id: int) -> str:
    """Drop the embeddings of a model and its cache, as the owner of the schema. Returns its fingerprint.

    Raises:
        GenerationNotFound: There is no such generation.
        GenerationActive: It is active.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _ADVISORY_LOCK})
    known = select(EmbeddingGeneration.__table__).where(EmbeddingGeneration.id == generation_id)
    row = connection.execute(known.with_for_update()).one_or_none()
    if row is None:
        raise GenerationNotFound
    if row.state == "active":
        raise GenerationActive
    connection.execute(text("DELETE FROM staged_embeddings WHERE generation_id = :id"), {"id": generation_id})
    connection.execute(text("DELETE FROM embedding_cache WHERE fingerprint = :of"), {"of": row.fingerprint})
    connection.execute(text("DELETE FROM embedding_generations WHERE id = :id"), {"id": generation_id})
    connection.execute(text(f"DROP TABLE chunk_embeddings_{generation_id:d}"))
    return row.fingerprint


def _create(connection: Connection, info: ProviderInfo) -> Generation:
    is_first = connection.execute(text("SELECT NOT EXISTS (SELECT FROM embedding_generations WHERE state = 'active')"))
    state: GenerationState = "active" if is_first.scalar_one() else "filling"
    values = {
        "fingerprint": info.fingerprint,
        "embedding_model": info.id,
        "dimensions": info.dimensions,
        "state": state,
        "activated_at": text("now()") if state == "active" else None,
    }
    made = connection.execute(insert(EmbeddingGeneration).values(values).returning(EmbeddingGeneration.id))
    generation = Generation(made.scalar_one(), info.fingerprint, info.dimensions, state)
    create_table(connection, generation)
    return generation


def create_table(connection: Connection, generation: Generation) -> None:
    """Create the empty table of a registered generation, as the owner of the schema."""
    for statement in _definition(generation):
        connection.execute(text(statement))


def _definition(generation: Generation) -> tuple[str, ...]:
    """Build the DDL. STORAGE PLAIN keeps long vectors in the row, where an exact scan reads them.

    `content_hash` is the key of the cached vector, which is deleted with the document.
    """
    name, dimensions = generation.table_name, int(generation.dimensions)
    return (
        f"""
        CREATE TABLE {name} (
            chunk_id UUID NOT NULL,
            document_id UUID NOT NULL,
            window_number SMALLINT NOT NULL,
            content_hash BYTEA,
            embedding HALFVEC({dimensions}) STORAGE PLAIN NOT NULL,
            CONSTRAINT pk_{name} PRIMARY KEY (chunk_id, window_number),
            CONSTRAINT fk_{name}_chunk_id_chunks FOREIGN KEY (chunk_id) REFERENCES chunks (id) ON DELETE CASCADE
        )
        """,
        f"CREATE INDEX ix_{name}_document_id ON {name} (document_id)",
        f"""
        CREATE INDEX ix_{name}_embedding ON {name} USING hnsw (embedding halfvec_cosine_ops)
        WITH (m = {HNSW_NEIGHBOURS}, ef_construction = {HNSW_CONSTRUCTION})
        """,
        f"SELECT lectern_enable_row_security('{name}')",
        f"SELECT lectern_track_library_version('{name}')",
    )
