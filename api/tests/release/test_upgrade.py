"""A data folder of the previous release is upgraded and rolled back as `docs/how-to/operate.md` says."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import READY, StartUp, Up, lectern
from tests.release.previous_release import BACKUP, EXPECTED, add_document, observe, unpack_code

from lectern.library.backup.retention import dated_name

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
NEW_FILE = "after-the-upgrade.md"


def run(*arguments: str, data: Path, **environment: str) -> str:
    done = lectern(*arguments, "--data-dir", str(data), environment=environment)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def seen_by_users(up: Up, expected: dict[str, Any]) -> dict[str, Any]:
    up.wait_for(READY)
    return observe(up, key=expected["key"])


def stop(up: Up) -> None:
    assert up.stop() == 0, up.output


def test_the_previous_release_is_upgraded_and_rolled_back(data_home: Path, tmp_path: Path, start_up: StartUp) -> None:
    expected, data = json.loads(EXPECTED.read_text()), data_home / "upgraded"
    backup = tmp_path / "backups" / dated_name(is_encrypted=False)
    backup.parent.mkdir()
    old = unpack_code(tmp_path / "old")
    run("restore", str(BACKUP), data=data, **old)
    before = start_up("upgraded", environment=old)
    assert seen_by_users(before, expected) == expected["seen"]
    stop(before)

    # upgrade
    run("backup", str(backup), data=data, **old)
    plan = json.loads(run("upgrade", "--check", "--json", "--backups", str(backup.parent), data=data))
    assert {each["verdict"] for each in plan["findings"]} == {"good"}
    # right after a release there is no new revision yet
    has_revision = plan["upgrade"]["revision"] != plan["upgrade"]["target"]
    assert bool(plan["upgrade"]["changes"]) == has_revision
    findings = json.loads(run("doctor", "--json", "--backups", str(backup.parent), data=data))
    verdict = {each["subject"]: each["verdict"] for each in findings}["library"]
    assert verdict == ("warning" if has_revision else "good")
    after = start_up("upgraded")
    assert seen_by_users(after, expected) == expected["seen"]
    add_document(after, NEW_FILE, "# New\n\nWritten after the upgrade.\n")
    stop(after)
    findings = json.loads(run("doctor", "--json", data=data))
    assert {each["subject"]: each["verdict"] for each in findings}["library"] == "good"
    assert json.loads(run("upgrade", "--json", data=data))["upgrade"]["changes"] == []

    # roll back
    refused = lectern("migrate", "--data-dir", str(data), environment=old)
    assert (refused.returncode, "does not know" in refused.stderr) == (int(has_revision), has_revision)
    shutil.move(data / "postgres", data_home / "postgres-after-upgrade")
    run("restore", str(backup), data=data, **old)
    back = start_up("upgraded", environment=old)
    assert seen_by_users(back, expected) == expected["seen"]
    stop(back)
