"""Create the schema from the files of `migrations/schema`. Later revisions change it; the files stay as they are.

Revision ID: 20261125_0011
Revises:

The tables of the queue are those of the installed procrastinate. A comment on their schema holds its version, so that a
later revision can apply the steps of a newer one (docs/adr/0002).
"""

import re
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from alembic import op

from lectern.db.functions import create_functions, drop_functions

revision = "20261125_0011"
down_revision = None

SCHEMA = Path(__file__).parent.parent / "schema"

# The classification of letters must be that of Unicode. Otherwise words with accents would be split.
LOCALE = """
DO $$
BEGIN
    IF getdatabaseencoding() <> 'UTF8' OR lower('È') <> 'è' OR 'è' !~ '^[[:alpha:]]$' THEN
        RAISE EXCEPTION 'Lectern needs a database with encoding UTF8 and a Unicode locale'
            USING HINT = 'Create the database with LOCALE ''C.UTF-8'' or another UTF-8 locale, not ''C''.';
    END IF;
END $$;
CREATE EXTENSION IF NOT EXISTS vector;
"""

# Roles belong to the server: they may exist already, and another database may still need them.
ROLES = """
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['lectern_app', 'lectern_system'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN NOBYPASSRLS', name);
        END IF;
        IF NOT pg_has_role(current_user, name, 'MEMBER') THEN
            EXECUTE format('GRANT %I TO %I', name, current_user);
        END IF;
        EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', name);
    END LOOP;
END $$;
"""

# Functions and triggers of the queue name their tables without the schema. They must find them for every caller.
QUEUE_ACCESS = """
DO $$
DECLARE
    function regprocedure;
BEGIN
    FOR function IN SELECT oid FROM pg_proc WHERE pronamespace = 'queue'::regnamespace LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = queue, pg_temp', function);
    END LOOP;
END $$;
GRANT USAGE ON SCHEMA queue TO lectern_system;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA queue TO lectern_system;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA queue TO lectern_system;
"""

# The migration tool drops its own table.
DROP_TABLES = """
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('DROP TABLE public.%I CASCADE', name);
    END LOOP;
END $$;
"""


def _execute(statements: str) -> None:
    # The driver's own call: SQLAlchemy would take colons and percent signs for parameters.
    op.get_bind().exec_driver_sql(statements.replace("%", "%%"))


def _execute_file(name: str) -> None:
    """Execute a file of statements after creating the functions that it names."""
    statements = (SCHEMA / name).read_text(encoding="utf-8")
    create_functions(op.get_bind(), *re.findall(r"\blectern_\w+(?=\()", statements))
    _execute(statements)


def upgrade() -> None:
    _execute(LOCALE)
    for name in ("accounts.sql", "library.sql", "search.sql", "services.sql"):
        _execute_file(name)
    _execute(ROLES)
    _execute_file("access.sql")
    _create_queue()
    _execute_file("triggers.sql")


def _create_queue() -> None:
    tables = files("procrastinate").joinpath("sql", "schema.sql").read_text(encoding="utf-8")
    _execute("CREATE SCHEMA queue")
    _execute("SET LOCAL search_path = queue")
    _execute(tables)
    _execute("SET LOCAL search_path TO DEFAULT")
    _execute(f"COMMENT ON SCHEMA queue IS 'procrastinate {version('procrastinate')}'")
    _execute(QUEUE_ACCESS)


def downgrade() -> None:
    _execute("DROP SCHEMA queue CASCADE")
    _execute(DROP_TABLES)
    drop_functions(op.get_bind())
    _execute("REVOKE USAGE ON SCHEMA public FROM lectern_app, lectern_system")
