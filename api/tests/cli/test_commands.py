"""Commands with and without a running installation."""

import json
from pathlib import Path

import psycopg
import pytest
from tests.answers.chat_server import chat_server
from tests.answers.steps_server import PROFIT_2023, PROFIT_2024, ScriptedModel, plan, profit
from tests.cli.running import Up, clean_environment, lectern

from lectern.accounts.toolsets import OPERATIONS
from lectern.cli.installation import running_installation
from lectern.embedded.data_folder import DataFolder
from lectern.embedded.host import free_port
from lectern.embedded.secrets import load_or_create
from lectern.settings import SECTIONS, variables_of

HANDBOOK = (
    "# Handbook\n\n## Leave\n\nEverybody has 26 days of leave a year.\n\n## Notice\n\nThe notice period is 30 days.\n\n"
    "## Bonus\n\n| Part | Weight |\n|---|---|\n| Personal goals | 25 % |\n| Goals of the team | 40 % |\n"
)


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    path = tmp_path / "handbook.md"
    path.write_text(HANDBOOK)
    return path


def test_file_is_ingested_and_found_next_to_a_running_installation(installation: Up, handbook: Path) -> None:
    data = ("--data-dir", str(installation.data))

    ingested = lectern("ingest", str(handbook), "--tag", "people", "--wait", "--json", *data)
    again = lectern("ingest", str(handbook.parent), "--json", *data)
    found = lectern("search", "26 days of leave", "--tag", "people", "--json", *data)

    assert ingested.returncode == 0, ingested.stderr
    assert json.loads(ingested.stdout)[0]["document"]["status"] == "ready"
    assert json.loads(again.stdout)[0]["is_duplicate"] is True
    (hit, *_) = json.loads(found.stdout)["data"]
    assert hit["document"] == "handbook.md"
    assert "Leave" in hit["section_heading"]


def test_file_is_ingested_and_found_without_a_running_installation(data_home: Path, handbook: Path) -> None:
    data = ("--data-dir", str(data_home / "alone"))

    ingested = lectern("ingest", str(handbook), "--wait", *data)
    found = lectern("search", "notice period", *data)
    answered = lectern("ask", *["How", "long", "is", "the", "notice", "period?"], *data)

    assert ingested.returncode == 0, ingested.stderr
    assert ingested.stdout.startswith("handbook.md: ready, 1 page, ")
    assert "handbook.md, page 1, " in found.stdout
    assert answered.returncode == 0, answered.stderr
    assert "The notice period is 30 days. [1]" in answered.stdout
    assert "[1] handbook.md, page 1, " in answered.stdout
    copy = handbook.with_name("copy.md")
    copy.write_text(HANDBOOK)
    known = lectern("ingest", str(copy), *data).stdout
    assert known.startswith("copy.md (already in the library as handbook.md): ready, 1 page, ")
    row = lectern("ask", "What is the weight of personal goals?", *data)
    assert row.stdout.splitlines()[:2] == ["Part            Weight", "Personal goals  25 %    [1]"]


def test_closest_passages_are_printed_line_by_line(data_home: Path, tmp_path: Path) -> None:
    data = ("--data-dir", str(data_home / "alone"))
    (tmp_path / "branches.csv").write_text(
        "Branch,Town,Opened,Staff,Meeting rooms,Annual rent (EUR),Manager,Telephone,Parking\n"
        'B-07,Bergamo,2011,14,3,"48,000",Ada Riva,035 100 200,6\n'
        'B-08,Lecco,2014,9,2,"31,500",Ugo Neri,0341 200 300,4\n'
    )
    ingested = lectern("ingest", str(tmp_path), "--wait", *data)
    closest = lectern("ask", "Which branch has a lift for wheelchairs?", "--document", "branches.csv", *data)

    assert ingested.returncode == 0, ingested.stderr
    lines = closest.stdout.splitlines()
    place = lines.index("  branches.csv, page 1:")
    assert "    B-07 | Bergamo | 2011 | 14 | 3 | 48,000 | Ada Riva | 035 100 200 | 6" in lines[place:]


