"""Read the catalogue of the database, for work on every table: backups, exports and integrity checks."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

_TABLES: Final = text("""
SELECT c.relname FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
  AND c.relname <> 'alembic_version' ORDER BY c.relname
""")
_COLUMNS: Final = text("""
SELECT quote_ident(a.attname) FROM pg_attribute a
WHERE a.attrelid = to_regclass(:name) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
ORDER BY a.attnum
""")
_REFERENCES: Final = text("""
SELECT child.relname AS child, parent.relname AS parent, f.confdeltype::text AS on_delete,
       a.attname AS child_column, p.attname AS parent_column, a.attnotnull AS is_required
FROM pg_constraint f
JOIN pg_class child ON child.oid = f.conrelid
JOIN pg_class parent ON parent.oid = f.confrelid
JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
JOIN pg_attribute p ON p.attrelid = f.confrelid AND p.attnum = f.confkey[1]
WHERE f.contype = 'f' AND cardinality(f.conkey) = 1 AND child.relnamespace = 'public'::regnamespace
UNION ALL  -- tables that reference another part of a document, and also have a `document_id`
SELECT c.relname, 'documents', 'c', a.attname, 'id', true
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'document_id' AND a.attnotnull
  AND NOT EXISTS (SELECT FROM pg_constraint f
                  WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.conkey = ARRAY[a.attnum])
ORDER BY 1, 4
""")
_HASHED: Final = text("""
SELECT c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'sha256' ORDER BY 1
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReference:
    """A column that references another table.

    `on_delete` is the code of Postgres: c cascade, n set null, a no action.
    """

    child: str
    child_column: str
    parent: str
    parent_column: str
    on_delete: str
    is_required: bool


async def list_tables(connection: AsyncConnection | AsyncSession) -> list[str]:
    """List the logged tables of Lectern, without those of the queue. Unlogged tables are empty after a crash."""
    return list((await connection.execute(_TABLES)).scalars())


async def list_columns(connection: AsyncConnection | AsyncSession, table: str) -> list[str]:
    """List the quoted names of the columns that can be written."""
    return list((await connection.execute(_COLUMNS, {"name": table})).scalars())


async def list_references(connection: AsyncConnection | AsyncSession) -> list[ColumnReference]:
    """List the foreign keys of one column and every `document_id`."""
    return [ColumnReference(**row) for row in (await connection.execute(_REFERENCES)).mappings()]


async def list_referenced_originals(connection: AsyncConnection | AsyncSession) -> dict[str, int | None]:
    """Return the sha256 of every original that any row references, with its size where it is known."""
    tables = list((await connection.execute(_HASHED)).scalars())
    found: dict[str, int | None] = {}
    for table in tables:
        sized = "size_bytes" in await list_columns(connection, table)
        query = f"SELECT DISTINCT sha256, {'size_bytes' if sized else 'NULL::bigint'} FROM {table}"  # noqa: S608 - a name of the catalogue
        for sha256, size_bytes in await connection.execute(text(query)):
            if sha256 is not None:
                found[sha256] = size_bytes if found.get(sha256) is None else found[sha256]
    return found
