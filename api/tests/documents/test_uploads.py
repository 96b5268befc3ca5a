"""Uploads: type detection, duplicates and the job of each file."""

import asyncio
import hashlib
import io
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from PIL import Image
from tests.api import Api, Person, api_settings, open_api

DOCUMENTS = "/api/v1/documents"
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"


async def form(api: Api, person: Person, files: list[tuple[str, bytes]], **fields: Any) -> tuple[int, dict[str, Any]]:
    parts = [("files", (name, content)) for name, content in files]
    response = await api.client.post(DOCUMENTS, files=parts, data=fields, headers=person.headers)
    return response.status_code, response.json()


async def stored(api: Api) -> set[str]:
    return {sha256 async for sha256 in api.app.state.originals.list()}


async def test_text_body_becomes_a_queued_document_with_a_job(api: Api) -> None:
    editor = await api.person()
    item = await api.upload(editor.headers, b"Fees are due.", filename="fees.txt", tags=["Policy", "fees"])
    document = item["document"]
    assert (document["filename"], document["content_type"], document["size_bytes"]) == ("fees.txt", "text/plain", 13)
    assert document["sha256"] == hashlib.sha256(b"Fees are due.").hexdigest()
    assert (document["status"], document["tags"]) == ("queued", ["fees", "Policy"])
    assert document["created_by"] == f"user:{editor.id}"
    assert document["progress"]["job_id"] == item["job_id"]
    assert (item["is_duplicate"], item["is_restored"]) == (False, False)
    assert await stored(api) == {document["sha256"]}


async def test_form_with_several_files_returns_a_result_per_file(api: Api) -> None:
    editor = await api.person()
    files = [("a.txt", b"alpha"), ("b.bin", b"\x7fELF\x01\x02"), ("c.md", b"# Gamma\n\ntext"), ("d.pdf", PDF)]
    status, body = await form(api, editor, files, tags=["x", "y"], language="en")
    assert status == 202
    first, second, third, fourth = body["items"]
    assert (first["document"]["tags"], first["document"]["language"]) == (["x", "y"], "en")
    assert second["document"] is None
    assert (second["problem"]["code"], second["problem"]["status"]) == ("unsupported_type", 415)
    assert "application/pdf" in second["problem"]["accepted"]  # like the problem of a single upload
    assert third["document"]["content_type"] == "text/markdown"
    assert fourth["document"]["content_type"] == "application/pdf"
    assert len(await stored(api)) == 3
    assert len(await api.sql("SELECT id FROM jobs WHERE state = 'queued'")) == 3


async def test_form_fields_apply_in_any_order(api: Api) -> None:
    editor = await api.person()
    body = (
        b'--B\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nalpha\r\n'
        b'--B\r\nContent-Disposition: form-data; name="tags"\r\n\r\nlate\r\n--B--\r\n'
    )
    headers = {**editor.headers, "Content-Type": "multipart/form-data; boundary=B"}
    response = await api.client.post(DOCUMENTS, content=body, params={"tags": "early"}, headers=headers)
    assert response.json()["items"][0]["document"]["tags"] == ["early", "late"]


async def test_one_file_is_interactive_and_several_are_bulk(api: Api) -> None:
    editor = await api.person()
    await form(api, editor, [("a.txt", b"1")])
    await form(api, editor, [("b.txt", b"2"), ("c.txt", b"3")])
    rows = await api.sql("SELECT d.filename, j.priority FROM jobs j JOIN documents d ON d.id = j.document_id")
    assert {row[0]: row[1] for row in rows} == {"a.txt": 10, "b.txt": 0, "c.txt": 0}


@pytest.mark.parametrize(
    "content", [b"\x7fELF\x01", b"PK\x03\x04zip", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"<!doctype svg><p>"]
)
async def test_unsupported_type_is_rejected_with_accepted_types_and_not_stored(shared_api: Api, content: bytes) -> None:
    editor = await shared_api.person()
    headers = {**editor.headers, "Content-Type": "application/pdf"}
    response = await shared_api.client.post(DOCUMENTS, content=content, params={"filename": "a.pdf"}, headers=headers)
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_type")
    assert "application/pdf" in response.json()["accepted"]
    status, body = await form(shared_api, editor, [("a.bin", content)])
    assert (status, body["code"]) == (415, "unsupported_type")
    assert await stored(shared_api) == set()
    assert await shared_api.sql("SELECT id FROM documents") == []


