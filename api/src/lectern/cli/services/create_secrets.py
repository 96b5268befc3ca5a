"""Generate the secrets of an installation in containers, each in the folder of those that may read it."""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import quote

from lectern.embedded.permissions import write_private
from lectern.errors import Misconfigured
from lectern.settings import process_environment
from lectern.settings.secret_files import FILE_SUFFIX, GENERATED, named_file, read_secret

ROLES: Final = (  # folder, role, variable of its password, variable of its address
    ("owner", "lectern_owner", "DATABASE_OWNER_PASSWORD", "DATABASE_OWNER_URL"),
    ("service", "lectern_service", "DATABASE_SERVICE_PASSWORD", "DATABASE_URL"),
)
KEYS: Final = (("signing", "JWT_SECRET_KEY"), ("mcp", "BACKEND_API_KEY"))
ADMIN_PASSWORD: Final = "ADMIN_PASSWORD"  # noqa: S105 - the name of a variable
DATABASE: Final = "db:5432/lectern"
_BYTES: Final = 32
_PASSWORD_BYTES: Final = 15


def create_secrets(folder: Path = GENERATED) -> None:
    """Write what is missing. A value from the environment is stored too, so that it may leave the environment later.

    Raises Misconfigured.
    """
    values = {name.lower(): value for name, value in process_environment().items()}
    for audience, role, variable, address in ROLES:
        given = named_file(variable, values) or values.get(variable.lower())
        password = _store(folder / audience, variable, given=given)
        _store(folder / audience, address, given=f"postgresql://{role}:{quote(password, safe='')}@{DATABASE}")
    for audience, variable in KEYS:
        if not _has_file(variable, values):
            _store(folder / audience, variable, given=values.get(variable.lower()))
    _store_first_password(folder / "api" / ADMIN_PASSWORD.lower(), values)


def replace_generated_key(path: Path) -> None:
    """Put a new signing key in front of the current one. Raises Misconfigured."""
    current = read_secret(path, "JWT_SECRET_KEY").split(",")[0]
    try:
        write_private(path, f"{secrets.token_urlsafe(_BYTES)},{current}")
    except OSError as error:
        hint = "Run `docker compose run --rm migrate keys rotate-signing`: only this container may change it."
        raise Misconfigured(f"The file {path} cannot be written.", hint=hint) from error


def forget_replaced_key(folder: Path = GENERATED, *, overlap: timedelta) -> None:
    """Drop a signing key that was replaced so long ago that no session needs it."""
    path = folder / "signing" / "jwt_secret_key"
    if not path.is_file():
        return
    current, comma, _ = read_secret(path, "JWT_SECRET_KEY").partition(",")
    if comma and datetime.now(UTC) - datetime.fromtimestamp(path.stat().st_mtime, UTC) > overlap:
        write_private(path, current)


def _store(folder: Path, variable: str, *, given: str | None) -> str:
    """Return the given, the stored or a new value, and store it."""
    path = folder / variable.lower()
    stored = read_secret(path, variable) if path.is_file() else ""
    value = given or stored or secrets.token_urlsafe(_BYTES)
    if value != stored:
        write_private(path, value)
    return value


def _store_first_password(path: Path, values: Mapping[str, str]) -> None:
    """Generate the password of the first administrator once. The file stays empty after it was displayed."""
    if not path.exists():
        is_given = _has_file(ADMIN_PASSWORD, values) or bool(values.get(ADMIN_PASSWORD.lower()))
        write_private(path, "" if is_given else secrets.token_urlsafe(_PASSWORD_BYTES))


def _has_file(variable: str, values: Mapping[str, str]) -> bool:
    return bool(values.get((variable + FILE_SUFFIX).lower()))
