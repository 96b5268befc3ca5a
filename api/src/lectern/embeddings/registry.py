"""Create embedding providers from the settings.

A new kind of provider is one file in `providers/` and one line in `PROVIDERS`.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.local.tokenizer import E5Tokenizer
from lectern.embeddings.local.weights import E5_CARD, ensure_e5
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.providers.model_card import read_card
from lectern.embeddings.providers.onnx import OnnxProvider
from lectern.settings import EmbeddingsSettings


def default_threads() -> int:
    """Return the cores of this process but one, which stays free for searches. At least 1."""
    return max(1, min(count_cores() - 1, _MAX_THREADS))


def count_cores(quota: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """Return the cores that this process may use: its affinity, or the limit of its container if that is lower."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        microseconds, period = quota.read_text().split()
        return max(1, min(cores, int(microseconds) // int(period)))
    except (OSError, ValueError):  # no file, or `max` for no limit
        return cores


def _local(argument: str, settings: EmbeddingsSettings, model_dir: Path) -> EmbeddingProvider:
    if argument:
        raise EmbeddingsMisconfigured("`local` takes no argument; use `onnx:FOLDER` for another model.")
    threads = settings.threads or default_threads()
    return OnnxProvider(E5_CARD, folder=lambda: ensure_e5(model_dir), load_tokenizer=E5Tokenizer, threads=threads)


def _onnx(argument: str, settings: EmbeddingsSettings, _model_dir: Path) -> EmbeddingProvider:
    folder = Path(argument)
    if not argument:
        raise EmbeddingsMisconfigured("`onnx:` needs the folder of a model.")
    return OnnxProvider(read_card(folder), folder=lambda: folder, threads=settings.threads or default_threads())


def _openai(argument: str, settings: EmbeddingsSettings, _model_dir: Path) -> EmbeddingProvider:
    if argument and not argument.startswith(("http://", "https://")):
        raise EmbeddingsMisconfigured(f"`openai:` needs an http(s) address, not {argument!r}.")
    from lectern.embeddings.providers.openai import (
        OpenAIProvider,  # takes a third of the start-up time
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
        raise EmbeddingsMisconfigured(f"`hash:` needs a number of dimensions from 1 to {_MAX_DIMENSIONS:,}.")
    return HashProvider(int(argument))


_MAX_THREADS: Final = 64  # as in the settings
_MAX_DIMENSIONS: Final = 4000  # of an HNSW index on halfvec
PROVIDERS: Final[dict[str, Callable[[str, EmbeddingsSettings, Path], EmbeddingProvider]]] = {
    "local": _local,
    "onnx": _onnx,
    "openai": _openai,
    "hash": _hash,
}
"""Factories by kind of provider. Each gets the text after the colon."""


def create_provider(settings: EmbeddingsSettings, *, model_dir: Path) -> EmbeddingProvider:
    """Create the provider of the settings without loading it. `model_dir` has the files of the local model.

    Raises:
        EmbeddingsMisconfigured: The setting names no provider, or its model cannot be used.
    """
    name, _, argument = settings.provider.strip().partition(":")
    if name not in PROVIDERS:
        raise EmbeddingsMisconfigured(f"LECTERN_EMBEDDINGS names no provider: {settings.provider!r}.")
    return PROVIDERS[name](argument, settings, model_dir)


def create_models(settings: EmbeddingsSettings, *, model_dir: Path) -> list[EmbeddingProvider]:
    """Create the distinct models of LECTERN_EMBEDDINGS and LECTERN_EMBEDDINGS_NEXT, in this order.

    Raises:
        EmbeddingsMisconfigured: A setting names no provider, or its model cannot be used.
    """
    configured = [settings] if settings.next is None else [settings, settings.next]
    models = [create_provider(each, model_dir=model_dir) for each in configured]
    return list({model.info.fingerprint: model for model in reversed(models)}.values())[::-1]
