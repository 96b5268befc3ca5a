"""An export is imported into another library with the same text and chunks, without new embeddings."""

import hashlib
import json
import zipfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.guarantees.conftest import open_desk
from tests.guarantees.desk import Desk
from tests.ingestion.library import SAMPLES
from tests.ingestion.model_server import ModelServer, model_server

from lectern.collections.errors import UnknownCollection
from lectern.library.archive import ArchiveBroken, ArchiveExists
from lectern.library.transfer.exporting import ExportEmpty
from lectern.library.transfer.verifying import VectorsRefused
from lectern.tags.errors import UnknownTag

from .conftest import export, take_in

FILES = (SAMPLES / "annual-report-2025.pdf", *sorted(SAMPLES.glob("*.md"))[:2])
NOTE = "perché no: the harbour 灯 speaks.\n"


@pytest.fixture
async def model() -> AsyncGenerator[ModelServer]:
    async with model_server() as made:
        yield made


async def filled(desk: Desk, model: ModelServer) -> None:
    """Three documents with the tag `law`, one of them in another collection, and one without."""
    await desk.api.collection(await desk.api.person("admin"), "Ships", is_open=False)
    for path in FILES:
        await desk.add(path.read_bytes(), filename=path.name, tags=["law", f"of {path.suffix[1:]}"])
    note = await desk.add(NOTE.encode(), filename="note.txt", tags=["law"], collection="Ships", language="it")
    await desk.add(b"Nobody asks for this.", filename="other.txt")
    response = await desk.send("PATCH", f"/{note}", json={"title": "A title by hand", "aliases": ["Harbour"]})
    assert response.status_code == 200, response.text
    model.may_answer.set()
    async with desk.library.worker():
        for document in (await desk.get("", limit=50))["items"]:
            assert (await desk.settled(document["id"]))["status"] == "ready"
    for text, is_shared in (("For everybody", True), ("For me", False)):
        body = {"char_start": 0, "char_end": 6, "text": text, "is_shared": is_shared}
        response = await desk.send("POST", f"/{note}/notes", json=body)
        assert response.status_code == 201, response.text


async def told(desk: Desk) -> dict[str, dict[str, Any]]:
    """Return the library's documents by filename, without ids and times."""
    said: dict[str, dict[str, Any]] = {}
    kept = ("title", "aliases", "content_type", "sha256", "language", "tags", "page_count", "chunk_count", "status")
    places = ("chunk_index", "text", "section_heading", "section_path", "page_number", "char_start", "char_end")
    admin = await desk.api.person("admin")
    for document in (await desk.get("", limit=50))["items"]:
        path = f"/api/v1/documents/{document['id']}"
        chunks = (await desk.api.client.get(f"{path}/chunks?limit=200", headers=admin.headers)).json()["items"]
        original = (await desk.api.client.get(f"{path}/original", headers=admin.headers)).content
        said[document["filename"]] = {
            **{name: document[name] for name in kept},
            "collection": document["collection"]["name"],
            "chunks": [[chunk[name] for name in places] for chunk in chunks],
            "original": original,
        }
    return said


async def has_the_shared_note(desk: Desk, *, author: str, is_mine: bool) -> str:
    """Check that the note is where it was, and that no private note came along. Return its address."""
    (document,) = (await desk.get("", q="note.txt"))["items"]
    (note,) = (await desk.get(f"/{document['id']}/notes"))["items"]
    assert (note["text"], note["quote"], note["author_name"]) == ("For everybody", "perché", author)
    assert (note["page_number"], note["char_start"], note["char_end"]) == (1, 0, 6)
    assert (note["is_outdated"], note["is_mine"]) == (False, is_mine)
    return f"/{document['id']}/notes/{note['id']}"


