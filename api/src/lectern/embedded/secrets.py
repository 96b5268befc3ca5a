"""The secrets of an installation: created at the first start, stored in the data folder for its owner only."""

import json
import secrets
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from pydantic import TypeAdapter, ValidationError

from lectern.embedded.errors import DataFolderUnusable
from lectern.embedded.permissions import write_private

ADMIN_EMAIL: Final = "admin@lectern.local"


def _new_secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationSecrets:
    """Passwords and keys of the services. `admin_password` is None once it has been displayed."""

    superuser_password: str = field(default_factory=_new_secret, repr=False)
    owner_password: str = field(default_factory=_new_secret, repr=False)
    service_password: str = field(default_factory=_new_secret, repr=False)
    jwt_secret_key: str = field(default_factory=_new_secret, repr=False)
    backend_api_key: str = field(default_factory=_new_secret, repr=False)
    mcp_api_key: str = field(default_factory=_new_secret, repr=False)
    admin_email: str = ADMIN_EMAIL
    admin_password: str | None = field(default_factory=lambda: secrets.token_urlsafe(15), repr=False)

    def without_admin_password(self) -> Self:
        return replace(self, admin_password=None)


def load_or_create(path: Path) -> tuple[InstallationSecrets, bool]:
    """Return the secrets in `path`, and True if they are new.

    Raises:
        DataFolderUnusable: The file is damaged.
    """
    try:
        content = path.read_text()
    except FileNotFoundError:
        created = InstallationSecrets()
        save(path, created)
        return created, True
    try:
        stored = TypeAdapter(dict[str, str | None]).validate_json(content)
        values = TypeAdapter(InstallationSecrets).validate_python(stored)
    except ValidationError as error:
        raise DataFolderUnusable(
            f"{path} is damaged.", hint="Restore it from a backup. The database cannot be opened without it."
        ) from error
    if stored.keys() != asdict(values).keys():  # written before a newer version added a secret
        save(path, values)
    return values, False


def save(path: Path, values: InstallationSecrets) -> None:
    """Write the secrets atomically."""
    write_private(path, json.dumps(asdict(values), indent=2))
