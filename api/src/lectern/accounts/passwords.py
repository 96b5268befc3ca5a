"""Hash passwords with argon2id on few threads of low priority. Only this file imports passlib (libpass)."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import passlib.hash  # pyright: ignore[reportMissingTypeStubs]: the fork ships none
from pydantic import SecretStr

from lectern.accounts.errors import TooManySignIns
from lectern.settings.threads import lower_priority

_argon2: Final[Any] = getattr(passlib.hash, "argon2")  # noqa: B009 - the name is not known statically
# Load the implementation now. Two concurrent first uses on threads would fail.
_argon2.set_backend()
_CONCURRENCY: Final = 1 if (os.cpu_count() or 1) < 4 else 2  # noqa: PLR2004 - cores. Limits memory to 128 MiB.
_MAX_WAITING: Final = 20  # About two seconds of work.
_RETRY_SECONDS: Final = 5
_NICENESS: Final = 10  # requests come first
_LANES: Final = 4
# Salt and digest of no known password.
_UNKNOWN: Final = "S+m91xqDsNY6hxBiLAWA0A$+JNN+AYi6z8F5F875/3CATeI6qEL+hvbiurdVH0r8eA"


class PasswordHasher:
    """Hash and verify passwords without blocking the event loop.

    A hash takes `passes` over `kib` of memory. Raises TooManySignIns if too many are waiting already.
    """

    def __init__(self, *, passes: int, kib: int) -> None:
        self._hasher: Any = _argon2.using(rounds=passes, memory_cost=kib, parallelism=_LANES)
        # Verifying against it takes as long as against a real one.
        self._unknown_user_hash = f"$argon2id$v=19$m={kib},t={passes},p={_LANES}${_UNKNOWN}"
        self._threads = ThreadPoolExecutor(_CONCURRENCY, "passwords", lower_priority, (_NICENESS,))
        self._waiting = 0

    async def hash(self, password: SecretStr) -> str:
        """Return a salted hash with its parameters. By default it takes about 0.2 s by design."""
        return await self._run(self._hasher.hash, password.get_secret_value())

    async def verify(self, password: SecretStr, password_hash: str | None) -> bool:
        """Return True if the password is right. Takes the same time for an unknown user (None)."""
        known = password_hash or self._unknown_user_hash
        is_right: bool = await self._run(self._hasher.verify, password.get_secret_value(), known)
        return is_right and password_hash is not None

    async def _run(self, function: Callable[..., Any], *arguments: str) -> Any:  # noqa: ANN401 - as the function
        if self._waiting >= _MAX_WAITING:
            raise TooManySignIns(details={"retry_after_seconds": _RETRY_SECONDS})
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def is_outdated(self, password_hash: str) -> bool:
        """Return True if the hash has weaker parameters than the current ones."""
        return bool(self._hasher.needs_update(password_hash))
