"""Public systems on the documents and questions of `recall.py`, with the same model; Lectern's row from the same run.

    PYTHONPATH=src:benchmarks python -m peers.run SET... [--peer NAME...] [--words N] [--environment FOLDER]   (in api/)

SET is a folder with `pdfs/` and `questions.jsonl`, or a file of questions beside `documents/`. Of the latter, PDFs with
a text layer go into the library, and questions about pages of one of them are asked. Peers read by pypdf and cut every
N words (600, about 800 tokens); their vectors are those of Lectern's model: a chunk too long for it is read in windows
and gets their mean. The peers' packages (requirements*.txt) go into environments that live as long as the run, or into
FOLDER, to be used again; haiku.rag needs Python 3.12 or 3.13 on the path.
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
from peers.rows import HEADER, Asked, RetrievedPages, Row, line
from pypdf import PdfReader
from throwaway import ThrowawayPostgres, throwaway_postgres

from lectern.db.migrations.runner import migrate
from lectern.embeddings.provider import EmbeddingProvider, Vectors, normalize
from lectern.embeddings.registry import create_provider
from lectern.embeddings.windows import split_windows
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.settings import EmbeddingsSettings

HERE: Final = Path(__file__).parent
SAMPLE: Final = 16  # texts by which the model's own speed is said, as it is outside of every column
PEERS: Final = {
    "postgres": "Postgres: `ts_rank_cd` in English + pgvector, RRF",
    "chroma": "Chroma + bm25s, RRF",
    "txtai": "txtai, hybrid",
    "haiku": "haiku.rag, hybrid",
}
REQUIREMENTS: Final = {"haiku": "requirements-haiku.txt"}
NEWER_PYTHONS: Final = ("python3.13", "python3.12")  # haiku.rag runs on no older one


class PeerProcess:
    """A peer in its own environment, talked to in JSON lines."""

    def __init__(self, python: Path, name: str, *, folder: Path, database: str) -> None:
        command = [str(python), str(HERE / "peer.py"), name, "--folder", str(folder), "--database", database]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **order: object) -> dict[str, Any]:
        """The answer to an order."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin
        assert stdout
        stdin.write(json.dumps(order) + "\n")
        stdin.flush()
        answer = stdout.readline()
        if not answer:
            raise RuntimeError(f"The peer ended with {self.process.wait()}; what it said is above.")
        return json.loads(answer)

    def close(self) -> None:
        """Let it end."""
        self.process.communicate()


async def embed_chunks(provider: EmbeddingProvider, cache: Path, texts: Sequence[str]) -> tuple[Vectors, int]:
    """A vector for each text, the mean of its windows, and how many windows there were."""
    size = provider.info.max_tokens
    windows = [
        [window.text for window in split_windows(text, count_tokens=provider.count_tokens, max_tokens=size)]
        for text in texts
    ]
    flat = [text for part in windows for text in part]
    await provider.prepare()
    began = time.perf_counter()
    await provider.embed_documents(flat[:SAMPLE])
    print(f"the model: {(time.perf_counter() - began) / len(flat[:SAMPLE]) * 1000:.0f} ms a text", file=sys.stderr)
    with redirect_stdout(sys.stderr):  # it says how far it is
        vectors = await corpora.embed(provider, corpora.KeptEmbeddings(cache), flat)
    ends = np.cumsum([0, *map(len, windows)])
    means = np.stack([vectors[start:end].mean(axis=0) for start, end in pairwise(ends)])
    return normalize(means), len(vectors)


