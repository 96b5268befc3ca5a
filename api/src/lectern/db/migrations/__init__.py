"""Alembic revisions of the tables, and the runner that applies them. An installed wheel includes both."""
