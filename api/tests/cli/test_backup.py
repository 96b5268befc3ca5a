"""`lectern backup` of a running installation, `lectern restore` into a new one, then `lectern doctor`."""

import json
from pathlib import Path

import pytest
from tests.cli.running import Up, lectern


@pytest.mark.slow
def test_running_installation_is_backed_up_and_restored_elsewhere(
    installation: Up, data_home: Path, tmp_path: Path
) -> None:
    file, new = tmp_path / "all.backup", data_home / "restored"

    saved = lectern("backup", str(file), "--json", "--data-dir", str(installation.data))
    again = lectern("backup", str(file), "--data-dir", str(installation.data))
    running = lectern("restore", str(file), "--data-dir", str(installation.data))
    exported = lectern("audit", "export", "--data-dir", str(installation.data))
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
    assert "The passphrase is wrong." in closed.stderr, "standard input is empty"
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


def test_pruning_needs_a_folder_and_a_rule(tmp_path: Path) -> None:
    no_rule = lectern("backup", "prune", str(tmp_path))
    no_folder = lectern("backup", str(tmp_path / "all.backup"), "--keep-daily", "7")
    unmounted = lectern("backup", f"{tmp_path}/usb/")

    assert (no_rule.returncode, no_folder.returncode, unmounted.returncode) == (1, 1, 1)
    assert "--keep-daily 7" in no_rule.stderr
    assert "is not a folder" in no_folder.stderr
    assert "There is no folder" in unmounted.stderr
    assert list(tmp_path.iterdir()) == []
