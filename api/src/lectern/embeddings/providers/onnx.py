"""Any model folder (`model.onnx`, `tokenizer.json`) run by onnxruntime in threads of its own."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lectern.embeddings.errors import EmbeddingsMisconfigured, EmbeddingsMismatch
from lectern.embeddings.provider import ProviderInfo, Vectors, normalised
from lectern.embeddings.providers.model_card import MODEL_FILE, TOKENIZER_FILE, ModelCard
from lectern.embeddings.text import cleaned

_NICENESS: Final = 19  # a seventh of the share of what reads files, see cli/worker.py
_POOLED: Final = 2  # axes of an output that is pooled already: (batch, dimensions)


class OnnxProvider:
    """A model on this machine's CPU.

    Texts go through the model one by one: a CPU gains nothing from batches of long texts, padding is wasted, and the
    activations of a dynamically quantised model are scaled over the whole batch, so that a text's vector would depend
    on its company. With `threads` several texts are embedded side by side, each in one thread: that scales better than
    threads inside the model, and none of them spins. Queries have a thread of their own, so that none waits for
    documents. The model is loaded by the first call or by `prepare`.
    """

    def __init__(self, card: ModelCard, *, folder: Callable[[], Path], threads: int = 1) -> None:
        self._card = card
        self._folder = folder
        self._model: _Model | None = None
        self._loading = threading.Lock()
        self._documents = ThreadPoolExecutor(threads, thread_name_prefix="embed-documents", initializer=_give_way)
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")

    @property
    def info(self) -> ProviderInfo:
        return self._card.info

    async def prepare(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._queries, self._loaded)

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """(n, dimensions). Each text is a task of its own: a cancelled call stops after those under way."""
        loop, prefix = asyncio.get_running_loop(), self._card.document_prefix
        under_way = [loop.run_in_executor(self._documents, self._embed, prefix, text) for text in texts]
        try:
            vectors = await asyncio.gather(*under_way)
        finally:
            for future in under_way:
                future.cancel()
        return np.array(vectors, np.float32).reshape(len(texts), self._card.dimensions)

    async def embed_query(self, text: str) -> Vectors:
        return await asyncio.get_running_loop().run_in_executor(
            self._queries, self._embed, self._card.query_prefix, text
        )

    def count_tokens(self, text: str) -> int:
        return len(self._loaded().encode(self._card.document_prefix + cleaned(text, max_tokens=self._card.max_tokens)))

    async def close(self) -> None:
        """Let the text under way end; nothing can be embedded afterwards."""
        for executor in (self._documents, self._queries):
            await asyncio.to_thread(executor.shutdown, cancel_futures=True)
        self._model = None

    def _loaded(self) -> "_Model":
        with self._loading:
            if self._model is None:
                self._model = _load(self._folder(), card=self._card)
            return self._model

    def _embed(self, prefix: str, text: str) -> Vectors:
        limit = self._card.max_tokens
        model = self._loaded()
        ids = model.encode(prefix + cleaned(text, max_tokens=limit))
        return model.run(ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]])  # the last one closes the text


def _give_way() -> None:
    """Documents are embedded when nothing else wants the core: answering people and reading files come first."""
    if sys.platform == "linux":  # elsewhere the call would slow the whole process down
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


@dataclass(frozen=True, slots=True)
class _Model:
    """A loaded model. Thread-safe: neither the session nor the tokenizer is changed after loading."""

    tokenizer: Tokenizer
    session: Any  # onnxruntime has no types
    card: ModelCard
    output: str
    has_token_types: bool

    def encode(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def run(self, ids: list[int]) -> Vectors:
        inputs = {"input_ids": np.array([ids], np.int64), "attention_mask": np.ones((1, len(ids)), np.int64)}
        if self.has_token_types:
            inputs["token_type_ids"] = np.zeros((1, len(ids)), np.int64)
        vector = self._pool(self.session.run([self.output], inputs)[0])
        if vector.shape != (self.card.dimensions,):
            raise EmbeddingsMismatch(
                f"{self.card.id} gives vectors of shape {vector.shape}, not {self.card.dimensions} as it says."
            )
        return normalised(vector)

    def _pool(self, output: NDArray[np.float32]) -> Vectors:
        if output.ndim == _POOLED:
            return output[0]
        return output[0, 0] if self.card.pooling == "cls" else output[0].mean(axis=0)


def _load(folder: Path, *, card: ModelCard) -> _Model:
    with _vendor_errors(folder):
        session = _session(folder / MODEL_FILE)
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    inputs = {str(value.name) for value in session.get_inputs()}
    if not {"input_ids", "attention_mask"} <= inputs <= {"input_ids", "attention_mask", "token_type_ids"}:
        raise EmbeddingsMisconfigured(f"The model in {folder} wants {', '.join(sorted(inputs))}: it embeds no text.")
    outputs = [str(value.name) for value in session.get_outputs()]
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return _Model(
        tokenizer=tokenizer,
        session=session,
        card=card,
        output="sentence_embedding" if "sentence_embedding" in outputs else outputs[0],
        has_token_types="token_type_ids" in inputs,
    )


def _session(path: Path) -> Any:  # noqa: ANN401 - onnxruntime has no types
    import onnxruntime

    library: Any = onnxruntime
    options = library.SessionOptions()
    options.intra_op_num_threads = 1  # it computes in the calling thread; see OnnxProvider
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return library.InferenceSession(path, options, providers=["CPUExecutionProvider"])


@contextmanager
def _vendor_errors(folder: Path) -> Generator[None]:
    """The errors of onnxruntime share no base class; tokenizers raises `Exception` itself."""
    try:
        yield
    except BaseException as error:
        if type(error) is Exception or type(error).__module__.startswith("onnxruntime."):
            raise EmbeddingsMisconfigured(f"The model in {folder} cannot be loaded: {error}") from error
        raise
