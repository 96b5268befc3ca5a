"""Write the weights of multilingual-e5-small for its graph, `e5-small.onnx`.

Matrices become int8 with one scale per output. Word embeddings stay in their 4 bits. The graph names each tensor with
its place in the file, so a change here needs a new graph (`api/tools/e5_graph.py`).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lectern.embeddings.local.source import E5Source

Tensors = Iterator[tuple[str, NDArray[Any]]]
ALIGNMENT: Final = 64  # bytes
# Seven bits: without VNNI, sums of two byte products are stored in 16 bits, and a full int8 would saturate them.
_MAX_WEIGHT: Final = 63


def write_weights(source: E5Source, path: Path) -> None:
    """Write all tensors to a file, which ONNX Runtime maps into memory.

    Processes share its pages, and only pages in use take memory.
    """
    with path.open("wb") as file:
        for offset, (_, values) in lay_out(list_tensors(source)):
            file.write(bytes(offset - file.tell()))
            file.write(values.tobytes())


def lay_out(tensors: Iterable[tuple[str, NDArray[Any]]]) -> Iterator[tuple[int, tuple[str, NDArray[Any]]]]:
    """Yield the place of each tensor in the file, in bytes, and the tensor."""
    end = 0
    for name, values in tensors:
        offset = -(-end // ALIGNMENT) * ALIGNMENT
        yield offset, (name, values)
        end = offset + values.nbytes


def list_tensors(source: E5Source) -> Tensors:
    """Yield name and values of each tensor. `words` has two 4-bit values in a byte."""
    sizes = source.sizes
    packed, scales = source.packed("emb.word", rows=sizes.vocabulary, columns=sizes.hidden)
    yield "words", _as_int4(packed)
    yield "words.scale", scales
    yield "positions", add_token_type(source)
    for name in list_vectors(source):
        yield name, source.floats(name)
    for name, rows, columns in list_matrices(source):
        weights = source.matrix(name, rows=rows, columns=columns).T
        scale = np.abs(weights).max(axis=0) / _MAX_WEIGHT
        yield name, np.clip(np.rint(weights / scale), -_MAX_WEIGHT, _MAX_WEIGHT).astype(np.int8)
        yield f"{name}.scale", scale.astype(np.float32)
        yield f"{name}.zero", np.zeros(rows, np.int8)


def add_token_type(source: E5Source) -> NDArray[np.float32]:
    """Return the position embeddings plus that of the first token type; (positions, hidden)."""
    sizes = source.sizes
    types = source.floats("emb.type").reshape(sizes.token_types, sizes.hidden)
    return source.floats("emb.pos").reshape(sizes.positions, sizes.hidden) + types[0]


def list_vectors(source: E5Source) -> Iterator[str]:
    """Yield the names of biases, and of the scales and biases of the layer normalisations."""
    yield from ("emb.ln.w", "emb.ln.b")
    for layer in range(source.sizes.layers):
        yield from (f"l{layer}.{name}" for name in ("aln.w", "aln.b", "oln.w", "oln.b"))
    for matrix, _, _ in list_matrices(source):
        yield f"{matrix.removesuffix('w')}b"


def list_matrices(source: E5Source) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each matrix, its outputs and inputs: query, key, value, output, and the feed-forward pair."""
    hidden, wide = source.sizes.hidden, source.sizes.feed_forward
    for layer in range(source.sizes.layers):
        yield from ((f"l{layer}.{part}.w", hidden, hidden) for part in ("q", "k", "v", "ao"))
        yield f"l{layer}.fi.w", wide, hidden
        yield f"l{layer}.fo.w", hidden, wide


def _as_int4(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Reorder for ONNX: neighbours share a byte, the first in the low half, two's complement."""
    low, high = packed & 15, packed >> 4
    blocks = np.concatenate([low[:, :, 0::2] | low[:, :, 1::2] << 4, high[:, :, 0::2] | high[:, :, 1::2] << 4], axis=-1)
    return np.bitwise_xor(blocks, 0x88, dtype=np.uint8)  # v - 8 in four bits is v with its top bit flipped
