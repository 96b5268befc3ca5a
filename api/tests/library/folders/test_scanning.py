"""A collection follows its directory, and never loses its documents to a disk that is away."""

import errno
import os
import shutil
import uuid
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import text
from tests.ingestion.library import LIBRARY, Library, open_library

from lectern.db.scope import SYSTEM_SCOPE
from lectern.library.folders import applying, service, syncing
from lectern.library.folders.errors import FolderBusy, FolderGone, FolderOutside
from lectern.library.folders.planning import KnownFile
from lectern.library.folders.schemas import FolderOutcome, FolderResponse, FolderScan, RefusedPath
from lectern.settings import FoldersSettings
from lectern.storage.errors import StorageFull

LOCK = "SELECT pg_advisory_xact_lock(1279611477, hashtext(:collection))"
SOME = ("a.txt", "b.txt", "deep/c.txt", "deep/d.txt", "e.txt")


@dataclass(frozen=True)
class Shelf:
    """A collection that follows a directory."""

    library: Library
    root: Path
    watcher: applying.Watcher

    def write(self, path: str, content: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    async def scan(self, *, dry_run: bool = False, confirm_prune: bool = False) -> FolderOutcome:
        wanted = FolderScan(dry_run=dry_run, confirm_prune=confirm_prune)
        return await syncing.scan_folder(self.watcher, LIBRARY, wanted)

    async def documents(self) -> dict[str, uuid.UUID]:
        """Return the documents outside the trash by filename."""
        async with self.library.database.session(SYSTEM_SCOPE) as session:
            rows = await session.execute(text("SELECT filename, id FROM documents WHERE deleted_at IS NULL"))
            return {row.filename: row.id for row in rows}

    async def state(self) -> FolderResponse:
        async with self.library.database.session(SYSTEM_SCOPE) as session:
            return await service.get_folder(session, LIBRARY)

    async def bind(self) -> None:
        async with self.library.database.session(SYSTEM_SCOPE) as session:
            roots = self.watcher.settings.folders.roots
            await service.bind_folder(session, applying.FOLDERS, LIBRARY, path=str(self.root), roots=roots)


@pytest.fixture
async def shelf(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Shelf]:
    """Five files, scanned once."""
    async with open_library(database, tmp_path / "library") as library:
        settings = library.settings
        settings.folders = FoldersSettings(roots=[tmp_path])
        watcher = applying.Watcher(database=library.database, originals=library.originals, settings=settings)
        made = Shelf(library, tmp_path / "watched", watcher)
        for path in SOME:
            made.write(path, f"The text of {path}.")
        await made.bind()
        assert (await made.scan()).added_count == len(SOME)
        yield made


async def test_new_files_become_documents_and_unchanged_ones_are_not_read(shelf: Shelf) -> None:
    assert sorted(await shelf.documents()) == ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]
    (shelf.root / "a.txt").chmod(0)  # read or not, it is as it was

    outcome = await shelf.scan()

    assert (outcome.unchanged_count, outcome.added_count, outcome.updated_count) == (len(SOME), 0, 0)
    state = await shelf.state()
    assert (state.file_count, state.is_scan_requested) == (len(SOME), False)
    assert state.last_outcome == outcome


async def test_a_changed_file_is_the_next_version_of_its_document(shelf: Shelf) -> None:
    before = await shelf.documents()
    async with shelf.library.worker():
        await shelf.library.until_status(*before.values())
        shelf.write("a.txt", "Another text altogether.")
        outcome = await shelf.scan()
        await shelf.library.until_status(before["a.txt"])

    assert (outcome.updated, outcome.unchanged_count) == (["a.txt"], len(SOME) - 1)
    assert await shelf.documents() == before
    assert await shelf.library.value("SELECT version FROM documents WHERE id = :id", id=before["a.txt"]) == 2
    found = await shelf.library.value(
        "SELECT string_agg(text, ' ') FROM chunks WHERE document_id = :id", id=before["a.txt"]
    )
    assert found == "Another text altogether."


