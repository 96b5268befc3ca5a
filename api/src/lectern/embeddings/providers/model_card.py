"""Read the model card of a folder with `model.onnx` and `tokenizer.json`.

`lectern.json` has all properties. Without it, the files of sentence-transformers are read:
`config.json` (size), `config_sentence_transformers.json` (prompts), `sentence_bert_config.json` (length),
`1_Pooling/config.json` (pooling), `modules.json` (further layers, which are refused).
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.provider import Prefixes, ProviderInfo, SimilarityRange
from lectern.errors import describe_invalid

CARD_FILE: Final = "lectern.json"
MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
_DEFAULT_MAX_TOKENS: Final = 512
_KNOWN_LAYERS: Final = {"Transformer", "Pooling", "Normalize"}


class ModelCard(BaseModel):
    """The identity and usage of a model. `pooling` applies to models that output one vector per token."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    dimensions: int = Field(ge=1, le=4000)
    max_tokens: int = Field(default=_DEFAULT_MAX_TOKENS, ge=8)
    query_prefix: str = ""
    document_prefix: str = ""
    pooling: Literal["mean", "cls"] = "mean"
    fingerprint: str = ""
    similarity_range: SimilarityRange | None = None

    @property
    def info(self) -> ProviderInfo:
        return ProviderInfo(
            id=self.id,
            dimensions=self.dimensions,
            max_tokens=self.max_tokens,
            prefixes=Prefixes(self.query_prefix, self.document_prefix),
            fingerprint=self.fingerprint,
            similarity_range=self.similarity_range,
        )

    def write(self, folder: Path) -> None:
        """Write the card to the folder of the model."""
        (folder / CARD_FILE).write_text(self.model_dump_json(indent=2), encoding="utf-8")


def read_card(folder: Path) -> ModelCard:
    """Read the card of a model folder. A card without a fingerprint gets one from the content of the files.

    Raises:
        EmbeddingsMisconfigured: A file is missing or unreadable, or the dimensions are unknown.
    """
    for name in (MODEL_FILE, TOKENIZER_FILE):
        if not (folder / name).is_file():
            raise EmbeddingsMisconfigured(f"{folder} has no {name}.")
    card = read_usage(folder)
    return card if card.fingerprint else card.model_copy(update={"fingerprint": compute_fingerprint(folder, card)})


def read_usage(folder: Path) -> ModelCard:
    """Read the card from the small files of a model folder.

    Raises:
        EmbeddingsMisconfigured: A file is unreadable, or the dimensions are unknown.
    """
    fields = _json(folder / CARD_FILE) or _sentence_transformers(folder)
    try:
        return ModelCard.model_validate({"id": f"onnx:{folder.name}", **fields})
    except ValidationError as error:
        problem = error.errors()[0]
        raise EmbeddingsMisconfigured(
            f"{folder} has an incomplete model card: {problem['loc'][0]}: {describe_invalid(problem)[1].lower()}.",
            hint=f"Write {CARD_FILE} with id, dimensions, max_tokens, query_prefix, document_prefix and pooling.",
        ) from error


def compute_fingerprint(folder: Path, card: ModelCard) -> str:
    """Return a fingerprint of everything that changes a vector: weights, tokenizer and usage."""
    digest = hashlib.sha256()
    # weights over 2 GB are in extra files
    for path in sorted({*folder.glob(f"{MODEL_FILE}*"), *folder.glob("*.onnx_data*")}):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    digest.update(hashlib.sha256((folder / TOKENIZER_FILE).read_bytes()).digest())
    digest.update(card.model_dump_json(exclude={"id", "fingerprint", "similarity_range"}).encode())
    return f"onnx:{digest.hexdigest()[:32]}"


def _sentence_transformers(folder: Path) -> dict[str, Any]:
    config = _json(folder / "config.json")
    prompts = cast("dict[str, str]", _json(folder / "config_sentence_transformers.json").get("prompts") or {})
    length = _json(folder / "sentence_bert_config.json").get("max_seq_length") or config.get("max_position_embeddings")
    _refuse_further_layers(folder)
    fields: dict[str, Any] = {
        "dimensions": config.get("hidden_size") or config.get("dim"),
        "max_tokens": min(int(length or _DEFAULT_MAX_TOKENS), 8192),
        "query_prefix": _prompt(prompts, "query"),
        "document_prefix": _prompt(prompts, "document", "passage"),
        "pooling": _pooling(folder),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _pooling(folder: Path) -> Literal["mean", "cls"]:
    config = _json(folder / "1_Pooling" / "config.json")
    start = "pooling_mode_"
    modes = {name.removeprefix(start) for name, value in config.items() if name.startswith(start) and value is True}
    modes = modes or {str(config.get("pooling_mode", "mean"))}
    if modes <= {"mean_tokens", "mean"}:
        return "mean"
    if modes <= {"cls_token", "cls"}:
        return "cls"
    raise EmbeddingsMisconfigured(
        f"{folder} has a pooling that is not supported: {', '.join(sorted(modes))}.",
        hint=f"Use a model with mean or CLS pooling, or an export that pools and has a {CARD_FILE}.",
    )


def _refuse_further_layers(folder: Path) -> None:
    path = folder / "modules.json"
    listed = _content(path) if path.is_file() else None
    modules = cast("list[dict[str, str]]", listed) if isinstance(listed, list) else []
    further = {module["type"].rpartition(".")[2] for module in modules} - _KNOWN_LAYERS
    if further:
        raise EmbeddingsMisconfigured(
            f"{folder} has layers after the model that are not supported: {', '.join(sorted(further))}.",
            hint=f"Use an export that has them inside {MODEL_FILE}, with a {CARD_FILE}.",
        )


def _prompt(prompts: Mapping[str, str], *names: str) -> str:
    return next((prompts[name] for name in names if prompts.get(name)), "")


def _json(path: Path) -> dict[str, Any]:
    content = _content(path) if path.is_file() else None
    return cast("dict[str, Any]", content) if isinstance(content, dict) else {}


def _content(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EmbeddingsMisconfigured(f"{path} cannot be read: {error}.") from error
