"""The secrets of an installation: created at the first start, stored in the data folder for its owner only."""

import json
import secrets
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
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
    """Passwords and keys of the services. `admin_password` is None once it has been displayed.

    `jwt_secret_key` has the form of JWT_SECRET_KEY: after a comma follow previous keys, which only verify.
    """

    superuser_password: str = field(default_factory=_new_secret, repr=False)
    owner_password: str = field(default_factory=_new_secret, repr=False)
    service_password: str = field(default_factory=_new_secret, repr=False)
    jwt_secret_key: str = field(default_factory=_new_secret, repr=False)
    backend_api_key: str = field(default_factory=_new_secret, repr=False)
    mcp_api_key: str = field(default_factory=_new_secret, repr=False)
    admin_email: str = ADMIN_EMAIL
    admin_password: str | None = field(default_factory=lambda: secrets.token_urlsafe(15), repr=False)

    signing_key_rotated_at: str | None = None

    def with_new_signing_key(self, now: datetime) -> Self:
        """Return secrets with a new signing key in front of the current one."""
        keys = f"{_new_secret()},{self.jwt_secret_key}"
        return replace(self, jwt_secret_key=keys, signing_key_rotated_at=now.isoformat())

    def after_start(self, now: datetime, *, overlap: timedelta) -> Self:
        """Return secrets without the displayed password, and without signing keys that were replaced long ago."""
        shown = replace(self, admin_password=None)
        rotated_at = self.signing_key_rotated_at
        if rotated_at is None or now < datetime.fromisoformat(rotated_at) + overlap:
            return shown
        return replace(shown, jwt_secret_key=self.jwt_secret_key.split(",")[0], signing_key_rotated_at=None)


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
