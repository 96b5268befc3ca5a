"""Models are added from folders and servers, checked, verified and removed. A failure leaves nothing behind."""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import onnx
import pytest
from tests.embeddings.tiny_model import DIMENSIONS, MAX_TOKENS, write_tiny_model
from tests.search.reranking.tiny_cross_encoder import write_tiny_cross_encoder
from tests.small_disk import mount_small_disk

from lectern.embedded.errors import DiskFull
from lectern.embeddings.providers.model_card import CARD_FILE, ModelCard, compute_fingerprint, read_card
from lectern.errors import LecternError, Misconfigured
from lectern.operations.model_store import errors, sources
from lectern.operations.model_store.adding import AddRequest
from lectern.operations.model_store.record import RECORD_FILE, ModelRecord, load_catalog
from lectern.operations.model_store.sources import open_source
from lectern.operations.model_store.store import ModelStore
from lectern.settings import EmbeddingsSettings, RerankingSettings, Settings

from .file_server import file_server

WORDS = "either party may terminate this agreement in writing notice period three months"


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "store")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tiny_model(tmp_path / "tiny", words=WORDS)


@pytest.fixture
def published(tmp_path: Path, folder: Path) -> Path:
    """The folder of a model that another installation has added."""
    other = ModelStore(tmp_path / "other")
    add(other, folder)
    return other.path("tiny")


def add(store: ModelStore, source: Path | str, *, name: str = "tiny", **options: Any) -> ModelRecord:
    with closing(open_source(str(source))) as opened:
        return store.add(AddRequest(name=name, source=opened, **options), lambda _: None)


def assert_nothing_added(store: ModelStore) -> None:
    assert store.list_records() == []
    assert not store.folder.exists() or list(store.folder.iterdir()) == []


def settings_with(embeddings: str = "local", following: str = "", reranker: str = "") -> Settings:
    values = {"provider": embeddings, "next_provider": following}
    return replace(
        Settings(),
        embeddings=EmbeddingsSettings.model_validate(values, by_name=True),
        reranking=RerankingSettings.model_validate({"provider": reranker}, by_name=True),
    )


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PAUSES_SECONDS", (0.0, 0.0, 0.0))


def test_folder_is_added_with_a_complete_card_and_hashes(store: ModelStore, folder: Path) -> None:
    (folder / "README.md").write_text("---\nlicense: mit\n---\n# Tiny\n")

    record = add(store, folder)

    assert (record.kind, record.dimensions, record.max_tokens, record.license) == (
        "embedding",
        DIMENSIONS,
        MAX_TOKENS,
        "mit",
    )
    assert record.speed.passage_milliseconds > 0
    card = read_card(store.path("tiny"))
    assert (card.id, card.query_prefix, card.document_prefix) == ("tiny", "query: ", "passage: ")
    assert card.fingerprint == read_card(folder).fingerprint
    assert {"model.onnx", "tokenizer.json", CARD_FILE, "1_Pooling/config.json"} <= record.files.keys()
    assert store.verify("tiny") == record
    assert store.list_records() == [record]


def test_reranker_is_recognised_by_its_architecture(store: ModelStore, tmp_path: Path) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "ranks", {"notice": 1.0})
    (folder / "config.json").write_text('{"architectures": ["XLMRobertaForSequenceClassification"]}')

    record = add(store, folder, name="ranks")

    assert (record.kind, record.dimensions, record.license) == ("reranker", None, "")
    assert not (store.path("ranks") / CARD_FILE).exists()


def test_kind_can_be_stated(store: ModelStore, tmp_path: Path) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "ranks", {"notice": 1.0})
    ModelCard(id="x", dimensions=DIMENSIONS).write(folder)

    with pytest.raises(errors.ModelUnsupported, match="returns vectors of shape") as raised:
        add(store, folder)
    assert "--kind reranker" in str(raised.value.hint)
    assert_nothing_added(store)

    assert add(store, folder, kind="reranker").kind == "reranker"


