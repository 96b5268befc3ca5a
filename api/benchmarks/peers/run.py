"""Measure public systems and Lectern on the same documents and questions, with the same embedding model.

    PYTHONPATH=src:benchmarks python -m peers.run SET... [--peer NAME...] [--words N] [--environment FOLDER]   (in api/)

SET is a folder with `pdfs/` and `questions.jsonl`, or a file of questions beside `documents/`. From `documents/` only
PDFs with a text layer are used, and questions about pages of one of them.

Peers extract text by pypdf and split it every N words (600, about 800 tokens). Lectern's model embeds their chunks. A
chunk that is too long for it gets the mean of its windows. The peers' packages (requirements*.txt) are installed into
temporary environments, or into FOLDER for later runs. haiku.rag needs Python 3.12 or 3.13 on the path.
"""

import argparse
import asyncio
import json
import multiprocessing
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, redirect_stdout
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import corpora
import numpy as np
import psutil
from peers import lectern_row
from peers.rows import HEADER, QuestionHits, RetrievedPages, Row, table_row
from pypdf import PdfReader
from throwaway import ThrowawayPostgres, throwaway_postgres

from lectern.db.migrations.runner import migrate
from lectern.embeddings.provider import EmbeddingProvider, Vectors, normalize
from lectern.embeddings.registry import create_provider
from lectern.embeddings.windows import split_windows
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.settings import EmbeddingsSettings

HERE: Final = Path(__file__).parent
SAMPLE: Final = 16  # texts that measure the speed of the model, which no column contains
PEERS: Final = {
    "postgres": "Postgres: `ts_rank_cd` in English + pgvector, RRF",
    "chroma": "Chroma + bm25s, RRF",
    "txtai": "txtai, hybrid",
    "haiku": "haiku.rag, hybrid",
}
REQUIREMENTS: Final = {"haiku": "requirements-haiku.txt"}
NEWER_PYTHONS: Final = ("python3.13", "python3.12")  # haiku.rag needs one of them


class PeerProcess:
    """A peer in its own environment, with JSON lines as protocol."""

    def __init__(self, python: Path, name: str, *, folder: Path, database: str) -> None:
        command = [str(python), str(HERE / "peer.py"), name, "--folder", str(folder), "--database", database]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def call(self, **request: object) -> dict[str, Any]:
        """Send a request and return the response."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin
        assert stdout
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()
        response = stdout.readline()
        if not response:
            raise RuntimeError(f"The peer exited with {self.process.wait()}. Its output is above.")
        return json.loads(response)

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


async def embed_chunks(provider: EmbeddingProvider, cache: Path, texts: Sequence[str]) -> tuple[Vectors, int]:
    """Return the mean of the window embeddings of each text, and the number of windows."""
    size = provider.info.max_tokens
    windows = [
        [window.text for window in split_windows(text, count_tokens=provider.count_tokens, max_tokens=size)]
        for text in texts
    ]
    flat = [text for part in windows for text in part]
    await provider.prepare()
    started = time.perf_counter()
    await provider.embed_documents(flat[:SAMPLE])
    print(f"model: {(time.perf_counter() - started) / len(flat[:SAMPLE]) * 1000:.0f} ms per text", file=sys.stderr)
    with redirect_stdout(sys.stderr):  # it prints its progress
        vectors = await corpora.embed(provider, corpora.EmbeddingFileCache(cache), flat)
    ends = np.cumsum([0, *map(len, windows)])
    means = np.stack([vectors[start:end].mean(axis=0) for start, end in pairwise(ends)])
    return normalize(means), len(vectors)


async def measure_peer(
    name: str, peer: PeerProcess, folder: Path, questions: Sequence[LabelledQuestion], arguments: argparse.Namespace
) -> Row:
    """Fill a peer with a set and search it."""
    provider = create_provider(EmbeddingsSettings(threads=1), model_dir=arguments.cache / "models")
    files = [str(path) for path in sorted((folder / "pdfs").glob("*.pdf"))]
    read = peer.call(do="read", files=files, words=arguments.words)
    chunks = read["chunks"]
    vectors, embedded = await embed_chunks(provider, arguments.cache, [chunk[3] for chunk in chunks])
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file, vectors)
        file.flush()
        indexed = peer.call(do="index", vectors=file.name)
    results: list[QuestionHits] = []
    for question in questions:
        vector = (await provider.embed_query(question.text)).tolist()
        (document,) = question.documents
        narrowed, whole = (
            peer.call(do="search", text=question.text, vector=vector, document=within) for within in (document, None)
        )
        hits = [[RetrievedPages(*chunks[number][:3]) for number in response["hits"]] for response in (narrowed, whole)]
        results.append(QuestionHits(question=question, narrowed=hits[0], whole=hits[1], whole_seconds=whole["seconds"]))
    await provider.close()
    return Row(
        name=f"{PEERS[name]}; {arguments.words} words",
        questions=results,
        pages=read["pages"],
        ingestion_seconds=read["seconds"] + indexed["seconds"],
        embedded=embedded,
        process_mib=psutil.Process(peer.process.pid).memory_info().rss / 2**20,
    )


def postgres_mib(server: ThrowawayPostgres) -> float:
    """Return the memory of the server's processes, with shared memory counted once."""
    assert server.server.pid
    root = psutil.Process(server.server.pid)
    return sum(process.memory_full_info().pss for process in (root, *root.children())) / 2**20


