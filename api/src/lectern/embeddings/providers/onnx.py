"""Run a model folder (`model.onnx` and its tokenizer) with onnxruntime in separate threads."""

import asyncio
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
from lectern.embeddings.provider import Vectors, clean_text, normalize
from lectern.embeddings.providers.model_card import MODEL_FILE, TOKENIZER_FILE, ModelCard
from lectern.errors import LecternError
from lectern.settings.threads import lower_priority

_NICENESS: Final = 19  # a seventh of the CPU share of extraction, see cli/services/worker.py
_POOLED_AXES: Final = 2  # of an output that is already pooled: (batch, dimensions)


Tokenize = Callable[[str], list[int]]


def load_tokenizer(folder: Path) -> Tokenize:
    """Load `tokenizer.json`. Its truncation and padding are ignored."""
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: tokenizer.encode(text).ids


class OnnxProvider:
    """A model on this machine's CPU, loaded by the first call or by `prepare`.

    Texts are embedded one at a time. A batch brings no speed on a CPU and wastes work on padding. It would also make a
    vector depend on its batch, because dynamic quantisation scales activations over all texts. `threads` texts run in
    parallel, each in one thread, which scales better than threads inside the model. Queries have a separate thread, so
    they never wait for documents.
    """

    def __init__(
        self,
        card: ModelCard,
        *,
        folder: Callable[[], Path],
        load_tokenizer: Callable[[Path], Tokenize] = load_tokenizer,
        threads: int = 1,
    ) -> None:
        self.info = card.info
        self._card = card
        self._load_tokenizer = load_tokenizer
        self._folder = folder
        self._model: _OnnxModel | None = None
        self._loading = threading.Lock()
        self._documents = ThreadPoolExecutor(threads, "embed-documents", lower_priority, (_NICENESS,))
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")

    async def prepare(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._queries, self._loaded)

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed each text as one task, (n, dimensions). A cancelled call stops after the running tasks."""
        loop, prefix = asyncio.get_running_loop(), self._card.document_prefix
        pending = [loop.run_in_executor(self._documents, self._embed, prefix, text) for text in texts]
        try:
            vectors = await asyncio.gather(*pending)
        finally:
            for future in pending:
                future.cancel()
        return np.array(vectors, np.float32).reshape(len(texts), self._card.dimensions)

    async def embed_query(self, text: str) -> Vectors:
        return await asyncio.get_running_loop().run_in_executor(
            self._queries, self._embed, self._card.query_prefix, text
        )

    def count_tokens(self, text: str) -> int:
        return len(
            self._loaded().tokenize(self._card.document_prefix + clean_text(text, max_tokens=self._card.max_tokens))
        )

    async def close(self) -> None:
        """Wait for running texts, then release the model."""
        for executor in (self._documents, self._queries):
            await asyncio.to_thread(executor.shutdown, cancel_futures=True)
        self._model = None

    def _loaded(self) -> "_OnnxModel":
        with self._loading:
            if self._model is None:
                self._model = _load(self._folder(), card=self._card, load_tokenizer=self._load_tokenizer)
            return self._model

    def _embed(self, prefix: str, text: str) -> Vectors:
        limit = self._card.max_tokens
        model = self._loaded()
        ids = model.tokenize(prefix + clean_text(text, max_tokens=limit))
        return model.run(ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]])  # the last token marks the end


@dataclass(frozen=True, slots=True)
class _OnnxModel:
    """A loaded model. Thread-safe, because session and tokenizer do not change after loading."""

    tokenize: Tokenize
    session: Any  # onnxruntime has no types
    card: ModelCard
    output: str
    has_token_types: bool

    def run(self, ids: list[int]) -> Vectors:
        inputs = {"input_ids": np.array([ids], np.int64), "attention_mask": np.ones((1, len(ids)), np.int64)}
        if self.has_token_types:
            inputs["token_type_ids"] = np.zeros((1, len(ids)), np.int64)
        vector = self._pool(self.session.run([self.output], inputs)[0])
        if vector.shape != (self.card.dimensions,):
            raise EmbeddingsMismatch(
                f"{self.card.id} returns vectors of shape {vector.shape}, but its card says {self.card.dimensions}."
            )
        return normalize(vector)

    def _pool(self, output: NDArray[np.float32]) -> Vectors:
        if output.ndim == _POOLED_AXES:
            return output[0]
        return output[0, 0] if self.card.pooling == "cls" else output[0].mean(axis=0)


def _load(folder: Path, *, card: ModelCard, load_tokenizer: Callable[[Path], Tokenize]) -> _OnnxModel:
    with vendor_errors(folder, EmbeddingsMisconfigured):
        session = open_session(folder / MODEL_FILE)
        tokenize = load_tokenizer(folder)
    inputs = {str(value.name) for value in session.get_inputs()}
    if not {"input_ids", "attention_mask"} <= inputs <= {"input_ids", "attention_mask", "token_type_ids"}:
        raise EmbeddingsMisconfigured(
            f"The model in {folder} is no text model: its inputs are {', '.join(sorted(inputs))}."
        )
    outputs = [str(value.name) for value in session.get_outputs()]
    return _OnnxModel(
        tokenize=tokenize,
        session=session,
        card=card,
        output="sentence_embedding" if "sentence_embedding" in outputs else outputs[0],
        has_token_types="token_type_ids" in inputs,
    )


def open_session(path: Path) -> Any:  # noqa: ANN401 - onnxruntime has no types
    """Load a model that computes in the calling thread."""
    import onnxruntime

    library: Any = onnxruntime
    options = library.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return library.InferenceSession(path, options, providers=["CPUExecutionProvider"])


@contextmanager
def vendor_errors(folder: Path, misconfigured: type[LecternError]) -> Generator[None]:
    """Translate errors of onnxruntime (no common base class) and of tokenizers (plain `Exception`)."""
    try:
        yield
    except BaseException as error:
        if type(error) is Exception or type(error).__module__.startswith("onnxruntime."):
            raise misconfigured(f"The model in {folder} cannot be loaded: {error}") from error
        raise
