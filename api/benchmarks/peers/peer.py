"""Run a peer in a process of its own, with JSON lines as requests on stdin and as responses on stdout.

    {"do": "read", "files": [...], "words": 600}   -> {"chunks": [[file, page, last page, text], ...], "pages": n}
    {"do": "index", "vectors": "file.npy"}         -> {}
    {"do": "search", "text": t, "vector": [...], "document": name or null} -> {"hits": [chunk number, ...]}

Every response has the "seconds" of the request. The peers' libraries are imported by name, because only the peers'
environment has them.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

CANDIDATES: Final = 100  # of each arm
TOP_K: Final = 20
RRF_K: Final = 60

Chunk = tuple[str, int, int, str]  # file, page, last page, text
Vectors = NDArray[np.float32]


class Peer(Protocol):
    """A search system. Chunks are numbered from 0 in the order of `index`."""

    def index(self, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        """Store the chunks with their vectors."""
        ...

    def search(self, text: str, vector: list[float], document: str | None) -> list[int]:
        """Return the numbers of the best chunks."""
        ...


def read(files: Sequence[str], words: int) -> tuple[list[Chunk], int]:
    """Extract text by pypdf and split it every `words` words with 10 % overlap. Return chunks and number of pages."""
    reader = import_module("pypdf").PdfReader
    chunks: list[Chunk] = []
    pages = 0
    for file in files:
        numbered: list[tuple[str, int]] = []
        for number, page in enumerate(reader(file).pages, start=1):
            numbered += [(word.replace("\0", ""), number) for word in page.extract_text().split()]
            pages += 1
        for start in range(0, max(len(numbered) - words // 10, 1), words - words // 10):
            part = numbered[start : start + words]
            if part:
                chunks.append((Path(file).name, part[0][1], part[-1][1], " ".join(word for word, _ in part)))
    return chunks, pages


def fuse(*rankings: Sequence[int]) -> list[int]:
    """Return the best numbers by reciprocal rank fusion."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0) + 1 / (RRF_K + rank)
    return sorted(scores, key=lambda key: (-scores[key], key))[:TOP_K]


