"""`lectern backup` of a running installation, `lectern restore` into a new one, then `lectern doctor`."""

import json
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.running import Up, clean_environment, lectern

from lectern.cli.library.backup import next_time, parse_time


@pytest.mark.slow
def test_running_installation_is_backed_up_and_restored_elsewhere(
    installation: Up, data_home: Path, tmp_path: Path
) -> None:
    file, new = tmp_path / "all.backup", data_home / "restored"

    saved = lectern("backup", str(file), "--json", "--data-dir", str(installation.data))
    again = lectern("backup", str(file), "--data-dir", str(installation.data))
    running = lectern("restore", str(file), "--data-dir", str(installation.data))
    exported = lectern("audit", "export", "--data-dir", str(installation.data))
    new.mkdir(mode=0o711)
    (new / "first-password.txt").write_text("of-an-account-that-is-replaced\n")
    restored = lectern("restore", str(file), "--json", "--data-dir", str(new))
    examined = lectern("doctor", "--json", "--data-dir", str(new))

    assert saved.returncode == 0, saved.stderr
    assert (again.returncode, running.returncode) == (1, 1)
    assert "exists." in again.stderr
    assert running.stderr.startswith("lectern: ")
    events = [json.loads(line) for line in exported.stdout.splitlines()]
    recorded = [event for event in events if event["target"] == "backup:installation"]
    assert [event["action"] for event in recorded] == ["backup.write", "backup.fail"]
    assert recorded[1]["details"] == {"code": "archive_exists"}
    assert restored.returncode == 0, restored.stderr
    assert json.loads(restored.stdout)["row_count"] == json.loads(saved.stdout)["row_count"]
    assert json.loads((new / "secrets.json").read_text())["admin_password"] is None, "it would open no account"
    assert not (new / "first-password.txt").exists()
    findings = [each for each in json.loads(examined.stdout) if each["subject"] == "library"]
    assert [(each["verdict"], each["defect"]) for each in findings] == [("good", None)], findings


@pytest.mark.slow
def test_encrypted_backup_needs_its_passphrase(installation: Up, data_home: Path, tmp_path: Path) -> None:
    secret, file, new = tmp_path / "passphrase", tmp_path / "all.backup.age", str(data_home / "decrypted")
    option = ("--passphrase-file", str(secret))

    secret.write_text("too short\n")
    short = lectern("backup", str(file), *option, "--data-dir", str(installation.data))
    secret.write_text("correct horse battery\n")
    saved = lectern("backup", str(file), *option, "--data-dir", str(installation.data))
    closed = lectern("restore", str(file), "--data-dir", new)
    restored = lectern("restore", str(file), *option, "--data-dir", new)

    assert (short.returncode, closed.returncode) == (1, 1)
    assert "12 characters" in short.stderr
    assert "--passphrase-file FILE" in closed.stderr, "standard input is empty"
    assert saved.returncode == 0, saved.stderr
    assert restored.returncode == 0, restored.stderr
    assert file.read_bytes().startswith(b"age-encryption.org/v1")


@pytest.mark.slow
def test_backup_into_a_folder_gets_a_dated_name_and_prunes(installation: Up, tmp_path: Path) -> None:
    data, folder = ("--data-dir", str(installation.data)), f"{tmp_path}/"
    other = tmp_path / "library-2020-01-01.backup"
    secret = tmp_path / "passphrase"
    secret.write_text("correct horse battery\n")

    none = lectern("doctor", "--backups", folder, *data)
    first = lectern("backup", folder, "--json", *data)
    old = tmp_path / "lectern-2020-01-01T021500Z.backup"
    Path(json.loads(first.stdout)["path"]).rename(old)
    other.write_bytes(old.read_bytes())
    stale = lectern("doctor", "--backups", folder, *data)
    rules = ("--keep-daily", "1")
    second = lectern("backup", folder, *rules, "--passphrase-file", str(secret), "--json", *data)
    report = json.loads(second.stdout)
    fresh = lectern("doctor", "--backups", folder, "--json", *data)
    tried = lectern("backup", "prune", folder, *rules, "--dry-run")

    assert (none.returncode, stale.returncode) == (1, 1)
    assert "none in" in none.stdout
    assert f"{old.name} is" in stale.stdout
    assert report["path"].endswith(".backup.age")
    assert report["prune"]["pruned"] == [old.name]
    assert {path.name for path in tmp_path.iterdir()} == {other.name, secret.name, Path(report["path"]).name}
    assert fresh.returncode == 0, fresh.stdout
    assert [each["verdict"] for each in json.loads(fresh.stdout) if each["subject"] == "backups"] == ["good"]
    assert tried.stdout.startswith("Backups kept: 1, to delete: 0"), tried.stderr


@pytest.mark.slow
def test_a_schedule_writes_a_backup_at_its_time_and_waits_for_the_next(installation: Up, tmp_path: Path) -> None:
    soon = datetime.now() + timedelta(seconds=65)  # noqa: DTZ005 - the clock of the machine
    options = ("--schedule", f"{soon:%H:%M}", "--keep-daily", "1", "--data-dir", str(installation.data))
    command = [sys.executable, "-m", "lectern", "backup", str(tmp_path), *options]
    process = subprocess.Popen(command, env=clean_environment(), stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        announced = [process.stderr.readline()]
        while len([line for line in announced if line.startswith("The next backup starts at")]) < 2:
            announced.append(process.stderr.readline())
            assert announced[-1], announced
        done_at = time.time()
    finally:
        process.terminate()
        process.communicate()

    assert f"{soon:%Y-%m-%d %H:%M}" in announced[0]
    assert f"{soon + timedelta(days=1):%Y-%m-%d %H:%M}" in announced[-1]
    assert done_at >= soon.replace(second=0, microsecond=0).timestamp()
    (written,) = tmp_path.iterdir()
    assert written.stat().st_size > 1_000


def test_the_next_time_is_today_or_tomorrow() -> None:
    at, clock = parse_time("02:15"), datetime.fromisoformat
    assert next_time(at, now=clock("2026-03-01T02:14:59")) == clock("2026-03-01T02:15:00")
    assert next_time(at, now=clock("2026-03-01T02:15:00")) == clock("2026-03-02T02:15:00")
    assert next_time(at, now=clock("2026-12-31T23:00:00")) == clock("2027-01-01T02:15:00")


def test_a_schedule_needs_a_folder_and_a_time(tmp_path: Path) -> None:
    no_folder = lectern("backup", str(tmp_path / "all.backup"), "--schedule", "02:15")
    no_time = lectern("backup", str(tmp_path), "--schedule", "soon")

    assert (no_folder.returncode, no_time.returncode) == (1, 1)
    assert "is not a folder" in no_folder.stderr
    assert "soon is no time of day" in no_time.stderr


def test_pruning_needs_a_folder_and_a_rule(tmp_path: Path) -> None:
    no_rule = lectern("backup", "prune", str(tmp_path))
    no_folder = lectern("backup", str(tmp_path / "all.backup"), "--keep-daily", "7")
    unmounted = lectern("backup", f"{tmp_path}/usb/")

    assert (no_rule.returncode, no_folder.returncode, unmounted.returncode) == (1, 1, 1)
    assert "--keep-daily 7" in no_rule.stderr
    assert "is not a folder" in no_folder.stderr
    assert "There is no folder" in unmounted.stderr
    assert list(tmp_path.iterdir()) == []
