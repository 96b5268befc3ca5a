"""Checks of originals in storage against the rows that name them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from lectern.db import catalogue
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.originals import remove_unreferenced
from lectern.operations.integrity.defects import Check, Installed
from lectern.storage.errors import OriginalNotFound
from lectern.storage.store import ListedOriginal


async def find_missing(installed: Installed) -> list[str]:
    """Return the sha256 of originals that a row names and that storage lacks or holds damaged."""
    named = await _named(installed)  # before the storage is read: a file is stored before it is named
    stored = await _stored(installed)
    suspects = [sha256 for sha256, size in named.items() if not _is_whole(stored.get(sha256), size)]
    if not suspects:
        return []
    still_named = await _named(installed)  # what was purged meanwhile is not missing
    return sorted([sha256 for sha256 in suspects if sha256 in still_named and not await _has(installed, sha256, named)])


async def _has(installed: Installed, sha256: str, named: dict[str, int | None]) -> bool:
    try:
        return await installed.originals.size(sha256) == (named[sha256] or await installed.originals.size(sha256))
    except OriginalNotFound:
        return False


def _is_whole(original: ListedOriginal | None, size_bytes: int | None) -> bool:
    return original is not None and (size_bytes is None or original.size_bytes == size_bytes)


async def _find_unreferenced(installed: Installed) -> list[str]:
    stored = await _stored(installed)
    named = await _named(installed)
    before = datetime.now(UTC) - timedelta(seconds=installed.grace_seconds)
    return sorted(
        sha256 for sha256, original in stored.items() if sha256 not in named and original.modified_at < before
    )


async def _remove_unreferenced(installed: Installed, hashes: Sequence[str]) -> None:
    named = await _named(installed)
    await remove_unreferenced(installed.database, installed.originals, [each for each in hashes if each not in named])


async def _named(installed: Installed) -> dict[str, int | None]:
    async with installed.database.session(SYSTEM_SCOPE) as session:
        return await catalogue.list_referenced_originals(session)


async def _stored(installed: Installed) -> dict[str, ListedOriginal]:
    return {original.sha256: original async for original in installed.originals.list_details()}


CHECKS: Final = (
    Check(
        name="missing_originals",
        why="Originals are missing in storage or damaged.",
        remedy="Upload the same files again. They replace the missing ones.",
        find=find_missing,
        repair=None,
    ),
    Check(
        name="unreferenced_originals",
        why="Storage holds files of no document.",
        remedy="Remove those older than a day. Younger ones may belong to a running upload.",
        find=_find_unreferenced,
        repair=_remove_unreferenced,
    ),
)
