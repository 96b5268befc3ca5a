"""The dependencies of accounts: database, secrets and settings."""

import hmac
from dataclasses import dataclass, field

from pydantic import SecretStr

from lectern.accounts.passwords import PasswordHasher
from lectern.accounts.tokens import Tokens
from lectern.db.engine import Engine, create_system_engine
from lectern.db.session import Database
from lectern.errors import Misconfigured
from lectern.settings import AccountsSettings, HttpSettings, Settings

MIN_SECRET_CHARACTERS = 32


@dataclass(frozen=True, slots=True)
class Accounts:
    """Dependencies of authentication. One instance for each process."""

    database: Database
    settings: AccountsSettings
    http: HttpSettings
    tokens: Tokens
    service_key: SecretStr = field(repr=False)
    system_engine: Engine
    passwords: PasswordHasher = field(default_factory=PasswordHasher)

    def is_service_key(self, value: str) -> bool:
        """Compare a value with the shared key of services, in constant time."""
        return hmac.compare_digest(value.encode("utf-8", "replace"), self.service_key.get_secret_value().encode())

    async def close(self) -> None:
        """Close the engine of authentication."""
        await self.system_engine.dispose()


def required_secret(value: SecretStr | None, *, variable: str) -> SecretStr:
    """Return a secret that is set and long enough. Raises Misconfigured."""
    if value is None or not value.get_secret_value():
        raise Misconfigured(
            f"{variable} is not set.", hint=f"Set it to {MIN_SECRET_CHARACTERS} or more random characters."
        )
    if len(value.get_secret_value()) < MIN_SECRET_CHARACTERS:
        raise Misconfigured(
            f"{variable} is shorter than {MIN_SECRET_CHARACTERS} characters.",
            hint=f"Set it to {MIN_SECRET_CHARACTERS} or more random characters.",
        )
    return value


def check_secrets(settings: AccountsSettings) -> None:
    """Check all secrets at startup. Raises Misconfigured."""
    required_secret(settings.jwt_secret_key, variable="JWT_SECRET_KEY")
    required_secret(settings.backend_api_key, variable="BACKEND_API_KEY")
    if settings.mcp_api_key is not None:
        required_secret(settings.mcp_api_key, variable="MCP_API_KEY")


def open_accounts(settings: Settings, database: Database) -> Accounts:
    """Build the dependencies without connecting. Raises Misconfigured."""
    check_secrets(settings.accounts)
    secret = required_secret(settings.accounts.jwt_secret_key, variable="JWT_SECRET_KEY")
    service_key = required_secret(settings.accounts.backend_api_key, variable="BACKEND_API_KEY")
    engine = create_system_engine(database.engine)
    return Accounts(database, settings.accounts, settings.http, Tokens(secret), service_key, engine)
