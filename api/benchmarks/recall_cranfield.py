"""Measure nDCG@10, recall and MRR of search on the TREC collection Cranfield, with one arm and with both.

    python benchmarks/recall_cranfield.py FOLDER [--cache DIR] [--threads N]

FOLDER has `cran.all.1400.xml`, `cran.qry.xml` and `cranqrel.trec.txt`. Every abstract is a document, named by its
number. The title of an abstract is not added, because its first lines repeat it.
"""

import argparse
import asyncio
import hashlib
import pickle
import re
from html import unescape
from pathlib import Path
from typing import Final

import corpora
from corpora import ChunkedFile
from throwaway import ThrowawayDatabase, fresh_library

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.embeddings.cache import CachedQueries
from lectern.evaluation.runner import RetrievalMode, SearchEvaluation
from lectern.evaluation.sets import read_set
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

_DOCUMENT: Final = re.compile(r"<docno>(\d+)</docno>.*?<text>(.*?)</text>", re.DOTALL)
MEASURES: Final = ("ndcg@10", "recall@5", "recall@20", "mrr")


def chunk_abstracts(folder: Path, cache: Path) -> list[ChunkedFile]:
    """Return each abstract that is not empty as a chunked text file."""
    cached = cache / f"cranfield-{corpora.code_version()}.pickle"
    if cached.exists():
        return pickle.loads(cached.read_bytes())
    texts = cache / "cranfield"
    texts.mkdir(parents=True, exist_ok=True)
    files: list[ChunkedFile] = []
    for number, raw in _DOCUMENT.findall((folder / "cran.all.1400.xml").read_text(encoding="utf-8")):
        text = unescape(raw).strip()
        if not text:
            continue
        path = texts / f"{number}.txt"
        path.write_text(text, encoding="utf-8")
        extracted = extract_document(path, "text/plain", limits=ExtractionLimits())
        sha256 = hashlib.sha256(f"{number}\n{text}".encode()).hexdigest()
        files.append(ChunkedFile(path, sha256, extracted, chunk_document(extracted, options=ChunkingOptions())))
    cached.write_bytes(pickle.dumps(files))
    return files


async def measure(address: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Fill a library with the abstracts and print the measures of each mode."""
    folder = arguments.folder
    files = chunk_abstracts(folder, arguments.cache)
    questions = read_set(folder / "cran.qry.xml", qrels=folder / "cranqrel.trec.txt")
    async with corpora.connect(address, arguments.cache, threads=arguments.threads) as (database, provider):
        await corpora.fill(database, files, address, provider=provider, cache=arguments.cache)
        print(f"\n## {folder.name}: {len(questions)} topics, {', '.join(MEASURES)} over {len(files):,} abstracts")
        engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
        for mode in RetrievalMode:
            result = await SearchEvaluation(engine=engine, mode=mode).run(questions)
            values = result.summaries[0].measures
            print(f"  {mode.value:9s} " + " ".join(f"{values[name].value:.3f}" for name in MEASURES), flush=True)


def main() -> None:
    """Measure on a temporary Postgres."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    with fresh_library() as address:
        asyncio.run(measure(address, arguments))


if __name__ == "__main__":
    main()
