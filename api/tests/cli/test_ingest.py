"""`lectern ingest`: which files of a folder it adds, and what it prints."""

import json
from pathlib import Path

import pytest
from tests.cli.running import Up, lectern


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    path = tmp_path / "handbook.md"
    path.write_text("# Handbook\n\nThe notice period is 30 days.\n")
    return path


def test_a_file_that_cannot_be_read_does_not_stop_the_others(installation: Up, handbook: Path) -> None:
    run = lectern("ingest", "/proc/self/mem", str(handbook), "--data-dir", str(installation.data))

    assert run.returncode == 1
    assert run.stdout.startswith("mem: refused: /proc/self/mem cannot be read: ")
    assert "handbook.md" in run.stdout


def test_files_of_a_folder_that_are_left_out_are_counted_by_ending(installation: Up, handbook: Path) -> None:
    for name in ("old.doc", "older.DOC", "prices.xls", "Makefile", ".hidden.doc"):
        (handbook.parent / name).write_bytes(b"x")

    run = lectern("ingest", str(handbook.parent), "--data-dir", str(installation.data))

    assert run.returncode == 0, run.stderr
    said = "Left out, because their file type is not supported: 4. .doc (2), "
    assert said in " ".join(run.stderr.split())


def test_empty_files_are_refused_by_name(installation: Up, tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_bytes(b"")

    run = lectern("ingest", str(tmp_path), "--data-dir", str(installation.data))

    assert run.returncode == 1
    for name in ("one.txt", "two.txt"):
        assert f"{name}: refused: The file is empty. Choose a file with content." in run.stdout + run.stderr


def test_secrets_and_logs_are_left_out_of_a_folder_around_the_data_folder(installation: Up, handbook: Path) -> None:
    data = handbook.parent / "data"
    data.mkdir()
    for name in ("lock", "secrets.json", "first-password.txt"):
        (data / name).write_text("secret")

    ingested = lectern("ingest", str(handbook.parent), "--json", "--data-dir", str(installation.data))

    assert ingested.returncode == 0, ingested.stderr
    assert [each["filename"] for each in json.loads(ingested.stdout)] == ["handbook.md"]


@pytest.mark.parametrize("words", [("ingest", ""), ("folders", "watch", "Library", "")])
def test_empty_path_is_refused_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    run = lectern(*words, "--data-dir", str(tmp_path))

    assert run.returncode == 1
    assert run.stderr.startswith("lectern: The path is empty. ")
    assert run.stderr.count("\n") == 1


def test_a_name_is_printed_on_a_terminal_without_its_letters(data_home: Path, tmp_path: Path) -> None:
    (tmp_path / "Größe.txt").write_text("A note.")

    ingested = lectern(
        *("ingest", str(tmp_path), "--data-dir", str(data_home / "alone")), environment={"PYTHONIOENCODING": "ascii"}
    )

    assert ingested.returncode == 0, ingested.stderr
    assert ingested.stdout.startswith(r"Gr\xf6\xdfe.txt: ")


def test_a_collection_is_created_listed_and_filled(installation: Up, handbook: Path) -> None:
    data = ("--data-dir", str(installation.data))

    made = lectern("collections", "create", "People", "--members-only", *data)
    again = lectern("collections", "create", "People", *data)
    filled = lectern("ingest", str(handbook), "--collection", "People", *data)
    listed = json.loads(lectern("collections", "list", "--json", *data).stdout)

    assert made.stdout == 'Created People. Add documents: `lectern ingest FOLDER --collection "People"`.\n'
    assert (again.returncode, again.stderr) == (1, "lectern: Another collection has this name. Choose another name.\n")
    assert filled.returncode == 0, filled.stderr
    assert [(one["is_open"], one["document_count"]) for one in listed if one["name"] == "People"] == [(False, 1)]


def test_rejected_file_prints_its_reason_and_sets_the_exit_code(installation: Up, tmp_path: Path) -> None:
    (tmp_path / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (tmp_path / "half.pdf").write_bytes(b"%PDF-1.7\nbroken")
    files = (str(tmp_path / "old.doc"), str(tmp_path / "half.pdf"))

    run = lectern("ingest", *files, "--wait", "--data-dir", str(installation.data))

    refused, failed = run.stdout.splitlines()
    assert (run.returncode, run.stderr) == (1, "")
    assert refused.startswith("old.doc: refused: ")
    assert failed.startswith("half.pdf: failed: ")
    assert failed.endswith("save it again, and upload the new copy.")
