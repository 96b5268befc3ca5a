"""A file that is not whole, a place that is not empty: refused before anything is changed."""

import os
import subprocess
import zipfile
from collections.abc import AsyncGenerator, Callable, Generator
from pathlib import Path
from random import Random

import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.ingestion.library import SAMPLES, open_library
from tests.small_disk import mount_small_disk

from lectern.db.engine import create_engine
from lectern.errors import LecternError
from lectern.library.archive import (
    ArchiveBroken,
    ArchiveExists,
    ArchiveNotWritable,
    ArchiveWriter,
    PassphraseRequired,
)
from lectern.library.backup.errors import (
    BackupTooNew,
    BackupTooOld,
    InstallationInUse,
    InstallationNotEmpty,
)
from lectern.library.backup.manifest import BackupReader, seal
from lectern.library.backup.restoring import restore_backup
from lectern.library.backup.writing import write_backup
from lectern.library.encryption import EncryptedFileBroken, WrongPassphrase
from lectern.library.transfer.entries import ExportReader

from .installations import FURNITURE, Place, contents, fresh_place, run


@pytest.fixture(scope="session")
async def backup(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of one document that waits to be read, with its furniture."""
    folder: Path = tmp_path_factory.mktemp("saved")
    with postgres.fresh_database() as database:
        async with open_library(database, folder) as library:
            await library.add(SAMPLES / "travel-and-expenses-policy.pdf")
            await run(database.owner_url, FURNITURE)
            await write_backup(folder / "a.backup", owner_url=database.owner_url, originals=library.originals)
    return folder / "a.backup"


@pytest.fixture(scope="session")
async def place(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Place]:
    """Empty before and after every test of this file."""
    async with fresh_place(postgres, tmp_path_factory.mktemp("place")) as made:
        yield made


async def test_an_encrypted_backup_is_restored_with_its_passphrase_only(
    postgres: ThrowawayPostgres, place: Place, tmp_path: Path
) -> None:
    file, passphrase = tmp_path / "library.backup.age", "correct horse battery"
    with postgres.fresh_database() as database:
        async with open_library(database, tmp_path / "library") as library:
            await library.add(SAMPLES / "travel-and-expenses-policy.pdf")
            urls = database.owner_url
            made = await write_backup(file, owner_url=urls, originals=library.originals, passphrase=passphrase)
    assert b"PK" not in file.read_bytes()[:100]
    assert file.stat().st_mode & 0o077 == 0
    whole = file.read_bytes()
    (tmp_path / "cut.age").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "altered.age").write_bytes(whole[:9_000] + bytes([whole[9_000] ^ 1]) + whole[9_001:])
    for name, given, error in (
        (file.name, None, PassphraseRequired),
        (file.name, "another passphrase", WrongPassphrase),
        ("cut.age", passphrase, EncryptedFileBroken),
        ("altered.age", passphrase, EncryptedFileBroken),
    ):
        with pytest.raises(error):
            await restore_backup(tmp_path / name, place.target, passphrase=(lambda text=given: text) if given else None)
    assert await place.originals() == set()
    assert len(names_in(tmp_path)) == 3, "nothing in clear beside the file"
    async with fresh_place(postgres, tmp_path / "new") as empty:
        restored = await restore_backup(file, empty.target, passphrase=lambda: passphrase)
        assert restored.row_count == made.row_count
        assert len(await empty.originals()) == 1


def content_of(file: Path) -> bytearray:
    return bytearray(file.read_bytes())


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_file()]


def cut(content: bytearray) -> bytearray:
    return content[: len(content) * 2 // 3]


def emptied(content: bytearray) -> bytearray:
    return content[:0]


def lengthened(content: bytearray) -> bytearray:
    return content + b"more"


@pytest.mark.parametrize("change", [cut, emptied, lengthened])
async def test_a_file_of_another_length_is_refused(
    backup: Path, place: Place, tmp_path: Path, change: Callable[[bytearray], bytearray]
) -> None:
    await refused_untouched(change(content_of(backup)), place, tmp_path)


async def test_flipped_bit_is_detected_anywhere_in_the_data(backup: Path, place: Place, tmp_path: Path) -> None:
    content = content_of(backup)
    random = Random(7)
    with zipfile.ZipFile(backup) as archive:
        members = [info for info in archive.infolist() if info.compress_size > 20]
    for info in random.sample(members, 6):
        changed = bytearray(content)
        beginning = info.header_offset + 30 + len(info.filename) + 20
        changed[beginning + random.randrange(info.compress_size - 1)] ^= 1 << random.randrange(8)
        await refused_untouched(changed, place, tmp_path)


async def test_replaced_added_or_removed_member_is_rejected(backup: Path, place: Place, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
        comment = archive.comment
    replaced = {**members, "tables/users.copy": members["tables/users.copy"].replace(b"reader", b"editor")}
    smaller = {name: content for name, content in members.items() if name != "tables/tags.copy"}
    manifest = {**members, "manifest.json": members["manifest.json"].replace(b"row_count", b"row_kount")}
    for altered in (replaced, {**members, "tables/extra.copy": b""}, smaller, manifest):
        file = tmp_path / "altered.backup"
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in altered.items():
                archive.writestr(name, content)
            archive.comment = comment
        await refused_untouched(content_of(file), place, tmp_path)


async def refused_untouched(content: bytearray, place: Place, folder: Path) -> None:
    file = folder / "changed.backup"
    file.write_bytes(content)
    before = await contents(place.urls.owner_url)

    with pytest.raises(ArchiveBroken):
        await restore_backup(file, place.target)

    assert await contents(place.urls.owner_url) == before
    assert await place.originals() == set()


@pytest.mark.parametrize(("revision", "error"), [("20990101_9999", BackupTooNew), ("20261124_0075", BackupTooOld)])
async def test_a_backup_of_an_unknown_revision_is_refused(
    revision: str, error: type[LecternError], backup: Path, place: Place, tmp_path: Path
) -> None:
    file = tmp_path / "other.backup"
    with BackupReader(backup) as archive, ArchiveWriter(file) as writer:
        manifest = archive.manifest.model_copy(update={"revision": revision, "tables": {}, "originals": {}})
        seal(writer, manifest)

    with pytest.raises(error, match=revision):
        await restore_backup(file, place.target)


async def test_rows_that_do_not_fit_together_leave_nothing_behind(backup: Path, place: Place, tmp_path: Path) -> None:
    file = tmp_path / "torn.backup"
    with BackupReader(backup) as archive, ArchiveWriter(file) as writer:
        manifest = archive.manifest.model_copy(deep=True)
        for name in manifest.tables:
            with writer.member(f"tables/{name}.copy", is_compressed=True) as member:
                for block in archive.table(name) if name != "users" else ():
                    member.write(block)
            if name == "users":
                manifest.tables[name] = manifest.tables[name].model_copy(
                    update={"row_count": 0, **member.entry.model_dump()}
                )
        for sha256 in manifest.originals:
            with writer.member(f"originals/{sha256}", is_compressed=False) as member:
                for block in archive.blocks(f"originals/{sha256}"):
                    member.write(block)
        seal(writer, manifest)
    before = await contents(place.urls.owner_url)

    with pytest.raises(ArchiveBroken, match="do not fit together"):
        await restore_backup(file, place.target)

    assert await contents(place.urls.owner_url) == before
    assert await place.originals() == set()


async def test_an_installation_that_holds_something_or_is_in_use_is_left_alone(
    backup: Path, postgres: ThrowawayPostgres, tmp_path: Path
) -> None:
    async with fresh_place(postgres, tmp_path) as place:
        engine = create_engine(place.urls.service_url, pool_size=1)
        async with engine.connect():
            with pytest.raises(InstallationInUse):
                await restore_backup(backup, place.target)
        await engine.dispose()
        await run(
            place.urls.owner_url, "INSERT INTO tags (id, name, normalized_name) VALUES (gen_random_uuid(), 'a', 'a')"
        )
        with pytest.raises(InstallationNotEmpty, match=r"it has 1 tag\.$"):
            await restore_backup(backup, place.target)


async def test_a_backup_replaces_no_file_and_a_failed_one_leaves_none(
    backup: Path, place: Place, tmp_path: Path
) -> None:
    file = tmp_path / "mine"
    file.write_text("mine")
    with pytest.raises(ArchiveExists):
        await write_backup(file, owner_url=place.urls.owner_url, originals=place.target.originals)
    assert file.read_text() == "mine"
    with pytest.raises(ArchiveNotWritable), ArchiveWriter(tmp_path / "missing" / "backup"):
        pass

    with BackupReader(backup) as archive, pytest.raises(ArchiveBroken), ArchiveWriter(tmp_path / "other") as writer:
        seal(writer, archive.manifest)
    assert names_in(tmp_path) == ["mine"]


def test_the_other_kind_of_file_and_a_folder_are_named(backup: Path, tmp_path: Path) -> None:
    export = tmp_path / "ships.zip"
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("manifest.json", "{}")
        archive.writestr("documents/000001/document.json", "{}")

    with pytest.raises(ArchiveBroken, match="is an export, not a backup") as refused:
        BackupReader(export)
    assert refused.value.hint == "Use `lectern import`."
    with pytest.raises(ArchiveBroken, match="is a backup, not an export") as refused:
        ExportReader(backup)
    assert refused.value.hint == "Use `lectern restore`."
    with pytest.raises(ArchiveBroken, match="is a folder"):
        BackupReader(tmp_path)


def test_a_file_of_another_program_is_refused_with_the_commands_that_write_the_right_one(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam,")
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("sea.jpg", b"\xff\xd8")
    for name, why in (("letter.txt", "is not a file of Lectern"), ("photos.zip", "has no manifest.json")):
        with pytest.raises(ArchiveBroken, match=why) as refused:
            BackupReader(tmp_path / name)
        assert "`lectern backup`" in str(refused.value.hint)


@pytest.fixture
def small_disk() -> Generator[Path]:
    with mount_small_disk("64k") as disk:
        yield disk


@pytest.mark.skipif(os.getuid() != 0, reason="needs root: mounts a small disk")
@pytest.mark.parametrize("passphrase", [None, "correct horse battery"])
def test_a_full_or_read_only_disk_is_named_and_holds_no_unfinished_file(
    small_disk: Path, passphrase: str | None
) -> None:
    file = small_disk / "a.backup"
    with pytest.raises(ArchiveNotWritable) as refused, ArchiveWriter(file, passphrase=passphrase) as archive:
        archive.write("rows", Random(1).randbytes(200_000), is_compressed=False)
    assert refused.value.message == f"The disk of {small_disk} is full."
    assert list(small_disk.iterdir()) == []

    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(ArchiveNotWritable, match="Read-only file system"), ArchiveWriter(file):
        pass