class PostgresPeer:
    """English full-text search with ts_rank_cd and pgvector by cosine, the usual recipe."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.connection = import_module("psycopg").connect(arguments.database, autocommit=True)

    def index(self, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        run = self.connection.execute
        run("CREATE EXTENSION IF NOT EXISTS vector")
        run("DROP SCHEMA IF EXISTS peer CASCADE")
        run("CREATE SCHEMA peer")
        run(
            "CREATE TABLE peer.chunks (id int PRIMARY KEY, document text, text text, "
            f"embedding vector({vectors.shape[1]}), "
            "words tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED)"
        )
        with self.connection.cursor().copy("COPY peer.chunks (id, document, text, embedding) FROM STDIN") as copy:
            for number, (chunk, vector) in enumerate(zip(chunks, vectors, strict=True)):
                copy.write_row((number, chunk[0], chunk[3], str(vector.tolist())))
        run("CREATE INDEX ON peer.chunks USING gin (words)")
        run("CREATE INDEX ON peer.chunks USING hnsw (embedding vector_cosine_ops)")
        run("ANALYZE peer.chunks")
        run(f"SET hnsw.ef_search = {CANDIDATES}")

    def search(self, text: str, vector: list[float], document: str | None) -> list[int]:
        values = {"text": text, "vector": str(vector), "document": document, "limit": CANDIDATES}
        where = "document = %(document)s" if document else "true"
        keyword = self.connection.execute(
            "SELECT id FROM peer.chunks, websearch_to_tsquery('english', %(text)s) query "
            f"WHERE words @@ query AND {where} ORDER BY ts_rank_cd(words, query) DESC, id LIMIT %(limit)s",
            values,
        ).fetchall()
        semantic = self.connection.execute(
            f"SELECT id FROM peer.chunks WHERE {where} ORDER BY embedding <=> %(vector)s::vector LIMIT %(limit)s",
            values,
        ).fetchall()
        return fuse([row[0] for row in keyword], [row[0] for row in semantic])


class ChromaPeer:
    """Chroma for semantic search and bm25s for keyword search, with the defaults of both."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        chromadb = import_module("chromadb")
        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(arguments.folder), settings=settings)
        self.collection = client.create_collection("chunks", metadata={"hnsw:space": "cosine"}, embedding_function=None)

    def index(self, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        bm25s = import_module("bm25s")
        self.documents = np.array([chunk[0] for chunk in chunks])
        for start in range(0, len(chunks), 1000):
            numbers = range(start, min(start + 1000, len(chunks)))
            self.collection.add(
                ids=[str(number) for number in numbers],
                embeddings=vectors[list(numbers)],
                documents=[chunks[number][3] for number in numbers],
                metadatas=[{"document": chunks[number][0]} for number in numbers],
            )
        self.words = bm25s.BM25()
        self.words.index(bm25s.tokenize([chunk[3] for chunk in chunks], show_progress=False), show_progress=False)

    def search(self, text: str, vector: list[float], document: str | None) -> list[int]:
        bm25s = import_module("bm25s")
        mask = (self.documents == document).astype("float32") if document else None
        tokens = bm25s.tokenize(text, show_progress=False)
        depth = min(CANDIDATES, len(self.documents))
        numbers, scores = self.words.retrieve(tokens, k=depth, show_progress=False, weight_mask=mask)
        words = [int(number) for number, score in zip(numbers[0], scores[0], strict=True) if score > 0]
        where = {"document": document} if document else None
        nearest = self.collection.query(query_embeddings=[vector], n_results=depth, where=where, include=[])
        return fuse(words, [int(number) for number in nearest["ids"][0]])


class TxtaiPeer:
    """txtai's hybrid index with its own weights of both scores, and its content store for the filter."""

    def __init__(self, _arguments: argparse.Namespace) -> None:
        embeddings = import_module("txtai").Embeddings
        self.vectors: dict[str, Vectors] = {}

        def transform(texts: Sequence[str]) -> Vectors:  # txtai would call a bound method to get a function
            return np.stack([self.vectors[text] for text in texts]).astype(np.float32)

        self.index_ = embeddings(method="external", transform=transform, hybrid=True, content=True)

    def index(self, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        self.vectors = {chunk[3]: vector for chunk, vector in zip(chunks, vectors, strict=True)}
        rows = ({"id": number, "text": chunk[3], "document": chunk[0]} for number, chunk in enumerate(chunks))
        self.index_.index(rows)
        self.count = len(chunks)

    def search(self, text: str, vector: list[float], document: str | None) -> list[int]:
        self.vectors = {text: np.array(vector, np.float32)}
        if document is None:
            rows = self.index_.search(text, TOP_K)
        else:  # every chunk is a candidate, because the filter comes after the candidates
            statement = f"SELECT id, score FROM txtai WHERE similar(:text, {self.count}) AND document = :document"
            rows = self.index_.search(statement, TOP_K, parameters={"text": text, "document": document})
        return [int(row["id"]) for row in rows]


class HaikuPeer:
    """haiku.rag's hybrid search over LanceDB with its defaults, on imported chunks and vectors."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.run = asyncio.Runner().run
        self.folder = arguments.folder

    def index(self, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        models = import_module("haiku.rag.config.models")
        make_chunk = import_module("haiku.rag.store.models.chunk").Chunk
        make_document = import_module("docling_core.types.doc.document").DoclingDocument
        # A library must name a model. It is never called, because every vector is imported.
        model = models.EmbeddingModelConfig(
            provider="openai", name="given", vector_dim=vectors.shape[1], base_url="http://127.0.0.1:9", api_key="none"
        )
        config = models.AppConfig(embeddings=models.EmbeddingsConfig(model=model))
        library = import_module("haiku.rag.client").HaikuRAG
        self.client = library(self.folder / "haiku.lancedb", config=config, create=True)
        documents: dict[str, list[Any]] = {}
        self.numbers: dict[tuple[str, int], int] = {}  # by document and order in it
        for number, ((document, _, _, text), vector) in enumerate(zip(chunks, vectors, strict=True)):
            own = documents.setdefault(document, [])
            self.numbers[document, len(own)] = number
            own.append(make_chunk(content=text, order=len(own), embedding=vector.tolist()))

        async def fill() -> None:
            await self.client.__aenter__()
            for name, own in documents.items():
                await self.client.import_document(make_document(name=name), own, uri=name, title=name)
            await self.client.vacuum()

        self.run(fill())

    def search(self, text: str, vector: list[float], document: str | None) -> list[int]:
        condition = f"uri = '{document}'" if document else None
        searching = self.client.chunk_repository.search(
            text, limit=TOP_K, search_type="hybrid", filter=condition, query_vector=vector
        )
        return [self.numbers[chunk.document_uri, chunk.order] for chunk, _ in self.run(searching)]


PEERS: Final = {"postgres": PostgresPeer, "chroma": ChromaPeer, "txtai": TxtaiPeer, "haiku": HaikuPeer}


def main() -> None:
    """Respond to requests until stdin ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--database")
    arguments = parser.parse_args()
    responses, sys.stdout = sys.stdout, sys.stderr  # libraries print
    peer: Peer = PEERS[arguments.peer](arguments)
    chunks: list[Chunk] = []
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        response: dict[str, Any] = {}
        started = time.perf_counter()
        if request["do"] == "read":
            chunks, pages = read(request["files"], request["words"])
            response = {"chunks": chunks, "pages": pages}
        elif request["do"] == "index":
            vectors = np.load(request["vectors"])
            started = time.perf_counter()
            peer.index(chunks, vectors)
        else:
            response = {"hits": peer.search(request["text"], request["vector"], request["document"])}
        responses.write(json.dumps(response | {"seconds": time.perf_counter() - started}) + "\n")
        responses.flush()


if __name__ == "__main__":
    main()