async def test_documents_of_a_tag_arrive_whole_and_are_not_embedded_again(
    postgres: ThrowawayPostgres, tmp_path: Path, model: ModelServer
) -> None:
    file = tmp_path / "law.lectern.zip"
    with postgres.fresh_database() as one, postgres.fresh_database() as two:
        async with open_desk(one, tmp_path / "one", model.settings) as desk:
            desk.person = await desk.api.person("admin")
            await filled(desk, model)
            report = await export(desk, file, tag="law")
            expected = await told(desk)
            with zipfile.ZipFile(file) as archive:
                lines = [archive.read(name).splitlines() for name in archive.namelist() if name.endswith("notes.jsonl")]
            (shared,) = (json.loads(line) for of_one in lines for line in of_one)
            assert (shared["text"], shared["quote"]) == ("For everybody", "perché")
            author = shared["author_name"]
            with pytest.raises(ArchiveExists):
                await export(desk, file, tag="law")
        assert (report.document_count, report.missing) == (len(FILES) + 1, [])
        async with open_desk(two, tmp_path / "two", model.settings) as desk:
            desk.person = await desk.api.person("admin")
            renamed = "UPDATE users SET email = :email WHERE id = :id"
            await desk.api.sql(renamed, email=author, id=desk.person.id)
            taken = await take_in(desk, file)
            await desk.api.sql(renamed, email="other@example.org", id=desk.person.id)
            model.may_answer.clear()
            model.is_requested.clear()
            async with desk.library.worker():
                for document_id in taken.document_ids:
                    assert (await desk.settled(document_id))["status"] == "ready"
            assert not model.is_requested.is_set(), "every vector came with the file"
            assert (taken.added_count, taken.known_count, taken.has_vectors) == (len(FILES) + 1, 0, True)
            assert taken.vector_count == report.vector_count > 20
            found = await told(desk)
            assert found == {name: said for name, said in expected.items() if name != "other.txt"}
            assert found["note.txt"]["collection"] == "Ships"
            await desk.send("DELETE", await has_the_shared_note(desk, author=author, is_mine=True))
            assert await desk.library.violations() == []
            model.may_answer.set()  # An import embeds a sample of the texts, to check the vectors.
            again = await take_in(desk, file)
            assert (again.added_count, again.known_count, again.note_count) == (0, len(FILES) + 1, 1)
            assert (await take_in(desk, file)).note_count == 0
            await has_the_shared_note(desk, author=author, is_mine=False)
            for document_id in taken.document_ids:
                await desk.send("DELETE", f"/{document_id}", params={"purge": True})
            assert await desk.library.value("SELECT count(*) FROM embedding_cache") == 0, "nothing is left behind"


async def test_an_export_is_read_without_lectern(desk: Desk, tmp_path: Path) -> None:
    await desk.add(NOTE.encode(), filename="note.txt", tags=["law"])
    async with desk.library.worker():
        (document,) = (await desk.get(""))["items"]
        await desk.settled(document["id"])
    await export(desk, tmp_path / "law.zip", tag="law")
    with zipfile.ZipFile(tmp_path / "law.zip") as opened:
        assert opened.testzip() is None
        told = json.loads(opened.read("documents/000001/document.json"))
        assert (told["filename"], told["tags"], told["collection"]["name"]) == ("note.txt", ["law"], "Library")
        (page,) = [json.loads(line) for line in opened.read("documents/000001/pages.jsonl").decode().splitlines()]
        (chunk,) = [json.loads(line) for line in opened.read("documents/000001/chunks.jsonl").decode().splitlines()]
        assert (page["text"], chunk["text"]) == (NOTE, NOTE.strip())
        assert opened.read(f"originals/{told['sha256']}") == NOTE.encode()
        with opened.open("documents/000001/vectors.npy") as member:
            vectors = np.load(member, allow_pickle=False)
        assert vectors.shape == (1, json.loads(opened.read("manifest.json"))["model"]["dimensions"])


async def test_one_document_is_exported_by_its_name_and_comes_back_after_a_purge(desk: Desk, tmp_path: Path) -> None:
    await desk.add(NOTE.encode(), filename="note.txt", tags=["law"])
    await desk.add(b"Another text.", filename="other.txt", tags=["law"])
    async with desk.library.worker():
        for document in (await desk.get(""))["items"]:
            await desk.settled(document["id"])
        assert (await export(desk, tmp_path / "note.zip", name="NOTE", tag="law")).document_count == 1
        (lost,) = (await desk.get("", q="note.txt"))["items"]
        await desk.send("DELETE", f"/{lost['id']}", params={"purge": True})
        taken = await take_in(desk, tmp_path / "note.zip")
        assert (taken.added_count, taken.known_count) == (1, 0)
        assert (await desk.settled(taken.document_ids[0]))["filename"] == "note.txt"
    with pytest.raises(ExportEmpty):
        await export(desk, tmp_path / "none.zip", name="letter")


