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
    restored = lectern("restore", str(file), "--json", "--data-dir", str(new))
    examined = lectern("doctor", "--json", "--data-dir", str(new))

    assert saved.returncode == 0, saved.stderr
    assert (again.returncode, running.returncode) == (1, 1)
    assert "exists." in again.stderr
    assert running.stderr.startswith("lectern: ")
    assert restored.returncode == 0, restored.stderr
    assert json.loads(restored.stdout)["row_count"] == json.loads(saved.stdout)["row_count"]
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
