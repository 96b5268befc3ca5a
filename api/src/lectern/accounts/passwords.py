"""Hash passwords with argon2id on a few threads. Only this file imports passlib (libpass)."""

import asyncio
from typing import Any, Final

import passlib.hash  # pyright: ignore[reportMissingTypeStubs]: the fork ships none
from pydantic import SecretStr

# Parameters: the library's default, the second choice of RFC 9106 (64 MiB, 3 passes, 4 lanes).
_hasher: Final[Any] = getattr(passlib.hash, "argon2")  # noqa: B009 - the name is not known statically
# Load the implementation now. Two concurrent first uses on threads would fail.
_hasher.set_backend()
_CONCURRENCY: Final = 2  # Limits memory to 128 MiB.
# A hash without a known password. Verifying against it takes as long as a real one.
_UNKNOWN_USER_HASH: Final = (
    "$argon2id$v=19$m=65536,t=3,p=4$S+m91xqDsNY6hxBiLAWA0A$+JNN+AYi6z8F5F875/3CATeI6qEL+hvbiurdVH0r8eA"
)


class PasswordHasher:
    """Hash and verify passwords without blocking the event loop."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(_CONCURRENCY)

    async def hash(self, password: SecretStr) -> str:
        """Return a salted hash with its parameters. Takes about 0.2 s by design."""
        async with self._slots:
            return await asyncio.to_thread(_hasher.hash, password.get_secret_value())

    async def verify(self, password: SecretStr, password_hash: str | None) -> bool:
        """Return True if the password is right. Takes the same time for an unknown user (None)."""
        async with self._slots:
            is_right: bool = await asyncio.to_thread(
                _hasher.verify, password.get_secret_value(), password_hash or _UNKNOWN_USER_HASH
            )
        return is_right and password_hash is not None

    def is_outdated(self, password_hash: str) -> bool:
        """Return True if the hash has weaker parameters than the current ones."""
        return bool(_hasher.needs_update(password_hash))
