"""Measure the speed and memory of embedding with the local model, through the provider and without it.

    python benchmarks/embedding_speed.py PDF [--model-dir DIR] [--threads N] [--seconds S] [--shapes]

Prints windows per chunk, tokens per second of the bare model and of the provider, latency of queries, and resident
memory. Rates are per second and per CPU second, because other load changes the first. `--shapes` compares batch sizes
and threads of the bare model.
"""

import argparse
import asyncio
import collections
import itertools
import os
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import psutil
from timing import quantiles

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.embeddings.local.tokenizer import E5Tokenizer
from lectern.embeddings.local.weights import E5_CARD, ensure_e5
from lectern.embeddings.providers.onnx import OnnxProvider
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits
from lectern.ingestion.stages.embed import split_chunks

QUERIES = (
    "What were the net sales of the third quarter?",
    "Qual è il limite per i rimborsi di viaggio?",
    "How long are personal data kept after the end of a contract?",
)


def resident_mb() -> float:
    return psutil.Process().memory_info().rss / 1e6


def split_windows(pdf: Path, provider: OnnxProvider) -> list[str]:
    """Return the texts that ingestion would embed."""
    document = chunk_document(
        extract_document(pdf, "application/pdf", limits=ExtractionLimits()), options=ChunkingOptions()
    )
    started = time.perf_counter()
    chunks = [(uuid.uuid4(), chunk) for chunk in document.chunks]
    windows = split_chunks(provider, document.title or pdf.stem, chunks)
    milliseconds = (time.perf_counter() - started) * 1000 / max(len(chunks), 1)
    counts = collections.Counter(collections.Counter(chunk_id for chunk_id, _ in windows).values())
    print(f"{pdf.name}: {len(chunks)} chunks, {milliseconds:.2f} ms per chunk to split into windows")
    print(f"  chunks by number of windows: {dict(sorted(counts.items()))}")
    return [window.text for _, window in windows]


class BareModel:
    """The model without Lectern's code."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        options: Any = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(folder / "model.onnx", options, providers=["CPUExecutionProvider"])

    def run(self, ids: np.ndarray[Any, Any]) -> None:
        """Embed a batch of token ids, (n, tokens)."""
        self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})


def compare_shapes(folder: Path, *, seconds: float) -> None:
    """Print the rates of the bare model by threads, length and batch size."""
    numbers = np.random.default_rng(0)
    for threads, length in itertools.product((1, 2), (16, 128, 400, 512)):
        bare = BareModel(folder, threads=threads)
        rates: list[str] = []
        for batch in (1, 4, 8):
            ids = numbers.integers(4, 250_000, (batch, length))
            bare.run(ids)
            tokens, started, end = 0, time.process_time(), time.perf_counter() + seconds / 10
            while time.perf_counter() < end:
                bare.run(ids)
                tokens += ids.size
            rates.append(f"batch {batch}: {tokens / (time.process_time() - started):5.0f}")
        print(f"{threads} threads, {length:3} tokens, tokens/CPU-s: {', '.join(rates)}")


async def measure(texts: Sequence[str], folder: Path, provider: OnnxProvider, *, threads: int, seconds: float) -> None:
    """Print the rates of the bare model and the provider. They run in turns, as other load changes."""
    tokenize = E5Tokenizer(folder)
    bare = BareModel(folder)
    ids = [np.array([tokenize(f"passage: {text}")[:512]]) for text in texts]
    step = max(1, round(seconds * 2 * threads))  # about two windows per second and core
    spent = {"bare": [0.0, 0.0], "provider": [0.0, 0.0]}
    tokens = 0
    with ThreadPoolExecutor(threads) as pool:
        for start in range(0, min(len(texts), step * 4), step):
            part = slice(start, start + step)
            tokens += sum(row.size for row in ids[part])
            marks = [(time.perf_counter(), time.process_time())]
            await asyncio.to_thread(lambda part=part: list(pool.map(bare.run, ids[part])))
            marks.append((time.perf_counter(), time.process_time()))
            await provider.embed_documents(texts[part])
            marks.append((time.perf_counter(), time.process_time()))
            for name, (before, after) in zip(spent, itertools.pairwise(marks), strict=True):
                spent[name][0] += after[0] - before[0]
                spent[name][1] += after[1] - before[1]
    for name, (wall, cpu) in spent.items():
        print(f"{name:8}: {tokens / wall:6.0f} tokens/s, {tokens / cpu:6.0f} tokens/CPU-s ({cpu / wall:.2f} cores)")
    ratio_wall, ratio_cpu = (spent["bare"][index] / spent["provider"][index] for index in (0, 1))
    print(f"provider / bare model: {ratio_wall:.0%} by wall time, {ratio_cpu:.0%} by CPU time, over {tokens} tokens")


async def measure_queries(provider: OnnxProvider, *, label: str, count: int = 60) -> None:
    """Print the latency of embedding a query."""
    milliseconds: list[float] = []
    for query in itertools.islice(itertools.cycle(QUERIES), count):
        started = time.perf_counter()
        await provider.embed_query(query)
        milliseconds.append((time.perf_counter() - started) * 1000)
    p50, p95, _ = quantiles(milliseconds)
    print(f"query {label}: p50 {p50:.1f} ms, p95 {p95:.1f} ms")


async def main() -> None:
    """Measure with the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdf", type=Path)
    parser.add_argument("--model-dir", type=Path, default=Path.home() / ".cache" / "lectern-benchmarks" / "models")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--shapes", action="store_true")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, resident {resident_mb():.0f} MB")
    started = time.perf_counter()
    folder = await asyncio.to_thread(ensure_e5, options.model_dir)
    print(f"model folder: {time.perf_counter() - started:.2f} s, resident {resident_mb():.0f} MB")
    provider = OnnxProvider(E5_CARD, folder=lambda: folder, load_tokenizer=E5Tokenizer, threads=options.threads)
    started, before = time.perf_counter(), resident_mb()
    await provider.prepare()
    print(f"loading: {time.perf_counter() - started:.2f} s, {resident_mb() - before:.0f} MB")
    if options.shapes:
        compare_shapes(folder, seconds=options.seconds)
    await measure_queries(provider, label="alone")
    texts = await asyncio.to_thread(split_windows, options.pdf, provider)
    before = resident_mb()
    await measure(texts, folder, provider, threads=options.threads, seconds=options.seconds)
    print(f"resident afterwards: {resident_mb() - before:.0f} MB more, with the bare model as a second copy")
    documents = asyncio.create_task(provider.embed_documents(texts))
    await measure_queries(provider, label="during embedding of documents")
    documents.cancel()
    await provider.close()


if __name__ == "__main__":
    asyncio.run(main())