def test_answer_in_several_steps_prints_its_calculation(data_home: Path, tmp_path: Path) -> None:
    data = ("--data-dir", str(data_home / "alone"))
    for year, sentence in ((2023, PROFIT_2023), (2024, PROFIT_2024)):
        (tmp_path / f"report_{year}.md").write_text(f"# Report {year}\n\n{sentence}\n")
    ingested = lectern("ingest", str(tmp_path), "--wait", *data)
    plans = [plan("Net profit of Quercialta in 2023", "Net profit of Quercialta in 2024", expression="q2 - q1")]
    model = ScriptedModel(
        [*plans], {"q1": profit(2023), "q2": profit(2024)}, ["The net profit of Quercialta grew by 6.7 million euro."]
    )
    with chat_server(model) as server:
        settings = {"LECTERN_ANSWERS_BASE_URL": server.url, "LECTERN_ANSWERS_MODEL": "small"}
        question = "By how much did the net profit of Quercialta grow from 2023 to 2024?"
        answered = lectern("ask", question, "--steps", "always", *data, environment=settings)
    without = lectern("ask", question, "--steps", "always", *data)

    assert ingested.returncode == 0, ingested.stderr
    assert answered.returncode == 0, answered.stderr
    assert "The net profit of Quercialta grew by 6.7 million euro. [1][2]" in answered.stdout.replace(" [2]", "[2]")
    assert "difference(47.9 million EUR, 41.2 million EUR) = 6.7 million EUR" in answered.stdout
    assert "report_2024.md, page 1" in answered.stdout
    assert without.returncode == 0, without.stderr
    assert "Answered in one step: there is no chat endpoint." in without.stdout


def test_watched_folder_is_scanned_and_deletions_are_confirmed(data_home: Path, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf.md"
    shelf.write_text("# Shelf\n\nThe atlas is on the top shelf.\n")
    data = ("--data-dir", str(data_home / "alone"))
    roots = {"LECTERN_FOLDER_ROOTS": json.dumps([str(tmp_path.parent)])}
    folder = str(tmp_path)
    assert lectern("migrate", *data).returncode == 0  # if no test before made the installation

    assert (
        lectern("folders", "watch", "Library", folder, *data, environment=roots).stdout.strip().endswith(folder + ".")
    )
    assert lectern("folders", "ingest", "Library", *data, environment=roots).stdout.splitlines()[0] == "add    shelf.md"
    shelf.unlink()
    held = lectern("folders", "ingest", "Library", *data, environment=roots)
    listed = lectern("folders", "list", *data, environment=roots)
    confirmed = lectern("folders", "ingest", "Library", "--confirm-prune", *data, environment=roots)

    assert held.returncode == 1
    assert held.stdout.strip().endswith("Documents of missing files were kept: Every file is gone.")
    assert held.stderr.strip() == "Check the folder. If you deleted the files, scan again with --confirm-prune."
    assert listed.stdout.splitlines()[1].startswith("Library ")
    assert confirmed.returncode == 0, confirmed.stderr
    assert confirmed.stdout.splitlines()[0] == "prune  shelf.md"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that root cannot read")
@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["anything", "--tag", "no-such-tag"], "no-such-tag"),
        (["?"], "no word or number"),
        (["?", "!"], "no word or number"),
        (["\udcff"], "value: query: NUL characters and unpaired surrogates are not text. Run"),
    ],
)
def test_unanswerable_search_is_rejected_in_one_line(installation: Up, words: list[str], problem: str) -> None:
    run = lectern("search", *words, "--data-dir", str(installation.data))

    assert run.returncode == 1
    assert run.stderr.startswith("lectern: ")
    assert problem in run.stderr
    assert run.stderr.count("\n") == 1


def test_new_key_is_the_only_standard_output(installation: Up) -> None:
    run = lectern("keys", "create", "pasted", "--data-dir", str(installation.data))

    assert run.stdout.split() == [run.stdout.strip()]
    assert "stores only its hash" in run.stderr


def test_help_of_a_key_names_every_toolset() -> None:
    run = lectern("keys", "create", "--help")

    assert all(name in run.stdout for name in OPERATIONS)


