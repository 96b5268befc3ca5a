"""Run a model once before it is added: it must load, and return vectors or scores."""

import asyncio
import math
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from lectern.embeddings.errors import EmbeddingsMisconfigured, EmbeddingsMismatch
from lectern.embeddings.providers.model_card import ModelCard
from lectern.embeddings.providers.onnx import OnnxProvider
from lectern.operations.model_store.errors import ModelUnsupported
from lectern.operations.model_store.record import ModelSpeed
from lectern.search.errors import RerankingMisconfigured
from lectern.search.reranking.cross_encoder import CrossEncoder

_QUESTION: Final = "How long is the notice period?"
_PASSAGE: Final = (
    "Either party may terminate this agreement in writing. The notice period is three months to the end of a "
    "quarter. During the first six months a notice period of two weeks applies, and no reason has to be given. "
    "Termination for good cause remains possible at any time. The party that terminates states the cause in "
    "writing. Documents, keys and devices are returned on the last day. Claims that arose before the termination "
    "are settled within thirty days, and confidentiality continues for two years."
)
_LONG_TEXT: Final = " ".join([_PASSAGE] * 10)  # about 1,000 tokens, which the model truncates to its limit
_RUNS: Final = 3
_PATIENCE_SECONDS: Final = 600.0


def check_embedder(folder: Path, card: ModelCard) -> ModelSpeed:
    """Embed a passage and a question.

    Raises:
        ModelUnsupported: The model cannot be loaded or returns no unit vectors of the card's dimensions.
    """
    try:
        return asyncio.run(_embed(OnnxProvider(card, folder=lambda: folder)))
    except (EmbeddingsMismatch, EmbeddingsMisconfigured) as error:
        raise ModelUnsupported(error.message.replace(str(folder), "this folder")) from None


def check_reranker(folder: Path, name: str) -> ModelSpeed:
    """Score a question with a passage.

    Raises:
        ModelUnsupported: The model cannot be loaded or returns no finite score.
    """
    try:
        return asyncio.run(_score(folder, name))
    except RerankingMisconfigured as error:
        raise ModelUnsupported(error.message.replace(str(folder), "this folder")) from None


async def _embed(provider: OnnxProvider) -> ModelSpeed:
    started = time.perf_counter()
    try:
        await provider.prepare()
        loaded = time.perf_counter()
        vectors = await provider.embed_documents([_PASSAGE] * _RUNS)
        ended = time.perf_counter()
        with _long_text_errors():
            vectors = [*vectors, *await provider.embed_documents([_LONG_TEXT]), await provider.embed_query(_QUESTION)]
    finally:
        await provider.close()
    if not all(math.isclose(float(np.linalg.norm(vector)), 1, abs_tol=0.01) for vector in vectors):
        raise ModelUnsupported("The model returns vectors without a length.", hint="Use another export of the model.")
    return _speed(started, loaded, ended)


async def _score(folder: Path, name: str) -> ModelSpeed:
    started = time.perf_counter()
    model = CrossEncoder(folder, name=name, languages=frozenset(), timeout_seconds=_PATIENCE_SECONDS)
    loaded = time.perf_counter()
    try:
        scores = await model.score(_QUESTION, [_PASSAGE] * _RUNS)
        ended = time.perf_counter()
    finally:
        await model.close()
    if not all(map(math.isfinite, scores)):
        raise ModelUnsupported("The model returns scores that are not numbers.", hint="Use another export of it.")
    return _speed(started, loaded, ended)


@contextmanager
def _long_text_errors() -> Generator[None]:
    """Translate the errors of a model that has fewer positions than its card says."""
    try:
        yield
    except BaseException as error:  # onnxruntime has no common base class
        if type(error).__module__.startswith("onnxruntime."):
            raise ModelUnsupported(
                "The model fails on a text of its full length.",
                hint="Write a smaller max_tokens into lectern.json.",
            ) from error
        raise


def _speed(started: float, loaded: float, ended: float) -> ModelSpeed:
    passage = 1000 * (ended - loaded) / _RUNS
    return ModelSpeed(load_seconds=round(loaded - started, 2), passage_milliseconds=round(passage, 1))
