"""Names lose characters that nobody can see, and keep those that their script needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.api import Api

from lectern.names import clean_name, strip_invisible

INVISIBLE = "in\u200bv\u2060oi\u202ece\ufeff \u00ad\u061c\u200f\U000e0041"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (INVISIBLE, "invoice"),
        ("a\x00b\x1bc", "abc"),
        ("\u3164\u115f", ""),
        ("x\u200cy\u200d", "xy"),
        ("e\u034f\u0301", "\u00e9"),
        ("line\n\tbreak", "line break"),
    ],
    ids=["format", "control", "fillers", "joiners", "composed", "spaces"],
)
def test_invisible_characters_are_removed(name: str, expected: str) -> None:
    assert clean_name(name) == expected


@pytest.mark.parametrize(
    "name",
    [
        "\u0646\u0627\u0645\u0647\u200c\u0647\u0627",  # Persian: "letters"
        "\u0915\u094d\u200d\u0937",  # Devanagari: a half form
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala: "Sri"
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # family
        "\u2764\ufe0f\u200d\U0001f525",
        "\u0600\u0661",  # an Arabic number sign
        "\u65e5\u672c\u8a9e e-mail",
    ],
)
def test_scripts_keep_what_they_need(name: str) -> None:
    assert clean_name(name) == name


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean_name(clean_name(text)) == clean_name(text)
    assert strip_invisible(strip_invisible(text)) == strip_invisible(text)


async def test_names_of_the_api_are_cleaned(api: Api) -> None:
    admin = await api.person("admin")
    document = await api.upload(admin.headers, filename=f"{INVISIBLE}.txt", tags=[f"{INVISIBLE}-t"])
    path = f"/api/v1/documents/{document['document']['id']}"
    assert document["document"]["filename"] == "invoice .txt"
    assert document["document"]["tags"] == ["invoice -t"]
    changed = await api.client.patch(path, json={"title": INVISIBLE, "filename": INVISIBLE}, headers=admin.headers)
    assert (changed.json()["title"], changed.json()["filename"]) == ("invoice", "invoice")
    user = {"email": "a@example.org", "password": "correct horse battery staple", "name": INVISIBLE}
    for where, body in (("collections", {"name": INVISIBLE}), ("tags", {"name": INVISIBLE}), ("users", user)):
        made = await api.client.post(f"/api/v1/{where}", json=body, headers=admin.headers)
        assert (made.status_code, made.json()["name"]) == (201, "invoice")
    key = await api.client.post("/api/v1/keys", json={"name": INVISIBLE}, headers=admin.headers)
    assert key.json()["api_key"]["name"] == "invoice"
    again = await api.client.post("/api/v1/collections", json={"name": "invoice"}, headers=admin.headers)
    assert again.status_code == 409
    empty = await api.client.post("/api/v1/collections", json={"name": "\u200b"}, headers=admin.headers)
    email = await api.client.post("/api/v1/users", json={**user, "email": "a\u200b@example.org"}, headers=admin.headers)
    assert (empty.status_code, email.status_code) == (422, 422)