def test_keys_are_created_listed_and_revoked(installation: Up) -> None:
    data = ("--data-dir", str(installation.data), "--json")

    made = json.loads(lectern("keys", "create", "crawler", "--write", "--days", "7", *data).stdout)
    listed = json.loads(lectern("keys", "list", *data).stdout)
    revoked = lectern("keys", "revoke", made["api_key"]["prefix"], *data)
    state = {key["prefix"]: key["revoked_at"] for key in json.loads(lectern("keys", "list", *data).stdout)}

    assert made["key"].startswith(made["api_key"]["prefix"])
    assert made["api_key"]["can_write"] is True
    assert made["api_key"]["prefix"] in {key["prefix"] for key in listed}
    assert made["key"] not in json.dumps(listed)
    assert revoked.returncode == 0
    assert state[made["api_key"]["prefix"]] is not None


def test_keys_are_rotated_and_limited(installation: Up) -> None:
    data = ("--data-dir", str(installation.data))

    made = json.loads(lectern("keys", "create", "agent", "--network", "10.0.0.0/8", "--json", *data).stdout)
    changed = lectern("keys", "change", "agent", "--toolset", "answers", *data)
    unchanged = lectern("keys", "change", "agent", *data)
    rotated = lectern("keys", "rotate", "agent", "--overlap-hours", "2", *data)
    table = lectern("keys", "list", *data).stdout
    ended = lectern("keys", "rotate", "agent", "--overlap-hours", "0", *data)
    wrong = lectern("keys", "create", "wrong", "--toolset", "magic", *data)
    policy = {"LECTERN_KEY_MAX_DAYS": "30"}
    endless = lectern("keys", "create", "endless", *data, environment=policy)
    doctor = json.loads(lectern("doctor", "--json", *data, environment=policy).stdout)

    assert made["api_key"]["toolsets"] == ["search"]
    assert changed.stdout.endswith("(agent): answers, from 10.0.0.0/8.\n")
    assert "Give --toolset or --network." in unchanged.stderr
    assert rotated.stdout.startswith("lk_")
    assert "old secret works until" in rotated.stderr
    assert "old secret no longer works" in ended.stderr
    (row,) = [line for line in table.splitlines() if " agent " in line]
    assert "10.0.0.0/8" in row
    assert f"{made['api_key']['prefix']} until" in row
    assert "Traceback" not in wrong.stderr
    assert (wrong.returncode, endless.returncode) == (1, 1)
    assert "`--days 30`" in endless.stderr
    assert any(finding["subject"] == "keys" and "agent" in finding["detail"] for finding in doctor)


def test_users_are_created_and_disabled(installation: Up) -> None:
    data = ("--data-dir", str(installation.data), "--json")
    running = running_installation(DataFolder(installation.data))
    assert running is not None

    made = lectern("users", "create", "ann@example.org", "--role", "editor", *data, stdin="a long enough password\n")
    short = lectern("users", "set-password", "ann@example.org", *data, stdin="short\n")
    common = lectern("users", "set-password", "ann@example.org", *data, stdin="Password1234!\n")
    with psycopg.connect(running.owner_url) as connection:
        connection.execute("""INSERT INTO tags (id, name, normalized_name, owner_id)
            SELECT gen_random_uuid(), 'hers', 'hers', id FROM users WHERE email = 'ann@example.org'""")
    given = [lectern("users", "transfer", "ann@example.org", "Admin@lectern.local", *data) for _ in range(2)]
    nobody = lectern("users", "transfer", "ann@example.org", "nobody@example.org", *data)
    lectern("users", "disable", "ann@example.org", *data)
    with psycopg.connect(running.owner_url) as connection:
        connection.execute("UPDATE users SET totp_confirmed_at = now() WHERE email = 'ann@example.org'")
    reset = lectern("users", "reset-second-factor", "ann@example.org", *data)
    switched = lectern("users", "local-passwords", "on", *data)
    off = lectern("users", "local-passwords", "off", *data)
    users = {user["email"]: user for user in json.loads(lectern("users", "list", *data).stdout)}

    assert [json.loads(one.stdout) for one in given] == [{"documents": 0, "tags": 1}, {"documents": 0, "tags": 0}]
    assert "lectern users list" in nobody.stderr
    assert json.loads(switched.stdout) == {"has_local_passwords": True}
    assert off.returncode != 0
    assert json.loads(made.stdout)["role"] == "editor"
    assert short.returncode == 1
    assert "at least 12" in short.stderr
    assert "short\n" not in short.stderr
    assert "stolen passwords" in common.stderr
    assert users["ann@example.org"]["is_active"] is False
    assert json.loads(reset.stdout)["has_second_factor"] is False
    assert users["ann@example.org"]["has_second_factor"] is False


