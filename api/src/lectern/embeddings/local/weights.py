"""Convert the packaged weights into an ONNX model folder at the first start.

folder = ensure_e5(model_dir)      # blocks 2-3 s the first time, a few ms afterwards

Matrices become int8 with one scale per output. Word embeddings stay in their 4 bits. The graph, `e5-small.onnx`, names
each tensor with its place in the file, so a change here needs a new graph (`api/tools/e5_graph.py`).
"""

import ctypes
import fcntl
import logging
import os
import shutil
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.local.source import SOURCE_SHA256, E5Source, find_source
from lectern.embeddings.local.tokenizer import build_files
from lectern.embeddings.provider import SimilarityRange
from lectern.embeddings.providers.model_card import CARD_FILE, MODEL_FILE, ModelCard

logger = logging.getLogger(__name__)

# Increase it whenever a change of the converter or tokenizer changes embeddings.
_CONVERSION: Final = 1
E5_CARD: Final = ModelCard(
    id="multilingual-e5-small",
    dimensions=384,
    max_tokens=512,
    query_prefix="query: ",
    document_prefix="passage: ",
    fingerprint=f"multilingual-e5-small:{SOURCE_SHA256[:16]}:int8-{_CONVERSION}",
    # measured on 320 questions with an answer and 230 without
    similarity_range=SimilarityRange(unrelated=0.79, good_answer=0.89),
)
_NAME: Final = E5_CARD.fingerprint.replace(":", "-")
# Increase its number when the files change and the embeddings do not.
_FOLDER: Final = f"{_NAME}-files-3"
GRAPH: Final = Path(__file__).with_name("e5-small.onnx")
WEIGHTS_FILE: Final = f"{MODEL_FILE}_data"
Tensors = Iterator[tuple[str, NDArray[Any]]]
ALIGNMENT: Final = 64  # bytes
# Seven bits: without VNNI, sums of two byte products are stored in 16 bits, and a full int8 would saturate them.
_MAX_WEIGHT: Final = 63


def ensure_e5(model_dir: Path) -> Path:
    """Return the folder of the converted model, and convert it if it is missing.

    One process converts while others wait. A killed conversion leaves no incomplete model.

    Raises:
        EmbeddingsMisconfigured: The weights are missing or unexpected, or the folder cannot be written.
    """
    folder = model_dir / _FOLDER
    if (folder / CARD_FILE).is_file():  # also where nothing can be written, as in a container
        return folder
    try:
        model_dir.mkdir(parents=True, exist_ok=True)
        with _locked(model_dir / ".lock"):
            if not (folder / CARD_FILE).is_file():
                _convert(folder)
                for other in set(model_dir.glob(f"{_NAME}*")) - {folder}:  # of earlier versions
                    shutil.rmtree(other, ignore_errors=True)
    except OSError as error:
        raise EmbeddingsMisconfigured(
            f"The local model cannot be written to {model_dir}: {error.strerror}.",
            hint="Free about 150 MB there.",
        ) from error
    return folder


def _convert(folder: Path) -> None:

    started = time.perf_counter()
    source = E5Source(find_source())
    partial = folder.with_name(f".{folder.name}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    shutil.copyfile(GRAPH, partial / MODEL_FILE)
    write_weights(source, partial / WEIGHTS_FILE)
    for name, content in build_files(source.vocabulary).items():
        (partial / name).write_bytes(content)
    E5_CARD.write(partial)
    for path in partial.iterdir():
        _sync(path)
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    del source
    _return_memory()
    logger.info("Local model converted", extra={"folder": str(folder), "seconds": time.perf_counter() - started})


def _return_memory() -> None:
    """Return 270 MB of freed memory to the system, which glibc would keep."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def _locked(path: Path) -> Generator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


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
