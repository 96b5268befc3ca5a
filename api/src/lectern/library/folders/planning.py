"""Compare two scans of a directory, without side effects."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from lectern.library.folders.walking import Stamp, Walk

_FEW: Final = 3  # so many may always go: in a small folder any file is a large share


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as of the last scan. `content_hash` is the sha256 of its bytes."""

    stamp: Stamp
    content_hash: str | None
    document_id: uuid.UUID | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Paths by kind of change. `suspects` are new or have a new stamp, and must be read."""

    unchanged_count: int
    suspects: list[str]
    gone: list[str]


@dataclass(frozen=True, slots=True)
class HeldBack:
    """The reason to keep the documents of missing files: a stable code, its sentence, and the values in it."""

    code: str
    message: str
    values: dict[str, str | int]


def compare(known: Mapping[str, KnownFile], seen: Mapping[str, Stamp]) -> Difference:
    """Return the differences between two scans. A file with the same size, time and inode is not read."""
    suspects = [path for path, stamp in seen.items() if path not in known or known[path].stamp != stamp]
    gone = [path for path in known if path not in seen]
    return Difference(len(seen) - len(suspects), sorted(suspects), sorted(gone))


def why_to_keep(
    walk: Walk, known: Mapping[str, KnownFile], gone: Collection[str], *, device: int, most_share: float
) -> HeldBack | None:
    """Return the reason not to believe that missing files were deleted, or None.

    A missing mount shows an empty directory on another device. A partial mount shows far fewer files.
    """
    if not gone:
        return None
    if walk.device != device:
        return HeldBack("device_changed", "The folder is on another device than when it was bound.", {})
    if walk.unreadable:
        path = walk.unreadable[0]
        return HeldBack("part_unreadable", f"Part of the folder could not be read ({path}).", {"path": path})
    if len(gone) == len(known):
        return HeldBack("all_missing", "Every file is gone.", {})
    if len(gone) > _FEW and len(gone) > most_share * len(known):
        message = f"{len(gone):,} of {len(known):,} files are missing, more than {most_share:.0%}."
        values: dict[str, str | int] = {"missing": len(gone), "known": len(known), "percent": round(most_share * 100)}
        return HeldBack("many_missing", message, values)
    return None