def test_the_signing_key_is_rotated_in_the_data_folder_only(tmp_path: Path) -> None:
    data, secrets = ("--data-dir", str(tmp_path), "--json"), tmp_path / "secrets.json"

    missing = lectern("keys", "rotate-signing", *data)
    before, _ = load_or_create(secrets)
    rotated = lectern("keys", "rotate-signing", *data)
    after, _ = load_or_create(secrets)
    refused = lectern("keys", "rotate-signing", *data, environment={"JWT_SECRET_KEY": "n" * 40})

    assert missing.returncode == refused.returncode == 1
    assert "previous_key_expires_at" in rotated.stdout
    assert after.jwt_secret_key.split(",")[1:] == [before.jwt_secret_key]
    assert after.jwt_secret_key.split(",")[0] not in rotated.stdout
    assert "JWT_SECRET_KEY=NEW,OLD" in refused.stderr


@pytest.mark.parametrize(
    ("revision", "reason"),
    [
        ("29991231_0001", "which this version of Lectern does not know"),
        ("20261124_0075", "which is too old to migrate"),
    ],
)
def test_unknown_database_revision_is_rejected_in_one_line(migrated: Path, revision: str, reason: str) -> None:
    with_database(migrated, f"UPDATE alembic_version SET version_num = '{revision}'")

    migrate = lectern("migrate", "--data-dir", str(migrated))
    up = lectern("up", "--data-dir", str(migrated))
    doctor = lectern("doctor", "--data-dir", str(migrated))
    check = lectern("upgrade", "--check", "--data-dir", str(migrated))

    assert doctor.returncode == 1
    assert f"revision {revision}, {reason}" in doctor.stdout
    for run in (migrate, up, check):
        assert run.returncode == 1
        assert f"revision {revision}, {reason}" in run.stderr
        assert len([line for line in run.stderr.splitlines() if revision in line]) == 1
        assert "Traceback" not in run.stderr


def test_an_upgrade_is_checked_without_a_change_and_stopped_without_a_backup(data_home: Path, tmp_path: Path) -> None:
    data, backups = data_home / "upgraded", tmp_path / "backups"
    backups.mkdir()
    nothing = lectern("upgrade", "--check", "--data-dir", str(data))
    assert (nothing.returncode, data.exists()) == (0, False)
    assert "There is no database yet" in nothing.stdout
    assert lectern("migrate", "--data-dir", str(data)).returncode == 0

    for options in ((), ("--check",)):
        run = lectern("upgrade", *options, "--data-dir", str(data))
        assert run.returncode == 0
        assert "as this version needs it" in run.stdout
    stopped = lectern("upgrade", "--backups", str(backups), "--data-dir", str(data))
    assert stopped.returncode == 1
    assert f"`lectern backup {backups}` makes one" in " ".join(stopped.stdout.split())


def with_database(data: Path, statement: str) -> None:
    """Run a statement as the owner while a command keeps the database up."""
    from lectern.cli.installation import started
    from lectern.settings import EmbeddedSettings, Settings

    settings = Settings(embedded=EmbeddedSettings(data_dir=data))
    with started(settings, DataFolder(data)) as installation, psycopg.connect(installation.owner_url) as connection:
        connection.execute(statement)  # type: ignore[arg-type]


def test_unreachable_database_is_reported_in_one_line(data_home: Path) -> None:
    away = {"DATABASE_URL": "postgresql://nobody:secret-of-mine@127.0.0.1:9/lectern"}

    run = lectern("keys", "list", environment=away)

    assert run.returncode == 1
    assert run.stderr.startswith("lectern: The database cannot be reached: ")
    assert "secret-of-mine" not in run.stderr
    assert run.stderr.count("\n") == 1


def test_invalid_setting_is_named_without_its_value() -> None:
    run = lectern("doctor", environment={"LECTERN_PORT": "sixty"})

    assert run.returncode == 1
    assert run.stderr.startswith("lectern: Invalid setting: LECTERN_PORT: ")
    assert "sixty" not in run.stderr


