"""Results are cached for half an hour, within bounds, across restarts, and built once."""

import asyncio
from pathlib import Path

import pytest

from lectern.extracts.cache import DiskCache


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def cache(folder: Path, clock: Clock, *, max_entries: int = 3, max_bytes: int = 100) -> DiskCache:
    return DiskCache(folder=folder, max_entries=max_entries, max_bytes=max_bytes, clock=clock)


async def kept(made: DiskCache, key: str, value: bytes = b"x") -> bool:
    """Return true if the entry was cached. It is cached afterwards."""
    built: list[str] = []

    async def build() -> bytes:
        built.append(key)
        return value

    assert await made.get_or_build(key, build) == value
    return not built


async def test_entry_survives_a_restart_and_expires_after_half_an_hour(tmp_path: Path) -> None:
    clock = Clock()
    assert not await kept(cache(tmp_path, clock), "a")
    clock.now += 1_799
    assert await kept(cache(tmp_path, clock), "a")
    clock.now += 2
    assert not await kept(cache(tmp_path, clock), "a")


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\0" * 17])
async def test_an_entry_that_was_damaged_is_built_again(tmp_path: Path, damage: bytes) -> None:
    clock = Clock()
    await kept(cache(tmp_path, clock), "a")
    (path,) = tmp_path.iterdir()  # noqa: ASYNC240 - a test
    path.write_bytes(damage)
    assert not await kept(cache(tmp_path, clock), "a")
    assert await kept(cache(tmp_path, clock), "a")


async def test_what_is_too_old_leaves_the_disk_though_nobody_asks_again(tmp_path: Path) -> None:
    made = DiskCache(folder=tmp_path, max_entries=3, max_bytes=100, ttl_seconds=0.05)
    await kept(made, "a")
    async with asyncio.timeout(10):
        while list(tmp_path.iterdir()):  # noqa: ASYNC110, ASYNC240 - the disk tells nobody
            await asyncio.sleep(0.01)


async def test_what_a_process_left_behind_goes_when_the_next_one_starts(tmp_path: Path) -> None:
    clock = Clock()
    await kept(cache(tmp_path, clock), "a")
    clock.now += 1_801
    cache(tmp_path, clock)
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240 - a test


async def test_what_was_used_least_recently_goes_first(tmp_path: Path) -> None:
    clock = Clock()
    made = cache(tmp_path, clock)
    for key in ("a", "b", "c"):
        clock.now += 1
        await kept(made, key)
    clock.now += 1
    assert await kept(made, "a")
    clock.now += 1
    await kept(made, "d")
    assert [await kept(made, key) for key in ("a", "c", "d")] == [True, True, True]
    assert (await made.stats()).entries == 3
    assert not await kept(made, "b")


async def test_cache_size_is_bounded(tmp_path: Path) -> None:
    clock = Clock()
    made = cache(tmp_path, clock)
    for key in ("a", "b", "c"):
        clock.now += 1
        await kept(made, key, b"x" * 45)
    assert (await made.stats())[:2] == (2, 90)
    await kept(made, "huge", b"x" * 101)
    assert (await made.stats())[:2] == (2, 90)
    assert await made.clear() == 2
    assert (await made.stats()) == (0, 0, 0, 4)


async def test_builders_of_one_entry_wait_for_the_first_and_one_that_leaves_takes_nothing_away(tmp_path: Path) -> None:
    made, begun, finish, builds = cache(tmp_path, Clock()), asyncio.Event(), asyncio.Event(), 0

    async def build() -> bytes:
        nonlocal builds
        builds += 1
        begun.set()
        await finish.wait()
        return b"done"

    first, *others = [asyncio.create_task(made.get_or_build("a", build)) for _ in range(5)]
    await begun.wait()
    async with asyncio.timeout(10):
        while (await made.stats()).misses < 5:  # noqa: ASYNC110 - all look for the entry on threads
            await asyncio.sleep(0.01)
    first.cancel()
    finish.set()
    assert await asyncio.gather(*others) == [b"done"] * 4
    assert builds == 1


async def test_who_asks_again_while_what_was_given_up_is_tidied_up_is_answered(tmp_path: Path) -> None:
    made, begun, tidied = cache(tmp_path, Clock()), asyncio.Event(), asyncio.Event()

    async def build_slowly() -> bytes:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await tidied.wait()
        return b"never"

    async def build() -> bytes:
        return b"second"

    first = asyncio.create_task(made.get_or_build("a", build_slowly))
    await begun.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await made.get_or_build("a", build) == b"second"
    tidied.set()
    await made.close()
    assert await kept(made, "a", b"second")


async def test_failure_is_not_cached(tmp_path: Path) -> None:
    made = cache(tmp_path, Clock())

    async def fail() -> bytes:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await made.get_or_build("a", fail)
    assert not await kept(made, "a")


async def test_entries_that_another_process_removes_meanwhile_do_no_harm(tmp_path: Path) -> None:
    class RemovingClock(Clock):
        """Remove all entries whenever the age of one is compared."""

        def __call__(self) -> float:
            for path in tmp_path.glob("*"):
                if not path.suffix:
                    path.unlink()
            return super().__call__()

    await kept(cache(tmp_path, Clock()), "a")
    assert not await kept(cache(tmp_path, RemovingClock()), "b"), "storing an entry removes others"
    await kept(cache(tmp_path, Clock()), "a")
    made = DiskCache(folder=tmp_path / "other", max_entries=3, max_bytes=100)
    made.folder, made.clock = tmp_path, RemovingClock()
    assert (await made.stats()).entries == 1
    assert (await made.stats()).entries == 0
