"""Find a document by id, filename, title, ticker or company. Ambiguous names are errors."""

import uuid
from typing import Any

import pytest
from tests.api import LIBRARY, Api

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.name_match import NamedDocument, match_documents_by_name, parse_aliases, split_name
from lectern.http.references import closest_name

from .shelves import add_document

AMAZON = NamedDocument(uuid.uuid4(), "AMZN_2019_10K.pdf", "Amazon.com, Inc. Annual report 2019")
AMAZON_LATER = NamedDocument(uuid.uuid4(), "AMZN_2020_10K.pdf", "Amazon.com, Inc. Annual report 2020")
ENI = NamedDocument(uuid.uuid4(), "bilancio.pdf", "Relazione finanziaria", ("ENI", "Eni S.p.A."))
SHELF = [AMAZON, AMAZON_LATER, ENI]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("amzn_2019_10k.PDF", [AMAZON]),
        ("AMZN_2019_10K", [AMAZON]),
        ("relazione finanziaria", [ENI]),
        ("eni", [ENI]),
        ("Eni SpA", [ENI]),
        ("AMZN", [AMAZON, AMAZON_LATER]),
        ("Amazon.com Inc", [AMAZON, AMAZON_LATER]),
        ("Amazon 2020", [AMAZON_LATER]),
        ("AMZ", []),
        ("...", []),
    ],
)
def test_name_matches_by_the_first_successful_method(name: str, expected: list[NamedDocument]) -> None:
    assert match_documents_by_name(name, SHELF) == expected


def test_aliases_come_from_the_file_metadata() -> None:
    assert parse_aliases({"Ticker": "ENI, E", "company": "Eni S.p.A.", "author": "Somebody"}) == (
        "ENI",
        "E",
        "Eni S.p.A.",
    )


def test_author_and_subject_are_names_too() -> None:
    handbook = NamedDocument(uuid.uuid4(), "handbook.md", "Handbook", ("Acme Home",))
    policies = [
        NamedDocument(uuid.uuid4(), f"policy-{number}.pdf", "Policy", (), ("Acme Home", f"AC-POL-0{number}"))
        for number in range(2)
    ]
    shelf = [handbook, *policies]
    assert match_documents_by_name("Acme", shelf) == shelf
    assert match_documents_by_name("acme home", shelf) == shelf
    assert match_documents_by_name("AC-POL-01", shelf) == [policies[1]]


def test_name_that_is_only_a_legal_form_keeps_it() -> None:
    assert split_name("The Co") == ("the", "co")


async def test_api_returns_the_document_or_the_candidates(api: Api) -> None:
    reader = await api.person("reader")
    async with api.database.session(SYSTEM_SCOPE) as session:
        ids = [await add_document(session, collection_id=LIBRARY) for _ in range(2)]
    for document_id, filename in zip(ids, ("ACME_2019.pdf", "ACME_2020.pdf"), strict=True):
        await api.sql("UPDATE documents SET filename = :f WHERE id = :i", f=filename, i=document_id)
    await api.sql("""UPDATE documents SET information = '{"ticker": "ZED"}' WHERE id = :i""", i=ids[1])

    async def named(name: str) -> tuple[int, dict[str, str]]:
        answer = await api.client.get("/api/v1/documents/named", params={"name": name}, headers=reader.headers)
        return answer.status_code, answer.json()

    for name in (str(ids[1]), str(ids[1])[:8], "acme_2020.pdf", "ACME 2020", "zed"):
        status, found = await named(name)
        assert (status, found["id"]) == (200, str(ids[1])), name
        search = {"query": "a", "documents": [name]}
        assert (await api.client.post("/api/v1/search", json=search, headers=reader.headers)).status_code == 200, name
    refused = await api.client.post(
        "/api/v1/answers", json={"question": "a", "documents": ["Acme"]}, headers=reader.headers
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "ambiguous_document")
    owner = (await api.person("admin")).headers
    vague = await api.client.post("/api/v1/keys", json={"name": "k", "documents": ["zed"]}, headers=owner)
    assert (vague.status_code, vague.json()["code"]) == (422, "unknown_document")
    status, ambiguous = await named("Acme")
    assert (status, ambiguous["code"]) == (422, "ambiguous_document")
    assert all(str(document_id) in ambiguous["hint"] for document_id in ids)
    status, unknown = await named("ACME_2021.pdf")
    assert (status, unknown["code"]) == (422, "unknown_document")
    assert "'ACME_2020.pdf'" in unknown["hint"]
    assert unknown["corrections"] == {}
    assert (await named("ACNE_2020.pdf"))[1]["corrections"] == {"ACNE_2020.pdf": "ACME_2020.pdf"}


