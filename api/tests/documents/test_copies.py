"""Copies of a document: identical files and documents with mostly the same chunks, within the caller's scope."""

import uuid

from sqlalchemy import text
from tests.api import LIBRARY, Api, Person

from lectern.db.scope import SYSTEM_SCOPE

from .shelves import add_document


async def add(api: Api, *, filename: str, collection_id: uuid.UUID = LIBRARY) -> uuid.UUID:
    async with api.database.session(SYSTEM_SCOPE) as session:
        return await add_document(session, collection_id=collection_id, filename=filename)


async def change(api: Api, statement: str, **values: object) -> None:
    async with api.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text(statement), values)


async def copies(api: Api, person: Person, document_id: uuid.UUID, **asked: object) -> list[tuple[str, bool, int, int]]:
    path = f"/api/v1/documents/{document_id}/copies"
    response = await api.client.get(
        path, params={key: str(value) for key, value in asked.items()}, headers=person.headers
    )
    assert response.status_code == 200, response.text
    items = response.json()["items"]
    return [(item["filename"], item["is_exact"], item["shared_chunk_count"], item["chunk_count"]) for item in items]


async def rewrite_passages(api: Api, document_id: uuid.UUID, first: int) -> None:
    statement = (
        "UPDATE chunks SET content_hash = decode(md5(id::text), 'hex') WHERE document_id = :id AND chunk_index >= :n"
    )
    await change(api, statement, id=document_id, n=first)


async def test_identical_file_is_first_then_most_shared_chunks(api: Api) -> None:
    reader = await api.person("reader")
    asked = await add(api, filename="asked.txt")
    half, none, same = [await add(api, filename=name) for name in ("half.txt", "none.txt", "same.txt")]
    await rewrite_passages(api, half, 1)
    await rewrite_passages(api, none, 0)
    elsewhere = uuid.UUID(await api.collection(await api.person("admin"), "elsewhere", is_open=True))
    await change(api, "UPDATE documents SET collection_id = :there WHERE id = :id", there=elsewhere, id=same)
    hashed = "UPDATE documents SET sha256 = (SELECT sha256 FROM documents WHERE id = :asked) WHERE id = :id"
    await change(api, hashed, asked=asked, id=same)

    assert await copies(api, reader, asked) == [("same.txt", True, 2, 2), ("half.txt", False, 1, 2)]
    assert await copies(api, reader, asked, share=1) == [("same.txt", True, 2, 2)]
    assert await copies(api, reader, none) == []


async def test_trashed_or_hidden_documents_are_no_copies(api: Api) -> None:
    admin, reader = await api.person("admin"), await api.person("reader")
    asked, trashed = await add(api, filename="asked.txt"), await add(api, filename="trashed.txt")
    await change(api, "UPDATE documents SET deleted_at = now() WHERE id = :id", id=trashed)
    closed = uuid.UUID(await api.collection(admin, "closed", is_open=False))
    await add(api, filename="secret.txt", collection_id=closed)

    assert await copies(api, reader, asked) == []
    assert await copies(api, admin, asked) == [("secret.txt", False, 2, 2)]


async def test_document_without_chunks_has_only_copies_of_its_file(api: Api) -> None:
    reader = await api.person("reader")
    asked = await add(api, filename="asked.txt")
    await add(api, filename="other.txt")
    await change(api, "DELETE FROM chunks WHERE document_id = :id", id=asked)
    assert await copies(api, reader, asked) == []
