"""A golden query may mark a passage of its page, by what it says; and keeps where the search found it last.

Revision ID: 20261122_0062
Revises: 20261122_0061
"""

from alembic import op

revision = "20261122_0062"
down_revision = "20261122_0061"

UP = """
ALTER TABLE golden_queries
    ADD COLUMN content_hash BYTEA,
    ADD COLUMN last_rank INTEGER,
    ADD COLUMN last_asked_at TIMESTAMP WITH TIME ZONE;
DROP INDEX uq_golden_queries_query_document_id_page_number;
CREATE UNIQUE INDEX uq_golden_queries_query_document_id_page_number_content_hash
    ON golden_queries (query, document_id, page_number, content_hash) NULLS NOT DISTINCT;
"""

# Passages of one page become one mark of the page.
DOWN = """
DROP INDEX uq_golden_queries_query_document_id_page_number_content_hash;
DELETE FROM golden_queries g USING golden_queries h
    WHERE g.query = h.query AND g.document_id = h.document_id AND g.page_number = h.page_number AND g.id > h.id;
CREATE UNIQUE INDEX uq_golden_queries_query_document_id_page_number
    ON golden_queries (query, document_id, page_number);
ALTER TABLE golden_queries DROP COLUMN content_hash, DROP COLUMN last_rank, DROP COLUMN last_asked_at;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
