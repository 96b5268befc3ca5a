"""Collect what the ranker learns from: the features of every candidate of every labelled question.

    python benchmarks/ranking_data.py OUT SET... [--candidates N] [--cache FOLDER]

SET is a folder as in `corpora.py`, or a file of questions in such a folder. All documents go into one library. Each
question is asked in the library and in its documents. OUT.npz gets the features and labels, OUT.json the questions.
"""

import argparse
import asyncio
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import corpora
import numpy as np
from recall import fill

from lectern.db.engine import create_engine
from lectern.db.migrations.runner import migrate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embedded.throwaway import ThrowawayDatabase, throwaway_postgres
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.registry import create_provider
from lectern.evaluation.relevance import RankedHit, has_place, is_relevant_document
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.search import repository
from lectern.search.ranking.features import FEATURES, build_features
from lectern.search.schemas import MAX_QUERY_CHARACTERS, SearchRequest
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings, SearchSettings


async def collect(
    engine: SearchEngine, questions: Sequence[LabelledQuestion]
) -> tuple[list[Any], list[Any], list[Any]]:
    """Return questions, and the features and labels of their candidates."""
    rows: list[dict[str, Any]] = []
    features: list[Any] = []
    labels: list[Any] = []
    for number, question in enumerate(questions):
        for scope in ("document", "library"):
            if scope == "library" and question.is_about_document:
                continue
            documents = sorted(question.documents) if scope == "document" else []
            request = SearchRequest(query=question.text[:MAX_QUERY_CHARACTERS], documents=documents, rectangles=False)
            async with engine.database.session(SYSTEM_SCOPE) as session:
                candidates, facts = await engine.find_candidates(session, request, scope=SYSTEM_SCOPE)
                loaded = await repository.load_chunks(session, [one.chunk_id for one in candidates], [])
            if not candidates:
                continue
            candidates.sort(key=lambda one: one.chunk_id)
            hits = [
                RankedHit(
                    document=chunk.filename,
                    page_number=chunk.page_number,
                    last_page_number=chunk.last_page_number,
                    score=0.0,
                    char_start=chunk.char_start,
                    char_end=chunk.char_end,
                    text=chunk.text,
                )
                for chunk in (loaded[one.chunk_id] for one in candidates)
            ]
            features.append(build_features(candidates, facts).astype(np.float32))
            labels.append([(has_place(question, hit), is_relevant_document(question, hit.document)) for hit in hits])
            rows.append(_row(question, scope, len(candidates)))
        if number % 100 == 0:
            print(f"\r  {number} of {len(questions)} questions", end="", flush=True)
    return rows, features, labels


def _row(question: LabelledQuestion, scope: str, count: int) -> dict[str, Any]:
    return {
        "set": question.set_name,
        "id": question.id,
        "scope": scope,
        "documents": sorted(question.documents),
        "language": question.language,
        "type": question.type,
        "candidates": count,
    }


def _write(out: Path, rows: list[Any], features: list[Any], labels: list[Any]) -> None:
    parts = [np.array(part, bool) for part in labels]
    np.savez_compressed(f"{out}.npz", features=np.concatenate(features), labels=np.concatenate(parts))
    names = [feature.name for feature in FEATURES]
    Path(f"{out}.json").write_text(json.dumps({"features": names, "rows": rows}), encoding="utf-8")


async def measure(folders: Sequence[Path], address: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Fill a library and collect."""
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    provider = create_provider(EmbeddingsSettings(threads=2), model_dir=arguments.cache / "models")
    await fill(database, folders, address, provider=provider, cache=arguments.cache, is_embedded=True)
    questions = [one for path in arguments.sets for one in read_set(path) if one.is_answerable and one.documents]
    engine = SearchEngine(
        database, CachedQueries(provider), SearchSettings(candidates=arguments.candidates, synonyms=arguments.synonyms)
    )
    rows, features, labels = await collect(engine, questions)
    await asyncio.to_thread(_write, arguments.out, rows, features, labels)
    await provider.close()
    await database.dispose()


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--synonyms", action="store_true")
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    arguments = parser.parse_args()
    logging.getLogger("lectern.search").setLevel(logging.ERROR)
    folders = list(dict.fromkeys(path if path.is_dir() else path.parent for path in arguments.sets))
    with throwaway_postgres() as server:
        server.prepare_template(migrate)
        with server.fresh_database() as address:
            asyncio.run(measure(folders, address, arguments))


if __name__ == "__main__":
    main()
