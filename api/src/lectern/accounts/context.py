"""The dependencies of accounts: database, secrets and settings."""

import asyncio
import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import SecretStr

from lectern.accounts.breached_passwords.check import BreachedPasswords
from lectern.accounts.encryption import SecretCipher
from lectern.accounts.passwords import PasswordHasher
from lectern.accounts.tokens import Tokens
from lectern.db.engine import Engine, create_system_engine
from lectern.db.session import Database
from lectern.errors import Misconfigured
from lectern.settings import AccountsSettings, HttpSettings, Settings

if TYPE_CHECKING:
    from lectern.accounts.identity_provider import IdentityProvider

MIN_SECRET_CHARACTERS = 32


@dataclass(frozen=True, slots=True)
class Accounts:
    """Dependencies of authentication. One instance for each process."""

    database: Database
    settings: AccountsSettings
    http: HttpSettings
    tokens: Tokens
    cipher: SecretCipher
    service_key: SecretStr = field(repr=False)
    system_engine: Engine
    breached: BreachedPasswords
    passwords: PasswordHasher
    provider: "IdentityProvider | None" = None

    def is_service_key(self, value: str) -> bool:
        """Compare a value with the shared key of services, in constant time."""
        return hmac.compare_digest(value.encode("utf-8", "replace"), self.service_key.get_secret_value().encode())

    async def hash_new_password(self, password: SecretStr, *, email: str) -> str:
        """Hash a password that somebody chose for an account. Raises BreachedPassword."""
        await asyncio.to_thread(self.breached.refuse, password, email=email)
        return await self.passwords.hash(password)

    async def close(self) -> None:
        """Close the engine of authentication and end the threads that hash."""
        self.passwords.close()
        if self.provider is not None:
            await self.provider.close()
        await self.system_engine.dispose()


def required_secret(value: SecretStr | None, *, variable: str) -> SecretStr:
    """Return a secret that is set and long enough. Raises Misconfigured."""
    hint = f"Set it to {MIN_SECRET_CHARACTERS} or more random characters."
    if value is None or not value.get_secret_value():
        raise Misconfigured(f"{variable} is not set.", hint=hint)
    if len(value.get_secret_value()) < MIN_SECRET_CHARACTERS:
        raise Misconfigured(f"{variable} is shorter than {MIN_SECRET_CHARACTERS} characters.", hint=hint)
    return value


def signing_keys(settings: AccountsSettings) -> list[SecretStr]:
    """Return the signing keys, the current one first. Raises Misconfigured."""
    variable = "JWT_SECRET_KEY"
    value = required_secret(settings.jwt_secret_key, variable=variable).get_secret_value()
    return [required_secret(SecretStr(key.strip()), variable=variable) for key in value.split(",")]


def open_provider(settings: AccountsSettings) -> "IdentityProvider | None":
    """Return the identity provider of the settings, which is not asked yet. Raises Misconfigured."""
    if not settings.oidc_issuer:
        return None
    if not settings.oidc_client_id:
        raise Misconfigured(
            "OIDC_CLIENT_ID is not set.", hint="Set it to the client ID of Lectern at the identity provider."
        )
    # Loaded only where it is used: Authlib and an HTTP client.
    from lectern.accounts.identity_provider import IdentityProvider

    return IdentityProvider(
        issuer=settings.oidc_issuer, client_id=settings.oidc_client_id, client_secret=settings.oidc_client_secret
    )


def open_accounts(settings: Settings, database: Database) -> Accounts:
    """Build the dependencies without connecting. Raises Misconfigured."""
    keys = signing_keys(settings.accounts)
    service_key = required_secret(settings.accounts.backend_api_key, variable="BACKEND_API_KEY")
    if settings.accounts.mcp_api_key is not None:
        required_secret(settings.accounts.mcp_api_key, variable="MCP_API_KEY")
    engine = create_system_engine(database.engine)
    return Accounts(
        database=database,
        settings=settings.accounts,
        http=settings.http,
        tokens=Tokens(keys),
        cipher=SecretCipher(keys),
        service_key=service_key,
        system_engine=engine,
        breached=BreachedPasswords(settings.embedded.data_dir),
        passwords=PasswordHasher(
            passes=settings.accounts.password_hash_passes, kib=settings.accounts.password_hash_kib
        ),
        provider=open_provider(settings.accounts),
    )
