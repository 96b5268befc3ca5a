"""Measure recall of the evidence pages, in the document and in the whole library, with one arm and with both.

    python benchmarks/recall.py SET... [--together] [--translations FILE...] [--mode MODE...] [--rerank WHAT]

SET is a folder with `pdfs/` and `questions.jsonl`. `--together` puts all sets into one library. `--translations` are
JSON lines {id, question} with the questions in another language, which get lines of their own.
`--mode keyword` alone embeds nothing. `--rerank local` (or any value of LECTERN_RERANK) adds a line with the reranker.
A page counts if a returned chunk covers it.
"""

import argparse
import asyncio
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Final

import corpora
from throwaway import ThrowawayDatabase, fresh_library

from lectern.db.session import Database
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.provider import EmbeddingProvider
from lectern.evaluation.runner import RetrievalMode, SearchEvaluation
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.reranking.registry import create_reranker
from lectern.search.reranking.rerank import RerankerConfig
from lectern.search.service import SearchEngine
from lectern.settings import RerankingSettings, SearchSettings

DEPTHS: Final = (1, 5, 20)
# Recall of keyword search on chunks of about 800 tokens, at these depths: in the document, in the whole library.
BASELINES: Final = {
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
    """Print a line for each mode, without and with the reranker."""
    engine = SearchEngine(database, provider, settings, reranker=reranker)
    for mode, is_reranked in itertools.product(modes, (False, True) if reranker else (False,)):
        columns: list[str] = []
        times: list[float] = []
        for is_narrowed in (True, False):
            evaluation = SearchEvaluation(engine=engine, mode=mode, is_narrowed=is_narrowed, rerank=is_reranked)
            result = await evaluation.run(questions)
            times += [one.took_ms for one in result.questions]
            values = result.summaries[0].measures
            names = (*(f"recall@{depth}" for depth in DEPTHS), "mrr", "ndcg@10")
            columns.append(" ".join(f"{values[name].value:.3f}" for name in names))
            if not is_narrowed:
                columns.append(f"{values['document_first'].value:.3f}")
        name = f"+ rerank  ({median(times):.0f} ms)" if is_reranked else mode.value
        print(f"  {name:9s} {'   '.join(columns)}", flush=True)


def translate(questions: Sequence[LabelledQuestion], texts: Mapping[str, str]) -> list[LabelledQuestion]:
    """Return the questions that have a translation, with its text."""
    return [replace(question, text=texts[question.id]) for question in questions if question.id in texts]


async def measure(
    sets: Sequence[Path], address: ThrowawayDatabase, *, texts: Mapping[str, str], arguments: argparse.Namespace
) -> None:
    """Fill a library with the sets and print the measures of each mode."""
    settings = SearchSettings(ranker=arguments.ranker)
    reranking = RerankingSettings.model_validate({"provider": arguments.rerank, "timeout_seconds": 600}, by_name=True)
    model = create_reranker(reranking)
    reranker = RerankerConfig(model, reranking) if model else None
    questions = corpora.read_questions(sets)
    async with corpora.connect(address, arguments.cache, threads=arguments.threads) as (database, provider):
        is_embedded = set(arguments.mode) != {RetrievalMode.KEYWORD}
        files = await asyncio.to_thread(corpora.chunk_sets, sets, arguments.cache)
        await corpora.fill(database, files, address, provider=provider, cache=arguments.cache, is_embedded=is_embedded)
        queries = CachedQueries(provider)
        print(f"\n## {' + '.join(folder.name for folder in sets)}: {len(questions)} questions")
        print(
            "            in the document @1 @5 @20 MRR nDCG@10   whole library @1 @5 @20 MRR nDCG@10   document first"
        )
        baseline = BASELINES.get(sets[0].name) if len(sets) == 1 else None
        if baseline:
            columns = (" ".join(f"{value:.3f}" for value in part) for part in baseline)
            print("  baseline  " + "               ".join(columns))
        await report(database, queries, questions, settings, modes=arguments.mode, reranker=reranker)
        translated = translate(questions, texts)
        if translated:
            print(f"  {len(translated)} of them in another language:")
            await report(database, queries, translated, settings, modes=arguments.mode, reranker=reranker)
    if reranker:
        await reranker.model.close()


def main() -> None:
    """Measure each set, or all together."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--translations", nargs="*", type=Path, default=[])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--ranker", choices=["model", "fusion"], default="model")
    parser.add_argument(
        "--mode", nargs="+", type=RetrievalMode, choices=list(RetrievalMode), default=list(RetrievalMode)
    )
    parser.add_argument("--rerank", default="")
    arguments = parser.parse_args()
    texts = corpora.read_translations(arguments.translations)
    for group in [arguments.sets] if arguments.together else [[folder] for folder in arguments.sets]:
        with fresh_library() as address:
            asyncio.run(measure(group, address, texts=texts, arguments=arguments))


if __name__ == "__main__":
    main()
