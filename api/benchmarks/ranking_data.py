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
from throwaway import ThrowawayDatabase, throwaway_postgres

from lectern.db.engine import create_engine
from lectern.db.migrations.runner import migrate
from lectern.db.session import Database
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.registry import create_provider
from lectern.evaluation.ranker_fit.candidates import LabelledCandidates, collect_candidates
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.search.ranking.features import FEATURES
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings, SearchSettings


async def collect(engine: SearchEngine, questions: Sequence[LabelledQuestion]) -> list[tuple[str, LabelledCandidates]]:
    """Return the candidates of the questions in each scope."""
    asked = [one for one in questions if not one.is_about_document]
    return [
        *(("document", one) for one in await collect_candidates(engine, questions, is_narrowed=True)),
        *(("library", one) for one in await collect_candidates(engine, asked)),
    ]


def _row(scope: str, collected: LabelledCandidates) -> dict[str, Any]:
    question = collected.question
    return {
        "set": question.set_name,
        "id": question.id,
        "scope": scope,
        "documents": sorted(question.documents),
        "language": question.language,
        "type": question.type,
        "candidates": len(collected.features),
    }


def _write(out: Path, collected: Sequence[tuple[str, LabelledCandidates]]) -> None:
    features = np.concatenate([one.features for _, one in collected]).astype(np.float32)
    labels = np.concatenate([np.stack([one.is_relevant, one.is_relevant_document], axis=1) for _, one in collected])
    np.savez_compressed(f"{out}.npz", features=features, labels=labels)
    content = {"features": [feature.name for feature in FEATURES], "rows": [_row(*each) for each in collected]}
    Path(f"{out}.json").write_text(json.dumps(content), encoding="utf-8")


async def measure(folders: Sequence[Path], address: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Fill a library and collect."""
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    provider = create_provider(EmbeddingsSettings(threads=2), model_dir=arguments.cache / "models")
    await fill(database, folders, address, provider=provider, cache=arguments.cache, is_embedded=True)
    questions = [one for path in arguments.sets for one in read_set(path) if one.is_answerable and one.documents]
    engine = SearchEngine(
        database, CachedQueries(provider), SearchSettings(candidates=arguments.candidates, synonyms=arguments.synonyms)
    )
    await asyncio.to_thread(_write, arguments.out, await collect(engine, questions))
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
