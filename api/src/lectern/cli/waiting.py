"""Waiting for a database that starts beside us, as databases in containers do."""

import time
from typing import Final

import psycopg

RETRY_SECONDS: Final = 0.5
CONNECT_SECONDS: Final = 5


def wait_for_database(url: str, *, seconds: float) -> None:
    """Return as soon as the database lets the role in, or at once for 0 seconds.

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
    """Whether the server answered, and not that it is starting; a failed connection carries no SQLSTATE to tell by."""
    return "FATAL" in str(error) and "starting up" not in str(error)