async def test_vectors_of_another_model_and_damaged_ones_are_left_out(desk: Desk, tmp_path: Path) -> None:
    await desk.add(NOTE.encode(), filename="note.txt", tags=["law"])
    async with desk.library.worker():
        (document,) = (await desk.get(""))["items"]
        await desk.settled(document["id"])
    await export(desk, tmp_path / "law.zip", tag="law")
    await desk.send("DELETE", f"/{document['id']}", params={"purge": True})
    for change, has_vectors in ((b"hash:", False), (b"", True)):
        altered = tmp_path / f"{has_vectors}.zip"
        with zipfile.ZipFile(tmp_path / "law.zip") as old, zipfile.ZipFile(altered, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if name == "manifest.json" and change:
                    content = content.replace(b'"fingerprint": "', b'"fingerprint": "another ')
                if name.endswith("vectors.npy") and not change:
                    content = content[:-2] + b"\x00\x7e"  # not a number
                new.writestr(name, content)
        taken = await take_in(desk, altered)
        assert (taken.has_vectors, taken.vector_count) == (has_vectors, 0)
        assert isinstance(taken.refusal, VectorsRefused) == has_vectors
        async with desk.library.worker():
            assert (await desk.settled(taken.document_ids[0]))["status"] == "ready"
        await desk.send("DELETE", f"/{taken.document_ids[0]}", params={"purge": True})


async def test_documents_that_cannot_be_read_are_named_and_the_others_imported(desk: Desk, tmp_path: Path) -> None:
    """An earlier version accepted empty files."""
    await desk.add(b"Only for the export.", filename="empty.txt", tags=["law"])
    await desk.add(NOTE.encode(), filename="note.txt", tags=["law"])
    await export(desk, tmp_path / "law.zip", tag="law")
    whole, empty = hashlib.sha256(b"Only for the export.").hexdigest(), hashlib.sha256().hexdigest()
    with zipfile.ZipFile(tmp_path / "law.zip") as old, zipfile.ZipFile(tmp_path / "old.zip", "w") as new:
        for name in old.namelist():
            content = b"" if name == f"originals/{whole}" else old.read(name).replace(whole.encode(), empty.encode())
            new.writestr(name.replace(whole, empty), content)
    report = await take_in(desk, tmp_path / "old.zip")
    assert [(name, error.code) for name, error in report.refused] == [("empty.txt", "empty")]
    assert (report.document_count, report.added_count, report.known_count) == (2, 0, 1)


async def test_what_cannot_be_exported_or_imported_says_why(desk: Desk, tmp_path: Path) -> None:
    await desk.add(NOTE.encode(), filename="note.txt", tags=["law"])
    with pytest.raises(UnknownTag):
        await export(desk, tmp_path / "a.zip", tag="none")
    with pytest.raises(UnknownCollection):
        await export(desk, tmp_path / "a.zip", collection="none")
    await desk.api.collection(await desk.api.person("admin"), "Empty")
    with pytest.raises(ExportEmpty):
        await export(desk, tmp_path / "a.zip", collection="Empty")
    await export(desk, tmp_path / "law.zip", tag="law")
    whole = (tmp_path / "law.zip").read_bytes()
    left = list(tmp_path.glob(".*"))  # noqa: ASYNC240 - a test
    assert left == [], "no unfinished file"
    (tmp_path / "half.zip").write_bytes(whole[: len(whole) // 2])
    with zipfile.ZipFile(tmp_path / "law.zip") as old, zipfile.ZipFile(tmp_path / "other.zip", "w") as new:
        for name in old.namelist():
            new.writestr(name, b"Other words." if name.startswith("originals/") else old.read(name))
    for name, why in (("half.zip", "not a whole archive"), ("other.zip", "not the one that was exported")):
        with pytest.raises(ArchiveBroken, match=why):
            await take_in(desk, tmp_path / name)
    assert len([key async for key in desk.api.app.state.originals.list()]) == 1, "nothing of it stays"
