"""Errors of commands as one line that names the cause and the next step."""

import json
from pathlib import Path

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.cli.running import lectern

from lectern.cli.edge import explain


@pytest.mark.parametrize("command", ["backup NEW.backup", "upgrade --check", "embeddings remove 1"])
def test_a_command_for_the_owner_of_the_database_says_so(
    database: ThrowawayDatabase, tmp_path: Path, command: str
) -> None:
    words = command.replace("NEW", str(tmp_path / "new")).split()
    environment = {"DATABASE_URL": database.service_url, "LECTERN_DATA_DIR": str(tmp_path / "a")}
    refused = lectern(*words, environment=environment)

    assert refused.returncode == 1
    assert "lectern: The role of DATABASE_URL may not do this: permission denied for " in refused.stderr
    assert "Set DATABASE_OWNER_URL. With Docker Compose: " in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_full_disk_is_named_even_while_the_database_refuses_connections() -> None:
    error = psycopg.OperationalError("connection failed: FATAL:  could not write init file: No space left on device")
    known = explain(error)

    assert known is not None
    assert known.message.startswith("The disk is full: ")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LECTERN_PUBLIC_URL", "lectern.example.com"),
        ("LECTERN_TRUSTED_PROXIES", "10.0.0.5/24"),
        ("LECTERN_TRUSTED_PROXIES", "127.0.0.1, traefik"),
    ],
)
def test_an_address_that_would_be_ignored_is_refused(variable: str, value: str) -> None:
    run = lectern("doctor", environment={variable: value})

    assert run.returncode == 1
    assert run.stderr.startswith(f"lectern: Invalid setting: {variable}: ")


def test_env_file_that_is_no_text_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_bytes(b"ADMIN_PASSWORD=\xff")

    check_env_file_is_named(tmp_path, monkeypatch)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that root cannot read")
def test_env_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").symlink_to("/proc/self/mem")

    check_env_file_is_named(tmp_path, monkeypatch)


def check_env_file_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    run = lectern("up")

    assert run.returncode == 1
    assert run.stderr == (
        f"lectern: The file {folder}/.env cannot be read. "
        "Make it a UTF-8 text file that this process can read, or start Lectern in another folder.\n"
    )


def test_doctor_names_a_misspelt_variable(tmp_path: Path) -> None:
    environment = {"LECTERN_EMBEDINGS": "openai", "LECTERN_PYTHON": "python3.12", "LECTERN_METRICS_TOKEN_FILE": ""}
    run = lectern("doctor", "--json", "--data-dir", str(tmp_path), environment=environment)

    (settings,) = (each for each in json.loads(run.stdout) if each["subject"] == "settings")
    assert settings["verdict"] == "warning"
    assert settings["detail"] == "LECTERN_EMBEDINGS is ignored, did you mean LECTERN_EMBEDDINGS?"
