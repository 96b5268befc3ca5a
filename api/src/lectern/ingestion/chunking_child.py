"""The process that chunks documents: a task on standard input, its answer on standard output, until the input ends."""

import pickle
import sys
import traceback
from typing import BinaryIO

from lectern.chunking.chunker import chunk_document
from lectern.chunking.languages import load_model
from lectern.chunking.tokens import count_tokens
from lectern.extraction.sandbox.confinement import confine, die_with_parent, take_stdout
from lectern.ingestion.chunking_process import CHUNKED, ERROR, LENGTH, MEMORY_SPENT
from lectern.ingestion.chunking_wire import write_chunked


def main() -> None:
    """Confine this process, then answer tasks one after the other."""
    max_memory_bytes, parent_pid = map(int, sys.argv[1:3])
    die_with_parent(parent_pid)
    _load_models()
    confine(max_memory_bytes=max_memory_bytes, max_seconds=None)
    tasks = sys.stdin.buffer
    with take_stdout() as answers:
        while header := tasks.read(LENGTH.size):
            answer = _answer(tasks, *LENGTH.unpack(header))
            answers.write(LENGTH.pack(len(answer)))
            answers.write(answer)
            answers.flush()


def _load_models() -> None:
    """What cutting needs from the disk, before this process is confined."""
    load_model()
    count_tokens("word")


def _answer(tasks: BinaryIO, length: int) -> bytes:
    try:
        document, options = pickle.loads(tasks.read(length))  # noqa: S301 - written by our parent
        return CHUNKED + write_chunked(chunk_document(document, options=options))
    except MemoryError:
        return MEMORY_SPENT
    except Exception:  # noqa: BLE001 - handed to the parent, which logs it and fails the document
        return ERROR + traceback.format_exc().encode()


if __name__ == "__main__":
    main()
