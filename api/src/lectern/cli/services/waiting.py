"""Wait for a database that is still starting, as in containers."""

import time
from typing import Final

import psycopg

RETRY_SECONDS: Final = 0.5
CONNECT_SECONDS: Final = 5


def wait_for_database(url: str, *, seconds: float) -> None:
    """Return as soon as the database accepts the role, or at once for 0 seconds.

    Raises:
        psycopg.OperationalError: It did not within this time, or it refuses the role or the password.
    """
    from lectern.db.engine import libpq_url

    until = time.monotonic() + seconds
    while seconds:
        try:
            psycopg.connect(libpq_url(url), connect_timeout=CONNECT_SECONDS).close()
        except psycopg.OperationalError as error:
            if _is_refusal(error) or time.monotonic() > until:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return


def _is_refusal(error: psycopg.OperationalError) -> bool:
    """Return True if the server answered with a refusal. A failed connection has no SQLSTATE to tell by."""
    return "FATAL" in str(error) and "starting up" not in str(error)