@pytest.mark.parametrize(("image_format", "declared"), [("BMP", "text/plain"), ("GIF", "image/png")])
async def test_a_picture_of_another_format_is_refused_with_its_conversion(
    shared_api: Api, image_format: str, declared: str
) -> None:
    editor = await shared_api.person()
    written = io.BytesIO()
    Image.new("RGB", (200, 100), (200, 200, 200)).save(written, image_format)
    response = await shared_api.client.post(
        DOCUMENTS,
        content=written.getvalue(),
        params={"filename": "notes.txt"},
        headers={**editor.headers, "Content-Type": declared},
    )
    problem = response.json()
    assert (response.status_code, problem["code"]) == (415, "unsupported_type")
    assert problem["hint"] == "Convert it to PNG."
    assert f"It is a picture ({image_format})." in problem["detail"]
    assert await stored(shared_api) == set()


@pytest.mark.parametrize(
    ("declared", "content", "stored_as"),
    [
        ("text/csv; charset=utf-8", b"a;b\n1;2\n", ("upload.csv", "text/csv")),
        ("text/markdown", b"# Title", ("upload.md", "text/markdown")),
        ("text/html", b"<p>a part of a page", ("upload.html", "text/html")),
        ("text/plain", b"<?xml version='1.0'?><feed/>", ("upload.txt", "text/plain")),
        ("application/octet-stream", b"words", ("upload.txt", "text/plain")),
        ("text/plain", b"%PDF-1.7 1 0 obj", ("upload.pdf", "application/pdf")),
    ],
)
async def test_content_type_of_an_unnamed_body_decides_the_text_type(
    api: Api, declared: str, content: bytes, stored_as: tuple[str, str]
) -> None:
    editor = await api.person()
    response = await api.client.post(DOCUMENTS, content=content, headers={**editor.headers, "Content-Type": declared})
    document = response.json()["items"][0]["document"]
    assert (document["filename"], document["content_type"]) == stored_as


async def test_request_without_a_body_is_refused(shared_api: Api) -> None:
    editor = await shared_api.person()
    response = await shared_api.client.post(DOCUMENTS, headers=editor.headers)

    assert (response.status_code, response.json()["code"]) == (422, "invalid_upload")
    assert response.json()["detail"] == "The request has no body."
    assert "`files`" in response.json()["hint"]
    assert await stored(shared_api) == set()


