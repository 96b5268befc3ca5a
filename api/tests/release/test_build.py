"""A release is made of a commit, and the same commit gives the same files."""

import hashlib
import json
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

import release
from lectern import __version__
from release import LOCKS, PROJECTS, NotReleasable, build_wheel, require_committed
from sbom import describe_locks, stable
from versions import REPOSITORY

EPOCH = "1767225600"  # 2026-01-01


def hashes_of(folder: Path) -> dict[str, str]:
    for path in PROJECTS.values():
        build_wheel(REPOSITORY / path, folder, epoch=EPOCH)
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("*.whl")}


def test_two_builds_of_the_wheels_have_the_same_hashes(tmp_path: Path) -> None:
    first, second = hashes_of(tmp_path / "first"), hashes_of(tmp_path / "second")

    assert first == second
    names = {name.replace("-", "_") for name in PROJECTS}
    assert first.keys() == {f"{name}-{__version__}-py3-none-any.whl" for name in names}


def test_the_wheel_of_lectern_includes_samples_and_the_mcp_service(tmp_path: Path) -> None:
    build_wheel(REPOSITORY / "api", tmp_path, epoch=EPOCH)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())

    service = {
        f"lectern/carried/mcp/lectern_mcp/{path.name}" for path in (REPOSITORY / "mcp/src/lectern_mcp").glob("*.py")
    }
    assert service <= names
    assert "lectern/carried/samples/manifest.json" in names
    assert not [name for name in names if "__pycache__" in name]


def test_the_bill_of_materials_lists_every_locked_package_and_is_the_same_each_time() -> None:
    locks = [REPOSITORY / lock for lock in LOCKS]
    pinned = {
        match for lock in locks for match in re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", lock.read_text(), re.MULTILINE)
    }

    text = describe_locks("lectern", __version__, locks)

    bill = json.loads(text)
    assert {(part["name"], part["version"]) for part in bill["components"]} == pinned
    assert all(part["hashes"] and part["purl"].startswith("pkg:pypi/") for part in bill["components"])
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", __version__)
    assert text == describe_locks("lectern", __version__, locks)


def test_what_changes_with_every_run_is_left_out_of_a_bill() -> None:
    bill: dict[str, Any] = {
        "serialNumber": "urn:uuid:1",
        "metadata": {"timestamp": "now", "tools": []},
        "components": [],
    }

    assert json.loads(stable(bill)) == {"metadata": {"tools": []}, "components": []}


def test_changes_that_are_not_committed_are_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    monkeypatch.setattr(release, "REPOSITORY", tmp_path)
    require_committed()
    (tmp_path / "new.txt").write_text("x")

    with pytest.raises(NotReleasable, match=r"new\.txt") as refusal:
        require_committed()

    assert "--with-changes" in str(refusal.value.hint)
