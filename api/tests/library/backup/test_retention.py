"""Which backups of a folder are deleted, and that nothing else ever is."""

import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lectern.errors import InvalidRequest
from lectern.library.archive import ArchiveWriter
from lectern.library.backup.manifest import BackupManifest, seal
from lectern.library.backup.retention import KeepRules, dated_name, list_backups, prune

WEEK = KeepRules(daily=7, weekly=4, monthly=6)


def write(folder: Path, name: str, *, passphrase: str | None = None) -> Path:
    """Write an empty backup."""
    manifest = BackupManifest(
        lectern_version="0",
        revision="0",
        created_at="",
        tables={},
        sequences={},
        generations=[],
        originals={},
        missing_originals=[],
    )
    with ArchiveWriter(folder / name, passphrase=passphrase) as archive:
        seal(archive, manifest)
    return folder / name


def nightly(folder: Path, *, nights: int) -> list[str]:
    """Write a backup for each night that ends with Wednesday, 25 November 2026. Return the names, newest first."""
    last = datetime(2026, 11, 25, 2, 15, tzinfo=UTC)
    times = [last - timedelta(days=night) for night in range(nights)]
    return [write(folder, f"lectern-{time:%Y-%m-%dT%H%M%SZ}.backup").name for time in times]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_newest_of_each_day_week_and_month_is_kept(tmp_path: Path) -> None:
    nightly(tmp_path, nights=100)
    write(tmp_path, "lectern-2026-11-25T010000Z.backup")

    report = prune(tmp_path, WEEK, is_dry_run=False)

    days = [f"2026-11-{day}" for day in range(25, 18, -1)]
    sundays, last_days = ["2026-11-15", "2026-11-08"], ["2026-10-31", "2026-09-30", "2026-08-31"]
    assert report.retained == [f"lectern-{day}T021500Z.backup" for day in [*days, *sundays, *last_days]]
    assert names(tmp_path) == set(report.retained)
    assert len(report.pruned) == 101 - len(report.retained)
    assert report.pruned_bytes > 0
    assert prune(tmp_path, WEEK, is_dry_run=False).pruned == []


def test_days_without_a_backup_do_not_count(tmp_path: Path) -> None:
    old = write(tmp_path, "lectern-2020-02-29T000000Z.backup")
    older = write(tmp_path, "lectern-2019-12-31T235959Z.backup")

    assert prune(tmp_path, KeepRules(daily=2), is_dry_run=False).pruned == []
    assert prune(tmp_path, KeepRules(daily=1), is_dry_run=False).pruned == [older.name]
    assert names(tmp_path) == {old.name}


def test_a_dry_run_deletes_nothing(tmp_path: Path) -> None:
    everything = nightly(tmp_path, nights=3)

    report = prune(tmp_path, KeepRules(daily=1), is_dry_run=True)

    assert (report.retained, report.pruned) == (everything[:1], everything[1:])
    assert names(tmp_path) == set(everything)


def test_without_a_rule_nothing_is_deleted(tmp_path: Path) -> None:
    everything = nightly(tmp_path, nights=2)

    with pytest.raises(InvalidRequest) as refused:
        prune(tmp_path, KeepRules(), is_dry_run=False)

    assert "--keep-daily" in str(refused.value.hint)
    assert names(tmp_path) == set(everything)


def test_the_backup_that_was_just_written_is_kept_although_the_clock_went_back(tmp_path: Path) -> None:
    future = write(tmp_path, "lectern-2099-01-01T000000Z.backup")
    written = write(tmp_path, dated_name(is_encrypted=False))

    report = prune(tmp_path, KeepRules(daily=1), is_dry_run=False, written=written)

    assert names(tmp_path) == {future.name, written.name} == set(report.retained)


def test_encrypted_backups_are_pruned_with_the_others(tmp_path: Path) -> None:
    old = write(tmp_path, "lectern-2026-11-24T021500Z.backup.age", passphrase="correct horse battery")
    write(tmp_path, "lectern-2026-11-25T021500Z.backup")

    assert prune(tmp_path, KeepRules(daily=1), is_dry_run=False).pruned == [old.name]
    assert not old.exists()


def test_files_that_are_no_backups_are_neither_deleted_nor_counted(tmp_path: Path) -> None:
    whole = write(tmp_path, "lectern-2026-11-01T021500Z.backup")
    for name in (
        "library-2026-11-02.backup",
        "lectern-2026-11-02.backup",
        "lectern-2026-02-31T021500Z.backup",
        "lectern-2026-11-02T021500Z.backup.old",
        "my lectern-2026-11-02T021500Z.backup",
    ):
        (tmp_path / name).write_bytes(whole.read_bytes())
    (tmp_path / "lectern-2026-11-03T021500Z.backup").write_bytes(whole.read_bytes()[:-10])
    (tmp_path / "lectern-2026-11-04T021500Z.backup").write_bytes(b"")
    (tmp_path / "lectern-2026-11-05T021500Z.backup.age").write_bytes(b"age-encryption.org/v1\n-> X25519 somebody\n")
    with zipfile.ZipFile(tmp_path / "lectern-2026-11-06T021500Z.backup", "w") as other:
        other.writestr("holiday.jpg", b"")
    (tmp_path / "lectern-2026-11-07T021500Z.backup").symlink_to(whole)
    (tmp_path / "lectern-2026-11-08T021500Z.backup").mkdir()
    (tmp_path / ".lectern-2026-11-09T021500Z.backup.0123abcd.part").write_bytes(b"PK")
    before = names(tmp_path)

    report = prune(tmp_path, KeepRules(daily=1), is_dry_run=False)

    assert (report.retained, report.pruned) == ([whole.name], [])
    assert names(tmp_path) == before
    reasons = ["damaged", "damaged", "damaged", "damaged", "not a regular", "not a regular"]
    assert len(report.ignored) == 7
    for number, reason in enumerate(reasons, start=3):
        (stated,) = [text for name, text in report.ignored.items() if name.startswith(f"lectern-2026-11-0{number}")]
        assert stated.startswith(reason)
    assert report.ignored[".lectern-2026-11-09T021500Z.backup.0123abcd.part"].startswith("not finished")


def test_a_name_made_now_is_a_name_that_is_listed(tmp_path: Path) -> None:
    path = write(tmp_path, dated_name(is_encrypted=False))

    (backup,) = list_backups(tmp_path).backups

    assert backup.path == path
    assert timedelta() <= datetime.now(UTC) - backup.created_at < timedelta(minutes=5)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="cannot be read"):
        prune(tmp_path / "unmounted", WEEK, is_dry_run=False)