async def test_json_without_a_filename_is_refused(api: Api) -> None:
    editor = await api.person()
    refused = await api.client.post(DOCUMENTS, json={"files": ["report.pdf"]}, headers=editor.headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_upload")
    assert refused.json()["detail"] == "An upload is a file, not JSON."
    assert "-F files=@" in refused.json()["hint"]
    assert await stored(api) == set()

    accepted = await api.client.post(f"{DOCUMENTS}?filename=report.json", json={"a": 1}, headers=editor.headers)
    assert accepted.json()["items"][0]["document"]["filename"] == "report.json"


async def test_new_version_is_a_file_too(api: Api) -> None:
    editor = await api.person()
    made = await api.client.post(f"{DOCUMENTS}?filename=notes.txt", content=b"One.", headers=editor.headers)
    path = f"{DOCUMENTS}/{made.json()['items'][0]['document']['id']}/content"

    empty = await api.client.put(path, headers=editor.headers)
    json = await api.client.put(path, json={"file": "report.pdf"}, headers=editor.headers)
    named = await api.client.put(f"{path}?filename=report.json", json={"a": 1}, headers=editor.headers)

    assert (empty.status_code, empty.json()["detail"]) == (422, "The request has no body.")
    assert (json.status_code, json.json()["detail"]) == (422, "An upload is a file, not JSON.")
    assert (named.status_code, named.json()["version"]["number"]) == (202, 2)


@pytest.mark.parametrize(
    ("filename", "stored_as"),
    [("notes.md", "notes.pdf"), ("notes.PDF", "notes.PDF"), ("notes", "notes"), ("notes.v2", "notes.v2")],
)
async def test_unnamed_version_of_another_type_gets_its_suffix(api: Api, filename: str, stored_as: str) -> None:
    editor = await api.person()
    made = await api.client.post(f"{DOCUMENTS}?filename={filename}", content=b"One.", headers=editor.headers)
    path = f"{DOCUMENTS}/{made.json()['items'][0]['document']['id']}/content"

    replaced = await api.client.put(path, content=b"%PDF-1.7 two", headers=editor.headers)

    version = replaced.json()["version"]
    assert (version["filename"], version["content_type"]) == (stored_as, "application/pdf")


async def test_file_sent_as_a_field_gets_a_hint(shared_api: Api) -> None:
    editor = await shared_api.person()
    headers = {**editor.headers, "Content-Type": "multipart/form-data; boundary=B"}
    form = b'--B\r\nContent-Disposition: form-data; name="files"\r\n\r\nreport.pdf\r\n--B--\r\n'

    refused = await shared_api.client.post(DOCUMENTS, content=form, headers=headers)

    assert refused.status_code == 422
    assert refused.json()["detail"] == "The part 'files' has no filename."
    assert "-F files=@" in refused.json()["hint"]


async def test_empty_files_are_refused_and_not_stored(api: Api) -> None:
    editor = await api.person()
    words = "The file is empty."
    document = (await api.upload(editor.headers, b"Fees are due.", filename="fees.txt"))["document"]
    version = f"{DOCUMENTS}/{document['id']}/content?filename=fees.txt"

    alone = await api.client.post(f"{DOCUMENTS}?filename=empty.txt", content=b"", headers=editor.headers)
    replacing = await api.client.put(version, content=b"", headers=editor.headers)
    status, body = await form(api, editor, [("one.txt", b""), ("two.txt", b"Two."), ("three.txt", b"")])

    for response in (alone, replacing):
        problem = response.json()
        assert (response.status_code, problem["code"], problem["detail"]) == (422, "empty", words)
    problems = [item["problem"] and (item["problem"]["code"], item["problem"]["detail"]) for item in body["items"]]
    assert (status, problems) == (202, [("empty", words), None, ("empty", words)])
    assert len(await stored(api)) == 2


async def test_too_large_file_is_rejected_and_not_stored(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_api(api_settings(database, tmp_path, http={"max_upload_bytes": 20_000})) as api:
        editor = await api.person()
        headers = {**editor.headers, "Content-Type": "text/plain"}
        response = await api.client.post(DOCUMENTS, content=b"x" * 20_001, headers=headers)
        assert (response.status_code, response.json()["code"]) == (413, "file_too_large")
        assert ("20,000" in response.json()["detail"], response.json()["max_bytes"]) == (True, 20_000)
        status, _ = await form(api, editor, [("small.txt", b"small"), ("large.txt", b"y" * 50_000)])
        assert status == 413
        assert await stored(api) == set()
        assert await api.sql("SELECT id FROM documents") == []
        assert (await api.upload(editor.headers, b"x" * 20_000))["document"]["size_bytes"] == 20_000


async def test_too_many_files_are_rejected_and_not_stored(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_api(api_settings(database, tmp_path, documents={"max_files_per_upload": 2})) as api:
        editor = await api.person()
        status, body = await form(api, editor, [(f"{number}.txt", str(number).encode()) for number in range(3)])
        assert (status, body["code"], body["max_files"]) == (422, "too_many_files", 2)
        assert await stored(api) == set()


async def test_duplicate_upload_returns_the_first_and_merges_tags(api: Api) -> None:
    editor = await api.person()
    first = await api.upload(editor.headers, b"same", filename="one.txt", tags=["a"])
    second = await api.upload(editor.headers, b"same", filename="two.txt", tags=["b"])
    assert second["is_duplicate"]
    assert second["job_id"] is None
    assert second["document"]["id"] == first["document"]["id"]
    assert (second["document"]["filename"], second["document"]["tags"]) == ("one.txt", ["a", "b"])
    assert len(await api.sql("SELECT id FROM jobs")) == 1


async def test_same_bytes_twice_in_one_form_are_one_document(api: Api) -> None:
    editor = await api.person()
    status, body = await form(api, editor, [("a.txt", b"same"), ("b.txt", b"same"), ("a.txt", b"same")])
    assert status == 202
    assert len({item["document"]["id"] for item in body["items"]}) == 1
    assert len(await api.sql("SELECT id FROM documents")) == 1


async def test_other_collection_gets_its_own_record_and_shares_the_original(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "shelf")
    first = await api.upload(admin.headers, b"same")
    second = await api.upload(admin.headers, b"same", collection="SHELF")
    assert not second["is_duplicate"]
    assert first["document"]["id"] != second["document"]["id"]
    assert len(await stored(api)) == 1


async def test_concurrent_uploads_of_a_file_make_one_document_and_job(api: Api) -> None:
    editor = await api.person()
    items = await asyncio.gather(*(api.upload(editor.headers, b"same", tags=[f"t{number}"]) for number in range(6)))
    assert len({item["document"]["id"] for item in items}) == 1
    assert [item["is_duplicate"] for item in items].count(False) == 1
    assert len(await api.sql("SELECT id FROM jobs")) == 1
    assert len(await api.sql("SELECT tag_id FROM document_tags")) == 6


async def test_file_that_is_purged_while_it_is_uploaded_is_kept(api: Api) -> None:
    """The form arrives slowly, so the first file is stored while the same document is purged."""
    admin = await api.person("admin")
    first = await api.upload(admin.headers, b"same")

    async def form_with_a_pause() -> AsyncGenerator[bytes]:
        part = b'--x\r\nContent-Disposition: form-data; name="files"; filename="%s.txt"\r\n\r\n%s\r\n'
        yield part % (b"a", b"same") + part[:5]
        assert api.app.state.originals.is_held(first["document"]["sha256"])
        path = f"{DOCUMENTS}/{first['document']['id']}"
        purged = await api.client.delete(path, params={"purge": True}, headers=admin.headers)
        assert purged.status_code == 200, purged.text
        yield part[5:] % (b"b", b"other") + b"--x--\r\n"

    headers = {**admin.headers, "Content-Type": "multipart/form-data; boundary=x"}
    response = await api.client.post(DOCUMENTS, content=form_with_a_pause(), headers=headers)
    assert response.status_code == 202, response.text
    assert len(await stored(api)) == 2
    for item in response.json()["items"]:
        await api.client.delete(f"{DOCUMENTS}/{item['document']['id']}", params={"purge": True}, headers=admin.headers)
    assert await stored(api) == set()


async def test_uploading_a_trashed_file_restores_it(api: Api) -> None:
    editor = await api.person()
    first = await api.upload(editor.headers, b"same")
    await api.client.delete(f"{DOCUMENTS}/{first['document']['id']}", headers=editor.headers)
    again = await api.upload(editor.headers, b"same", tags=["back"])
    assert (again["is_duplicate"], again["is_restored"]) == (True, True)
    assert again["document"]["id"] == first["document"]["id"]
    assert (again["document"]["deleted_at"], again["document"]["tags"]) == (None, ["back"])


async def test_uploading_a_file_whose_processing_the_trash_cancelled_queues_it(api: Api) -> None:
    editor = await api.person()
    first = await api.upload(editor.headers, b"same")
    await api.client.delete(f"{DOCUMENTS}/{first['document']['id']}", headers=editor.headers)
    await api.sql("UPDATE jobs SET state = 'cancelled'")
    await api.sql("UPDATE documents SET status = 'failed', error_code = 'cancelled', error_message = 'Cancelled.'")
    again = await api.upload(editor.headers, b"same")
    assert (again["is_restored"], again["document"]["status"], again["document"]["error"]) == (True, "queued", None)
    assert await api.sql("SELECT state FROM jobs ORDER BY created_at") == [("cancelled",), ("queued",)]


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"collection": "Libary"}, "unknown_collection"),
        ({"language": "xx"}, "unknown_language"),
        ({"tags": "x" * 101}, "invalid_tag_name"),
        ({"tag": "x"}, "unknown_parameter"),
    ],
)
async def test_upload_with_an_invalid_field_stores_nothing(
    shared_api: Api, parameters: dict[str, str], code: str
) -> None:
    editor = await shared_api.person()
    headers = {**editor.headers, "Content-Type": "text/plain"}
    response = await shared_api.client.post(DOCUMENTS, content=b"text", params=parameters, headers=headers)
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert await stored(shared_api) == set()
    assert await shared_api.sql("SELECT id FROM tags") == []


