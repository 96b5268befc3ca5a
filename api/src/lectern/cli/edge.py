"""Turn errors into one line and an exit code."""

import errno
import os
import traceback
from collections.abc import Callable
from typing import Final

import psycopg
import pydantic

from lectern.cli.console import show_error
from lectern.embedded.errors import DiskFull
from lectern.errors import InvalidRequest, LecternError, Misconfigured, Unavailable, describe_invalid

FAILURE = 1
INTERRUPTED = 130
OWNER_HINT = "Set DATABASE_OWNER_URL. With Docker Compose: `docker compose run --rm --no-deps migrate COMMAND`."
SCHEMA_HINT = (
    "Set DATABASE_OWNER_URL to the role lectern_owner. "
    "In a new database, run api/src/lectern/embedded/bootstrap.sql as a superuser first."
)
# Options whose names are not those of the fields of requests.
_OPTIONS: Final = {
    "allowed_networks": "--network",
    "any": "--tag",
    "collections": "--collection",
    "description": "--description",
    "documents": "--document",
    "expires_at": "--days",
    "tags": "--tag",
    "toolsets": "--toolset",
}
TABLES_HINT = "If Lectern is starting, wait until it is ready. Otherwise run `lectern migrate`."


class DatabaseUnreachable(Unavailable):
    """The database cannot be reached."""

    default_hint = "Start it, or correct DATABASE_URL."


def exit_code(command: Callable[[], None]) -> int:
    """Run a command and return its exit code. An error becomes one line on standard error."""
    try:
        command()
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else FAILURE * (leave.code is not None)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the edge of the command line
        known = explain(error)
        if known is None:
            traceback.print_exception(error)  # not a log record, which the level may hide
            known = LecternError(f"Unexpected error: {error!r}.", hint="The traceback above shows where.")
        show_error(known.log_message, hint=known.hint)
        return FAILURE
    return 0


def explain(error: BaseException) -> LecternError | None:
    """Return the readable error behind an exception, or None for a defect of Lectern."""
    match error:
        case LecternError():
            return error
        case OSError(errno=errno.ENOSPC):
            return DiskFull(f"The disk is full: {getattr(error, 'filename', None) or 'a file could not be written'}.")
        case Exception(orig=psycopg.Error() as original):  # as SQLAlchemy wraps it, which is slow to import
            return _explain_database(original)
        case psycopg.Error():
            return _explain_database(error)
        case pydantic.ValidationError() if error.title.endswith("Settings"):
            return Misconfigured(f"Invalid setting: {_faults(error)}.", hint="See docs/reference/settings.md.")
        case pydantic.ValidationError():
            return InvalidRequest(_describe_values(error), hint="Run the command with --help.")
        case _:
            return None


def _explain_database(error: psycopg.Error) -> LecternError | None:
    reason = _first_line(error)
    match error:
        case psycopg.errors.DiskFull():
            return DiskFull("The disk is full: the database could not write.")
        case psycopg.errors.InsufficientPrivilege() if "for schema public" in reason:  # only its owner changes it
            return Misconfigured(f"This role may not create tables of Lectern: {reason}.", hint=SCHEMA_HINT)
        case psycopg.errors.InsufficientPrivilege():
            return Misconfigured(f"The role of DATABASE_URL may not do this: {reason}.", hint=OWNER_HINT)
        case psycopg.errors.UndefinedTable():
            return Misconfigured(f"The database lacks tables of Lectern: {reason}.", hint=TABLES_HINT)
        case psycopg.OperationalError() if os.strerror(errno.ENOSPC) in reason:  # while it connects: no SQLSTATE
            return DiskFull("The disk is full: the database accepts no connection.")
        case psycopg.OperationalError(sqlstate=None):
            return DatabaseUnreachable(f"The database cannot be reached: {reason}.")
        case psycopg.OperationalError():
            return DatabaseUnreachable(f"The database refuses: {reason}.")
        case _:
            return None


def _faults(error: pydantic.ValidationError) -> str:
    """Name the wrong fields without their values, which may be secrets."""
    faults = (f"{'.'.join(map(str, item['loc']))}: {describe_invalid(item)[1]}" for item in error.errors())
    return "; ".join(fault.removeprefix(": ").rstrip(".") for fault in faults)


def _describe_values(error: pydantic.ValidationError) -> str:
    """Name each wrong value by its option or argument, as Typer does."""
    faults: dict[str, None] = {}
    for item in error.errors():
        path = [str(part) for part in item["loc"]] or [""]
        field = next((part for part in path if part in _OPTIONS), path[0])
        place = f" for '{_OPTIONS.get(field, field)}'" if field else ""
        faults[f"Invalid value{place}: {describe_invalid(item)[1].rstrip('.')}."] = None
    return " ".join(faults)


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n", maxsplit=1)[0].rstrip(".")
