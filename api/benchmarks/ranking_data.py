"""Collect the training data of the ranker: the features of every candidate of every labelled question.

    python benchmarks/ranking_data.py OUT SET... [--candidates N] [--cache FOLDER]

SET is a folder as in `corpora.py`, or a file of questions in such a folder. All documents go into one library. Each
question is searched in the library and in its documents. OUT.npz gets the features and labels, OUT.json the questions.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import corpora
import numpy as np
from numpy.typing import NDArray
from throwaway import ThrowawayDatabase, fresh_library

from lectern.embeddings.cache import CachedQueries
from lectern.evaluation.ranker_fit import LabelledCandidates, collect_candidates
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.search.ranking.features import FEATURES
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings


async def collect(engine: SearchEngine, questions: Sequence[LabelledQuestion]) -> list[tuple[str, LabelledCandidates]]:
    """Return the candidates of the questions in each scope."""
    about_library = [one for one in questions if not one.is_about_document]
    return [
        *(("document", one) for one in await collect_candidates(engine, questions, is_narrowed=True)),
        *(("library", one) for one in await collect_candidates(engine, about_library)),
    ]


def read(path: Path) -> Iterator[tuple[dict[str, Any], NDArray[np.float32], NDArray[np.bool_]]]:
    """Yield the row, features and labels (relevant, in a relevant document) of each question in a scope."""
    content, arrays = (
        json.loads(path.with_suffix(".json").read_text(encoding="utf-8")),
        np.load(path.with_suffix(".npz")),
    )
    columns = [content["features"].index(feature.name) for feature in FEATURES]
    ends = np.cumsum([row["candidates"] for row in content["rows"]])[:-1]
    features, labels = np.split(arrays["features"][:, columns], ends), np.split(arrays["labels"], ends)
    return zip(content["rows"], features, labels, strict=True)


def bootstrap(values: NDArray[np.float64], owners: Sequence[str], *, seed: int) -> tuple[float, float]:
    """Return the 95 % interval of the mean by a bootstrap over owners, such as documents."""
    keys = {name: number for number, name in enumerate(sorted(set(owners)))}
    groups = np.array([keys[owner] for owner in owners])
    sums, counts = np.bincount(groups, values), np.bincount(groups)
    drawn = np.random.default_rng(seed).integers(len(keys), size=(2_000, len(keys)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.025, 0.975))
    return float(low), float(high)


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
    """Fill a library, collect the candidates and write them."""
    questions = [one for path in arguments.sets for one in read_set(path) if one.is_answerable and one.documents]
    settings = SearchSettings(candidates=arguments.candidates, synonyms=arguments.synonyms)
    async with corpora.connect(address, arguments.cache, threads=2) as (database, provider):
        files = await asyncio.to_thread(corpora.chunk_sets, folders, arguments.cache)
        await corpora.fill(database, files, address, provider=provider, cache=arguments.cache)
        engine = SearchEngine(database, CachedQueries(provider), settings)
        await asyncio.to_thread(_write, arguments.out, await collect(engine, questions))


def main() -> None:
    """Collect on a temporary Postgres."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--synonyms", action="store_true")
    arguments = parser.parse_args()
    folders = list(dict.fromkeys(path if path.is_dir() else path.parent for path in arguments.sets))
    with fresh_library() as address:
        asyncio.run(measure(folders, address, arguments))


if __name__ == "__main__":
    main()
