"""Database functions: create those of `sql/functions/` in the order of their dependencies.

Each file holds the current version of one function or of a few that belong together, with its grants. Revisions of the
schema contain no function. They call `create_functions` for what policies and triggers need. `update_functions` runs
after every migration and creates all functions again when a file has changed.

A revision drops the old version of a function first if its arguments or result change and a policy or trigger uses it.
So does a downgrade that drops a table which a function names.
"""

import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

FOLDER: Final = Path(__file__).parent / "sql" / "functions"
_DEFINED: Final = re.compile(r"^CREATE OR REPLACE FUNCTION (\w+)", re.MULTILINE)
_NAMED: Final = re.compile(r"\blectern_\w+(?=\()")
_COMMENT: Final = re.compile(r"--.*")
_DIGEST: Final = "lectern_get_functions_digest"
_DROPPABLE: Final = """
SELECT p.oid::regprocedure::text FROM pg_proc AS p
WHERE p.pronamespace = 'public'::regnamespace AND starts_with(p.proname, 'lectern_')
  AND NOT EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_proc'::regclass AND refobjid = p.oid)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionFile:
    """A file of functions: their names, and the functions of other files that they call."""

    text: str
    names: frozenset[str]
    calls: frozenset[str]


@cache
def read_function_files() -> tuple[FunctionFile, ...]:
    """Return every file, each after those that it depends on."""
    waiting = [_parse(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.rglob("*.sql"))]
    ordered: list[FunctionFile] = []
    while waiting:
        missing = frozenset[str]().union(*(file.names for file in waiting))
        ready = [file for file in waiting if not file.calls & missing]
        if not ready:
            raise ValueError(f"Files of functions depend on each other: {sorted(missing)}.")
        ordered += ready
        waiting = [file for file in waiting if file not in ready]
    return tuple(ordered)


def _parse(text: str) -> FunctionFile:
    names = frozenset(_DEFINED.findall(text))
    return FunctionFile(text=text, names=names, calls=frozenset(_NAMED.findall(_COMMENT.sub("", text))) - names)


def create_functions(connection: Connection, *names: str) -> None:
    """Create the named functions and those that they call."""
    needed = set(names)
    chosen: list[FunctionFile] = []
    for file in reversed(read_function_files()):
        if file.names & needed:
            chosen.append(file)
            needed |= file.calls
    for file in reversed(chosen):
        _execute(connection, file.text)


def update_functions(connection: Connection) -> None:
    """Replace every function, unless those of the database come from the same files."""
    digest = sha256("\n".join(file.text for file in read_function_files()).encode()).hexdigest()
    if _installed_digest(connection) == digest:
        return
    drop_functions(connection)  # the arguments of some may have changed
    for file in read_function_files():
        _execute(connection, file.text)
    _execute(connection, f"CREATE OR REPLACE FUNCTION {_DIGEST}() RETURNS text LANGUAGE sql RETURN '{digest}'")


def drop_functions(connection: Connection) -> None:
    """Drop every function that no policy or trigger uses."""
    while signatures := list(connection.exec_driver_sql(_DROPPABLE).scalars()):
        _execute(connection, f"DROP FUNCTION {', '.join(signatures)}")


def _installed_digest(connection: Connection) -> str | None:
    if connection.exec_driver_sql(f"SELECT to_regprocedure('{_DIGEST}()') IS NULL").scalar_one():
        return None
    return connection.exec_driver_sql(f"SELECT {_DIGEST}()").scalar_one()


def _execute(connection: Connection, statements: str) -> None:
    # The driver's own call: SQLAlchemy would take colons and percent signs for parameters.
    connection.exec_driver_sql(statements.replace("%", "%%"))
