"""Synchronize a collection with its directory: add, update by hash, rename, and prune into the trash.

Each file is one step, recorded when done. A killed scan continues where it stopped.
"""

import asyncio
import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from lectern.db.scope import SYSTEM_SCOPE
from lectern.errors import LecternError
from lectern.library.folders import repository
from lectern.library.folders.applying import Applier, FileMoves, FilenameNotText, FileUnreadable, Watcher, digest_of
from lectern.library.folders.errors import FolderBusy, FolderOutside, FoldersOff
from lectern.library.folders.planning import Difference, HeldBack, KnownFile, compare, why_to_keep
from lectern.library.folders.schemas import SHOWN, FolderOutcome, FolderScan, RefusedPath, RenamedFile
from lectern.library.folders.service import find_folder
from lectern.library.folders.walking import Walk, resolve_folder, walk

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Plan:
    """The changes to make. `touched` files have a new stamp and the same bytes.

    `renamed` has old paths by new ones. `displaced` documents had the file that a renamed one replaced.
    """

    unchanged_count: int = 0
    added: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])
    updated: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])
    touched: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])
    renamed: dict[str, str] = field(default_factory=dict[str, str])
    displaced: list[uuid.UUID | None] = field(default_factory=list[uuid.UUID | None])
    pruned: list[str] = field(default_factory=list[str])
    refused: list[RefusedPath] = field(default_factory=list[RefusedPath])
    held_back: HeldBack | None = None


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
        except FolderBusy:
            continue
        except LecternError as error:
            logger.warning("A folder could not be scanned: %s", error.log_message, extra={"code": error.code})
            problem = f"{error.message} {error.hint or ''}".strip()
            outcome = FolderOutcome(is_dry_run=False, problem=problem, problem_code=error.code)
            await _note(watcher, collection_id, outcome)


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
    if not wanted.dry_run:
        applier = Applier(watcher, collection_id, root, known)
        plan.refused += await _apply(applier, plan)
    return _outcome(plan, is_dry_run=wanted.dry_run)


def _root(path: Path, roots: Sequence[Path]) -> Path:
    """Return the directory if it still is the one that was bound. A link in its place is another directory."""
    real = resolve_folder(path, roots)
    if real != path:
        raise FolderOutside(f"{path} is now a link to another place.")
    return real


def _plan(root: Path, known: Mapping[str, KnownFile], seen: Walk) -> _Plan:
    difference = compare(known, seen.files)
    plan = _Plan(refused=_list_refused(known, seen, difference))
    plan.unchanged_count = difference.unchanged_count - sum(file.path in seen.files for file in plan.refused)
    changed: dict[str, KnownFile] = {}
    for path in difference.suspects:
        try:
            found = digest_of(root, path)
        except (FileUnreadable, FileMoves) as error:  # the next scan tries again
            plan.refused.append(RefusedPath(path=path, code=error.code))
            continue
        if found is None:
            continue
        before = known.get(path)
        is_same = before is not None and before.problem is None and before.content_hash == found.content_hash
        (plan.touched if is_same else changed)[path] = found
    _sort_changed(plan, known, difference, changed)
    return plan


def _list_refused(known: Mapping[str, KnownFile], seen: Walk, difference: Difference) -> list[RefusedPath]:
    """Return unchanged files that were refused before, and what the walk left out."""
    suspects = set(difference.suspects)
    before = {path: known[path].problem for path in seen.files if path in known and path not in suspects}
    refused = [RefusedPath(path=path, code=code) for path, code in sorted(before.items()) if code is not None]
    refused += [RefusedPath(path=path, code=FileUnreadable.code) for path in seen.unreadable]
    return refused + [RefusedPath(path=path, code=FilenameNotText.code) for path in seen.misnamed]


def _sort_changed(
    plan: _Plan, known: Mapping[str, KnownFile], difference: Difference, changed: Mapping[str, KnownFile]
) -> None:
    """Sort files with other bytes than before into renamed, updated and added ones.

    A file was renamed if its bytes were those of a missing file, or of a changed one with the same inode.
    """
    gone, free = set(difference.gone), _by_hash(known, [*(path for path in changed if path in known), *difference.gone])
    for path, found in changed.items():
        old_paths = free.get(found.content_hash or "", [])
        same = [
            old for old in old_paths if old in gone or (old != path and known[old].stamp.inode == found.stamp.inode)
        ]
        if same:
            old_paths.remove(same[-1])
            plan.renamed[path] = same[-1]
            plan.touched[path] = found
        else:
            (plan.updated if path in known else plan.added)[path] = found
    taken = set(plan.renamed.values())
    plan.displaced = [known[path].document_id for path in plan.renamed if path in known and path not in taken]
    plan.pruned = [path for path in difference.gone if path not in taken]


def _by_hash(known: Mapping[str, KnownFile], paths: Sequence[str]) -> dict[str, list[str]]:
    """Return paths by their hash. A refused file is none: under another name it may be supported."""
    by_hash: dict[str, list[str]] = {}
    for path in paths:
        file = known[path]
        if file.content_hash is not None and (file.problem is None or file.document_id is not None):
            by_hash.setdefault(file.content_hash, []).append(path)
    return by_hash


async def _apply(applier: Applier, plan: _Plan) -> list[RefusedPath]:
    changed = plan.renamed.keys() | plan.updated.keys()
    for path, old_path in plan.renamed.items():
        await applier.rename(old_path, path, plan.touched[path], is_old_gone=old_path not in changed)
    for document_id in plan.displaced:
        await applier.trash_unwatched(document_id)
    await applier.remember({path: file for path, file in plan.touched.items() if path not in plan.renamed})
    # Before the updates: a new file that is what another one was until now must find that document as it is
    await applier.add(plan.added)
    for path, file in plan.updated.items():
        await applier.update(path, file)
    for path in plan.pruned:
        await applier.prune(path)
    return applier.refused


def _outcome(plan: _Plan, *, is_dry_run: bool) -> FolderOutcome:
    refused = plan.refused
    refused_paths = {file.path for file in refused}
    added = [path for path in plan.added if path not in refused_paths]
    updated = [path for path in plan.updated if path not in refused_paths]
    held = plan.held_back
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
        refused=refused[:SHOWN],
        held_back=held.message if held else None,
        held_back_code=held.code if held else None,
        held_back_values=held.values if held else {},
    )