async def test_shared_original_survives_a_rejected_upload(api: Api) -> None:
    editor = await api.person()
    await api.upload(editor.headers, b"same")
    headers = {**editor.headers, "Content-Type": "text/plain"}
    refused = await api.client.post(DOCUMENTS, content=b"same", params={"language": "xx"}, headers=headers)
    assert refused.status_code == 422
    assert len(await stored(api)) == 1


async def test_reader_is_rejected_before_the_body_is_read(shared_api: Api) -> None:
    reader = await shared_api.person("reader")
    response = await shared_api.client.post(DOCUMENTS, content=b"text", headers=reader.headers)
    assert (response.status_code, response.json()["code"]) == (403, "read_only")


async def test_upload_with_a_restricted_key_is_in_scope_or_rejected(api: Api) -> None:
    editor = await api.person()
    await api.upload(editor.headers, b"first", filename="first.txt", tags=["mine", "other"])
    by_tag = await api.key(editor, can_write=True, tags=["mine"])
    item = await api.upload(by_tag, b"second", tags=["mine"])
    assert item["document"]["tags"] == ["mine"]

    async def refused(headers: dict[str, str], **parameters: str) -> str:
        response = await api.client.post(DOCUMENTS, content=b"third", params=parameters, headers=headers)
        assert response.status_code in {403, 422}
        return response.json()["code"]

    assert await refused(by_tag) == "outside_key"
    assert await refused(by_tag, tags="other") == "unknown_tag"
    assert await refused(by_tag, tags="new") == "unknown_tag"
    by_document = await api.key(editor, can_write=True, documents=["first.txt"])
    assert await refused(by_document) == "outside_key"
    assert len(await stored(api)) == 2


