"""Files come in: streamed, told apart by their bytes, found again when they come twice."""

from tests.api import Api

DOCUMENTS = "/api/v1/documents"


async def test_a_text_sent_as_the_body_becomes_a_queued_document_with_its_job(api: Api) -> None:
    editor = await api.person()
    item = await api.upload(editor.headers, b"Fees are due.", filename="fees.txt", tags=["Policy", "fees"])
    document = item["document"]
    assert document["filename"] == "fees.txt"
    assert document["content_type"] == "text/plain"
    assert document["status"] == "queued"
    assert document["tags"] == ["fees", "Policy"]
    assert document["size_bytes"] == 13
    assert document["progress"]["job_id"] == item["job_id"]
    assert not item["is_duplicate"]
    listed = (await api.client.get(DOCUMENTS, headers=editor.headers)).json()
    assert [entry["id"] for entry in listed["items"]] == [document["id"]]
    assert listed["total"] == 1


async def test_a_form_with_several_files_answers_for_each_of_them(api: Api) -> None:
    editor = await api.person()
    files = [
        ("files", ("a.txt", b"alpha")),
        ("files", ("b.bin", b"\x7fELF\x01\x02")),
        ("files", ("c.md", b"# Gamma\n\ntext")),
    ]
    response = await api.client.post(DOCUMENTS, files=files, data={"tags": ["x", "y"]}, headers=editor.headers)
    assert response.status_code == 202, response.text
    first, second, third = response.json()["items"]
    assert first["document"]["tags"] == ["x", "y"]
    assert second["document"] is None
    assert second["problem"]["code"] == "unsupported_type"
    assert third["document"]["content_type"] == "text/markdown"
