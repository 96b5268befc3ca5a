"""Any model folder (`model.onnx`, `tokenizer.json`) run by onnxruntime in threads of its own."""

import asyncio
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lectern.embeddings.errors import EmbeddingsMisconfigured, EmbeddingsMismatch
from lectern.embeddings.model_card import MODEL_FILE, TOKENIZER_FILE, ModelCard
from lectern.embeddings.provider import ProviderInfo, Vectors, normalised
from lectern.embeddings.text import cleaned

# Measured: larger batches are no faster on a CPU and take more memory.
BATCH_SIZE: Final = 4
_SORTED_AT_ONCE: Final = 64
_POOLED: Final = 2  # axes of an output that is pooled already: (batch, dimensions)


class OnnxProvider:
    """A model on this machine's CPU.

    Documents are embedded one batch at a time in one thread, queries in another, so that a query never waits for the
    documents before it. The model is loaded by the first call or by `prepare`.
    """

    def __init__(self, card: ModelCard, *, folder: Callable[[], Path], threads: int = 1) -> None:
        self._card = card
        self._folder = folder
        self._threads = threads
        self._model: _Model | None = None
        self._loading = threading.Lock()
        self._documents = ThreadPoolExecutor(1, thread_name_prefix="embed-documents")
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")

    @property
    def info(self) -> ProviderInfo:
        return self._card.info

    async def prepare(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._queries, self._loaded)

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """(n, dimensions). Each batch is a task of its own: a cancelled call stops after the batch under way."""
        vectors = np.zeros((len(texts), self._card.dimensions), np.float32)
        loop = asyncio.get_running_loop()
        for start in range(0, len(texts), _SORTED_AT_ONCE):
            group = list(texts[start : start + _SORTED_AT_ONCE])
            encoded = await loop.run_in_executor(self._documents, self._encode_all, group)
            order = sorted(range(len(group)), key=lambda index: len(encoded[index]))
            for at in range(0, len(order), BATCH_SIZE):
                batch = order[at : at + BATCH_SIZE]
                rows = [encoded[index] for index in batch]
                vectors[[start + index for index in batch]] = await loop.run_in_executor(
                    self._documents, self._run, rows
                )
        return vectors

    async def embed_query(self, text: str) -> Vectors:
        return await asyncio.get_running_loop().run_in_executor(self._queries, self._embed_query, text)

    def count_tokens(self, text: str) -> int:
        return len(self._loaded().encode(self._card.document_prefix + cleaned(text, max_tokens=self._card.max_tokens)))

    async def close(self) -> None:
        """Let the batch under way end; nothing can be embedded afterwards."""
        for executor in (self._documents, self._queries):
            await asyncio.to_thread(executor.shutdown, cancel_futures=True)
        self._model = None

    def _loaded(self) -> "_Model":
        with self._loading:
            if self._model is None:
                self._model = _load(self._folder(), card=self._card, threads=self._threads)
            return self._model

    def _encode_all(self, texts: list[str]) -> list[list[int]]:
        return [self._encode(self._card.document_prefix, text) for text in texts]

    def _encode(self, prefix: str, text: str) -> list[int]:
        limit = self._card.max_tokens
        ids = self._loaded().encode(prefix + cleaned(text, max_tokens=limit))
        return ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]]  # the last one closes the text

    def _embed_query(self, text: str) -> Vectors:
        return self._run([self._encode(self._card.query_prefix, text)])[0]

    def _run(self, rows: list[list[int]]) -> Vectors:
        return self._loaded().run(rows)


@dataclass(frozen=True, slots=True)
class _Model:
    """A loaded model. Thread-safe: neither the session nor the tokenizer is changed after loading."""

    tokenizer: Tokenizer
    session: Any  # onnxruntime has no types
    card: ModelCard
    output: str
    pad_id: int
    has_token_types: bool

    def encode(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def run(self, rows: list[list[int]]) -> Vectors:
        length = max(len(row) for row in rows)
        ids = np.full((len(rows), length), self.pad_id, np.int64)
        mask = np.zeros((len(rows), length), np.int64)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = row
            mask[index, : len(row)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask}
        if self.has_token_types:
            inputs["token_type_ids"] = np.zeros_like(ids)
        vectors = self._pool(self.session.run([self.output], inputs)[0], mask)
        if vectors.shape[1] != self.card.dimensions:
            raise EmbeddingsMismatch(
                f"{self.card.id} gives {vectors.shape[1]} dimensions, not {self.card.dimensions} as it says."
            )
        return normalised(vectors)

    def _pool(self, output: NDArray[np.float32], mask: NDArray[np.int64]) -> Vectors:
        if output.ndim == _POOLED:
            return output
        if self.card.pooling == "cls":
            return output[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        return (output * weights).sum(axis=1) / weights.sum(axis=1)


def _load(folder: Path, *, card: ModelCard, threads: int) -> _Model:
    with _vendor_errors(folder):
        session = _session(folder / MODEL_FILE, threads=threads)
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    inputs = {str(value.name) for value in session.get_inputs()}
    if not {"input_ids", "attention_mask"} <= inputs <= {"input_ids", "attention_mask", "token_type_ids"}:
        raise EmbeddingsMisconfigured(f"The model in {folder} wants {', '.join(sorted(inputs))}: it embeds no text.")
    outputs = [str(value.name) for value in session.get_outputs()]
    pad_id = _pad_id(tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return _Model(
        tokenizer=tokenizer,
        session=session,
        card=card,
        output="sentence_embedding" if "sentence_embedding" in outputs else outputs[0],
        pad_id=pad_id,
        has_token_types="token_type_ids" in inputs,
    )


def _session(path: Path, *, threads: int) -> Any:  # noqa: ANN401 - onnxruntime has no types
    import onnxruntime

    library: Any = onnxruntime
    options = library.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Threads that spin while they wait take the core that another process computes on.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return library.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _pad_id(tokenizer: Tokenizer) -> int:
    padding = cast("dict[str, Any] | None", tokenizer.padding)  # pyright: ignore[reportUnknownMemberType] - a bare dict
    if padding:
        return int(padding["pad_id"])
    return next((i for token in ("<pad>", "[PAD]") if (i := tokenizer.token_to_id(token)) is not None), 0)


@contextmanager
def _vendor_errors(folder: Path) -> Generator[None]:
    """The errors of onnxruntime share no base class; tokenizers raises `Exception` itself."""
    try:
        yield
    except BaseException as error:
        if type(error) is Exception or type(error).__module__.startswith("onnxruntime."):
            raise EmbeddingsMisconfigured(f"The model in {folder} cannot be loaded: {error}") from error
        raise