def test_known_model_gets_its_card_and_licence_from_the_catalogue(
    store: ModelStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = load_catalog()["bge-m3"]
    monkeypatch.setitem(load_catalog(), "bge-m3", entry.model_copy(update={"card": {"dimensions": DIMENSIONS}}))

    record = add(store, folder, name="bge-m3")

    assert record.license == "MIT"
    assert read_card(store.path("bge-m3")).query_prefix == ""


def test_known_model_with_other_dimensions_is_refused(store: ModelStore, folder: Path) -> None:
    with pytest.raises(errors.ModelUnsupported, match="its card says 1024"):
        add(store, folder, name="bge-m3")
    assert_nothing_added(store)


def test_catalogue_entries_are_complete() -> None:
    catalogue = load_catalog()

    assert {"arctic-embed-l-v2", "bge-m3", "bge-reranker-v2-m3"} <= catalogue.keys()
    assert all((entry.kind == "embedding") == (entry.model_card(name) is not None) for name, entry in catalogue.items())


def test_weights_in_extra_files_are_copied_from_the_folder_of_the_graph(store: ModelStore, folder: Path) -> None:
    (folder / "onnx").mkdir()
    library: Any = onnx
    graph = library.load(folder / "model.onnx")
    library.save_model(
        graph, folder / "onnx" / "model_fp16.onnx", save_as_external_data=True, location="w.onnx_data", size_threshold=0
    )
    (folder / "model.onnx").unlink()

    record = add(store, folder, weights="onnx/model_fp16.onnx")

    assert {"model.onnx", "w.onnx_data"} <= record.files.keys()
    card = read_card(store.path("tiny"))
    (store.path("tiny") / "w.onnx_data").write_bytes(b"other weights")
    assert compute_fingerprint(store.path("tiny"), card) != card.fingerprint


def test_weights_outside_the_folder_are_refused(store: ModelStore, folder: Path) -> None:
    library: Any = onnx
    graph = library.load(folder / "model.onnx")
    library.save_model(graph, folder / "model.onnx", save_as_external_data=True, location="weights", size_threshold=0)
    content = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(content.replace(b"weights", b"../etcs"))

    with pytest.raises(errors.ModelUnsupported, match="outside the folder"):
        add(store, folder)
    assert_nothing_added(store)


@pytest.mark.parametrize("is_served", [False, True])
def test_added_folder_is_a_source_with_hashes(store: ModelStore, published: Path, *, is_served: bool) -> None:
    with file_server(published) as server:
        record = add(store, server.url if is_served else published)

    original = ModelStore(published.parent).verify("tiny")
    assert record.files == original.files
    assert store.verify("tiny").license == original.license


@pytest.mark.parametrize("is_served", [False, True])
@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", CARD_FILE])
def test_changed_file_of_a_source_is_refused(store: ModelStore, published: Path, name: str, *, is_served: bool) -> None:
    with (published / name).open("ab") as file:
        file.write(b" ")

    with file_server(published) as server, pytest.raises(errors.ModelFileChanged, match=f"{name} differs"):
        add(store, server.url if is_served else published)
    assert_nothing_added(store)


@pytest.mark.parametrize("is_served", [False, True])
def test_missing_file_of_a_source_is_refused(store: ModelStore, published: Path, *, is_served: bool) -> None:
    (published / "tokenizer.json").unlink()

    with file_server(published) as server, pytest.raises(errors.ModelFileMissing, match=r"has no tokenizer\.json"):
        add(store, server.url if is_served else published)
    assert_nothing_added(store)


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../b", "model.json", ".hidden", "a\\b", ""])
def test_record_that_names_a_file_outside_is_refused(store: ModelStore, published: Path, name: str) -> None:
    record = json.loads((published / RECORD_FILE).read_text())
    record["files"][name] = record["files"]["model.onnx"]
    (published / RECORD_FILE).write_text(json.dumps(record))

    with pytest.raises(errors.ModelSourceUnavailable, match=r"model\.json of .* is damaged"):
        add(store, published)
    assert_nothing_added(store)


def test_fingerprint_of_another_model_is_not_believed(store: ModelStore, folder: Path) -> None:
    """A card that claims the active model's fingerprint would mix the embeddings of two models."""
    expected = read_card(folder).fingerprint
    read_card(folder).model_copy(update={"fingerprint": "multilingual-e5-small:active"}).write(folder)

    add(store, folder)

    assert read_card(store.path("tiny")).fingerprint == expected


def test_interrupted_download_continues(store: ModelStore, published: Path) -> None:
    with file_server(published) as server:
        server.breaks = 3
        add(store, server.url)
        resumed = [offset for _, offset in server.requests if offset]

    assert resumed[0] == "bytes=100-"
    assert store.verify("tiny")


def test_interrupted_download_starts_again_without_an_etag(store: ModelStore, published: Path) -> None:
    with file_server(published) as server:
        server.breaks, server.has_etags = 3, False
        add(store, server.url)

    assert [offset for _, offset in server.requests if offset] == []
    assert store.verify("tiny")


def test_download_that_always_breaks_leaves_nothing(store: ModelStore, published: Path) -> None:
    with file_server(published) as server:
        server.breaks, server.has_etags = 1_000, False
        with pytest.raises(errors.ModelSourceUnavailable, match="cannot be read: RemoteProtocolError"):
            add(store, server.url)
    assert_nothing_added(store)


def test_server_error_and_missing_server_are_reported(store: ModelStore, published: Path) -> None:
    with file_server(published) as server:
        server.status = 403
        with pytest.raises(errors.ModelSourceUnavailable, match="answered 403"):
            add(store, server.url)
    with pytest.raises(errors.ModelSourceUnavailable, match="ConnectError"):
        add(store, server.url)
    with pytest.raises(errors.ModelSourceUnavailable, match="There is no folder"):
        add(store, published / "nowhere")
    assert_nothing_added(store)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "pooling that is not supported: max_tokens"),
        ("1_Pooling/config.json", {"pooling_mode": "lasttoken"}, "pooling that is not supported: lasttoken"),
        (
            "1_Pooling/config.json",
            {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
            "not supported: cls_token, mean_tokens",
        ),
        ("modules.json", [{"type": "a.Transformer"}, {"type": "a.models.Dense"}], "not supported: Dense"),
        ("config.json", {}, "dimensions: this field is required"),
        ("config.json", {"hidden_size": 99}, "its card says 99"),
    ],
)
def test_unsupported_model_is_refused(
    store: ModelStore, folder: Path, name: str, content: object, message: str
) -> None:
    (folder / name).write_text(json.dumps(content))

    with pytest.raises(errors.ModelUnsupported, match=message):
        add(store, folder)
    assert_nothing_added(store)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_damaged_model_is_refused(store: ModelStore, folder: Path, name: str) -> None:
    (folder / name).write_text("damaged")

    with pytest.raises(errors.ModelUnsupported):
        add(store, folder)
    assert_nothing_added(store)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_folder_without_a_model_is_refused(store: ModelStore, folder: Path, name: str) -> None:
    (folder / name).unlink()

    with pytest.raises(errors.ModelFileMissing, match="has no"):
        add(store, folder)
    assert_nothing_added(store)


