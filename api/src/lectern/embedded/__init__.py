"""Postgres from a Python package under our own supervisor, the processes of `lectern up`, and first-run secrets."""