async def test_a_file_like_what_is_about_to_be_replaced_is_not_taken_for_that_document(shelf: Shelf) -> None:
    before = await shelf.documents()
    linked = "SELECT count(DISTINCT document_id) FROM watched_files WHERE path IN ('a.txt', 'copy.txt')"
    async with shelf.library.worker():
        await shelf.library.until_status(*before.values())
    shelf.write("a.txt", "Another text altogether.")
    assert (await shelf.scan()).updated == ["a.txt"]
    shelf.write("copy.txt", "The text of a.txt.")  # which is what the document still says

    await shelf.scan()

    assert await shelf.library.value(linked) == 1, "it is not remembered as anything"
    assert await shelf.documents() == before
    async with shelf.library.worker():
        await shelf.library.until_status(before["a.txt"])
        await shelf.scan()
        after = await shelf.documents()
        await shelf.library.until_status(*after.values())
    assert await shelf.library.value(linked) == 2
    assert after.keys() - before.keys() == {"copy.txt"}


async def test_a_file_that_was_only_touched_is_read_once_and_not_updated(shelf: Shelf) -> None:
    os.utime(shelf.root / "a.txt", ns=(1, 1))

    outcomes = [await shelf.scan(), await shelf.scan()]

    assert [(outcome.updated_count, outcome.unchanged_count) for outcome in outcomes] == [(0, len(SOME))] * 2


async def test_a_renamed_file_keeps_its_document(shelf: Shelf) -> None:
    before = await shelf.documents()
    (shelf.root / "moved").mkdir()
    (shelf.root / "a.txt").rename(shelf.root / "moved" / "new name.txt")
    (shelf.root / "deep").rename(shelf.root / "deeper")

    outcome = await shelf.scan()

    renamed = {(each.old_path, each.new_path) for each in outcome.renamed}
    assert renamed == {
        ("a.txt", "moved/new name.txt"),
        ("deep/c.txt", "deeper/c.txt"),
        ("deep/d.txt", "deeper/d.txt"),
    }
    assert (outcome.added_count, outcome.pruned_count, outcome.held_back) == (0, 0, None)
    after = await shelf.documents()
    assert after.pop("new name.txt") == before.pop("a.txt")
    assert after == before


async def test_a_deleted_file_goes_to_the_trash_and_comes_back_with_its_file(shelf: Shelf) -> None:
    before = await shelf.documents()
    (shelf.root / "a.txt").unlink()

    plan = await shelf.scan(dry_run=True)
    assert await shelf.documents() == before
    outcome = await shelf.scan()

    assert plan.pruned == outcome.pruned == ["a.txt"]
    assert "a.txt" not in await shelf.documents()
    shelf.write("a.txt", "The text of a.txt.")
    await shelf.scan()
    assert await shelf.documents() == before


async def test_a_document_of_two_equal_files_stays_while_one_of_them_does(shelf: Shelf) -> None:
    shelf.write("copy.txt", "The text of a.txt.")
    await shelf.scan()
    before = await shelf.documents()

    (shelf.root / "a.txt").unlink()
    await shelf.scan()
    assert await shelf.documents() == before

    shelf.write("copy.txt", "Something of its own.")
    shelf.write("a.txt", "The text of a.txt.")
    await shelf.scan()
    assert await shelf.library.value("SELECT count(*) FROM documents WHERE deleted_at IS NULL") == len(before) + 1


async def test_what_people_removed_stays_removed_until_the_file_changes(shelf: Shelf) -> None:
    document_id = (await shelf.documents())["a.txt"]
    async with shelf.library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("DELETE FROM documents WHERE id = :id"), {"id": document_id})

    assert (await shelf.scan()).unchanged_count == len(SOME)
    assert "a.txt" not in await shelf.documents()

    shelf.write("a.txt", "Something new.")
    await shelf.scan()
    assert "a.txt" in await shelf.documents()


async def test_files_that_exchange_their_names_keep_their_documents(shelf: Shelf) -> None:
    before = await shelf.documents()
    (shelf.root / "a.txt").rename(shelf.root / "aside.txt")
    (shelf.root / "b.txt").rename(shelf.root / "a.txt")
    (shelf.root / "aside.txt").rename(shelf.root / "b.txt")

    outcome = await shelf.scan()

    assert (outcome.renamed_count, outcome.updated_count, outcome.unchanged_count) == (2, 0, len(SOME) - 2)
    after = await shelf.documents()
    assert (after.pop("a.txt"), after.pop("b.txt")) == (before.pop("b.txt"), before.pop("a.txt"))
    assert after == before
    assert (await shelf.scan()).unchanged_count == len(SOME)