async def measure_peer(
    name: str, peer: PeerProcess, folder: Path, questions: Sequence[LabelledQuestion], arguments: argparse.Namespace
) -> Row:
    """Fill a peer with a set and ask it."""
    provider = create_provider(EmbeddingsSettings(threads=1), model_dir=arguments.cache / "models")
    files = [str(path) for path in sorted((folder / "pdfs").glob("*.pdf"))]
    read = peer.ask(do="read", files=files, words=arguments.words)
    chunks = read["chunks"]
    vectors, embedded = await embed_chunks(provider, arguments.cache, [chunk[3] for chunk in chunks])
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file, vectors)
        file.flush()
        indexed = peer.ask(do="index", vectors=file.name)
    asked: list[Asked] = []
    for question in questions:
        vector = (await provider.embed_query(question.text)).tolist()
        (document,) = question.documents
        narrowed, whole = (
            peer.ask(do="search", text=question.text, vector=vector, document=within) for within in (document, None)
        )
        hits = [
            [RetrievedPages(c[0], c[1], c[2]) for c in map(chunks.__getitem__, found["hits"])]
            for found in (narrowed, whole)
        ]
        asked.append(Asked(question=question, narrowed=hits[0], whole=hits[1], whole_seconds=whole["seconds"]))
    await provider.close()
    return Row(
        name=f"{PEERS[name]}; {arguments.words} words",
        asked=asked,
        pages=read["pages"],
        ingestion_seconds=read["seconds"] + indexed["seconds"],
        embedded=embedded,
        process_mib=psutil.Process(peer.process.pid).memory_info().rss / 2**20,
    )


def postgres_mib(server: ThrowawayPostgres) -> float:
    """What the server's processes hold, shared memory once."""
    assert server.server.pid
    root = psutil.Process(server.server.pid)
    return sum(process.memory_full_info().pss for process in (root, *root.children())) / 2**20


def link_pdfs(questions: Path, folder: Path) -> None:
    """Make a set in `folder` of the PDFs with a text layer beside a file of questions."""
    (folder / "pdfs").mkdir()
    for path in sorted((questions.parent / "documents").glob("*.pdf")):
        if any(page.extract_text().strip() for page in PdfReader(path).pages):
            (folder / "pdfs" / path.name).symlink_to(path.resolve())
    shutil.copy(questions, folder / "questions.jsonl")


def run_set(item: Path, environments: Path, arguments: argparse.Namespace) -> None:
    """The table of a set. Every system that needs Postgres gets a server of its own."""
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
    """Print the row of each system."""
    with throwaway_postgres() as server, ExitStack() as stack:
        server.prepare_template(migrate)
        addresses = [stack.enter_context(server.fresh_database()) for _ in range(2)]
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            row = pool.submit(lectern_row.measure, folder, questions, arguments.cache, addresses).result()
        print(line(row, postgres_mib=postgres_mib(server)), flush=True)
    for name in arguments.peer:
        with throwaway_postgres() as server, tempfile.TemporaryDirectory() as own:
            server.prepare_template(migrate)  # brings the extension
            with server.fresh_database() as address:
                python = environment(environments, REQUIREMENTS.get(name, "requirements.txt"))
                peer = PeerProcess(python, name, folder=Path(own), database=address.superuser_url)
                row = asyncio.run(measure_peer(name, peer, folder, questions, arguments))
                print(line(row, postgres_mib=postgres_mib(server) if name == "postgres" else 0), flush=True)
                peer.close()


def environment(folder: Path, requirements: str) -> Path:
    """The Python of an environment with these packages in it, made if it is not there.

    Raises FileNotFoundError where they need a newer Python than there is.
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
    """Return True if it runs. A shim of a version manager does not count."""
    command = [interpreter, "--version"]
    return bool(shutil.which(interpreter)) and not subprocess.run(command, capture_output=True, check=False).returncode


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--peer", nargs="+", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--words", type=int, default=600)
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    parser.add_argument("--environment", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environments = arguments.environment or Path(folder)
        for name in arguments.peer:  # fail before anything is measured
            environment(environments, REQUIREMENTS.get(name, "requirements.txt"))
        for item in arguments.sets:
            run_set(item, environments, arguments)


if __name__ == "__main__":
    main()
