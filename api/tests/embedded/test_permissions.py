"""Permissions of files below a data folder."""

import stat
import subprocess
import sys
from pathlib import Path

from lectern.embedded.data_folder import DataFolder
from lectern.embedded.permissions import find_exposed, protect, write_private


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_restricted_process_and_children_create_private_files(tmp_path: Path) -> None:
    script = """
import pathlib, subprocess, sys
from lectern.embedded.permissions import public_files, restrict_new_files
restrict_new_files()
pathlib.Path("own").touch()
subprocess.run([sys.executable, "-c", "open('child', 'w'); import os; os.mkdir('folder')"], check=True)
with public_files():
    pathlib.Path("program").touch()
pathlib.Path("later").touch()
"""
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)

    assert {path.name: oct(mode_of(path)) for path in tmp_path.iterdir()} == {
        "own": "0o600", "child": "0o600", "folder": "0o700", "program": "0o644", "later": "0o600",
    }  # fmt: skip


def test_protect_closes_open_files_but_not_links_or_postgres(reachable: Path) -> None:
    data, outside = reachable / "data", reachable / "outside"
    for name in ("originals/ab", "postgres", "binaries", "cache"):
        (data / name).mkdir(parents=True)
    for name in ("originals/ab/file", "postgres/base", "binaries/postgres", "ports.json"):
        (data / name).touch()
    outside.touch()
    (data / "cache" / "link").symlink_to(outside)
    for path in (data, *data.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    opened = {"", "originals", "originals/ab", "originals/ab/file", "cache", "ports.json"}
    left = {path: mode_of(path) for path in (data / "postgres" / "base", data / "binaries" / "postgres", outside)}

    found = {str(path.relative_to(data)).removeprefix(".") for path in find_exposed(data)}
    protect(data)

    assert found == opened
    assert find_exposed(data) == []
    assert mode_of(data) == 0o711  # Postgres's account enters
    assert {path: mode_of(path) for path in left} == left
    assert find_exposed(data / "missing") == []


def test_start_closes_folders_of_an_older_version(reachable: Path) -> None:
    folder = DataFolder(reachable / "data")
    for path in folder.private_folders:
        path.mkdir(parents=True)
        path.chmod(0o755)

    with folder:
        assert [mode_of(path) for path in folder.private_folders] == [0o700] * 3


def test_private_file_replaces_an_open_one(tmp_path: Path) -> None:
    path = tmp_path / "key.txt"
    path.write_text("old")
    path.chmod(0o644)

    write_private(path, "new")

    assert (path.read_text(), mode_of(path), list(tmp_path.iterdir())) == ("new", 0o600, [path])
