"""What a large library is made of: passages of real documents with their real embeddings.

A passage of the large library is one real passage with a part of another one of its language in it, and its embedding
is their mean in the same shares, with some noise: words keep the frequencies they have in real texts, and no two
passages are the same. The noise is what leaves the nearest embeddings as far apart as real ones are: of 3,000 passages
the cosine of the nearest and tenth nearest is .962 and .933 (real: .969 and .936), the local intrinsic dimension 19
(real: 12; with twice and a half the noise 52, and every index of neighbours fails).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import corpora
import numpy as np
from corpora import CutDocument, KeptEmbeddings

from lectern.chunking.types import TextChunk
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.embeddings.windows import window_context

NOISE: Final = 0.008  # standard deviation, each dimension
WINDOW_CHARACTERS: Final = 300
SHARES: Final = (0.6, 0.9)  # of the first passage


@dataclass(frozen=True, slots=True)
class PoolPassage:
    """A real passage and its embedding."""

    chunk: TextChunk
    title: str | None
    vector: Vectors


@dataclass(frozen=True, slots=True)
class MixedPassage:
    """A passage of the large library."""

    chunk: TextChunk
    text: str
    vector: Vectors


async def read_pool(
    sets: Sequence[Path], provider: EmbeddingProvider, *, cache: Path, size: int
) -> dict[str, list[PoolPassage]]:
    """Up to `size` passages of the sets, drawn evenly from their documents, by language."""
    cuts = await asyncio.to_thread(corpora.cut_sets, sets, cache)
    every = [(cut, chunk) for cut in cuts for chunk in cut.chunked.chunks]
    random = np.random.default_rng(5)
    drawn = [every[place] for place in sorted(random.permutation(len(every))[:size])]
    vectors = await corpora.embed(provider, KeptEmbeddings(cache), [_window(cut, chunk) for cut, chunk in drawn])
    pool: dict[str, list[PoolPassage]] = {}
    for (cut, chunk), vector in zip(drawn, vectors, strict=True):
        pool.setdefault(chunk.language, []).append(PoolPassage(chunk, cut.chunked.title, vector))
    return pool


def _window(cut: CutDocument, chunk: TextChunk) -> str:
    """Its beginning: what fills a model's window takes hours to embed, and has the same dimensions."""
    context = window_context(cut.chunked.title, (*chunk.section_path, chunk.section_heading or ""))
    return f"{context}\n{chunk.text[:WINDOW_CHARACTERS]}"


def mix(passages: Sequence[PoolPassage], random: np.random.Generator) -> MixedPassage:
    """A passage made of two of the same language."""
    first, second = (passages[place] for place in random.integers(0, len(passages), 2))
    share = float(random.uniform(*SHARES))
    text = _mixed_text(first.chunk.text, second.chunk.text, share=share, random=random)
    vector = share * first.vector + (1 - share) * second.vector
    vector = vector + random.normal(0, NOISE, vector.shape)
    return MixedPassage(first.chunk, text, (vector / np.linalg.norm(vector)).astype(np.float32))


def _mixed_text(first: str, second: str, *, share: float, random: np.random.Generator) -> str:
    """The first text, a part of it replaced by as long a part of the second; words stay whole."""
    words, others = first.split(" "), second.split(" ")
    count = round(len(words) * (1 - share))
    at = int(random.integers(0, max(len(words) - count, 0) + 1))
    begin = int(random.integers(0, max(len(others) - count, 0) + 1))
    return " ".join([*words[:at], *others[begin : begin + count], *words[at + count :]])
