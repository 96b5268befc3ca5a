"""A disk cache for results about files, valid for half an hour.

Each actor has its own entries. With shared ones, the time of a request would tell what others have.
Entries survive a restart and are shared by the processes of a machine. Each one is written to a temporary name,
moved into place and has a checksum: a damaged entry is built again. Concurrent builders wait for the first one.
"""

import asyncio
import hashlib
import os
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from lectern.logs import ACTOR

TTL_SECONDS: Final = 1_800.0
_LATER_SECONDS: Final = 0.1
_DIGEST_BYTES: Final = 16


class CacheStats(NamedTuple):
    """Content of a cache, and its hits and misses since the process started."""

    entries: int
    size_bytes: int
    hits: int
    misses: int


class _Entry(NamedTuple):
    path: Path
    status: os.stat_result


@dataclass(slots=True, kw_only=True)
class DiskCache:
    """Bytes by actor and key in one folder. Beyond `max_entries` or `max_bytes` the least recently used entries go.

    The modification time of a file is when its entry was made, the access time when it was last used.
    """

    folder: Path
    max_entries: int
    max_bytes: int
    ttl_seconds: float = TTL_SECONDS
    clock: Callable[[], float] = time.time
    _hits: Counter[str] = field(default_factory=Counter[str])
    _misses: Counter[str] = field(default_factory=Counter[str])
    _builds: dict[str, asyncio.Task[bytes]] = field(default_factory=dict[str, "asyncio.Task[bytes]"])
    _waiting: Counter[asyncio.Task[bytes]] = field(default_factory=Counter["asyncio.Task[bytes]"])

    def __post_init__(self) -> None:
        """Remove expired entries of other processes."""
        self._fresh()

    async def get_or_build(self, key: str, build: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return the entry, or build and store it. Errors of `build` are raised and not stored."""
        found = await asyncio.to_thread(self._read, key)
        if found is not None:
            self._hits[ACTOR.get()] += 1
            return found
        self._misses[ACTOR.get()] += 1
        return await self._wait(self._build_once(key, build))

    def _build_once(self, key: str, build: Callable[[], Awaitable[bytes]]) -> asyncio.Task[bytes]:
        name = self._path(key).name
        task = self._builds.get(name)
        if task is None or task.cancelling():  # one that was given up may still be tidying up
            task = asyncio.create_task(self._build(key, build))
            self._builds[name] = task
            task.add_done_callback(lambda ended: self._forget(name, ended))
        return task

    async def close(self) -> None:
        """Cancel running builds."""
        tasks = list(self._builds.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, name: str, task: asyncio.Task[bytes]) -> None:
        if self._builds.get(name) is task:
            del self._builds[name]

    async def _wait(self, task: asyncio.Task[bytes]) -> bytes:
        """Wait for a build. The build goes on until its last waiter leaves."""
        self._waiting[task] += 1
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if self._waiting[task] == 1:
                task.cancel()
            raise
        finally:
            self._waiting[task] -= 1
            if not self._waiting[task]:
                del self._waiting[task]

    async def stats(self) -> CacheStats:
        """Count the valid entries of the actor."""
        sizes = await asyncio.to_thread(lambda: [status.st_size - _DIGEST_BYTES for _, status in self._own()])
        return CacheStats(len(sizes), sum(sizes), self._hits[ACTOR.get()], self._misses[ACTOR.get()])

    async def clear(self) -> int:
        """Remove the entries of the actor and return their number."""
        return await asyncio.to_thread(self._clear)

    async def _build(self, key: str, build: Callable[[], Awaitable[bytes]]) -> bytes:
        value = bytes(await build())
        await asyncio.to_thread(self._write, key, value)
        # expired entries go even if nobody asks again
        asyncio.get_running_loop().call_later(self.ttl_seconds + _LATER_SECONDS, self._fresh)
        return value

    def _path(self, key: str) -> Path:
        return self.folder / f"{_owner()}-{hashlib.sha256(key.encode()).hexdigest()}"

    def _read(self, key: str) -> bytes | None:
        path = self._path(key)
        try:
            made = path.stat().st_mtime
            if self.clock() - made > self.ttl_seconds:
                path.unlink(missing_ok=True)
                return None
            raw = path.read_bytes()
            value = raw[_DIGEST_BYTES:]
            if raw[:_DIGEST_BYTES] != _digest(value):
                path.unlink(missing_ok=True)
                return None
            os.utime(path, (self.clock(), made))
        except FileNotFoundError:
            return None
        return value

    def _write(self, key: str, value: bytes) -> None:
        if len(value) > self.max_bytes:
            return
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(key)
        part = path.with_suffix(f".{uuid.uuid4().hex}")
        part.write_bytes(_digest(value) + value)
        os.utime(part, (self.clock(), self.clock()))
        part.replace(path)
        self._shrink()

    def _shrink(self) -> None:
        """Remove expired entries, then the least recently used ones."""
        used = sorted(self._fresh(), key=lambda entry: entry.status.st_atime)
        size = sum(status.st_size - _DIGEST_BYTES for _, status in used)
        while used and (len(used) > self.max_entries or size > self.max_bytes):
            path, status = used.pop(0)
            size -= status.st_size - _DIGEST_BYTES
            path.unlink(missing_ok=True)

    def _fresh(self) -> list[_Entry]:
        """Remove expired entries and list the others. A status is read once: other processes remove files."""
        valid: list[_Entry] = []
        for path in self.folder.iterdir() if self.folder.exists() else ():
            try:
                status = path.stat()
            except FileNotFoundError:  # another process was faster
                continue
            if self.clock() - status.st_mtime > self.ttl_seconds:
                path.unlink(missing_ok=True)
            elif not path.suffix:
                valid.append(_Entry(path, status))
        return valid

    def _own(self) -> list[_Entry]:
        return [entry for entry in self._fresh() if entry.path.name.startswith(f"{_owner()}-")]

    def _clear(self) -> int:
        entries = self._own()
        for path, _ in entries:
            path.unlink(missing_ok=True)
        return len(entries)


def _owner() -> str:
    return hashlib.sha256(ACTOR.get().encode()).hexdigest()[:16]


def _digest(value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=_DIGEST_BYTES).digest()
