"""A walk sees every file of a directory and never leaves it."""

import os
from pathlib import Path

import pytest

from lectern.library.folders.errors import FolderGone, FolderOutside
from lectern.library.folders.walking import open_inside, resolve_folder, walk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "watched"
    (made / "deep" / "er").mkdir(parents=True)
    (made / "a.txt").write_text("one")
    (made / "deep" / "er" / "b.txt").write_text("two")
    return made


def read(folder: Path, path: str) -> bytes:
    with os.fdopen(open_inside(folder, path), "rb") as file:
        return file.read()


def test_files_are_found_by_their_path_from_the_folder(folder: Path) -> None:
    found = walk(folder)

    assert sorted(found.files) == ["a.txt", "deep/er/b.txt"]
    assert found.files["a.txt"].size_bytes == 3
    assert found.unreadable == []
    assert read(folder, "deep/er/b.txt") == b"two"


def test_links_lead_nowhere(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "plan.txt").write_text("secret")
    (folder / "etc").symlink_to("/etc")
    (folder / "passwd.txt").symlink_to("/etc/passwd")
    (folder / "up").symlink_to("..")
    (folder / "loop").symlink_to(".")
    (folder / "deep" / "secret").symlink_to(tmp_path / "secret")

    assert sorted(walk(folder).files) == ["a.txt", "deep/er/b.txt"]
    for path in ("passwd.txt", "etc/passwd", "up/secret/plan.txt", "deep/secret/plan.txt", "loop/a.txt"):
        with pytest.raises(OSError):  # noqa: PT011 - which one is the system's choice
            open_inside(folder, path)


@pytest.mark.parametrize(
    "path", ["../secret.txt", "deep/../../secret.txt", "/etc/passwd", "./a.txt", "deep//er/b.txt", ""]
)
def test_no_path_leads_out_of_the_folder(folder: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")

    with pytest.raises(FileNotFoundError):
        open_inside(folder, path)


def test_a_directory_that_is_exchanged_for_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    found = walk(folder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.txt").write_text("secret")
    (folder / "deep" / "er").rename(tmp_path / "er")
    (folder / "deep" / "er").symlink_to(tmp_path / "other")

    assert "deep/er/b.txt" in found.files
    with pytest.raises(OSError):  # noqa: PT011 - which one is the system's choice
        open_inside(folder, "deep/er/b.txt")


def test_pipes_hidden_files_and_lock_files_are_passed_over(folder: Path) -> None:
    os.mkfifo(folder / "report.pdf")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    (folder / "~$a.docx").write_text("x")
    (folder / "Thumbs.db").write_text("x")

    assert sorted(walk(folder).files) == ["a.txt", "deep/er/b.txt"]
    with pytest.raises(FileNotFoundError):
        open_inside(folder, "report.pdf")


def test_data_folders_are_passed_over_and_cannot_be_watched(folder: Path) -> None:
    data = folder / "deep" / "data"
    (data / "logs").mkdir(parents=True)
    for name in ("lock", "secrets.json", "first-password.txt", "logs/api.txt"):
        (data / name).write_text("secret")

    assert sorted(walk(folder).files) == ["a.txt", "deep/er/b.txt"]
    assert resolve_folder(folder, [folder]) == folder
    for inside in (data, data / "logs"):
        with pytest.raises(FolderOutside, match="data folder"):
            resolve_folder(inside, [folder])


def test_names_that_are_not_utf_8_are_listed_with_escapes(folder: Path) -> None:
    os.close(os.open(os.fsencode(folder) + b"/deep/caf\xe9.txt", os.O_CREAT | os.O_WRONLY))

    found = walk(folder)

    assert sorted(found.files) == ["a.txt", "deep/er/b.txt"]
    assert found.misnamed == ["deep/caf\\xe9.txt"]


def test_only_directories_below_a_root_can_be_watched(folder: Path, tmp_path: Path) -> None:
    (folder / "out").symlink_to(tmp_path)
    (tmp_path / "in").symlink_to(folder / "deep")

    assert resolve_folder(folder / "deep", [folder]) == folder / "deep"
    assert resolve_folder(tmp_path / "in", [folder]) == folder / "deep"
    for path in (tmp_path, folder / "out", folder / "..", Path("/etc")):
        with pytest.raises(FolderOutside):
            resolve_folder(path, [folder])
    with pytest.raises(FolderOutside, match="not an absolute path"):
        resolve_folder(Path("nowhere"), [folder])
    (folder / "circle").symlink_to(folder / "circle")
    for path in (folder / "nowhere", folder / "a.txt", folder / "circle"):
        with pytest.raises(FolderGone):
            resolve_folder(path, [folder])
