"""Put a database and its originals back to how they were, without closing connections."""

import shutil
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


class Snapshot:
    """A copy of every row and file. Rows come back in one transaction, without triggers and foreign keys."""

    def __init__(self, superuser_url: str, originals: Path) -> None:
        self._originals = originals
        self._copies = originals.with_name("saved-originals")
        self._connection = psycopg.connect(libpq_url(superuser_url), autocommit=True)
        self._connection.execute("SET session_replication_role = replica")
        self._statements: list[sql.Composed] = []
        self.save()

    def save(self) -> None:
        """Copy the rows and files as they are now."""
        shutil.copytree(self._originals, self._copies, dirs_exist_ok=True)
        self._connection.execute("DROP SCHEMA IF EXISTS snapshot CASCADE; CREATE SCHEMA snapshot")
        self._statements.clear()
        for name, columns in self._connection.execute(COLUMNS).fetchall():
            saved, live = sql.Identifier("snapshot", name), sql.Identifier("public", name)
            self._connection.execute(sql.SQL("CREATE TABLE {} AS TABLE {}").format(saved, live))
            names = sql.SQL(", ").join(map(sql.SQL, columns))
            insert = "DELETE FROM {}; INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {}"
            self._statements.append(sql.SQL(insert).format(live, live, names, names, saved))

    def restore(self) -> None:
        """Bring back the copied rows and the files that are missing."""
        for copy in self._copies.rglob("*"):
            original = self._originals / copy.relative_to(self._copies)
            if copy.is_file() and not original.exists():
                original.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(copy, original)
        with self._connection.transaction():
            self._connection.execute(sql.SQL("; ").join(self._statements))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()