def link_pdfs(questions: Path, folder: Path) -> None:
    """Create a set in `folder` of the PDFs with a text layer beside a file of questions."""
    (folder / "pdfs").mkdir()
    for path in sorted((questions.parent / "documents").glob("*.pdf")):
        if any(page.extract_text().strip() for page in PdfReader(path).pages):
            (folder / "pdfs" / path.name).symlink_to(path.resolve())
    shutil.copy(questions, folder / "questions.jsonl")


def run_set(item: Path, environments: Path, arguments: argparse.Namespace) -> None:
    """Print the table of a set."""
    with tempfile.TemporaryDirectory() as linked:
        folder = item
        if item.is_file():
            folder = Path(linked)
            link_pdfs(item, folder)
        names = {path.name for path in (folder / "pdfs").glob("*.pdf")}
        questions = [
            question
            for question in read_set(folder)
            if question.pages and len(question.documents) == 1 and question.documents <= names
        ]
        print(f"\n## {item.stem}: {len(names)} files, {len(questions)} questions\n\n{HEADER}", flush=True)
        measure_set(folder, questions, environments, arguments)


def measure_set(
    folder: Path, questions: Sequence[LabelledQuestion], environments: Path, arguments: argparse.Namespace
) -> None:
    """Print the row of each system. Each gets a Postgres server of its own."""
    with throwaway_postgres() as server, ExitStack() as stack:
        server.prepare_template(migrate)
        addresses = [stack.enter_context(server.fresh_database()) for _ in range(2)]
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            row = pool.submit(lectern_row.measure, folder, questions, arguments.cache, addresses).result()
        print(table_row(row, postgres_mib=postgres_mib(server)), flush=True)
    for name in arguments.peer:
        with throwaway_postgres() as server, tempfile.TemporaryDirectory() as own:
            server.prepare_template(migrate)  # installs the extension
            with server.fresh_database() as address:
                python = prepare_environment(environments, REQUIREMENTS.get(name, "requirements.txt"))
                peer = PeerProcess(python, name, folder=Path(own), database=address.superuser_url)
                row = asyncio.run(measure_peer(name, peer, folder, questions, arguments))
                memory = postgres_mib(server) if name == "postgres" else 0
                print(table_row(row, postgres_mib=memory), flush=True)
                peer.close()


def prepare_environment(folder: Path, requirements: str) -> Path:
    """Return the Python of an environment with the packages, and create it if it is missing.

    Raises:
        FileNotFoundError: The packages need a newer Python than is installed.
    """
    own = folder / Path(requirements).stem
    python = own / "bin" / "python"
    if not (own / "complete").exists():
        interpreter = sys.executable
        if requirements != "requirements.txt" and sys.version_info < (3, 12):
            interpreter = next(filter(runs, NEWER_PYTHONS), "")
            if not interpreter:
                raise FileNotFoundError(f"{requirements} needs {' or '.join(NEWER_PYTHONS)} on the path.")
        subprocess.run([interpreter, "-m", "venv", str(own)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(HERE / requirements)], check=True)
        (own / "complete").touch()
    return python


def runs(interpreter: str) -> bool:
    """Return True if the interpreter runs. A shim of a version manager may not."""
    command = [interpreter, "--version"]
    return bool(shutil.which(interpreter)) and not subprocess.run(command, capture_output=True, check=False).returncode


def main() -> None:
    """Measure each set."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--peer", nargs="+", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--words", type=int, default=600)
    parser.add_argument("--environment", type=Path, help="folder of the environments (default: a temporary one)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environments = arguments.environment or Path(folder)
        for name in arguments.peer:  # fail before anything is measured
            prepare_environment(environments, REQUIREMENTS.get(name, "requirements.txt"))
        for item in arguments.sets:
            run_set(item, environments, arguments)


if __name__ == "__main__":
    main()
