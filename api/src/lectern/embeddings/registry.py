"""The embedding providers there are, and the one that LECTERN_EMBEDDINGS names."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.local.weights import E5_CARD, ensure_e5
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.providers.model_card import read_card
from lectern.embeddings.providers.onnx import OnnxProvider
from lectern.settings import EmbeddingsSettings


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of provider: its name before the colon, and how one is made from what follows it."""

    name: str
    create: Callable[[str, EmbeddingsSettings, Path], EmbeddingProvider]


def _local(argument: str, settings: EmbeddingsSettings, model_dir: Path) -> EmbeddingProvider:
    if argument:
        raise EmbeddingsMisconfigured("`local` takes nothing after it; `onnx:FOLDER` runs another model.")
    return OnnxProvider(E5_CARD, folder=lambda: ensure_e5(model_dir), threads=settings.threads)


def _onnx(argument: str, settings: EmbeddingsSettings, _model_dir: Path) -> EmbeddingProvider:
    folder = Path(argument)
    if not argument:
        raise EmbeddingsMisconfigured("`onnx:` must be followed by the folder of a model.")
    return OnnxProvider(read_card(folder), folder=lambda: folder, threads=settings.threads)


def _openai(argument: str, settings: EmbeddingsSettings, _model_dir: Path) -> EmbeddingProvider:
    if argument and not argument.startswith(("http://", "https://")):
        raise EmbeddingsMisconfigured(f"`openai:` must be followed by an http(s) address, not {argument!r}.")
    from lectern.embeddings.providers.openai import (
        OpenAIProvider,  # a third of the start of a process that does not use it
    )

    return OpenAIProvider(
        model=settings.model,
        dimensions=settings.dimensions,
        api_key=settings.openai_api_key,
        base_url=argument or None,
        max_tokens=settings.max_tokens,
        timeout_seconds=settings.timeout_seconds,
    )


def _hash(argument: str, _settings: EmbeddingsSettings, _model_dir: Path) -> EmbeddingProvider:
    if not argument.isascii() or not argument.isdigit() or not 1 <= int(argument) <= _MAX_DIMENSIONS:
        raise EmbeddingsMisconfigured(f"`hash:` must be followed by 1 to {_MAX_DIMENSIONS:,} dimensions.")
    return HashProvider(int(argument))


_MAX_DIMENSIONS: Final = 4000  # of an HNSW index on halfvec
PROVIDERS: Final = (Kind("local", _local), Kind("onnx", _onnx), Kind("openai", _openai), Kind("hash", _hash))


def create_provider(settings: EmbeddingsSettings, *, model_dir: Path) -> EmbeddingProvider:
    """The provider of the settings; `model_dir` is where the local model's files are kept. Nothing is loaded yet.

    Raises:
        EmbeddingsMisconfigured: The setting names no provider, or its model cannot be used.
    """
    name, _, argument = settings.provider.strip().partition(":")
    for kind in PROVIDERS:
        if kind.name == name:
            return kind.create(argument, settings, model_dir)
    raise EmbeddingsMisconfigured(f"LECTERN_EMBEDDINGS names no provider: {settings.provider!r}.")
