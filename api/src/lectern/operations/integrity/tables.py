"""Checks of the tables: orphaned rows, tables without row-level security, embeddings of unknown models."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import TextClause, text

from lectern.db import catalogue
from lectern.db.catalogue import ColumnReference
from lectern.embeddings.generations import Generation, create_table
from lectern.operations.integrity.defects import Check, Installed

_UNPROTECTED: Final = text("""
SELECT DISTINCT c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'document_id' AND NOT c.relrowsecurity
  AND has_table_privilege('lectern_app', c.oid, 'SELECT') ORDER BY 1
""")
_UNKNOWN_TABLES: Final = text("""
SELECT c.relname FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^chunk_embeddings_[0-9]+$'
  AND NOT EXISTS (SELECT FROM embedding_generations g WHERE c.relname = 'chunk_embeddings_' || g.id) ORDER BY 1
""")
_MISSING_TABLES: Final = text("""
SELECT 'chunk_embeddings_' || id FROM embedding_generations
WHERE to_regclass('public.chunk_embeddings_' || id) IS NULL ORDER BY id
""")
_UNKNOWN_CACHE: Final = text("""
SELECT DISTINCT fingerprint FROM embedding_cache c
WHERE NOT EXISTS (SELECT FROM embedding_generations g WHERE g.fingerprint = c.fingerprint) ORDER BY 1
""")
_GENERATIONS: Final = text("""
SELECT id, fingerprint, dimensions, state FROM embedding_generations WHERE 'chunk_embeddings_' || id = ANY (:tables)
""")
_HOUSE: Final = text("""
UPDATE documents SET collection_id = (SELECT id FROM collections WHERE is_default)
WHERE NOT EXISTS (SELECT FROM collections c WHERE c.id = collection_id)
""")
_FORGET_CACHE: Final = text("DELETE FROM embedding_cache WHERE fingerprint = ANY (:fingerprints)")


def _dangling(link: ColumnReference) -> str:
    return f"""FROM {link.child} AS child WHERE child.{link.child_column} IS NOT NULL
        AND NOT EXISTS (SELECT FROM {link.parent} p WHERE p.{link.parent_column} = child.{link.child_column})"""


async def _find_orphans(installed: Installed) -> list[str]:
    found: list[str] = []
    async with installed.owner.connect() as connection:
        for link in await catalogue.list_references(connection):
            query = f"SELECT child.{link.child_column}::text {_dangling(link)}"
            keys = (await connection.execute(text(query))).scalars()
            found += [f"{link.child}.{link.child_column} {key}" for key in keys]
    return found


async def _remove_orphans(installed: Installed, _: Sequence[str]) -> None:
    """Delete orphaned parts. A document is never deleted: it moves to another collection."""
    async with installed.owner.begin() as connection:
        await connection.execute(_HOUSE)
        for link in await catalogue.list_references(connection):
            if link.on_delete == "c":
                await connection.execute(text(f"DELETE {_dangling(link)}"))
            elif not link.is_required:
                where = _dangling(link).partition(" WHERE ")[2]
                empty = f"UPDATE {link.child} AS child SET {link.child_column} = NULL WHERE {where}"  # noqa: S608 - as above
                await connection.execute(text(empty))


async def _find(installed: Installed, *, query: TextClause) -> list[str]:
    async with installed.owner.connect() as connection:
        return list((await connection.execute(query)).scalars())


async def _protect(installed: Installed, tables: Sequence[str]) -> None:
    async with installed.owner.begin() as connection:
        for table in tables:
            has_policies = text("SELECT EXISTS (SELECT FROM pg_policy WHERE polrelid = to_regclass(:name))")
            if (await connection.execute(has_policies, {"name": table})).scalar_one():
                await connection.execute(text(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"))
            else:
                await connection.execute(
                    text("SELECT lectern_enable_row_security(to_regclass(:name))"), {"name": table}
                )


async def _drop_tables(installed: Installed, tables: Sequence[str]) -> None:
    async with installed.owner.begin() as connection:
        for table in tables:
            await connection.execute(text(f"DROP TABLE {table}"))


async def _create_tables(installed: Installed, tables: Sequence[str]) -> None:
    async with installed.owner.begin() as connection:
        for row in (await connection.execute(_GENERATIONS, {"tables": list(tables)})).all():
            await connection.run_sync(create_table, Generation(row.id, row.fingerprint, row.dimensions, row.state))


async def _forget_cache(installed: Installed, fingerprints: Sequence[str]) -> None:
    async with installed.owner.begin() as connection:
        await connection.execute(_FORGET_CACHE, {"fingerprints": list(fingerprints)})


CHECKS: Final = (
    Check(
        name="unprotected_tables",
        why="Tables lack row-level security, so everyone who may search sees their rows.",
        remedy="Enable row-level security for these tables.",
        find=partial(_find, query=_UNPROTECTED),
        repair=_protect,
    ),
    Check(
        name="orphan_rows",
        why="Rows refer to deleted rows.",
        remedy="Delete them. Move a document without a collection to the default one.",
        find=_find_orphans,
        repair=_remove_orphans,
    ),
    Check(
        name="unknown_embedding_tables",
        why="Embedding tables belong to no known model.",
        remedy="Drop them.",
        find=partial(_find, query=_UNKNOWN_TABLES),
        repair=_drop_tables,
    ),
    Check(
        name="missing_embedding_tables",
        why="A model has no embedding table.",
        remedy="Create the table and embed the missing chunks.",
        find=partial(_find, query=_MISSING_TABLES),
        repair=_create_tables,
    ),
    Check(
        name="unknown_cached_embeddings",
        why="Cached embeddings belong to no known model.",
        remedy="Delete them.",
        find=partial(_find, query=_UNKNOWN_CACHE),
        repair=_forget_cache,
    ),
)
