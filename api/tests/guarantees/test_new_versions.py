"""A document that gets another content is searched and read as it was until the new one is complete; then it is new."""

import asyncio
import functools
import json
from random import Random
from typing import Any

import pytest
from tests.ingestion.model_server import ModelServer

from lectern.chunking.types import ChunkingOptions

from .desk import DOCUMENTS, Desk

LETTERS = "abcdefgilmnoprstuvz"
PLACES = """SELECT string_agg(chunk_id::text || xmin::text, ',' ORDER BY chunk_id) FROM chunk_embeddings_1
WHERE chunk_id = ANY(:ids)"""


def part(number: int, *, marker: str = "plain") -> str:
    """A section of about a chunk, unlike the others; every section speaks of money."""
    random = Random(number)
    words = ["".join(random.choices(LETTERS, k=6)) for _ in range(ChunkingOptions().target_tokens // 4)]
    return f"# Part {words[0]}\n\nmoney {marker} " + f" {marker} ".join(
        " ".join(words[at : at + 20]) for at in range(0, len(words), 20)
    )


def book(*, marker: str, changed: range, parts: int = 12) -> bytes:
    return "\n\n".join(part(n, marker=marker if n in changed else "plain") for n in range(parts)).encode()


OLD = book(marker="granite", changed=range(4, 6))
NEW = book(marker="marble", changed=range(4, 6))


def seen(answer: object) -> set[str]:
    """Which of the two contents an answer is of."""
    text = json.dumps(answer)
    return {marker for marker in ("granite", "marble") if marker in text}


async def watch(desk: Desk, document_id: str, until: asyncio.Event) -> list[set[str]]:
    """Repeat searches with neighbours, text requests and text searches."""
    found: list[set[str]] = []
    while not until.is_set():
        hits = await desk.search("money", documents=[document_id], top_k=20, context=1)
        assert len(hits) >= 12
        content = await desk.get(f"/{document_id}/content", max_characters=1_000_000)
        places = await desk.get(f"/{document_id}/find", q="granite", limit=200)
        found += [seen(hits), seen(content["text"]), {"granite"} if places["total"] else {"marble"}]
    return found


async def test_a_search_during_the_switch_sees_one_of_the_two_versions(desk: Desk) -> None:
    document_id = await desk.add(OLD, filename="book.md", tags=["law"])
    async with desk.library.worker():
        before = await desk.settled(document_id)
        ids = {chunk["id"] for chunk in (await desk.get(f"/{document_id}/chunks", limit=200))["items"]}
        done = asyncio.Event()
        watching = asyncio.create_task(watch(desk, document_id, done))
        accepted = await desk.put(document_id, NEW)
        assert (accepted["version"]["number"], accepted["version"]["state"]) == (2, "processing")
        assert accepted["document"]["newer_version"]["number"] == 2
        after = await desk.settled(document_id)
        await asyncio.sleep(0)
        done.set()
        found = await watching
    assert all(len(versions) == 1 for versions in found), "no answer mixes them, and none is empty"
    order = [version for versions in found for version in versions]
    assert order == sorted(order), "granite, then marble, and never back"
    kept = {chunk["id"] for chunk in (await desk.get(f"/{document_id}/chunks", limit=200))["items"]} & ids
    progress = after["progress"]
    assert (progress["chunks_unchanged"], progress["chunks_added"], progress["chunks_removed"]) == (
        len(kept),
        after["chunk_count"] - len(kept),
        len(ids) - len(kept),
    )
    assert len(kept) >= len(ids) - 4
    assert after["version"] == 2
    assert after["newer_version"] is None
    same = ("id", "filename", "tags", "collection", "title", "created_at")
    assert [after[name] for name in same] == [before[name] for name in same]
    assert after["sha256"] != before["sha256"]
    assert await desk.library.violations() == []


async def test_unchanged_chunks_keep_the_rows_of_their_embeddings(desk: Desk) -> None:
    document_id = await desk.add(OLD, filename="book.md")
    async with desk.library.worker():
        await desk.settled(document_id)
        ids = [chunk["id"] for chunk in (await desk.get(f"/{document_id}/chunks", limit=200))["items"]]
        await desk.put(document_id, NEW)
        await desk.settled(document_id)
        new = {chunk["id"] for chunk in (await desk.get(f"/{document_id}/chunks", limit=200))["items"]}
        kept = [chunk_id for chunk_id in ids if chunk_id in new]
        first = await desk.library.value(PLACES, ids=kept)
        assert first
        # back to the first content, whose vectors are in the cache: nothing is embedded at all
        texts = "SELECT count(*) FROM embedding_cache"
        count = await desk.library.value(texts)
        response = await desk.send("POST", f"/{document_id}/versions/1/restore")
        assert response.json()["version"]["restored_from"] == 1
        after = await desk.settled(document_id)
    assert await desk.library.value(PLACES, ids=kept) == first, "not one of them was written again"
    assert await desk.library.value(texts) == count
    assert {chunk["id"] for chunk in (await desk.get(f"/{document_id}/chunks", limit=200))["items"]} == set(ids)
    assert (after["version"], after["progress"]["chunks_unchanged"]) == (3, len(kept))
    listed = (await desk.get(f"/{document_id}/versions"))["items"]
    assert [(version["number"], version["state"]) for version in listed] == [
        (3, "current"),
        (2, "replaced"),
        (1, "replaced"),
    ]
    for number, content in ((1, OLD), (2, NEW), (3, OLD)):
        response = await desk.send("GET", f"/{document_id}/versions/{number}/original")
        assert response.content == content
    assert (await desk.send("GET", f"/{document_id}/versions/4/original")).json()["code"] == "version_not_found"
    assert await desk.library.violations() == []


async def test_a_version_that_cannot_be_read_leaves_the_document_as_it_was(desk: Desk) -> None:
    document_id = await desk.add(OLD, filename="book.md")
    async with desk.library.worker():
        before = await desk.settled(document_id)
        pages = await desk.get(f"/{document_id}/pages")
        for number, (content, code) in enumerate(((b"%PDF-1.7\nbroken", "corrupt"), (b" \n ", "empty")), start=2):
            await desk.put(document_id, content, filename="new.pdf" if code == "corrupt" else "new.txt")
            after = await desk.settled(document_id)
            assert (after["status"], after["error"], after["version"]) == ("ready", None, 1)
            assert (after["newer_version"]["number"], after["newer_version"]["state"]) == (number, "failed")
            assert after["newer_version"]["error"]["code"] == after["progress"]["error"]["code"] == code
            assert await desk.get(f"/{document_id}/pages") == pages
            assert [after[name] for name in ("sha256", "content_type", "ready_at")] == [
                before[name] for name in ("sha256", "content_type", "ready_at")
            ]
        assert seen(await desk.search("money", documents=[document_id], top_k=20)) == {"granite"}
        await desk.put(document_id, NEW)
        assert (await desk.settled(document_id))["version"] == 4
    assert await desk.library.violations() == []


async def test_a_document_that_was_never_read_gets_a_version_that_can_be(desk: Desk) -> None:
    document_id = await desk.add(b"%PDF-1.7\nbroken", filename="paper.pdf")
    async with desk.library.worker():
        assert (await desk.settled(document_id))["status"] == "failed"
        await desk.put(document_id, b"Words at last.", filename="paper.txt")
        after = await desk.settled(document_id)
    assert (after["status"], after["version"], after["filename"]) == ("ready", 2, "paper.txt")
    assert [version["state"] for version in (await desk.get(f"/{document_id}/versions"))["items"]] == [
        "current",
        "replaced",
    ]
    assert await desk.library.violations() == []


async def test_a_cancelled_version_leaves_the_document_as_it_was_and_can_be_tried_again(
    held_desk: Desk, model: ModelServer
) -> None:
    desk = held_desk
    document_id = await desk.add(OLD, filename="book.md")
    model.may_answer.set()
    async with desk.library.worker():
        await desk.settled(document_id)
        await hold(model)
        job_id = (await desk.put(document_id, NEW))["job_id"]
        await asyncio.wait_for(model.is_requested.wait(), 30)
        headers = desk.person.headers
        cancelled = await desk.api.client.post(f"/api/v1/jobs/{job_id}/cancel", headers=headers)
        assert cancelled.json()["state"] == "cancelled"
        after = await desk.get(f"/{document_id}")
        assert (after["status"], after["version"], after["newer_version"]["state"]) == ("ready", 1, "cancelled")
        assert (await desk.get(f"/{document_id}/find", q="granite"))["total"] > 0
        model.may_answer.set()
        retried = await desk.api.client.post(f"/api/v1/jobs/{job_id}/retry", headers=headers)
        assert retried.status_code == 202, retried.text
        assert (await desk.settled(document_id))["version"] == 2
    assert await desk.library.violations() == []


async def hold(model: ModelServer) -> None:
    model.may_answer.clear()
    model.is_requested.clear()


async def test_a_version_that_comes_before_the_one_before_it_is_complete_replaces_it(
    held_desk: Desk, model: ModelServer
) -> None:
    desk = held_desk
    document_id = await desk.add(OLD, filename="book.md")
    async with desk.library.worker():
        await asyncio.wait_for(model.is_requested.wait(), 30)  # the first one is found by keyword, and not complete
        second = await desk.put(document_id, b"Something else entirely.")
        third = await desk.put(document_id, NEW)
        assert (await desk.put(document_id, NEW))["is_unchanged"] is True
        model.may_answer.set()
        after = await desk.settled(document_id)
    assert (after["version"], after["status"], after["progress"]["job_id"]) == (3, "ready", third["job_id"])
    states = {version["number"]: version for version in (await desk.get(f"/{document_id}/versions"))["items"]}
    assert {number: version["state"] for number, version in states.items()} == {
        3: "current",
        2: "cancelled",
        1: "replaced",
    }
    assert "newer version" in states[2]["error"]["message"]
    again = await desk.api.client.post(f"/api/v1/jobs/{second['job_id']}/retry", headers=desk.person.headers)
    assert again.json()["code"] == "job_not_retryable"
    assert await desk.library.violations() == []


async def test_kills_of_the_worker_leave_the_old_version_or_the_new_one(desk: Desk) -> None:
    long, longer = (book(marker=marker, changed=range(0, 60, 2), parts=60) for marker in ("granite", "marble"))
    document_id = await desk.add(long, filename="book.md")
    async with desk.library.worker():
        await desk.settled(document_id)
    await desk.put(document_id, longer)
    stages: tuple[str, ...] = ("chunk", "embed")
    for stage in stages:
        process = await desk.library.start_worker_process()

        async def is_there(stage: str = stage) -> bool:
            progress = (await desk.get(f"/{document_id}"))["progress"]
            return progress["stage"] == stage or progress["state"] == "succeeded"

        await desk.library.until(is_there)
        process.kill()
        await process.wait()
        content = await desk.get(f"/{document_id}/content", max_characters=1_000_000)
        document = await desk.get(f"/{document_id}")
        assert seen(content["text"]) == ({"marble"} if document["version"] == 2 else {"granite"})
    async with desk.library.worker():
        after = await desk.settled(document_id)
    assert (after["status"], after["version"]) == ("ready", 2)
    assert seen((await desk.get(f"/{document_id}/content", max_characters=1_000_000))["text"]) == {"marble"}
    assert await desk.library.value("SELECT count(*) FROM staged_embeddings") == 0
    assert await desk.library.violations() == []


@pytest.mark.parametrize("is_form", [True, False])
async def test_an_upload_of_the_same_name_is_another_document_unless_it_is_asked_to_be_the_next_version(
    desk: Desk, *, is_form: bool
) -> None:
    first = await desk.add(b"One.", filename="Fees.txt", tags=["old"])

    async def upload(content: bytes, **fields: Any) -> dict[str, Any]:
        if is_form:
            files = [("files", ("fees.txt", content, "text/plain"))]
            response = await desk.send("POST", "", files=files, data=fields)
        else:
            response = await desk.send("POST", "", content=content, params={"filename": "fees.txt", **fields})
        return response.json()

    item = (await upload(b"Two.", on_same_name="new_version", tags="new"))["items"][0]
    assert (item["document"]["id"], item["is_new_version"], item["is_duplicate"]) == (first, True, False)
    assert (item["document"]["newer_version"]["number"], item["document"]["tags"]) == (2, ["new", "old"])
    assert (await upload(b"Two.", on_same_name="new_version"))["items"][0]["is_duplicate"] is True
    other = (await upload(b"Three."))["items"][0]
    assert other["document"]["id"] != first
    unclear = await upload(b"Four.", on_same_name="new_version")
    assert (unclear["code"], "/api/" in unclear["hint"]) == ("name_not_unique", False)
    assert (await upload(b"Four.", on_same_name="overwrite"))["status"] == 422
    assert len([key async for key in desk.api.app.state.originals.list()]) == 3, "nothing of what was refused stays"


async def test_the_language_given_with_the_next_version_is_the_documents_when_it_takes_over(desk: Desk) -> None:
    document_id = await desk.add(b"The fee of the card is twelve euro a year.", filename="fees.txt")
    async with desk.library.worker():
        assert (await desk.settled(document_id))["language"] == "en"
    parameters = {"filename": "fees.txt", "on_same_name": "new_version", "language": "it"}
    response = await desk.send("POST", "", content=b"12 EUR, 13 EUR.", params=parameters)
    assert response.json()["items"][0]["is_new_version"] is True
    assert (await desk.get(f"/{document_id}"))["language"] == "en", "until it is complete, the old one is read"
    async with desk.library.worker():
        after = await desk.settled(document_id)
        assert (after["version"], after["language"]) == (2, "it")
        chunks = (await desk.get(f"/{document_id}/chunks"))["items"]
        assert {chunk["language"] for chunk in chunks} == {"it"}
        await desk.put(document_id, b"14 EUR, 15 EUR.")
        assert (await desk.settled(document_id))["language"] == "it", "it stands, as what was given at the first upload"


async def test_a_version_on_its_way_is_read_in_the_language_that_comes_after_it(desk: Desk) -> None:
    document_id = await desk.add(b"The fee of the card is twelve euro a year.", filename="fees.txt")
    parameters = {"filename": "fees.txt", "on_same_name": "new_version"}
    send = functools.partial(desk.send, "POST", "", content=b"12 EUR, 13 EUR.")
    async with desk.library.worker():
        await desk.settled(document_id)
    await send(params=parameters)
    again = (await send(params=parameters | {"language": "it"})).json()["items"][0]
    assert (again["is_new_version"], again["is_duplicate"]) == (True, False)
    assert (await send(params=parameters | {"language": "it"})).json()["items"][0]["is_duplicate"] is True
    async with desk.library.worker():
        after = await desk.settled(document_id)
        assert (after["version"], after["language"]) == (3, "it")


async def test_the_same_file_given_again_in_another_language_is_read_again_in_it(desk: Desk) -> None:
    document_id = await desk.add(b"12 EUR, 13 EUR.", filename="fees.txt")
    async with desk.library.worker():
        before = await desk.settled(document_id)
        parameters = {"filename": "other.txt", "language": "it"}
        item = (await desk.send("POST", "", content=b"12 EUR, 13 EUR.", params=parameters)).json()["items"][0]
        assert (item["document"]["id"], item["is_language_changed"]) == (document_id, True)
        after = await desk.settled(document_id)
        assert (after["version"], after["language"], after["filename"]) == (before["version"], "it", "fees.txt")
        chunks = (await desk.get(f"/{document_id}/chunks"))["items"]
        assert {chunk["language"] for chunk in chunks} == {"it"}


async def test_what_may_not_be_replaced_is_refused_with_its_reason(desk: Desk) -> None:
    one, two = await desk.add(b"One.", filename="1.txt"), await desk.add(b"Two.", filename="2.txt")
    clash = await desk.send("PUT", f"/{one}/content", content=b"Two.")
    assert (clash.status_code, clash.json()["code"], clash.json()["document_id"]) == (
        409,
        "document_already_there",
        two,
    )
    same = await desk.put(one, b"One.")
    assert (same["is_unchanged"], same["version"]["number"]) == (True, 1)
    form = [("file", ("1.txt", b"x", "text/plain")), ("file", ("2.txt", b"y", "text/plain"))]
    assert (await desk.send("PUT", f"/{one}/content", files=form)).json()["code"] == "too_many_files"
    assert (await desk.send("PUT", f"/{one}/content", content=b"PK\x03\x04")).status_code >= 400
    await desk.send("DELETE", f"/{one}")
    assert (await desk.send("PUT", f"/{one}/content", content=b"new")).json()["code"] == "document_in_trash"
    reader = await desk.api.person("reader")
    refused = await desk.api.client.put(f"{DOCUMENTS}/{two}/content", content=b"new", headers=reader.headers)
    assert refused.status_code == 403
    assert (await desk.send("PUT", f"/{desk.person.id}/content", content=b"new")).json()["code"] == "document_not_found"
    hashes = {key async for key in desk.api.app.state.originals.list()}
    assert len(hashes) == 2, "nothing of what was refused stays"
