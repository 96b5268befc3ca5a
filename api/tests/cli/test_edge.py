"""Errors of commands as one line that names the cause and the next step."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.cli.running import clean_environment, lectern

from lectern.cli.console import format_size
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


def test_a_command_that_gets_no_password_says_how_to_give_one(database: ThrowawayDatabase, tmp_path: Path) -> None:
    environment = {"DATABASE_URL": database.service_url, "LECTERN_DATA_DIR": str(tmp_path / "a")}
    refused = lectern("users", "create", "ann@example.org", environment=environment)

    assert refused.returncode == 1
    assert "lectern: No password was given. Run the command in a terminal" in refused.stderr


def test_an_address_is_checked_before_the_password_is_read(tmp_path: Path) -> None:
    refused = lectern("users", "create", "ann", environment={"LECTERN_DATA_DIR": str(tmp_path / "a")})

    assert refused.returncode == 1
    assert "lectern: Invalid value: This is not an e-mail address." in refused.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("up --port abc", "'--port': Must be a whole number "),
        ("search --top-k 900 x", "'--top-k': Must be at most 20 "),
    ],
)
def test_an_option_with_a_wrong_value_names_its_rule(words: str, reason: str) -> None:
    refused = lectern(*words.split(), environment={"COLUMNS": "120"})

    assert refused.returncode == 2
    assert f"Invalid value for {reason}" in refused.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["keys", "create", "x", "--network", "ten"], "'--network': Must be a network such as 10.0.0.0/8."),
        (["keys", "change", "x", "--toolset", "all"], "'--toolset': Must be 'search', "),
        (["search", "x", "--tag", ""], "'--tag': Must have at least 1 character."),
        (["ask", "x", "--collection", ""], "'--collection': Must have at least 1 character."),
        (["collections", "create", ""], "'name': Must have at least 1 character."),
        (["search", ""], "'query': Must have at least 1 character."),
    ],
    ids=["network", "toolset", "tag", "collection", "name", "query"],
)
def test_a_wrong_value_of_a_request_names_its_option(words: list[str], reason: str, tmp_path: Path) -> None:
    refused = lectern(*words, environment={"LECTERN_DATA_DIR": str(tmp_path)})

    assert refused.returncode == 1
    assert refused.stderr.startswith(f"lectern: Invalid value for {reason}")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("search x --limit 3", "--limit (Possible options: --collection, --data-dir, --document, --help, --json"),
        ("search x --count 3", "--count (Possible options: --collection, "),
        ("ask x --collections Library", "--collections (Possible options: --collection)"),
        ("collections delete x", "No such command 'delete'. Commands: create, list."),
        ("keys creat x", "No such command 'creat'. Did you mean 'create'?"),
        ("status", "lectern: there is no command status. Did you mean `lectern doctor`?"),
        ("serch x", "lectern: there is no command serch. Did you mean `lectern search`?"),
        ("list", "lectern: there is no command list. Run `lectern --help`."),
    ],
)
def test_an_unknown_option_or_command_names_those_that_there_are(words: str, reason: str) -> None:
    refused = lectern(*words.split(), environment={"COLUMNS": "160"})

    assert (refused.returncode, reason in refused.stderr) == (2, True), refused.stderr


def test_help_names_types_of_values_in_words() -> None:
    shown = lectern("search", "--help", environment={"COLUMNS": "120"}).stdout
    rows = dict(re.findall(r"(--[a-z-]+) +(\S+)", shown))

    assert rows["--top-k"] == "<number>"
    assert rows["--tag"] == "<text>"
    assert rows["--json"] == "Print"


@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [
        ("LECTERN_WORKER_CONCURRENCY", "many", "Must be a whole number"),
        ("LECTERN_LOG_LEVEL", "loud", "Must be 'DEBUG', "),
        ("COOKIE_SECURE", "often", "Must be true or false"),
    ],
)
def test_a_wrong_setting_names_its_rule(variable: str, value: str, reason: str) -> None:
    run = lectern("doctor", environment={variable: value})

    assert run.returncode == 1
    assert run.stderr.startswith(f"lectern: Invalid setting: {variable}: {reason}")


@pytest.mark.parametrize("is_owner", [True, False])
def test_a_database_that_was_not_prepared_is_named(database: ThrowawayDatabase, tmp_path: Path, is_owner: bool) -> None:
    url = database.owner_url.rsplit("/", maxsplit=1)[0] + "/postgres" if is_owner else database.service_url
    environment = {"DATABASE_URL": url, "DATABASE_OWNER_URL": url, "LECTERN_DATA_DIR": str(tmp_path / "a")}
    if not is_owner:
        with psycopg.connect(database.superuser_url, autocommit=True) as connection:
            connection.execute("DROP TABLE alembic_version")
    refused = lectern("migrate", environment=environment)

    assert refused.returncode == 1
    assert "lectern: This role may not create tables of Lectern: permission denied for schema public." in refused.stderr
    assert "bootstrap.sql as a superuser first" in refused.stderr


@pytest.mark.parametrize("command", ["keys list", "search notice", "ingest FILE"])
def test_a_database_without_tables_is_named(database: ThrowawayDatabase, tmp_path: Path, command: str) -> None:
    (tmp_path / "a.txt").write_text("The notice period is one month.", encoding="utf-8")
    server, _ = database.service_url.rsplit("/", maxsplit=1)
    environment = {"DATABASE_URL": f"{server}/postgres", "LECTERN_DATA_DIR": str(tmp_path / "a")}
    refused = lectern(*command.replace("FILE", str(tmp_path / "a.txt")).split(), environment=environment)

    assert refused.returncode == 1
    assert "lectern: The database lacks tables of Lectern: relation " in refused.stderr
    assert refused.stderr.endswith("Otherwise run `lectern migrate`.\n")


def test_a_full_disk_is_named_even_while_the_database_refuses_connections() -> None:
    error = psycopg.OperationalError("connection failed: FATAL:  could not write init file: No space left on device")
    known = explain(error)

    assert known is not None
    assert known.message.startswith("The disk is full: ")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LECTERN_PUBLIC_URL", "lectern.example.com"),
        ("LECTERN_PUBLIC_URL", "http://[lectern"),
        ("LECTERN_ANSWERS_BASE_URL", "localhost:11434/v1"),
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a file that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", ["--help", "--version", "settings", "settings --help"])
def test_output_that_cannot_be_written_is_named_in_one_line(words: str, unbuffered: str) -> None:
    command = [sys.executable, "-m", "lectern", *words.split()]
    environment = clean_environment(PYTHONUNBUFFERED=unbuffered)
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert run.returncode == 1
    assert run.stderr == (
        "lectern: The output could not be written: No space left on device. "
        "Free some space there, or send the output to another place.\n"
    )


def signalled_while_loading(name: str, *, before: str) -> tuple[int, bytes, bytes]:
    """Return exit code, output and errors of a command that gets a signal while it imports its modules."""
    code = (
        "import os, signal, sys, lectern.cli.main as main; sys.argv = ['lectern', 'settings']\n"
        f"own = os.getpid()\n{before}\n"
        "class Sender:\n"
        "    def find_spec(self, name, *_):\n"
        f"        name == 'lectern.cli.edge' and os.kill(own, signal.{name})\n"
        "sys.meta_path.insert(0, Sender())\n"
        "main.run()"
    )
    run = subprocess.run([sys.executable, "-c", code], env=clean_environment(), capture_output=True, check=False)
    return run.returncode, run.stdout, run.stderr


def test_ctrl_c_ends_a_command_without_a_traceback_while_it_loads_too() -> None:
    handled = "signal.signal(signal.SIGINT, signal.default_int_handler)"  # a job in the background ignores Ctrl-C
    assert signalled_while_loading("SIGINT", before=handled) == (130, b"", b"")


def test_process_1_of_a_container_can_be_stopped_while_it_loads() -> None:
    first_process = "os.getpid = lambda: 1"  # Linux ignores a signal that process 1 does not handle
    assert signalled_while_loading("SIGTERM", before=first_process) == (143, b"", b"")


@pytest.mark.parametrize("words", ["--help", "settings"])
def test_output_that_nobody_reads_ends_the_command_silently(words: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "lectern", *words.split()]
    run = subprocess.run(command, env=clean_environment(), stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)

    assert (run.returncode, run.stderr) == (1, b"")


@pytest.mark.parametrize(
    "words",
    ["demo EMPTY", "search x --data-dir EMPTY", "up --data-dir EMPTY", "backup EMPTY", "doctor --backups EMPTY"],
)
def test_empty_path_is_refused_instead_of_the_current_folder(words: str) -> None:
    run = lectern(*("" if word == "EMPTY" else word for word in words.split()))

    assert run.returncode == 1
    assert run.stderr == "lectern: The path is empty. Name a file or folder. `.` is the current folder.\n"


@pytest.mark.parametrize(
    ("size_bytes", "text"), [(1, "1 byte"), (999, "999 bytes"), (4_210, "4.2 KB"), (1_234_500_000, "1,234.5 MB")]
)
def test_size_is_shown_in_a_unit_that_fits(size_bytes: int, text: str) -> None:
    assert format_size(size_bytes) == text


@pytest.mark.parametrize("words", ["search ferry", "keys create agent", "backup {}/library.backup", "users list"])
def test_a_misspelt_data_folder_does_not_become_an_empty_installation(tmp_path: Path, words: str) -> None:
    missing = tmp_path / "lectrn"

    run = lectern(*words.format(tmp_path).split(), "--data-dir", str(missing))

    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith(f"lectern: There is no installation in {missing}. ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("mode", "is_exposed"), [(0o600, False), (0o640, True)])
def test_a_passphrase_that_other_accounts_can_read_gets_a_warning(tmp_path: Path, mode: int, is_exposed: bool) -> None:
    secret = tmp_path / "passphrase"
    secret.write_text("too short\n")
    secret.chmod(mode)

    run = lectern("backup", str(tmp_path / "library.age"), "--passphrase-file", str(secret))

    assert "fewer than 12 characters" in run.stderr
    assert (f"Run `chmod 600 {secret}`." in " ".join(run.stderr.split())) is is_exposed


@pytest.mark.parametrize("command", ["restore", "import"])
def test_a_missing_file_is_named_before_an_installation_is_created(tmp_path: Path, command: str) -> None:
    run = lectern(command, str(tmp_path / "none"), "--data-dir", str(tmp_path / "new"))

    assert run.returncode == 2
    assert "does not" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_command_test_says_what_to_type() -> None:
    refused = lectern("test")

    assert refused.returncode == 2
    assert refused.stderr.endswith("/lectern test.\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("ingest", "https://example.org/a.pdf"), "A URL cannot be added. Download the file and name the copy."),
        (("ingest", "a.pdf"), "a.pdf does not exist. Name existing files or folders."),
        (("demo", "/nowhere"), "There are no sample documents in /nowhere. Name a folder with a manifest.json."),
        (("audit", "export", "--since", "yesterday"), "'yesterday' is not a time. Write 2026-11-30 or "),
        (("eval", "run", "/nowhere.jsonl"), "lectern: /nowhere.jsonl cannot be read: No such file or directory. Use "),
        (("eval", "compare", "/a", "/b"), "lectern: /a cannot be read: No such file or directory. Use a run.json"),
    ],
)
def test_wrong_value_is_rejected_in_one_line_with_the_next_step(
    arguments: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    run = lectern(*arguments, environment={"LECTERN_DATA_DIR": str(tmp_path / "unused")})

    assert (run.returncode, run.stdout) == (1, "")
    assert line in run.stderr
    assert run.stderr.count("\n") == 1
