"""Convert the packaged weights into an ONNX model folder at the first start.

folder = ensure_e5(model_dir)      # blocks 2-3 s the first time, a few ms afterwards
"""

import ctypes
import fcntl
import logging
import os
import shutil
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.local.source import SOURCE_SHA256, E5Source, find_source
from lectern.embeddings.local.tensors import write_weights
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
