"""Check the vectors of an export before any of them is used.

A vector is taken only if a chunk in the file has its text and it has the length 1. A random sample is embedded again.
If one of them differs, the file is not trusted and every text is embedded here.
"""

import asyncio
import random
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from lectern.embeddings.cache import content_hash
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.errors import LecternError
from lectern.ingestion.stages.embed import split_chunks
from lectern.library.archive import ArchiveBroken
from lectern.library.transfer.entries import ExportReader

SAMPLE_SIZE: Final = 64
_SAMPLE_PER_DOCUMENT: Final = 4
# Half precision and another batch change a cosine by 0.00002. Similar texts are below 0.98.
_MIN_COSINE: Final = 0.99
_LENGTH_TOLERANCE: Final = 0.01


class VectorsRefused(LecternError):
    """The vectors of this file do not belong to its texts."""

    default_hint = "Nothing to do: the worker embeds every text here. Ask where the file comes from."


class ClaimedVectors(NamedTuple):
    """Vectors and texts of a document, by the hash of the text."""

    vectors: Mapping[bytes, Vectors]
    texts: Mapping[bytes, str]


async def read_vectors(reader: ExportReader, number: int, model: EmbeddingProvider) -> ClaimedVectors:
    """Read the vectors of the n-th document that belong to one of its chunks.

    Raises:
        VectorsRefused: A vector is not finite or not of length 1.
        ArchiveBroken: The file is damaged.
    """
    return await asyncio.to_thread(_read_vectors, reader, number, model)


def _read_vectors(reader: ExportReader, number: int, model: EmbeddingProvider) -> ClaimedVectors:
    claimed = reader.vectors(number, dimensions=model.info.dimensions)
    rows = np.asarray(list(claimed.values()), np.float32).reshape(len(claimed), model.info.dimensions)
    if not np.all(np.abs(np.linalg.norm(rows, axis=1) - 1) <= _LENGTH_TOLERANCE):  # false for NaN too
        raise VectorsRefused("The file has vectors that are not of length 1.")
    chunks = [(chunk.id, chunk) for chunk in reader.chunks(number)]
    windows = split_chunks(model, reader.document(number).title, chunks)
    texts = {content_hash(window.text): window.text for _, window in windows}
    return ClaimedVectors({key: claimed[key] for key in texts if key in claimed}, texts)


async def verify_sample(reader: ExportReader, model: EmbeddingProvider) -> None:
    """Embed a random sample of texts again, and compare the vectors.

    Raises:
        VectorsRefused: A vector differs. The model's errors and ArchiveBroken pass through.
    """
    choice = random.SystemRandom()
    texts: list[str] = []
    expected: list[Vectors] = []
    for number in choice.sample(range(1, reader.manifest.document_count + 1), reader.manifest.document_count):
        claimed = await read_vectors(reader, number, model)
        for key in choice.sample(sorted(claimed.vectors), min(_SAMPLE_PER_DOCUMENT, len(claimed.vectors))):
            texts.append(claimed.texts[key])
            expected.append(claimed.vectors[key])
        if len(texts) >= SAMPLE_SIZE:
            break
    if not texts:
        return
    embedded = await model.embed_documents(texts)
    if not np.all(np.sum(embedded * np.asarray(expected), axis=1) >= _MIN_COSINE):
        raise VectorsRefused


def require_possible_count(reader: ExportReader) -> None:
    """Refuse a manifest that names more documents than the file has members. Raises ArchiveBroken."""
    if not 0 <= reader.manifest.document_count <= len(reader.zip.NameToInfo):
        raise ArchiveBroken(f"{reader.path} does not have {reader.manifest.document_count:,} documents.")
