"""The first start creates the administrator, or reports the missing setting."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import ADMIN_EMAIL, api_settings, open_api

from lectern.errors import Misconfigured
from lectern.settings import secret_files

LONG = "mcp-key-of-the-tests-0123456789-0123456789"


@pytest.mark.parametrize(
    ("changes", "variable"),
    [
        ({"jwt_secret_key": None}, "JWT_SECRET_KEY"),
        ({"jwt_secret_key": "short"}, "JWT_SECRET_KEY"),
        ({"backend_api_key": None}, "BACKEND_API_KEY"),
        ({"backend_api_key": ""}, "BACKEND_API_KEY"),
        ({"mcp_api_key": "short"}, "MCP_API_KEY"),
        ({"admin_email": None}, "ADMIN_EMAIL"),
        ({"admin_email": "not an address"}, "ADMIN_EMAIL"),
        ({"admin_password": None}, "ADMIN_PASSWORD"),
        ({"admin_password": "short"}, "ADMIN_PASSWORD"),
    ],
)
async def test_a_missing_or_weak_secret_is_named_at_the_start(
    database: ThrowawayDatabase, tmp_path: Path, changes: dict[str, Any], variable: str
) -> None:
    with pytest.raises(Misconfigured, match=variable):
        async with open_api(api_settings(database, tmp_path, accounts=changes), is_new=True):
            pass


async def test_several_processes_that_start_at_once_make_one_administrator(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    settings = api_settings(database, tmp_path)

    async def start() -> list[Any]:
        async with open_api(settings, is_new=True) as api:
            return await api.sql("SELECT email, role FROM users")

    for rows in await asyncio.gather(*(start() for _ in range(4))):
        assert rows == [(ADMIN_EMAIL, "admin")]


def test_the_first_passwords_of_a_process_may_be_hashed_at_once() -> None:
    """Of two threads whose first use loads the implementation one fails now and then: it must be there before."""
    code = """if True:
        import lectern.accounts.passwords
        import passlib.hash

        passlib.hash.argon2._set_backend = None  # loading it now would fail
        passlib.hash.argon2.hash("correct horse")
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


async def test_the_key_of_the_environment_reads_everything_and_ends_with_the_setting(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    headers = {"Authorization": f"Bearer {LONG}"}
    with_key = api_settings(database, tmp_path, accounts={"mcp_api_key": LONG})
    for _ in range(2):
        async with open_api(with_key) as api:
            me = (await api.client.get("/api/v1/auth/me", headers=headers)).json()
            assert (me["name"], me["can_write"], me["toolsets"]) == ("mcp (from the environment)", False, ["search"])
            (row,) = await api.sql("SELECT key_hash, prefix FROM api_keys")
            assert LONG not in "".join(row)
            await api.sql("DELETE FROM users")
    async with open_api(api_settings(database, tmp_path)) as api:
        assert (await api.client.get("/api/v1/auth/me", headers=headers)).status_code == 401


async def test_the_log_names_the_administrator_and_the_way_to_a_generated_password(
    database: ThrowawayDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "admin_password").write_text(LONG)
    monkeypatch.setattr(secret_files, "GENERATED", tmp_path)
    caplog.set_level("INFO")
    settings = api_settings(database, tmp_path, accounts={"admin_password": LONG})

    async with open_api(settings, is_new=True):
        pass

    assert f"as {ADMIN_EMAIL}. Show the password once: docker compose exec api lectern first-password" in caplog.text
    assert LONG not in caplog.text