async def test_a_file_that_is_put_aside_for_another_keeps_its_document(shelf: Shelf) -> None:
    before = await shelf.documents()
    (shelf.root / "a.txt").rename(shelf.root / "a-2025.txt")
    shelf.write("a.txt", "The text of the year after.")

    await shelf.scan()

    after = await shelf.documents()
    assert after["a-2025.txt"] == before["a.txt"]
    assert after["a.txt"] not in before.values()


async def test_a_file_moved_over_another_leaves_no_document_behind(shelf: Shelf) -> None:
    before = await shelf.documents()
    (shelf.root / "a.txt").rename(shelf.root / "b.txt")

    await shelf.scan()

    after = await shelf.documents()
    assert after.pop("b.txt") == before["a.txt"]
    assert sorted(after) == ["c.txt", "d.txt", "e.txt"]


async def test_a_file_that_becomes_a_copy_of_another_leaves_no_document_behind(shelf: Shelf) -> None:
    shelf.write("b.txt", "The text of a.txt.")

    await shelf.scan()

    assert sorted(await shelf.documents()) == ["a.txt", "c.txt", "d.txt", "e.txt"]


async def test_a_refused_file_is_tried_again_under_another_name_or_when_it_is_touched(shelf: Shelf) -> None:
    shelf.write("notes.exe", "Text under a wrong name.")
    shelf.write("large.txt", "Too large until the limit is raised.")
    limits = shelf.watcher.settings.http
    shelf.watcher.settings.http = limits.model_copy(update={"max_upload_bytes": 30})
    assert {(file.path, file.code) for file in (await shelf.scan()).refused} >= {("large.txt", "file_too_large")}

    (shelf.root / "notes.exe").rename(shelf.root / "notes.txt")
    shelf.watcher.settings.http = limits
    os.utime(shelf.root / "large.txt", ns=(1, 1))
    outcome = await shelf.scan()

    assert (outcome.refused, {"notes.txt", "large.txt"} - (await shelf.documents()).keys()) == ([], set())


