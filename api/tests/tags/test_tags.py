"""Tags: unique names, and changes only by callers with access to all their documents."""

import asyncio

import pytest
from tests.api import Api

from lectern.tags.schemas import clean_name, normalize_name

TAGS = "/api/v1/tags"


async def make(api: Api, headers: dict[str, str], name: str, **more: str) -> dict[str, object]:
    response = await api.client.post(TAGS, json={"name": name, **more}, headers=headers)
    assert response.status_code == 201, response.text
    return response.json()


@pytest.mark.parametrize(
    ("one", "other"),
    [("Due  Diligence ", "due diligence"), ("CAFÉ", "café"), ("Straße", "STRASSE"), ("e\u0301", "é")],
)
def test_names_that_mean_the_same_are_one_tag(one: str, other: str) -> None:
    assert normalize_name(one) == normalize_name(other)


def test_a_name_is_shown_as_it_was_given_but_for_its_spaces() -> None:
    assert clean_name("  Due \t Diligence\n") == "Due Diligence"


async def test_a_tag_is_made_changed_counted_and_deleted(api: Api) -> None:
    editor = await api.person()
    tag = await make(api, editor.headers, "Due  Diligence", color="teal", description="d")
    assert (tag["name"], tag["color"], tag["document_count"]) == ("Due Diligence", "teal", 0)
    again = await api.client.post(TAGS, json={"name": "DUE diligence"}, headers=editor.headers)
    assert (again.status_code, again.json()["code"]) == (409, "tag_name_taken")
    await api.upload(editor.headers, tags=["due diligence"])
    address = f"{TAGS}/{tag['id']}"
    changed = await api.client.patch(address, json={"name": "KYC", "color": "#00ff00"}, headers=editor.headers)
    assert (changed.json()["name"], changed.json()["color"], changed.json()["document_count"]) == ("KYC", "#00ff00", 1)
    assert (await api.client.delete(address, headers=editor.headers)).status_code == 204
    (document,) = (await api.client.get("/api/v1/documents", headers=editor.headers)).json()["items"]
    assert document["tags"] == []


@pytest.mark.parametrize("change", [{"name": " "}, {"name": "x" * 101}, {"color": "mauve"}, {"color": "#00FF0"}, {}])
async def test_what_is_no_tag_is_refused(api: Api, change: dict[str, str]) -> None:
    editor = await api.person()
    tag = await make(api, editor.headers, "x")
    assert (await api.client.patch(f"{TAGS}/{tag['id']}", json=change, headers=editor.headers)).status_code == 422


async def test_merged_tags_become_one_on_every_document(api: Api) -> None:
    editor = await api.person()
    await api.upload(editor.headers, b"1", tags=["kyc", "aml"])
    await api.upload(editor.headers, b"2", tags=["know your customer"])
    await api.upload(editor.headers, b"3", tags=["other"])
    tags = (await api.client.get(TAGS, headers=editor.headers)).json()["items"]
    (target,) = [tag for tag in tags if tag["name"] == "kyc"]
    body = {"tags": ["AML", "know your customer"]}
    merged = await api.client.post(f"{TAGS}/{target['id']}/merge", json=body, headers=editor.headers)
    assert merged.status_code == 200
    assert (merged.json()["merged_tags"], merged.json()["retagged_documents"]) == (2, 1)
    assert merged.json()["tag"]["document_count"] == 2
    left = (await api.client.get(TAGS, headers=editor.headers)).json()["items"]
    assert [tag["name"] for tag in left] == ["kyc", "other"]
    for tags in (["kyc"], ["nothing"]):
        refused = await api.client.post(f"{TAGS}/{target['id']}/merge", json={"tags": tags}, headers=editor.headers)
        assert refused.status_code == 422


async def test_tags_and_counts_are_those_of_visible_documents(api: Api) -> None:
    admin, editor = await api.person("admin"), await api.person()
    await api.collection(admin, "closed", is_open=False)
    await api.upload(editor.headers, b"1", tags=["shared"])
    await api.upload(admin.headers, b"2", tags=["shared", "hidden"], collection="closed")
    tags = (await api.client.get(TAGS, headers=editor.headers)).json()
    assert [(tag["name"], tag["document_count"]) for tag in tags["items"]] == [("shared", 1)]
    assert tags["total"] == 1


async def test_uploads_at_once_with_the_same_new_tags_make_each_tag_once(api: Api) -> None:
    editor = await api.person()
    names = [f"tag {number}" for number in range(10)]
    await asyncio.gather(
        *(
            api.upload(editor.headers, str(number).encode(), tags=names if number % 2 else names[::-1])
            for number in range(6)
        )
    )
    page = (await api.client.get(TAGS, headers=editor.headers)).json()
    assert [tag["document_count"] for tag in page["items"]] == [6] * 10


@pytest.mark.parametrize("sort", ["name", "-name", "document_count", "-document_count", "created_at", "-created_at"])
async def test_tags_are_listed_in_pages_in_any_order(api: Api, sort: str) -> None:
    editor = await api.person()
    for number, tags in enumerate((["a", "b"], ["b", "c"], ["c", "d"], ["b", "e"])):
        await api.upload(editor.headers, str(number).encode(), tags=tags)
    seen: list[dict[str, object]] = []
    cursor: str | None = None
    while cursor is not None or not seen:
        parameters = {"sort": sort, "limit": 2} | ({"cursor": cursor} if cursor else {})
        page = (await api.client.get(TAGS, params=parameters, headers=editor.headers)).json()
        seen += page["items"]
        cursor = page["next_cursor"]
    assert {tag["name"] for tag in seen} == set("abcde")
    assert len(seen) == 5
    values = [str(tag[sort.lstrip("-")]) for tag in seen]
    assert values == sorted(values, reverse=sort.startswith("-"))


async def test_a_cursor_of_another_order_is_refused(api: Api) -> None:
    editor = await api.person()
    await make(api, editor.headers, "a")
    await make(api, editor.headers, "b")
    page = (await api.client.get(TAGS, params={"limit": 1}, headers=editor.headers)).json()
    parameters = {"sort": "-name", "cursor": page["next_cursor"]}
    refused = await api.client.get(TAGS, params=parameters, headers=editor.headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "broken_cursor")


async def test_part_of_a_name_matches_literally(api: Api) -> None:
    editor = await api.person()
    for name in ("100%", "100 percent", "a_b", "aab"):
        await make(api, editor.headers, name)

    async def matching(text: str) -> list[str]:
        page = (await api.client.get(TAGS, params={"q": text}, headers=editor.headers)).json()
        assert page["total"] == len(page["items"])
        return [tag["name"] for tag in page["items"]]

    assert await matching("0%") == ["100%"]
    assert await matching("A_B") == ["a_b"]
    assert await matching("100") == ["100 percent", "100%"]