async def test_language_of_an_upload_is_stored(api: Api) -> None:
    editor = await api.person()
    item = await api.upload(editor.headers, b"testo", language="it")
    assert item["document"]["language"] == "it"
    assert await api.sql("SELECT is_language_given FROM documents") == [(True,)]


async def test_language_of_a_duplicate_upload_reprocesses_the_document(api: Api) -> None:
    editor = await api.person()
    first = await api.upload(editor.headers, b"same")
    await api.sql("UPDATE jobs SET state = 'succeeded'")
    await api.sql("UPDATE documents SET status = 'ready', language = 'en'")
    again = await api.upload(editor.headers, b"same", language="it")
    assert again["document"]["id"] == first["document"]["id"]
    assert (again["is_duplicate"], again["is_language_changed"]) == (True, True)
    assert (again["document"]["language"], again["document"]["status"]) == ("it", "queued")
    assert again["job_id"] not in {None, first["job_id"]}
    await api.sql("UPDATE jobs SET state = 'succeeded'")
    for parameters in ({"language": "it"}, {}):
        same = await api.upload(editor.headers, b"same", **parameters)
        assert (same["is_language_changed"], same["job_id"], same["document"]["language"]) == (False, None, "it")


async def test_language_change_during_processing_restarts_it_with_its_password(api: Api) -> None:
    editor = await api.person()
    first = await api.upload(editor.headers, b"same")
    waiting = await api.upload(editor.headers, b"same", language="it")
    assert waiting["job_id"] == first["job_id"], "it has not begun: it will be read in Italian"
    secret = {"password": "open sesame"}
    await api.sql(f"UPDATE jobs SET state = 'running', attempts = 1, arguments = '{json.dumps(secret)}'")
    second = await api.upload(editor.headers, b"same", language="en")
    assert second["job_id"] != first["job_id"]
    rows = await api.sql("SELECT state, arguments, error_message FROM jobs ORDER BY created_at")
    assert [(row.state, row.arguments) for row in rows] == [("cancelled", {}), ("queued", secret)]
    assert rows[0].error_message == "The document is reprocessed in another language."


async def test_language_is_rejected_while_a_newer_version_is_processing(api: Api) -> None:
    editor = await api.person()
    first = await api.upload(editor.headers, b"same")
    await api.sql("UPDATE jobs SET state = 'running', attempts = 1, version = 2")
    headers = {**editor.headers, "Content-Type": "text/plain"}
    refused = await api.client.post(DOCUMENTS, content=b"same", params={"language": "it"}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (409, "version_under_way")
    changed = await api.client.patch(
        f"{DOCUMENTS}/{first['document']['id']}", json={"language": "it"}, headers=editor.headers
    )
    assert (changed.status_code, changed.json()["code"]) == (409, "version_under_way")
    assert await api.sql("SELECT language FROM documents") == [(None,)]


async def test_language_of_an_upload_applies_to_a_restored_document(api: Api) -> None:
    editor = await api.person()
    first = await api.upload(editor.headers, b"same")
    await api.sql("UPDATE jobs SET state = 'succeeded'")
    await api.sql("UPDATE documents SET status = 'ready', language = 'en'")
    await api.client.delete(f"{DOCUMENTS}/{first['document']['id']}", headers=editor.headers)
    again = await api.upload(editor.headers, b"same", language="it")
    assert (again["is_restored"], again["is_language_changed"], again["document"]["language"]) == (True, True, "it")
