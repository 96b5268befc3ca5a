"""Create the queue of procrastinate in its own schema.

Revision ID: 20261125_0003
Revises: 20261125_0002

The tables are those of the installed procrastinate. A comment on the schema holds its version, so that a later
revision can apply the steps of a newer one (docs/adr/0002).
"""

from importlib.metadata import version
from importlib.resources import files

from alembic import op

revision = "20261125_0003"
down_revision = "20261125_0002"

# Functions and triggers of the queue name their tables without the schema. They must find them for every caller.
SEARCH_PATHS = """
DO $$
DECLARE
    function regprocedure;
BEGIN
    FOR function IN SELECT oid FROM pg_proc WHERE pronamespace = 'queue'::regnamespace LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = queue, pg_temp', function);
    END LOOP;
END $$;
"""

GRANTS = """
GRANT USAGE ON SCHEMA queue TO lectern_system;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA queue TO lectern_system;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA queue TO lectern_system;
"""


def upgrade() -> None:
    tables = files("procrastinate").joinpath("sql", "schema.sql").read_text(encoding="utf-8")
    op.execute("CREATE SCHEMA queue")
    op.execute("SET LOCAL search_path = queue")
    # The driver's own call: SQLAlchemy would take colons and percent signs for parameters.
    op.get_bind().exec_driver_sql(tables.replace("%", "%%"))
    op.execute("SET LOCAL search_path TO DEFAULT")
    op.execute(f"COMMENT ON SCHEMA queue IS 'procrastinate {version('procrastinate')}'")
    op.execute(SEARCH_PATHS)
    op.execute(GRANTS)


def downgrade() -> None:
    op.execute("DROP SCHEMA queue CASCADE")
