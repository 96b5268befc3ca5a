"""`python -m lectern.cli.services.worker_health`: the health check of a worker's container.

A worker holds one connection for as long as it lives (`jobs/liveness.py`), and Postgres knows from which address.
It imports the settings only: loading SQLAlchemy would cost a CPU-second for each check.
"""

import re
import sys
from typing import Final

import psycopg

from lectern.settings import load_settings

APPLICATION_NAME: Final = "lectern-liveness"
CONNECT_SECONDS: Final = 5
_ALIVE: Final = """
SELECT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE application_name = %s AND client_addr IS NOT DISTINCT FROM inet_client_addr()
)
"""


def has_worker_here(url: str) -> bool:
    """Return True if a worker is connected from this address. Raises psycopg.OperationalError without a database."""
    plain = re.sub(r"^postgres(ql)?(\+\w+)?:", "postgresql:", url)  # SQLAlchemy's spellings are accepted everywhere
    with psycopg.connect(plain, connect_timeout=CONNECT_SECONDS, autocommit=True) as connection:
        row = connection.execute(_ALIVE, (APPLICATION_NAME,)).fetchone()
    return row is not None and bool(row[0])


def main() -> int:
    """Return 0 if a worker of this host is connected, else 1 after a line with the reason."""
    url = load_settings().database.url
    if url is None:
        print("DATABASE_URL is not set.", file=sys.stderr)
        return 1
    try:
        is_alive = has_worker_here(url.get_secret_value())
    except psycopg.OperationalError as error:
        print(f"The database cannot be reached: {str(error).splitlines()[0]}", file=sys.stderr)
        return 1
    if not is_alive:
        print("No worker of this host is connected to the database.", file=sys.stderr)
    return 0 if is_alive else 1


if __name__ == "__main__":
    sys.exit(main())