@pytest.mark.parametrize("wrong", ["tokenizer.json", "config.json", "1_Pooling/config.json"])
def test_wrong_source_is_refused_before_the_download_of_the_weights(
    store: ModelStore, folder: Path, wrong: str
) -> None:
    (folder / wrong).unlink()
    if "Pooling" in wrong:
        (folder / wrong).write_text('{"pooling_mode": "lasttoken"}')

    with file_server(folder) as server:
        with pytest.raises((errors.ModelFileMissing, errors.ModelUnsupported)):
            add(store, server.url)
        asked = [path for path, _ in server.requests]

    assert "tokenizer.json" in asked
    assert not [path for path in asked if path.endswith(".onnx")]


def test_damaged_small_file_of_a_source_with_hashes_is_found_before_the_weights(
    store: ModelStore, published: Path
) -> None:
    with (published / "config.json").open("ab") as file:
        file.write(b" ")

    with file_server(published) as server:
        with pytest.raises(errors.ModelFileChanged, match=r"config\.json differs"):
            add(store, server.url)
        asked = [path for path, _ in server.requests]

    assert "model.onnx" not in asked


def test_name_is_used_once(store: ModelStore, folder: Path) -> None:
    record = add(store, folder)

    with pytest.raises(errors.ModelExists):
        add(store, folder)
    with pytest.raises(errors.ModelSourceUnknown, match="no name for a model"):
        add(store, folder, name="../tiny")
    assert store.list_records() == [record]


