"""Secrets from files: `NAME_FILE`, and the files that the first start in containers generates."""

import os
import stat
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.cli.running import READY, StartUp, lectern

from lectern.cli.admin.keys import rotate_signing
from lectern.cli.installation import Installation
from lectern.cli.services import create_secrets as generator
from lectern.cli.services.environment import Ports, mcp_environment, service_environment, worker_environment
from lectern.embedded.data_folder import DataFolder
from lectern.embedded.secrets import InstallationSecrets
from lectern.errors import Misconfigured
from lectern.settings import AccountsSettings, DatabaseSettings, Settings, load_settings, secret_files

KEY = "a-signing-key-of-more-than-32-characters"
AUDIENCES = ("owner", "service", "signing", "api", "mcp")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """The folder of generated secrets, with a volume for each audience, and an environment without secrets."""
    for audience in AUDIENCES:
        (tmp_path / audience).mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("JWT_SECRET_KEY", "BACKEND_API_KEY", "ADMIN_PASSWORD", "DATABASE_URL", "DATABASE_OWNER_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(secret_files, "GENERATED", tmp_path)
    load_settings.cache_clear()
    yield tmp_path
    load_settings.cache_clear()  # later tests of this process have other settings


def stored(folder: Path) -> dict[str, str]:
    return {f"{path.parent.name}/{path.name}": path.read_text() for path in sorted(folder.glob("*/*"))}


def test_a_secret_is_read_from_the_file_that_a_variable_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "key").write_text(f"{KEY}\n")
    monkeypatch.setenv("JWT_SECRET_KEY_FILE", str(folder / "key"))

    secret = AccountsSettings().jwt_secret_key

    assert secret
    assert secret.get_secret_value() == KEY


def test_a_variable_and_its_file_are_refused_together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JWT_SECRET_KEY_FILE", str(folder / "key"))
    monkeypatch.setenv("JWT_SECRET_KEY", KEY)

    with pytest.raises(Misconfigured, match="JWT_SECRET_KEY and JWT_SECRET_KEY_FILE are both set"):
        AccountsSettings()


def test_the_environment_wins_over_a_file_in_dotenv(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env").write_text("JWT_SECRET_KEY_FILE=/nonexistent\n")
    monkeypatch.setenv("JWT_SECRET_KEY", KEY)
    with pytest.raises(Misconfigured, match="/nonexistent cannot be read"):
        AccountsSettings()

    (folder / "key").write_text(KEY[::-1])
    (folder / ".env").write_text(f"JWT_SECRET_KEY_FILE={folder / 'key'}\n")

    secret = AccountsSettings().jwt_secret_key
    assert secret
    assert secret.get_secret_value() == KEY


def test_a_file_that_cannot_be_read_is_named_on_the_command_line(tmp_path: Path) -> None:
    done = lectern("serve", environment={"DATABASE_URL_FILE": str(tmp_path / "absent")})

    assert done.returncode == 1
    assert f"DATABASE_URL_FILE: the file {tmp_path / 'absent'} cannot be read." in done.stderr


def test_each_audience_gets_its_own_secrets_for_its_owner_only(folder: Path) -> None:
    generator.create_secrets(folder)

    files = stored(folder)
    assert set(files) == {
        "owner/database_owner_password", "owner/database_owner_url",
        "service/database_service_password", "service/database_url",
        "signing/jwt_secret_key", "api/admin_password", "mcp/backend_api_key",
    }  # fmt: skip
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.glob("*/*")} == {0o600}
    assert len(set(files.values())) == len(files)
    assert files["service/database_service_password"] in files["service/database_url"]


def test_a_later_start_changes_no_secret(folder: Path) -> None:
    generator.create_secrets(folder)
    before = stored(folder)

    generator.create_secrets(folder)

    assert stored(folder) == before


def test_the_generated_signing_key_is_rotated_and_the_old_one_dropped_later(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    generator.create_secrets(folder)
    old, path = stored(folder)["signing/jwt_secret_key"], folder / "signing" / "jwt_secret_key"
    monkeypatch.setattr(secret_files, "GENERATED", folder)

    rotate_signing()
    rotate_signing()

    newest, previous = path.read_text().split(",")
    assert old not in (newest, previous)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert newest not in capsys.readouterr().out
    generator.forget_replaced_key(folder, overlap=timedelta(days=30))
    assert path.read_text() == f"{newest},{previous}"
    os.utime(path, (0, 0))
    generator.forget_replaced_key(folder, overlap=timedelta(days=30))
    assert path.read_text() == newest


def test_values_of_the_environment_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generator.create_secrets(folder)
    monkeypatch.setenv("DATABASE_SERVICE_PASSWORD", "p@ss/word")
    monkeypatch.setenv("JWT_SECRET_KEY", KEY)
    generator.create_secrets(folder)
    monkeypatch.delenv("DATABASE_SERVICE_PASSWORD")
    monkeypatch.delenv("JWT_SECRET_KEY")

    generator.create_secrets(folder)

    assert stored(folder)["service/database_url"] == "postgresql://lectern_service:p%40ss%2Fword@db:5432/lectern"
    assert stored(folder)["signing/jwt_secret_key"] == KEY


def test_no_password_is_generated_beside_one_from_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADMIN_PASSWORD", "a password of your own")

    generator.create_secrets(folder)

    assert stored(folder)["api/admin_password"] == ""


def test_a_container_has_the_secrets_of_its_volumes_only(folder: Path) -> None:
    generator.create_secrets(folder)
    for path in (*folder.glob("owner/*"), *folder.glob("signing/*"), *folder.glob("api/*"), *folder.glob("mcp/*")):
        path.unlink()

    assert DatabaseSettings().url
    assert DatabaseSettings().owner_url is None
    assert AccountsSettings().jwt_secret_key is None
    assert AccountsSettings().backend_api_key is None


def test_the_first_password_is_shown_once_and_only_while_it_works(start_up: StartUp) -> None:
    up = start_up("with-password")
    up.wait_for(READY)
    email, password = up.first_sign_in
    data = ("--data-dir", str(up.data))

    shown = lectern("first-password", *data)
    again = lectern("first-password", *data)
    (up.data / "first-password.txt").write_text(f"{password}\n")
    changed = lectern("users", "set-password", email, *data, stdin="plain umbrella stand 1907\n")
    outdated = lectern("first-password", *data)

    assert (shown.returncode, shown.stdout) == (0, f"{password}\n")
    assert changed.returncode == 0, changed.stderr
    for refused, reason in (
        (again, "There is no first password to show."),
        (outdated, "The first password was changed and no longer works."),
    ):
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr == f"lectern: {reason} Set a new one: `lectern users set-password E-MAIL`.\n"
    assert not (up.data / "first-password.txt").exists()


def test_services_of_one_machine_get_values_and_not_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "key").write_text(KEY)
    for name in ("JWT_SECRET_KEY", "BACKEND_API_KEY"):
        monkeypatch.setenv(f"{name}_FILE", str(folder / "key"))
    installation = Installation(
        folder=DataFolder(folder), secrets=InstallationSecrets(), owner_url="owner", service_url="service"
    )
    settings, ports = Settings(), Ports(api=1, mcp=2)
    api = service_environment(settings, installation, ports=ports)
    mcp = mcp_environment(settings, installation, ports=ports)

    assert (api["JWT_SECRET_KEY"], api["BACKEND_API_KEY"], mcp["BACKEND_API_KEY"]) == (KEY, KEY, KEY)
    for environment in (api, worker_environment(api), mcp):
        assert not {"JWT_SECRET_KEY_FILE", "BACKEND_API_KEY_FILE"} & set(environment)
