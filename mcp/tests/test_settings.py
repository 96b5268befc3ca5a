"""Secrets of the service come from variables, from files that variables name, or from the volume of containers."""

from pathlib import Path

import pytest

from lectern_mcp import settings

KEY = "a-service-key-of-more-than-32-characters"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, which is the volume too, and no variables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "GENERATED", tmp_path)
    for name in settings.SECRETS:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)
    return tmp_path


def service_key() -> str | None:
    key = settings.load_settings().backend_api_key
    return key.get_secret_value() if key else None


def test_a_key_is_read_from_the_file_that_a_variable_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "key").write_text(f"{KEY}\n")
    monkeypatch.setenv("BACKEND_API_KEY_FILE", str(folder / "key"))

    assert service_key() == KEY


def test_a_generated_key_is_used_until_a_variable_has_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert service_key() is None
    (folder / "backend_api_key").write_text(KEY)
    assert service_key() == KEY
    monkeypatch.setenv("BACKEND_API_KEY", KEY[::-1])
    assert service_key() == KEY[::-1]


def test_a_variable_and_its_file_are_refused_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKEND_API_KEY", KEY)
    monkeypatch.setenv("BACKEND_API_KEY_FILE", "/nonexistent")

    with pytest.raises(SystemExit, match="BACKEND_API_KEY and BACKEND_API_KEY_FILE are both set"):
        service_key()


def test_a_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKEND_API_KEY_FILE", "/nonexistent")

    with pytest.raises(SystemExit, match="the file /nonexistent of BACKEND_API_KEY cannot be read"):
        service_key()
