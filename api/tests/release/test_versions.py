"""One version everywhere: it has one place, and every copy is the same."""

import shutil
from pathlib import Path

import pytest

from lectern import __version__
from versions import COPIES, REPOSITORY, SOURCE, VersionError, find_differences, read_version, set_version


def clone_of(folder: Path) -> Path:
    for path in (SOURCE, *COPIES):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / path, folder / path)
    return folder


def test_every_copy_of_the_version_is_the_same() -> None:
    assert (read_version(), find_differences()) == (__version__, [])


def test_no_other_project_file_has_a_version_of_its_own() -> None:
    projects = {str(path.relative_to(REPOSITORY)) for path in REPOSITORY.glob("*/pyproject.toml")}
    projects |= {str(path.relative_to(REPOSITORY)) for path in REPOSITORY.glob("clients/*/pyproject.toml")}
    versioned = {path for path in projects if "\nversion = " in (REPOSITORY / path).read_text(encoding="utf-8")}

    assert versioned <= COPIES.keys()


def test_a_new_version_reaches_every_copy(tmp_path: Path) -> None:
    clone = clone_of(tmp_path)

    set_version("1.2.3rc1", clone)

    assert (read_version(clone), find_differences(clone)) == ("1.2.3rc1", [])
    assert "lectern-client==1.2.3rc1" in (clone / "clients/lectern-langchain/pyproject.toml").read_text()


def test_a_copy_that_was_forgotten_is_named(tmp_path: Path) -> None:
    clone = clone_of(tmp_path)
    file = clone / "frontend" / "package.json"
    file.write_text(file.read_text().replace(f'"version": "{__version__}"', '"version": "9.9.9"'))

    assert find_differences(clone) == ["frontend/package.json: 9.9.9"]


@pytest.mark.parametrize("version", ["1.2", "v1.2.3", "1.2.3-beta", ""])
def test_what_is_no_version_is_refused_and_changes_nothing(tmp_path: Path, version: str) -> None:
    clone = clone_of(tmp_path)

    with pytest.raises(VersionError, match=r"1\.2\.3"):
        set_version(version, clone)

    assert (read_version(clone), find_differences(clone)) == (__version__, [])
