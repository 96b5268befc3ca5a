"""First-run secrets."""

import json
import stat
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lectern.embedded.errors import DataFolderUnusable
from lectern.embedded.secrets import InstallationSecrets, load_or_create, save


def test_secrets_are_made_once_and_found_again(tmp_path: Path) -> None:
    made, is_new = load_or_create(tmp_path / "secrets.json")
    found, is_new_again = load_or_create(tmp_path / "secrets.json")

    assert (is_new, is_new_again) == (True, False)
    assert found == made


def test_every_secret_is_its_own_and_long_enough_to_sign_with() -> None:
    values = InstallationSecrets()
    keys = [values.jwt_secret_key, values.backend_api_key, values.owner_password, values.service_password]

    assert len(set(keys)) == len(keys)
    assert all(len(key) >= 32 for key in keys)


def test_only_the_owner_may_read_them(tmp_path: Path) -> None:
    load_or_create(tmp_path / "secrets.json")

    assert stat.S_IMODE((tmp_path / "secrets.json").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secrets.json"]


def test_the_admin_password_is_gone_once_it_was_shown(tmp_path: Path) -> None:
    made, _ = load_or_create(tmp_path / "secrets.json")
    save(tmp_path / "secrets.json", replace(made, admin_password=None))

    assert load_or_create(tmp_path / "secrets.json")[0].admin_password is None
    assert str(made.admin_password) not in (tmp_path / "secrets.json").read_text()


def test_a_secret_that_a_newer_version_adds_is_made_once(tmp_path: Path) -> None:
    kept = asdict(InstallationSecrets())
    del kept["backend_api_key"]
    (tmp_path / "secrets.json").write_text(json.dumps(kept))

    first, _ = load_or_create(tmp_path / "secrets.json")
    second, _ = load_or_create(tmp_path / "secrets.json")

    assert first == second
    assert first.jwt_secret_key == kept["jwt_secret_key"]


@pytest.mark.parametrize("content", ["", "[]", "{", '{"jwt_secret_key": 7}', '{"jwt_secret_key": null}'])
def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    (tmp_path / "secrets.json").write_text(content)

    with pytest.raises(DataFolderUnusable, match="is damaged"):
        load_or_create(tmp_path / "secrets.json")

    assert (tmp_path / "secrets.json").read_text() == content


def test_secrets_are_not_shown_where_objects_are_printed() -> None:
    values = InstallationSecrets()

    assert values.jwt_secret_key not in repr(values)
    assert str(values.admin_password) not in repr(values)


def test_a_rotated_signing_key_is_dropped_at_the_first_start_after_its_tokens_expired() -> None:
    rotated_at, overlap = datetime(2026, 1, 1, tzinfo=UTC), timedelta(days=30)
    before = InstallationSecrets()
    rotated = before.with_new_signing_key(rotated_at)
    new, old = rotated.jwt_secret_key.split(",")
    assert (old, len(new)) == (before.jwt_secret_key, len(old))

    early = rotated.after_start(rotated_at + timedelta(days=29), overlap=overlap)
    late = rotated.after_start(rotated_at + timedelta(days=30), overlap=overlap)
    twice = early.with_new_signing_key(rotated_at + timedelta(days=29))

    assert (early.jwt_secret_key, early.admin_password) == (rotated.jwt_secret_key, None)
    assert (late.jwt_secret_key, late.signing_key_rotated_at) == (new, None)
    assert twice.jwt_secret_key.endswith(f",{new},{old}")
    assert twice.after_start(rotated_at + timedelta(days=40), overlap=overlap).jwt_secret_key == twice.jwt_secret_key
