"""What a scan finds different, and whether it is to be believed: pure."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from lectern.library.folders.walking import Stamp, Walk

_FEW: Final = 3  # so many may always go: in a small folder any file is a large share


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as it was found before. `content_hash` is the sha256 of its bytes."""

    stamp: Stamp
    content_hash: str | None
    document_id: uuid.UUID | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Paths by what became of them. `suspects` must be read to know: they are new, or their stamp is."""

    unchanged_count: int
    suspects: list[str]
    gone: list[str]


def compare(known: Mapping[str, KnownFile], seen: Mapping[str, Stamp]) -> Difference:
    """The difference between two scans, by path; a file whose size, time and inode are the same is not read."""
    suspects = [path for path, stamp in seen.items() if path not in known or known[path].stamp != stamp]
    gone = [path for path in known if path not in seen]
    return Difference(len(seen) - len(suspects), sorted(suspects), sorted(gone))


def why_to_keep(
    walk: Walk, known: Mapping[str, KnownFile], gone: Collection[str], *, device: int, most_share: float
) -> str | None:
    """Why files that are gone are not believed to be deleted; None when they are.

    A mount that is away shows an empty directory on another device; one that is half there shows much less than before.
    """
    if not gone:
        return None
    if walk.device != device:
        return "Another device is at this place than when the folder was bound."
    if walk.unreadable:
        return f"A part of the folder could not be read ({walk.unreadable[0]})."
    if len(gone) == len(known):
        return "Every file is gone."
    if len(gone) > _FEW and len(gone) > most_share * len(known):
        return f"{len(gone):,} of {len(known):,} files are gone, more than {most_share:.0%}."
    return None
