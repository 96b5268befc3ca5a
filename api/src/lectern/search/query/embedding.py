"""Embed a query with the model of the active embedding generation."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from lectern.embeddings.active import follow_fingerprint, get_current_model
from lectern.embeddings.errors import EmbeddingsRejected, EmbeddingsUnavailable
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.query.analysis import QueryAnalysis

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query's vector as a Postgres literal and as numbers. `problem` says why it cannot be used."""

    literal: str | None
    model: EmbeddingProvider
    problem: str | None = None
    numbers: Vectors | None = None


@asynccontextmanager
async def embed_in_background(
    analysis: QueryAnalysis, provider: EmbeddingProvider, *, is_required: bool
) -> AsyncGenerator["asyncio.Task[QueryVector]"]:
    """Embed the query while Postgres looks up the documents.

    A remote model is awaited first, so that no database connection is held in the meantime.
    """
    task = asyncio.create_task(embed_query(analysis, provider, is_required=is_required))
    try:
        if provider.info.is_remote:
            await task
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)  # the caller has seen its error, or fails with another


async def embed_query(analysis: QueryAnalysis, provider: EmbeddingProvider, *, is_required: bool) -> QueryVector:
    """Embed the query with its synonyms.

    Raises:
        SemanticSearchUnavailable: The model failed and the vector `is_required`.
    """
    model = get_current_model(provider)
    try:
        vector = await model.embed_query(analysis.expanded_text)
    except (EmbeddingsUnavailable, EmbeddingsRejected) as error:
        if is_required:
            raise SemanticSearchUnavailable(f"The query could not be embedded: {error.message}") from error
        logger.warning("Searching by keyword only: %s", error.message, extra={"code": error.code})
        return QueryVector(None, model, error.message)
    return QueryVector(_literal(vector.astype(np.float32, copy=False).tobytes()), model, numbers=vector)


async def match_generation(
    vector: QueryVector,
    analysis: QueryAnalysis,
    provider: EmbeddingProvider,
    *,
    generation: int | None,
    fingerprint: str | None,
    is_required: bool,
) -> QueryVector:
    """Embed the query again if another model's embeddings have become active since.

    Without embeddings of any model of this process, the vector has a problem.

    Raises:
        SemanticSearchUnavailable: There is no usable vector and one `is_required`.
    """
    if fingerprint is not None and fingerprint != vector.model.info.fingerprint:
        follow_fingerprint(provider, fingerprint)
        vector = await embed_query(analysis, provider, is_required=is_required)
    if vector.literal is None or generation is not None:
        return vector
    problem = f"the library has no complete embeddings of {vector.model.info.id}"
    if is_required:
        raise SemanticSearchUnavailable(f"Semantic search is not possible: {problem}.")
    logger.warning("Searching by keyword only: %s", problem)
    return replace(vector, problem=problem)


@lru_cache(maxsize=500)
def _literal(vector: bytes) -> str:
    """Write a vector of 32-bit numbers as a Postgres literal."""
    numbers = np.frombuffer(vector, np.float32).tolist()
    return f"[{','.join(['%.7f'] * len(numbers))}]" % tuple(numbers)
