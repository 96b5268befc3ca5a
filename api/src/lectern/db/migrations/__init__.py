"""Alembic migrations, inside the package so that an installed wheel can migrate itself."""