def test_list_that_is_no_json_is_named_without_its_value() -> None:
    run = lectern("doctor", environment={"LECTERN_FETCH_ALLOWED": "10.0.0.5"})

    assert run.returncode == 1
    assert run.stderr.startswith("lectern: LECTERN_FETCH_ALLOWED is not valid JSON. ")
    assert "10.0.0.5" not in run.stderr


def test_documents_of_a_tag_are_exported_and_imported(installation: Up, tmp_path: Path) -> None:
    data = ("--data-dir", str(installation.data))
    note = tmp_path / "note.html"
    note.write_text("<h1>Harbour</h1><p>The lighthouse is lit at six.")
    ingested = lectern("ingest", str(tmp_path), "--tag", "ships", "--wait", "--json", *data)
    assert ingested.returncode == 0, ingested.stderr
    file = tmp_path / "ships.zip"

    nothing = lectern("export", str(file), *data)
    exported = lectern("export", str(file), "--tag", "ships", "--json", *data)
    text = lectern("export", str(tmp_path / "again.zip"), "--tag", "ships", *data)
    again = lectern("import", str(file), "--json", *data)
    moved = lectern("import", str(file), "--collection", "Sea", "--json", *data)

    assert nothing.returncode == 1
    assert "--tag, --collection or --name" in nothing.stderr
    assert json.loads(exported.stdout)["document_count"] == 1, exported.stderr
    assert "1 document, 1 vector, " in text.stdout
    assert (json.loads(again.stdout)["added_count"], json.loads(again.stdout)["known_count"]) == (0, 1), again.stderr
    assert json.loads(moved.stdout)["added_count"] == 1, moved.stderr
    assert json.loads(moved.stdout)["vector_count"] == json.loads(exported.stdout)["vector_count"] > 0


def test_doctor_passes_on_a_running_installation(installation: Up) -> None:
    run = lectern("doctor", "--json", "--data-dir", str(installation.data))

    findings = {finding["subject"]: finding for finding in json.loads(run.stdout)}
    assert run.returncode == 0
    assert "in use by a running Lectern" in findings["data folder"]["detail"]
    assert findings["database"]["verdict"] == "good"
    assert findings["database"]["detail"].startswith("at revision ")
    assert findings["api port"]["detail"] == f"{installation.port}, used by this installation"
    assert findings["mcp port"]["detail"] == f"{installation.mcp_port}, used by this installation"


def test_running_database_is_found_by_its_data_folder(installation: Up) -> None:
    running = running_installation(DataFolder(installation.data))

    assert running is not None
    with psycopg.connect(running.owner_url) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("lectern_owner",)


def test_settings_reference_names_every_variable() -> None:
    run = lectern("settings")

    for section in SECTIONS:
        for variable in variables_of(section):
            assert f"`{variable}`" in run.stdout


def test_openapi_description_needs_no_installation() -> None:
    run = lectern("openapi")

    description = json.loads(run.stdout)
    assert run.returncode == 0
    assert "/api/v1/search" in description["paths"]


def test_misspelt_command_is_rejected_and_help_is_available() -> None:
    assert lectern("serch").returncode == 2
    assert "Must be at most 65535" in " ".join(lectern("up", "--port", "99999").stderr.split())
    assert lectern("--help").returncode == 0
    assert clean_environment()["LECTERN_EMBEDDINGS"] == "hash:64"


def test_missing_requirement_of_serve_is_one_line() -> None:
    secrets = {"JWT_SECRET_KEY": "x" * 40, "BACKEND_API_KEY": "y" * 40, "LECTERN_PORT": str(free_port())}
    away = {"DATABASE_URL": "postgresql://nobody:secret-of-mine@127.0.0.1:9/lectern"}

    without_database = lectern("serve", environment=secrets)
    without_secrets = lectern("serve", environment={**away, "LECTERN_PORT": secrets["LECTERN_PORT"]})
    unreachable = lectern("serve", environment={**away, **secrets})

    expected = ("DATABASE_URL is not set.", "JWT_SECRET_KEY is not set.", "The database cannot be reached: ")
    for run, text in zip((without_database, without_secrets, unreachable), expected, strict=True):
        assert run.returncode == 1
        assert run.stderr.startswith(f"lectern: {text}")
        assert run.stderr.count("\n") == 1
        assert "secret-of-mine" not in run.stderr
