"""Recall of the evidence page, in the document and over the whole library: hybrid, keyword only, meaning only.

    python benchmarks/recall.py SET... [--together] [--translations FILE...] [--mode MODE...] [--rerank WHAT]

SET is a folder with `pdfs/` and `questions.jsonl`. `--together` puts all sets into one library. `--translations` are
JSON lines {id, question} with the same questions in another language; they are reported beside the original ones.
`--mode keyword` alone embeds nothing. `--rerank local` (or any value of LECTERN_RERANK) adds a line with the reranker.
A page counts as found when it lies within the pages of a returned passage.
"""

import argparse
import asyncio
import itertools
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Final

import corpora
from corpora import KeptEmbeddings
from throwaway import ThrowawayDatabase, throwaway_postgres

from lectern.db.engine import create_engine
from lectern.db.migrations.runner import migrate
from lectern.db.session import Database
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_provider
from lectern.evaluation.runner import RetrievalMode, SearchEvaluation
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.search.reranking.registry import create_reranker
from lectern.search.reranking.rerank import RerankerConfig
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings, RerankingSettings, SearchSettings

DEPTHS: Final = (1, 5, 20)
# Of keyword search on chunks of about 800 tokens, at these depths: in the document, over the whole library.
FLOORS: Final = {
    "financebench": ((0.171, 0.429, 0.743), (0.029, 0.171, 0.371)),
    "mmlongbench": ((0.677, 0.935, 1.0), (0.548, 0.806, 0.903)),
    "squad_it": ((0.875, 1.0, 1.0), (0.828, 0.953, 1.0)),
}


async def report(
    database: Database,
    provider: EmbeddingProvider,
    questions: Sequence[LabelledQuestion],
    settings: SearchSettings,
    *,
    modes: Sequence[RetrievalMode],
    reranker: RerankerConfig | None,
) -> None:
    """A line for each way of searching."""
    engine = SearchEngine(database, provider, settings, reranker=reranker)
    for mode, is_reranked in itertools.product(modes, (False, True) if reranker else (False,)):
        columns: list[str] = []
        times: list[float] = []
        for is_narrowed in (True, False):
            evaluation = SearchEvaluation(engine=engine, mode=mode, is_narrowed=is_narrowed, rerank=is_reranked)
            found = await evaluation.run(questions)
            times += [result.took_ms for result in found.questions]
            values = found.summaries[0].measures
            names = (*(f"recall@{depth}" for depth in DEPTHS), "mrr", "ndcg@10")
            columns.append(" ".join(f"{values[name].value:.3f}" for name in names))
            if not is_narrowed:
                columns.append(f"{values['document_first'].value:.3f}")
        name = f"+ rerank  ({median(times):.0f} ms)" if is_reranked else mode.value
        print(f"  {name:9s} {'   '.join(columns)}", flush=True)


async def report_library(
    database: Database, provider: EmbeddingProvider, questions: Sequence[LabelledQuestion]
) -> None:
    """A line for each way of searching the whole library, for sets that name documents only."""
    engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
    for mode in RetrievalMode:
        found = await SearchEvaluation(engine=engine, mode=mode).run(questions)
        values = found.summaries[0].measures
        names = ("ndcg@10", "recall@5", "recall@20", "mrr")
        print(f"  {mode.value:9s} " + " ".join(f"{values[name].value:.3f}" for name in names), flush=True)


async def fill(
    database: Database,
    sets: Sequence[Path],
    address: ThrowawayDatabase,
    *,
    provider: EmbeddingProvider,
    cache: Path,
    is_embedded: bool,
) -> None:
    """Every document of the sets, as ingestion leaves it; with `is_embedded` false, before it is embedded."""
    generation = await asyncio.to_thread(prepare_generation, address.owner_url, provider.info) if is_embedded else None
    kept = KeptEmbeddings(cache)
    for cut in await asyncio.to_thread(corpora.cut_sets, sets, cache):
        await corpora.store(database, cut, generation=generation, provider=provider, kept=kept)


def with_translations(questions: Sequence[LabelledQuestion], texts: Mapping[str, str]) -> list[LabelledQuestion]:
    """The questions that there is a translation of, in its words."""
    return [replace(question, text=texts[question.id]) for question in questions if question.id in texts]


async def measure(
    sets: Sequence[Path], address: ThrowawayDatabase, *, texts: Mapping[str, str], arguments: argparse.Namespace
) -> None:
    """Fill a library with the sets and report."""
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    provider = create_provider(EmbeddingsSettings(threads=arguments.threads), model_dir=arguments.cache / "models")
    is_embedded = set(arguments.mode) != {RetrievalMode.KEYWORD}
    await fill(database, sets, address, provider=provider, cache=arguments.cache, is_embedded=is_embedded)
    queries, settings = CachedQueries(provider), SearchSettings(ranker=arguments.ranker)
    reranking = RerankingSettings.model_validate({"provider": arguments.rerank, "timeout_seconds": 600}, by_name=True)
    model = create_reranker(reranking)
    reranker = RerankerConfig(model, reranking) if model else None
    questions = [question for folder in sets for question in read_set(folder) if question.pages]
    print(f"\n## {' + '.join(folder.name for folder in sets)}: {len(questions)} questions")
    print("            in the document @1 @5 @20 MRR nDCG@10   whole library, the same; right document first")
    floor = FLOORS.get(sets[0].name) if len(sets) == 1 else None
    if floor:
        print(
            "  " + "floor     " + "               ".join(" ".join(f"{value:.3f}" for value in part) for part in floor)
        )
    await report(database, queries, questions, settings, modes=arguments.mode, reranker=reranker)
    translated = with_translations(questions, texts)
    if translated:
        print(f"  {len(translated)} of them in another language:")
        await report(database, queries, translated, settings, modes=arguments.mode, reranker=reranker)
    await provider.close()
    if reranker:
        await reranker.model.close()
    await database.dispose()


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--translations", nargs="*", type=Path, default=[])
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--ranker", choices=["model", "fusion"], default="model")
    parser.add_argument(
        "--mode", nargs="+", type=RetrievalMode, choices=list(RetrievalMode), default=list(RetrievalMode)
    )
    parser.add_argument("--rerank", default="")
    arguments = parser.parse_args()
    logging.getLogger("lectern.search").setLevel(logging.ERROR)  # a search without a model says so every time
    lines = [line for file in arguments.translations for line in file.read_text(encoding="utf-8").splitlines()]
    texts = {row["id"]: row["question"] for row in map(json.loads, lines)}
    groups = [arguments.sets] if arguments.together else [[folder] for folder in arguments.sets]
    with throwaway_postgres() as server:
        server.prepare_template(migrate)
        for group in groups:
            with server.fresh_database() as address:
                asyncio.run(measure(group, address, texts=texts, arguments=arguments))


if __name__ == "__main__":
    main()
