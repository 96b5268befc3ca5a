"""Group saved answers in threads. Every answer saved before is a thread of its own.

Revision ID: 20261125_0007
Revises: 20261125_0006
"""

from alembic import op

from lectern.db.functions import create_functions

revision = "20261125_0007"
down_revision = "20261125_0006"

TABLE = """
CREATE TABLE answer_threads (
    id UUID NOT NULL,
    actor TEXT NOT NULL,
    title TEXT NOT NULL,
    scope JSONB NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_answer_threads PRIMARY KEY (id)
);
CREATE INDEX ix_answer_threads_actor_updated_at_id ON answer_threads (actor, updated_at, id);
INSERT INTO answer_threads (id, actor, title, scope, created_at, updated_at)
    SELECT id, actor, left(question, 300), '{}', created_at, created_at FROM saved_answers;
ALTER TABLE saved_answers ADD COLUMN thread_id UUID
    CONSTRAINT fk_saved_answers_thread_id_answer_threads REFERENCES answer_threads (id) ON DELETE CASCADE;
UPDATE saved_answers SET thread_id = id;
ALTER TABLE saved_answers ALTER COLUMN thread_id SET NOT NULL;
CREATE INDEX ix_saved_answers_thread_id_created_at ON saved_answers (thread_id, created_at);
"""

# Only its actor reads a thread. Queries leave out threads of which no answer is visible.
ACCESS = """
ALTER TABLE answer_threads ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON answer_threads TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_all ON answer_threads TO lectern_app
    USING (actor = (SELECT lectern_get_actor())) WITH CHECK (actor = (SELECT lectern_get_actor()));
GRANT SELECT, INSERT, UPDATE, DELETE ON answer_threads TO lectern_app, lectern_system;
"""

TRIGGER = """
CREATE TRIGGER delete_empty_threads AFTER DELETE ON saved_answers REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_delete_empty_threads();
"""


def upgrade() -> None:
    op.execute(TABLE)
    op.execute(ACCESS)
    create_functions(op.get_bind(), "lectern_delete_empty_threads")
    op.execute(TRIGGER)


def downgrade() -> None:
    op.execute("DROP TRIGGER delete_empty_threads ON saved_answers")
    op.execute("DROP FUNCTION lectern_delete_empty_threads()")
    op.execute("ALTER TABLE saved_answers DROP COLUMN thread_id")
    op.execute("DROP TABLE answer_threads")
