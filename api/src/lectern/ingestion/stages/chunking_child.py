"""The process that chunks documents: tasks on standard input, answers on standard output, until the input ends."""

import sys
import traceback
from collections.abc import Iterator
from typing import BinaryIO

from lectern.chunking.chunker import chunk_document
from lectern.chunking.languages import load_model
from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.confinement import confine, die_with_parent, take_stdout
from lectern.ingestion.stages.chunking_frames import CHUNKED, ERROR, OUT_OF_MEMORY


def main() -> None:
    """Confine this process, then answer one task after the other."""
    max_memory_bytes, parent_pid = map(int, sys.argv[1:3])
    die_with_parent(parent_pid)
    _load_models()
    confine(max_memory_bytes=max_memory_bytes, max_seconds=None)
    with take_stdout() as answers:
        while task := list(_read_task(sys.stdin.buffer)):
            answers.write(_answer(*task))
            answers.flush()


def _load_models() -> None:
    """Load everything that chunking needs from the disk before this process is confined."""
    load_model()
    count_tokens("word")


def _read_task(tasks: BinaryIO) -> Iterator[codec.Frame]:
    """Yield the frames of a task: options, pages, and the end of the document."""
    while header := tasks.read(codec.HEADER.size):
        kind, head_bytes, body_bytes = codec.HEADER.unpack(header)
        yield codec.Frame(kind, tasks.read(head_bytes), tasks.read(body_bytes))
        if kind == codec.DOCUMENT:
            return


def _answer(options: codec.Frame, *document: codec.Frame) -> bytes:
    try:
        chunked = chunk_document(codec.unpack_document(document), options=options.decode(ChunkingOptions))
        return codec.pack_frame(CHUNKED, chunked)
    except MemoryError:
        return codec.pack_frame(OUT_OF_MEMORY, None)
    except Exception:  # noqa: BLE001 - sent to the parent, which logs it and fails the document
        return codec.pack_frame(ERROR, traceback.format_exc())


if __name__ == "__main__":
    main()
