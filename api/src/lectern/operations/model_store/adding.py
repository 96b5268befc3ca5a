"""Copy a model from its source into an empty folder, check its files and run it once."""

import errno
import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.providers.model_card import (
    CARD_FILE,
    MODEL_FILE,
    TOKENIZER_FILE,
    ModelCard,
    compute_fingerprint,
    read_usage,
)
from lectern.operations.model_store.checking import check_embedder, check_reranker
from lectern.operations.model_store.errors import ModelFileChanged, ModelFileMissing, ModelUnsupported
from lectern.operations.model_store.external_data import list_external_files
from lectern.operations.model_store.record import (
    MAX_RECORD_BYTES,
    RECORD_FILE,
    KnownModel,
    ModelFile,
    ModelKind,
    ModelRecord,
    load_catalog,
    parse_record,
)
from lectern.operations.model_store.sources import ModelSource, hash_file
from lectern.search.reranking.cross_encoder import MAX_TOKENS

_WEIGHTS: Final = (MODEL_FILE, f"onnx/{MODEL_FILE}")
_DESCRIPTIONS: Final = (
    CARD_FILE,
    "config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "modules.json",
    "1_Pooling/config.json",
    "README.md",
    "LICENSE",
    "NOTICE",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRequest:
    """A model to add. `kind` and `weights` override the catalogue and the usual file names."""

    name: str
    source: ModelSource
    kind: ModelKind | None = None
    weights: str = ""


def copy_model(request: AddRequest, folder: Path, report: Callable[[str], None]) -> ModelRecord:
    """Copy the model into an empty folder and return its record.

    Small files come first: a wrong source is refused before its weights are copied.
    A source with a record is checked against it. The hashes of other sources are recorded.

    Raises:
        ModelFileMissing: The source lacks a file.
        ModelFileChanged: A file differs from the record of the source.
        ModelUnsupported: The model cannot be run here.
        ModelSourceUnavailable: The source cannot be read.
    """
    copier = _Copier(request.source, folder, report)
    published = _read_published(request.source)
    known = None if published else load_catalog().get(request.name)
    stated = published or known
    if published:
        copier.copy_recorded(published.files)
    else:
        copier.copy_descriptions(request.weights)
    kind = request.kind or (stated.kind if stated else _detect_kind(folder))
    card = _read_card(folder, request.name, known) if kind == "embedding" else None
    if not published:
        copier.copy_weights(request.weights)
    if card:
        # a wrong fingerprint would mix the embeddings of two models
        card = card.model_copy(update={"fingerprint": compute_fingerprint(folder, card)})
        card.write(folder)
        copier.files[CARD_FILE] = hash_file(folder / CARD_FILE)
    report(f"Running {request.name} once")
    return ModelRecord(
        name=request.name,
        kind=kind,
        license=stated.license if stated else _read_license(folder),
        source=request.source.address,
        dimensions=card.dimensions if card else None,
        max_tokens=card.max_tokens if card else MAX_TOKENS,
        added_at=datetime.now(UTC),
        speed=check_embedder(folder, card) if card else check_reranker(folder, request.name),
        files=copier.files,
    )


def _read_published(source: ModelSource) -> ModelRecord | None:
    content = source.read(RECORD_FILE, max_bytes=MAX_RECORD_BYTES)
    return parse_record(content, address=source.address) if content is not None else None


@dataclass(frozen=True, slots=True)
class _Copier:
    """Copies files of a source, and collects their sizes and hashes."""

    source: ModelSource
    folder: Path
    report: Callable[[str], None]
    files: dict[str, ModelFile] = field(default_factory=dict[str, ModelFile])

    def copy_recorded(self, recorded: Mapping[str, ModelFile]) -> None:
        """Copy the files of a record, and compare each with it."""
        needed, free = sum(file.size_bytes for file in recorded.values()), shutil.disk_usage(self.folder).free
        if needed > free:
            raise OSError(errno.ENOSPC, f"{needed:,} bytes are needed")
        for name, expected in sorted(recorded.items(), key=lambda each: each[1].size_bytes):
            if self._require_copy(name, name) != expected:
                raise ModelFileChanged(
                    f"{name} differs from the SHA-256 in {RECORD_FILE} of {self.source.address}.",
                    hint="Nothing was added. The file was changed or damaged: use another source.",
                )

    def copy_descriptions(self, weights: str) -> None:
        """Copy the small files of a model without a record, in the layout of sentence-transformers."""
        beside = [PurePosixPath(name).with_name(TOKENIZER_FILE).as_posix() for name in _weights_names(weights)]
        if not any(self._copy(name, TOKENIZER_FILE) for name in dict.fromkeys((TOKENIZER_FILE, *beside))):
            raise ModelFileMissing(f"{self.source.address} has no {TOKENIZER_FILE}.")
        for name in _DESCRIPTIONS:
            self._copy(name, name)

    def copy_weights(self, weights: str) -> None:
        """Copy the weights, and the files next to them that have the rest."""
        names = _weights_names(weights)
        found = next((name for name in names if self._copy(name, MODEL_FILE)), None)
        if found is None:
            raise ModelFileMissing(f"{self.source.address} has no {' or '.join(names)}.")
        for name in list_external_files(self.folder / MODEL_FILE):
            self._require_copy((PurePosixPath(found).parent / name).as_posix(), name)

    def _require_copy(self, name: str, stored_name: str) -> ModelFile:
        copied = self._copy(name, stored_name)
        if copied is None:
            raise ModelFileMissing(f"{self.source.address} has no {name}.")
        return copied

    def _copy(self, name: str, stored_name: str) -> ModelFile | None:
        target = self.folder / stored_name
        copied = self.source.copy(name, target)
        if copied is None:
            target.unlink(missing_ok=True)
        else:
            self.files[stored_name] = copied
            self.report(f"Copied {name}, {copied.size_bytes / 1_000_000:,.1f} MB")
        return copied


def _weights_names(weights: str) -> tuple[str, ...]:
    return (weights,) if weights else _WEIGHTS


def _read_card(folder: Path, name: str, known: KnownModel | None) -> ModelCard:
    """Read the card of an embedding model: its own, else the catalogue's, else from its other files."""
    catalogued = known.model_card(name) if known else None
    if catalogued and not (folder / CARD_FILE).is_file():
        return catalogued
    try:
        return read_usage(folder).model_copy(update={"id": name})
    except EmbeddingsMisconfigured as error:
        raise ModelUnsupported(error.message.replace(str(folder), "The model"), hint=error.hint) from None


def _detect_kind(folder: Path) -> ModelKind:
    try:
        names = [str(name) for name in json.loads((folder / "config.json").read_bytes())["architectures"]]
    except (OSError, ValueError, KeyError, TypeError):
        return "embedding"
    return "reranker" if any(name.endswith("ForSequenceClassification") for name in names) else "embedding"


def _read_license(folder: Path) -> str:
    """Return the licence in the front matter of the model's README, or nothing."""
    path = folder / "README.md"
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    front = re.match(r"---\n(.*?)\n---", text, re.DOTALL)
    found = re.search(r"^license:\s*([\w.+-]+)\s*$", front[1], re.MULTILINE) if front else None
    return found[1] if found else ""