@pytest.mark.parametrize("name", ["Größe", "ΟΔΟΣ", "οδός", "İstanbul", "ŉ", "ﬁle"])
async def test_a_name_in_any_script_is_found_as_it_is_written(api: Api, name: str) -> None:
    admin = await api.person("admin")
    await api.collection(admin, name)
    item = await api.upload(admin.headers, collection=name, filename=f"{name}.txt")

    async def found(path: str, **params: str) -> Any:
        answer = await api.client.get(f"/api/v1/{path}", params=params, headers=admin.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    assert (await found("documents/named", name=f"{name}.txt"))["id"] == item["document"]["id"]
    assert (await found("documents/named", name=name))["id"] == item["document"]["id"]
    assert (await found("documents", collections=name))["total"] == 1
    assert (await found("documents", q=name))["total"] == 1
    search = {"query": "a", "documents": [f"{name}.txt"]}
    assert (await api.client.post("/api/v1/search", json=search, headers=admin.headers)).status_code == 200
    again = await api.upload(
        admin.headers, b"other", collection=name, filename=f"{name}.txt", on_same_name="new_version"
    )
    assert again["is_new_version"]


async def test_a_document_in_the_trash_has_no_name(api: Api) -> None:
    editor = await api.person()
    document = (await api.upload(editor.headers, filename="old.txt"))["document"]
    address = f"/api/v1/documents/{document['id']}"
    assert (await api.client.delete(address, headers=editor.headers)).status_code == 204
    for name in (document["id"], document["id"][:8], "old.txt"):
        answer = await api.client.get("/api/v1/documents/named", params={"name": name}, headers=editor.headers)
        assert answer.status_code in {404, 422}, name
    assert (await api.client.get(address, headers=editor.headers)).status_code == 200


async def test_a_handle_of_several_documents_is_refused_with_their_ids(api: Api) -> None:
    reader = await api.person("reader")
    twins = [f"0123abcd-0000-4000-8000-00000000000{number}" for number in range(2)]
    for twin in twins:
        async with api.database.session(SYSTEM_SCOPE) as session:
            await add_document(session, collection_id=LIBRARY, document_id=uuid.UUID(twin))
    answer = await api.client.get("/api/v1/documents/named", params={"name": "0123abcd"}, headers=reader.headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "ambiguous_document")
    assert all(twin in answer.json()["hint"] for twin in twins)
    search = {"query": "a", "documents": ["0123abcd"]}
    refused = await api.client.post("/api/v1/search", json=search, headers=reader.headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "ambiguous_document")


@pytest.mark.parametrize(
    ("name", "available", "closest"),
    [
        ("complience", ["compliance", "contracts"], "compliance"),
        ("handbook", ["employee-handbook.md", "policy.pdf"], "employee-handbook.md"),
        ("report-2024.pdf", ["report-2023.pdf"], None),
        ("report-2024", ["report-2023.pdf", "report-2024.pdf"], "report-2024.pdf"),
        ("contati", ["contatti", "contratti"], None),
        ("aml", ["amt"], None),
        ("zebra", ["policy"], None),
        ("nope.pdf", ["open-source.pdf", "policy.md"], None),
    ],
)
def test_only_one_close_name_with_the_same_numbers_is_meant(
    name: str, available: list[str], closest: str | None
) -> None:
    assert closest_name(name, available) == closest
