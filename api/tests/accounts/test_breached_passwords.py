"""Stolen and common passwords, and simple variants of them, are refused wherever a password is chosen."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from tests.accounts.test_sign_in import AUTH
from tests.api import ADMIN_PASSWORD, Api, api_settings, open_api

from common_passwords import build
from lectern.accounts.breached_passwords.check import HASHES_FILE, LIST_FILE, BreachedPasswords
from lectern.accounts.errors import BreachedPassword
from lectern.errors import Misconfigured

REFUSED = [
    "administrator",
    "password1234",
    "Password1234!",
    "P@ssw0rd1234",
    "$unshine1234",
    "passwordpassword",
    "iloveyou!iloveyou!",
    "dragon-dragon",
    "trustno1trustno1",
    "l-e-t-m-e-i-n",
    "Qwertyuiop[]",
    "123456789012",
    "zyxwvutsrqpo",
    "aaaaaaaaaaaa",
    "abcdabcdabcd",
    "Lectern2026!!",
    "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff441234",
]
ACCEPTED = [
    ADMIN_PASSWORD,
    "a long enough password",
    "chosen-by-the-operator",
    "kT4wm-9xQpe-aBcDe-fGh2j",
    "summer-rain-in-oslo",
    "83619402756183",
    "\u043f\u0430\u0440\u043e\u043b\u044c-\u0434\u043b\u044f-\u0441\u043e\u0432\u044b",
    "\ud800 unpaired surrogate",
]


@pytest.mark.parametrize("password", REFUSED)
def test_common_passwords_and_their_variants_are_refused(password: str) -> None:
    with pytest.raises(BreachedPassword):
        BreachedPasswords(None).refuse(SecretStr(password), email="ada@example.org")


@pytest.mark.parametrize("password", ACCEPTED)
def test_other_passwords_are_accepted(password: str, tmp_path: Path) -> None:
    (tmp_path / HASHES_FILE).write_text("")
    BreachedPasswords(tmp_path).refuse(SecretStr(password), email="ada@example.org")


def test_the_list_is_small_and_built_the_same_way_each_time() -> None:
    assert LIST_FILE.stat().st_size <= 200_000
    assert build(["Monkey12", "monkey!", "a1"]) == build(["monkey!", "Monkey12"])


def test_a_sorted_file_of_hashes_in_the_data_folder_is_searched(tmp_path: Path) -> None:
    listed = [f"only in the large list {number}" for number in range(1_000)]
    hashes = sorted(hashlib.sha1(password.encode()).hexdigest().upper() for password in listed)
    (tmp_path / HASHES_FILE).write_text("".join(f"{one}:{len(one)}\r\n" for one in hashes))
    passwords = BreachedPasswords(tmp_path)
    for password in listed:
        with pytest.raises(BreachedPassword):
            passwords.refuse(SecretStr(password), email="ada@example.org")
    for number in range(1_000):
        passwords.refuse(SecretStr(f"in no list at all {number}"), email="ada@example.org")


async def test_the_address_of_an_account_is_no_password_for_it(api: Api) -> None:
    admin = await api.person("admin")
    for password in ("ada.long7@Example.org", "adalongexampleorg", "ada.long7!!2026", "ADA.LONG7ADA.LONG7"):
        body = {"email": "Ada.Long7@example.org", "password": password}
        response = await api.client.post("/api/v1/users", json=body, headers=admin.headers)
        assert (response.status_code, response.json()["code"]) == (422, "breached_password"), password
    body = {"email": "Ada.Long7@example.org", "password": "ada likes eleven tulips"}
    created = await api.client.post("/api/v1/users", json=body, headers=admin.headers)
    assert created.status_code == 201
    change = {"password": "ada.long7@example.org"}
    path = f"/api/v1/users/{created.json()['id']}"
    assert (await api.client.patch(path, json=change, headers=admin.headers)).status_code == 422


async def test_a_chosen_password_is_checked_wherever_it_is_set(api: Api) -> None:
    admin = await api.person("admin")
    hashed = await api.accounts.passwords.hash(SecretStr(ADMIN_PASSWORD))
    await api.sql("UPDATE users SET password_hash = :hash WHERE id = :id", hash=hashed, id=admin.id)
    change = {"current_password": ADMIN_PASSWORD, "new_password": "Password1234!"}
    for method, path, body in (
        ("POST", "/api/v1/users", {"email": "a@example.org", "password": "Password1234!"}),
        ("PATCH", f"/api/v1/users/{admin.id}", {"password": "Password1234!"}),
        ("POST", f"{AUTH}/password", change),
    ):
        response = await api.client.request(method, path, json=body, headers=admin.headers)
        assert (response.status_code, response.json()["code"]) == (422, "breached_password")
        assert "unrelated words" in response.json()["hint"]


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"admin_password": SecretStr("Password1234!")}, "ADMIN_PASSWORD"),
        ({"admin_email": "me"}, r"^ADMIN_EMAIL cannot be used: This is not an e-mail address\.$"),
    ],
)
async def test_the_first_administrator_needs_another_password_and_an_address(
    database: ThrowawayDatabase, tmp_path: Path, chosen: dict[str, Any], says: str
) -> None:
    settings = api_settings(database, tmp_path, accounts=chosen)
    with pytest.raises(Misconfigured, match=says):
        async with open_api(settings, is_new=True):
            pass
