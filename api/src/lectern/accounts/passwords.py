"""Passwords: hashed with argon2id, on a thread, a few at a time. This is the only file that knows passlib (libpass)."""

import asyncio
from typing import Any, Final

import passlib.hash  # pyright: ignore[reportMissingTypeStubs]: the fork ships none
from pydantic import SecretStr

# Made on demand by the library. RFC 9106's second choice, its default: 64 MiB, 3 passes, 4 lanes.
_hasher: Final[Any] = getattr(passlib.hash, "argon2")  # noqa: B009 - the name is not known statically
# Else its first use loads the implementation, and of two first uses on two threads one fails.
_hasher.set_backend()
_AT_A_TIME: Final = 2  # bounds memory to 128 MiB, whatever arrives
# The hash of nothing anybody knows: checking against it takes as long as checking a real one.
_NOBODY: Final = "$argon2id$v=19$m=65536,t=3,p=4$S+m91xqDsNY6hxBiLAWA0A$+JNN+AYi6z8F5F875/3CATeI6qEL+hvbiurdVH0r8eA"


class PasswordHasher:
    """Makes and checks hashes without stopping the event loop."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(_AT_A_TIME)

    async def hash(self, password: SecretStr) -> str:
        """A salted hash with its parameters; takes some 0.2 s on purpose."""
        async with self._turns:
            return await asyncio.to_thread(_hasher.hash, password.get_secret_value())

    async def verify(self, password: SecretStr, password_hash: str | None) -> bool:
        """Whether the password is right; as slow for nobody (None) as for somebody."""
        async with self._turns:
            is_right: bool = await asyncio.to_thread(
                _hasher.verify, password.get_secret_value(), password_hash or _NOBODY
            )
        return is_right and password_hash is not None

    def is_outdated(self, password_hash: str) -> bool:
        """Whether the hash was made with weaker parameters than today's."""
        return bool(_hasher.needs_update(password_hash))
