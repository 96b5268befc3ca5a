"""An export that claims wrong vectors, or more than it holds, does no harm."""

import hashlib
import io
import json
import resource
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.guarantees.conftest import open_desk
from tests.guarantees.desk import Desk

from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.cache import content_hash
from lectern.embeddings.registry import create_models
from lectern.library import archive
from lectern.library.archive import ArchiveBroken, ArchiveReader
from lectern.library.transfer.verifying import VectorsRefused

from .conftest import export, take_in

CONTROL = "Emergency evacuation assembly point is behind the north gate."
HARMLESS = "The canteen serves lunch from noon until two."
FOLDER = "documents/000001"
Change = Callable[[dict[str, bytes]], None]


@pytest.fixture(scope="module")
async def harmless(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The members of another library's export with one harmless document."""
    folder = tmp_path_factory.mktemp("exported")
    with postgres.fresh_database() as database:
        async with open_desk(database, folder / "library") as desk, desk.library.worker():
            await desk.settled(await desk.add(HARMLESS.encode(), filename="canteen.txt", tags=["law"]))
            await export(desk, folder / "law.zip", tag="law")
    with zipfile.ZipFile(folder / "law.zip") as file:
        return {name: file.read(name) for name in file.namelist()}


def write(path: Path, members: dict[str, bytes], change: Change) -> Path:
    """Write a changed copy of an export."""
    changed = dict(members)
    change(changed)
    with zipfile.ZipFile(path / "evil.zip", "w") as new:
        for name, content in changed.items():
            new.writestr(name, content)
    return path / "evil.zip"


def packed(rows: list[np.ndarray]) -> bytes:
    out = io.BytesIO()
    np.save(out, np.asarray(rows, np.float16), allow_pickle=False)
    return out.getvalue()


def rows_of(members: dict[str, bytes]) -> np.ndarray:
    return np.load(io.BytesIO(members[f"{FOLDER}/vectors.npy"]), allow_pickle=False)


async def negated(desk: Desk, text: str) -> np.ndarray:
    models = ActiveProvider(create_models(desk.library.settings.embeddings, model_dir=Path()))
    return -(await models.embed_documents([text]))[0]


async def test_vectors_of_other_texts_are_not_taken_over(
    desk: Desk, tmp_path: Path, harmless: dict[str, bytes]
) -> None:
    planted = await negated(desk, CONTROL)

    def plant(members: dict[str, bytes]) -> None:
        members[f"{FOLDER}/vectors.npy"] = packed([*rows_of(members), planted])
        members[f"{FOLDER}/vectors.txt"] += content_hash(CONTROL).hex().encode() + b"\n"

    report = await take_in(desk, write(tmp_path, harmless, plant))
    assert (report.added_count, report.vector_count, report.refusal) == (1, 1, None)
    for number in range(5):
        await desk.add(f"The north gate number {number} is closed at night.".encode(), filename=f"{number}.txt")
    control = await desk.add(CONTROL.encode(), filename="control.txt")
    async with desk.library.worker():
        await desk.settled(control)
    first, *_ = await desk.search(CONTROL, hybrid=False)
    assert first["document_id"] == control


async def test_a_vector_of_a_text_that_the_original_lacks_is_forgotten(
    desk: Desk, tmp_path: Path, harmless: dict[str, bytes]
) -> None:
    """The chunks of the file name the text, the original does not."""
    planted = -(await negated(desk, CONTROL))

    def plant(members: dict[str, bytes]) -> None:
        chunk = json.loads(members[f"{FOLDER}/chunks.jsonl"])
        members[f"{FOLDER}/chunks.jsonl"] += json.dumps({**chunk, "text": CONTROL}).encode() + b"\n"
        members[f"{FOLDER}/vectors.npy"] = packed([*rows_of(members), planted])
        members[f"{FOLDER}/vectors.txt"] += content_hash(CONTROL).hex().encode() + b"\n"

    report = await take_in(desk, write(tmp_path, harmless, plant))
    assert (report.vector_count, report.refusal) == (2, None)
    async with desk.library.worker():
        assert (await desk.settled(report.document_ids[0]))["status"] == "ready"
    assert await desk.library.value("SELECT array_agg(content_hash) FROM embedding_cache") == [content_hash(HARMLESS)]


@pytest.mark.parametrize("factor", [-1.0, 1.5, float("nan")])
async def test_a_file_with_wrong_vectors_is_embedded_here(
    desk: Desk, tmp_path: Path, harmless: dict[str, bytes], factor: float
) -> None:
    def spoil(members: dict[str, bytes]) -> None:
        members[f"{FOLDER}/vectors.npy"] = packed([row * factor for row in rows_of(members)])

    report = await take_in(desk, write(tmp_path, harmless, spoil))
    assert isinstance(report.refusal, VectorsRefused)
    assert (report.added_count, report.vector_count) == (1, 0)
    async with desk.library.worker():
        await desk.settled(report.document_ids[0])
    stored = json.loads(await desk.library.value("SELECT embedding::text FROM chunk_embeddings_1"))
    assert np.dot(stored, -(await negated(desk, HARMLESS))) > 0.99


def declared(shape: str) -> bytes:
    head = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()


@pytest.mark.parametrize("shape", ["(1, 4611686018427387904)", "(1000000000000, 16)", "(1, 16)", "'x'"])
async def test_an_array_that_declares_more_than_it_has_is_refused(
    desk: Desk, tmp_path: Path, harmless: dict[str, bytes], shape: str
) -> None:
    def spoil(members: dict[str, bytes]) -> None:
        members[f"{FOLDER}/vectors.npy"] = declared(shape)

    with pytest.raises(ArchiveBroken):
        await take_in(desk, write(tmp_path, harmless, spoil))


async def test_bombs_are_refused_before_they_are_unpacked(
    desk: Desk, tmp_path: Path, harmless: dict[str, bytes]
) -> None:
    file = write(tmp_path, harmless, lambda _: None)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name in ("manifest.json", f"{FOLDER}/document.json", f"{FOLDER}/chunks.jsonl", f"{FOLDER}/vectors.txt"):
        bomb = tmp_path / f"{hashlib.sha256(name.encode()).hexdigest()}.zip"
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
            for member in old.namelist():
                with new.open(member, "w") as stream:
                    for _ in range(300 if member == name else 1):
                        stream.write(b" " * 1_048_576 if member == name else old.read(member))
        with pytest.raises(ArchiveBroken, match="larger than a member may be"):
            await take_in(desk, bomb)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


@pytest.mark.parametrize("count", [-1, 10**12])
async def test_a_manifest_cannot_name_more_documents_than_there_are(
    desk: Desk, tmp_path: Path, harmless: dict[str, bytes], count: int
) -> None:
    def spoil(members: dict[str, bytes]) -> None:
        manifest = json.loads(members["manifest.json"])
        members["manifest.json"] = json.dumps({**manifest, "document_count": count}).encode()

    with pytest.raises(ArchiveBroken):
        await take_in(desk, write(tmp_path, harmless, spoil))


def test_a_file_with_too_many_members_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as new:
        for number in range(70_000):  # more than the zip format counts without its extension to 64 bits
            new.writestr(str(number), b"")
    with ArchiveReader(tmp_path / "many.zip") as reader:
        assert len(reader.zip.namelist()) == 70_000
    monkeypatch.setattr(archive, "_MAX_DIRECTORY_BYTES", 1_000_000)
    with pytest.raises(ArchiveBroken, match="too many members"):
        ArchiveReader(tmp_path / "many.zip")
