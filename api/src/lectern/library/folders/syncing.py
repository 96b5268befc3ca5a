"""Synchronize a collection with its directory: add, update by hash, rename, and prune into the trash.

Each file is one step, recorded when done. A killed scan continues where it stopped.
"""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Final

from lectern.accounts.principals import system_principal
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.library.folders import repository
from lectern.library.folders.applying import Applier
from lectern.library.folders.errors import FolderBusy, FolderGone, FolderOutside, FoldersOff
from lectern.library.folders.planning import Difference, KnownFile, compare, why_to_keep
from lectern.library.folders.reading import digest_of
from lectern.library.folders.schemas import SHOWN, FolderOutcome, FolderScan, RefusedPath, RenamedFile
from lectern.library.folders.service import find_folder
from lectern.library.folders.walking import Walk, resolve_folder, walk
from lectern.settings import Settings
from lectern.storage.store import OriginalStore

# A folder acts for whoever bound it, an administrator.
FOLDERS: Final = system_principal("watched folder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Watcher:
    """The dependencies of a scan."""

    database: Database
    originals: OriginalStore
    settings: Settings


@dataclass(slots=True)
class _Plan:
    """The changes to make. `touched` files have a new stamp and the same bytes."""

    unchanged_count: int = 0
    added: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])
    updated: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])
    touched: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])
    renamed: dict[str, str] = field(default_factory=dict[str, str])
    pruned: list[str] = field(default_factory=list[str])
    held_back: str | None = None


async def scan_folder(watcher: Watcher, collection_id: uuid.UUID, wanted: FolderScan) -> FolderOutcome:
    """Scan the directory of a collection and apply the changes, or only return them.

    Raises FolderNotWatched, FolderBusy, FoldersOff, FolderGone, FolderOutside.
    """
    async with watcher.database.session(SYSTEM_SCOPE) as lock:
        if not await repository.try_lock(lock, collection_id):
            raise FolderBusy
        started = monotonic()
        outcome = await _scan(watcher, collection_id, wanted)
        outcome.seconds = round(monotonic() - started, 3)
        if not wanted.dry_run:
            await _note(watcher, collection_id, outcome)
        return outcome


async def scan_due_folders(watcher: Watcher) -> None:
    """Run the requested and due scans. An error is recorded on its folder. For a periodic job."""
    folders = watcher.settings.folders
    if not folders.roots:
        return
    async with watcher.database.session(SYSTEM_SCOPE) as session:
        due = await repository.list_due(session, scan_seconds=folders.scan_seconds)
    for collection_id in due:
        try:
            outcome = await scan_folder(watcher, collection_id, FolderScan())
        except (FolderGone, FolderOutside) as error:
            outcome = FolderOutcome(is_dry_run=False, problem=f"{error.message} {error.hint or ''}".strip())
            await _note(watcher, collection_id, outcome)
        except FolderBusy:
            continue


async def _note(watcher: Watcher, collection_id: uuid.UUID, outcome: FolderOutcome) -> None:
    values = {
        "last_scan_at": datetime.now(UTC),
        "last_outcome": outcome.model_dump(mode="json"),
        "requested_at": None,
    }
    async with watcher.database.session(SYSTEM_SCOPE) as session:
        await repository.change(session, collection_id, values)


async def _scan(watcher: Watcher, collection_id: uuid.UUID, wanted: FolderScan) -> FolderOutcome:
    folders = watcher.settings.folders
    if not folders.roots:
        raise FoldersOff
    async with watcher.database.session(SYSTEM_SCOPE) as session:
        folder = await find_folder(session, collection_id)
        known = await repository.list_files(session, collection_id)
    root = await asyncio.to_thread(_root, Path(folder.path), folders.roots)
    seen = await asyncio.to_thread(walk, root)
    plan = await asyncio.to_thread(_plan, root, known, seen)
    reason = why_to_keep(seen, known, plan.pruned, device=folder.device, most_share=folders.most_pruned_share)
    if reason is not None and not wanted.confirm_prune:
        plan.held_back, plan.pruned = reason, []
    refused: list[RefusedPath] = []
    if not wanted.dry_run:
        applier = Applier(watcher.database, watcher.originals, watcher.settings, FOLDERS, collection_id, root, known)
        refused = await _apply(applier, plan)
    return _outcome(plan, refused, is_dry_run=wanted.dry_run)


def _root(path: Path, roots: Sequence[Path]) -> Path:
    """Return the directory if it still is the one that was bound. A link in its place is another directory."""
    real = resolve_folder(path, roots)
    if real != path:
        raise FolderOutside(f"{path} is now a link to another place.")
    return real


def _plan(root: Path, known: Mapping[str, KnownFile], seen: Walk) -> _Plan:
    difference = compare(known, seen.files)
    plan = _Plan(unchanged_count=difference.unchanged_count)
    gone = _by_hash(known, difference)
    taken: set[str] = set()
    for path in difference.suspects:
        found = digest_of(root, path)
        if found is None:  # it moves: the next scan will see
            continue
        before = known.get(path)
        if before is not None:
            (plan.touched if before.content_hash == found.content_hash else plan.updated)[path] = found
        elif old_paths := gone.get(found.content_hash or ""):
            plan.renamed[path] = old_paths.pop()
            plan.touched[path] = found
            taken.add(plan.renamed[path])
        else:
            plan.added[path] = found
    plan.pruned = [path for path in difference.gone if path not in taken]
    return plan


def _by_hash(known: Mapping[str, KnownFile], difference: Difference) -> dict[str, list[str]]:
    gone: dict[str, list[str]] = {}
    for path in difference.gone:
        content_hash = known[path].content_hash
        if content_hash is not None:
            gone.setdefault(content_hash, []).append(path)
    return gone


async def _apply(applier: Applier, plan: _Plan) -> list[RefusedPath]:
    for path, old_path in plan.renamed.items():
        await applier.rename(old_path, path, plan.touched[path])
    await applier.remember({path: file for path, file in plan.touched.items() if path not in plan.renamed})
    # Before the updates: a new file that is what another one was until now must find that document as it is
    await applier.add(plan.added)
    for path, file in plan.updated.items():
        await applier.update(path, file)
    for path in plan.pruned:
        await applier.prune(path)
    return applier.refused


def _outcome(plan: _Plan, refused: Sequence[RefusedPath], *, is_dry_run: bool) -> FolderOutcome:
    refused_paths = {file.path for file in refused}
    added = [path for path in plan.added if path not in refused_paths]
    updated = [path for path in plan.updated if path not in refused_paths]
    return FolderOutcome(
        is_dry_run=is_dry_run,
        unchanged_count=plan.unchanged_count + len(plan.touched) - len(plan.renamed),
        added_count=len(added),
        updated_count=len(updated),
        renamed_count=len(plan.renamed),
        pruned_count=len(plan.pruned),
        refused_count=len(refused),
        added=added[:SHOWN],
        updated=updated[:SHOWN],
        renamed=[RenamedFile(old_path=old, new_path=new) for new, old in plan.renamed.items()][:SHOWN],
        pruned=plan.pruned[:SHOWN],
        refused=list(refused[:SHOWN]),
        held_back=plan.held_back,
    )
