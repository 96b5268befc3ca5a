"""Search on a TREC collection (Cranfield): nDCG@10, recall and MRR of hybrid, keyword only, meaning only.

    python benchmarks/recall_cranfield.py FOLDER [--cache DIR] [--threads N]

FOLDER holds `cran.all.1400.xml`, `cran.qry.xml` and `cranqrel.trec.txt`. Every abstract is a document of its own, named
by its number. The text does not say its title twice: the first lines of an abstract repeat it.
"""

import argparse
import asyncio
import hashlib
import logging
import pickle
import re
from html import unescape
from pathlib import Path
from typing import Final

import corpora
import recall
from corpora import CutDocument, KeptEmbeddings
from throwaway import ThrowawayDatabase, fresh_library

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.db.engine import create_engine
from lectern.db.session import Database
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.registry import create_provider
from lectern.evaluation.sets import read_set
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits
from lectern.settings import EmbeddingsSettings

_DOCUMENT: Final = re.compile(r"<docno>(\d+)</docno>.*?<text>(.*?)</text>", re.DOTALL)
TITLE: Final = "of nDCG@10, recall@5, recall@20, MRR over 1,400 abstracts"


def abstracts(folder: Path, cache: Path) -> list[CutDocument]:
    """Each abstract read and cut as a text file; empty ones are left out."""
    kept = cache / f"cranfield-{corpora.code_version()}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    texts = cache / "cranfield"
    texts.mkdir(parents=True, exist_ok=True)
    cut: list[CutDocument] = []
    for number, raw in _DOCUMENT.findall((folder / "cran.all.1400.xml").read_text(encoding="utf-8")):
        text = unescape(raw).strip()
        if not text:
            continue
        path = texts / f"{number}.txt"
        path.write_text(text, encoding="utf-8")
        extracted = extract_document(path, "text/plain", limits=ExtractionLimits())
        sha256 = hashlib.sha256(f"{number}\n{text}".encode()).hexdigest()
        cut.append(CutDocument(path, sha256, extracted, chunk_document(extracted, options=ChunkingOptions())))
    kept.write_bytes(pickle.dumps(cut))
    return cut


async def measure(folder: Path, address: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Fill a library and report."""
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    provider = create_provider(EmbeddingsSettings(threads=arguments.threads), model_dir=arguments.cache / "models")
    generation = await asyncio.to_thread(prepare_generation, address.owner_url, provider.info)
    kept = KeptEmbeddings(arguments.cache)
    cut = abstracts(folder, arguments.cache)
    for document in cut:
        await corpora.store(database, document, generation=generation, provider=provider, kept=kept)
    questions = read_set(folder / "cran.qry.xml", qrels=folder / "cranqrel.trec.txt")
    print(f"\n## {folder.name}: {len(questions)} topics, {TITLE}")
    await recall.report_library(database, provider, questions)
    await provider.close()
    await database.dispose()


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    logging.getLogger("lectern.search").setLevel(logging.ERROR)
    with fresh_library() as address:
        asyncio.run(measure(arguments.folder, address, arguments))


if __name__ == "__main__":
    main()
