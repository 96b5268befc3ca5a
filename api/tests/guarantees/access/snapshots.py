"""Put a database and its originals back to how they were, without closing connections."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import LiteralString, Self

import psycopg
from psycopg import sql

from lectern.db.engine import libpq_url

COLUMNS: LiteralString = """
SELECT c.relname, array_agg(quote_ident(attname) ORDER BY attnum)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
GROUP BY c.relname
"""


# The number of rows and the sum of the transactions that wrote them, which differ after every change.
MARK: LiteralString = "(SELECT ARRAY[count(*), coalesce(sum(xmin::text::bigint), 0)::bigint] FROM {})"


@dataclass(slots=True)
class Table:
    """The copy of a table, and the mark that the table has while no row of it changed."""

    live: sql.Identifier
    saved: sql.Identifier
    columns: sql.Composed
    mark: list[int]

    def refill(self) -> sql.Composed:
        """Return the statements that replace every row by its copy."""
        insert = "DELETE FROM {}; INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {}"
        return sql.SQL(insert).format(self.live, self.live, self.columns, self.columns, self.saved)


class Snapshot:
    """A copy of every row and file. Rows come back in one transaction, without triggers and foreign keys."""

    def __init__(self, superuser_url: str, originals: Path) -> None:
        self._originals = originals
        self._copies = originals.with_name("saved-originals")
        self._connection = psycopg.connect(libpq_url(superuser_url), autocommit=True)
        self._connection.execute("SET session_replication_role = replica")
        self._tables: list[Table] = []
        self.save()

    def save(self) -> None:
        """Copy the rows and files as they are now."""
        shutil.copytree(self._originals, self._copies, dirs_exist_ok=True)
        self._connection.execute("DROP SCHEMA IF EXISTS snapshot CASCADE; CREATE SCHEMA snapshot")
        self._tables.clear()
        for name, columns in self._connection.execute(COLUMNS).fetchall():
            saved, live = sql.Identifier("snapshot", name), sql.Identifier("public", name)
            self._connection.execute(sql.SQL("CREATE TABLE {} AS TABLE {}").format(saved, live))
            self._tables.append(Table(live, saved, sql.SQL(", ").join(map(sql.SQL, columns)), []))
        for table, mark in zip(self._tables, self._marks(), strict=True):
            table.mark = mark

    def restore(self) -> None:
        """Bring back the copied rows of changed tables, and the files that are missing."""
        for copy in self._copies.rglob("*"):
            original = self._originals / copy.relative_to(self._copies)
            if copy.is_file() and not original.exists():
                original.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(copy, original)
        with self._connection.transaction():
            changed = [table for table, mark in zip(self._tables, self._marks(), strict=True) if table.mark != mark]
            if changed:
                ours = self._connection.execute("SELECT pg_current_xact_id()::xid::text::bigint").fetchone()
                assert ours is not None
                self._connection.execute(sql.SQL("; ").join(table.refill() for table in changed))
                for table in changed:
                    table.mark = [table.mark[0], table.mark[0] * ours[0]]

    def _marks(self) -> list[list[int]]:
        marks = (sql.SQL(MARK).format(table.live) for table in self._tables)
        row = self._connection.execute(sql.SQL("SELECT {}").format(sql.SQL(", ").join(marks))).fetchone()
        assert row is not None
        return list(row)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()
