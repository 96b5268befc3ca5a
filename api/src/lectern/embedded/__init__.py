"""Postgres from a Python package under a supervisor, and the services of `lectern up`.

Start with `EmbeddedPostgres` (`postgres.py`, one server) and `Supervisor` (`supervisor.py`, the services beside it).
"""