async def test_a_file_that_changes_while_it_is_stored_is_added_by_the_next_scan(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.write("growing.txt", "Half.")
    digest = syncing.digest_of

    def touch_after_digest(root: Path, path: str) -> KnownFile | None:
        found = digest(root, path)
        os.utime(root / path, ns=(1, 1))
        return found

    with monkeypatch.context() as patched:
        patched.setattr(syncing, "digest_of", touch_after_digest)
        assert [file.code for file in (await shelf.scan()).refused] == ["file_moves"]

    assert (await shelf.scan()).refused == []
    assert "growing.txt" in await shelf.documents()


async def test_a_file_that_cannot_be_read_is_named_until_it_can(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(root: Path, path: str) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", str(root / path))

    shelf.write("secret.txt", "Of another user.")
    with monkeypatch.context() as patched:  # root may read every file
        patched.setattr(applying, "open_inside", deny)
        outcomes = [await shelf.scan(), await shelf.scan()]

    assert [(each.refused, each.added_count) for each in outcomes] == [
        ([RefusedPath(path="secret.txt", code="file_unreadable")], 0)
    ] * 2
    assert (await shelf.scan()).added == ["secret.txt"]


async def test_a_folder_with_too_many_levels_or_another_encoding_is_named(shelf: Shelf) -> None:
    shelf.write("x/" * 101 + "far.txt", "Too deep.")
    os.close(os.open(os.fsencode(shelf.root) + b"/\xff.txt", os.O_CREAT | os.O_WRONLY))

    refused = {file.code: file.path for file in (await shelf.scan()).refused}

    assert refused["filename_not_text"] == "\\xff.txt"
    assert refused["file_unreadable"].startswith("x/x/")


async def test_a_full_storage_is_a_problem_of_the_scan_and_not_of_the_file(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise StorageFull

    shelf.write("new.txt", "New.")
    await shelf.bind()
    with monkeypatch.context() as patched:  # a full disk
        patched.setattr(applying, "store_file", fail)
        await syncing.scan_due_folders(shelf.watcher)

    outcome = (await shelf.state()).last_outcome
    assert outcome is not None
    assert "The storage of originals is full." in (outcome.problem or "")
    assert (await shelf.scan()).added == ["new.txt"]


async def test_a_refused_file_is_named_by_every_scan_and_not_tried_again(shelf: Shelf) -> None:
    shelf.write("program.exe", b"MZ\x90\x00" + bytes(200))
    shelf.write("picture.txt", b"GIF89a" + b"pixels" * 50)
    shelf.write("empty.txt", b"")

    first, second = await shelf.scan(), await shelf.scan()

    refused = {(refused.path, refused.code) for refused in first.refused}
    assert refused == {
        ("program.exe", "unsupported_type"),
        ("picture.txt", "unsupported_type"),
        ("empty.txt", "empty"),
    }
    assert {(refused.path, refused.code) for refused in second.refused} == refused
    assert (second.refused_count, second.unchanged_count) == (3, len(SOME))


@pytest.mark.parametrize("left", [0, 1])
async def test_a_folder_that_vanished_or_is_half_there_prunes_nothing(shelf: Shelf, left: int) -> None:
    before = await shelf.documents()
    for path in SOME[left:]:
        (shelf.root / path).unlink()

    outcome = await shelf.scan()

    assert outcome.held_back_code == ("many_missing" if left else "all_missing")
    assert outcome.held_back_values == ({"missing": 4, "known": 5, "percent": 30} if left else {})
    assert (outcome.pruned_count, await shelf.documents()) == (0, before)
    confirmed = await shelf.scan(confirm_prune=True)
    assert confirmed.pruned_count == len(SOME) - left
    assert len(await shelf.documents()) == left


async def test_another_device_at_the_place_prunes_nothing_until_it_is_confirmed(shelf: Shelf) -> None:
    (shelf.root / "a.txt").unlink()
    await shelf.library.value("UPDATE watched_folders SET device = device + 1 RETURNING device")

    assert (await shelf.scan()).held_back_code == "device_changed"
    await shelf.bind()
    assert (await shelf.scan()).pruned == ["a.txt"]


async def test_a_part_that_cannot_be_looked_into_prunes_nothing(shelf: Shelf) -> None:
    (shelf.root / "a.txt").unlink()
    shelf.write("x/" * 101 + "far.txt", "Too deep.")

    outcome = await shelf.scan()

    assert outcome.held_back_code == "part_unreadable"
    assert str(outcome.held_back_values["path"]) in (outcome.held_back or "")
    assert outcome.pruned_count == 0


async def test_a_folder_that_is_away_or_became_a_link_is_an_error_that_changes_nothing(shelf: Shelf) -> None:
    before = await shelf.documents()
    away = shelf.root.with_name("away")
    shelf.root.rename(away)
    with pytest.raises(FolderGone):
        await shelf.scan()
    shelf.root.symlink_to(away)
    with pytest.raises(FolderOutside):
        await shelf.scan()
    assert await shelf.documents() == before

    await shelf.library.value("UPDATE watched_folders SET requested_at = now() RETURNING path")
    await syncing.scan_due_folders(shelf.watcher)
    state = await shelf.state()
    assert state.last_outcome is not None
    assert "is now a link" in (state.last_outcome.problem or "")
    assert state.last_outcome.problem_code == "folder_outside"
    assert not state.is_scan_requested


async def test_a_scan_that_is_due_is_made_by_a_worker_and_two_never_meet(shelf: Shelf) -> None:
    shelf.write("new.txt", "New.")
    await syncing.scan_due_folders(shelf.watcher)  # its time has not come
    assert "new.txt" not in await shelf.documents()
    await shelf.bind()
    await syncing.scan_due_folders(shelf.watcher)
    assert "new.txt" in await shelf.documents()

    async with shelf.library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text(LOCK), {"collection": str(LIBRARY)})
        with pytest.raises(FolderBusy):
            await shelf.scan()


async def test_a_name_that_leads_out_of_the_roots_is_never_scanned(shelf: Shelf) -> None:
    shutil.rmtree(shelf.root)
    await shelf.library.value("UPDATE watched_folders SET path = '/etc' RETURNING path")

    with pytest.raises(FolderOutside):
        await shelf.scan()