def test_two_processes_do_not_add_one_model(store: ModelStore, folder: Path) -> None:
    partial = store.folder / ".tiny.partial"
    partial.mkdir(parents=True)
    descriptor = os.open(partial, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with pytest.raises(errors.ModelExists, match="Another process"):
        add(store, folder)
    os.close(descriptor)


def test_rest_of_a_killed_process_is_replaced(store: ModelStore, folder: Path) -> None:
    partial = store.folder / ".tiny.partial"
    (partial / "onnx").mkdir(parents=True)
    (partial / "model.onnx").write_text("half a file")

    assert "onnx" not in add(store, folder).files
    assert store.verify("tiny")
    assert [path.name for path in store.folder.iterdir()] == ["tiny"]


def append_byte(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"x")


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (append_byte, errors.ModelFileChanged),
        (Path.unlink, errors.ModelFileMissing),
    ],
)
def test_verification_finds_a_damaged_file(
    store: ModelStore, folder: Path, damage: Callable[[Path], None], error: type[LecternError]
) -> None:
    add(store, folder)
    damage(store.path("tiny") / "model.onnx")

    with pytest.raises(error, match=r"model\.onnx of tiny"):
        store.verify("tiny")


@pytest.mark.parametrize("setting", ["embeddings", "following", "reranker"])
def test_model_in_use_is_not_removed(store: ModelStore, folder: Path, setting: str) -> None:
    add(store, folder)

    with pytest.raises(errors.ModelInUse):
        store.remove("tiny", settings_with(**{setting: f"onnx:{store.path('tiny')}"}))
    assert store.verify("tiny")

    store.remove("tiny", settings_with())
    assert_nothing_added(store)


@pytest.mark.parametrize("name", ["tiny", "..", "", "/", ".tiny.partial"])
def test_unknown_model_is_reported(store: ModelStore, name: str) -> None:
    for action in (lambda: store.verify(name), lambda: store.remove(name, settings_with())):
        with pytest.raises(errors.ModelNotFound):
            action()


@pytest.fixture
def small_disk() -> Generator[Path]:
    with mount_small_disk("16k") as disk:
        yield disk


@pytest.mark.parametrize("is_recorded", [False, True])
def test_full_disk_leaves_nothing(small_disk: Path, tmp_path: Path, *, is_recorded: bool) -> None:
    folder = write_tiny_model(tmp_path / "large", words=" ".join(f"word{number}" for number in range(500)))
    if is_recorded:
        add(ModelStore(tmp_path / "other"), folder)
        folder = tmp_path / "other" / "tiny"
    store = ModelStore(small_disk / "models")

    with pytest.raises(DiskFull, match="too full for this model"):
        add(store, folder)
    assert_nothing_added(store)


def test_model_folder_that_is_a_file_is_reported(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "store").write_text("")

    with pytest.raises(Misconfigured, match="cannot be written"):
        add(ModelStore(tmp_path / "store"), folder)


def test_links_of_a_download_cache_are_followed(store: ModelStore, folder: Path, tmp_path: Path) -> None:
    shutil.move(folder / "model.onnx", tmp_path / "blob")
    (folder / "model.onnx").symlink_to(tmp_path / "blob")

    add(store, folder)

    assert not (store.path("tiny") / "model.onnx").is_symlink()
