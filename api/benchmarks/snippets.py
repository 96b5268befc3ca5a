"""Measure how often the snippet of a hit shows the answer: around matching words, and around the nearest sentence.

    python benchmarks/snippets.py SET... [--translations FILE...]

SET is a folder with `pdfs/` and `questions.jsonl`, where lines have `answer`. Each question is searched in its
document. The first of five hits that has the answer on a page of the evidence counts, if there is one.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import corpora
import recall
from throwaway import ThrowawayDatabase, fresh_library

from lectern.db.scope import SYSTEM_SCOPE
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.schemas import Hit, SearchRequest
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

HITS: Final = 5


@dataclass(frozen=True, slots=True)
class SnippetResult:
    """The places of a hit that show the answer."""

    in_snippet: bool
    in_sentence: bool
    is_by_meaning: bool
    took_ms: float


async def search(engine: SearchEngine, question: LabelledQuestion, *, nearest: bool) -> SnippetResult | None:
    """Search the question's document. Return None if no hit has the answer."""
    documents = sorted(question.documents)
    request = SearchRequest(query=question.text, documents=documents, top_k=HITS, nearest_sentence=nearest)
    response = await engine.search_in_scope(request, SYSTEM_SCOPE)
    answer = _plain(question.answer)
    hit = next((hit for hit in response.data if answer in _plain(hit.text) and _is_evidence(hit, question)), None)
    if hit is None:
        return None
    sentence = hit.snippet.text[hit.sentence.start : hit.sentence.end] if hit.sentence else ""
    return SnippetResult(
        in_snippet=answer in _plain(hit.snippet.text),
        in_sentence=answer in _plain(sentence),
        is_by_meaning=hit.sentence is not None and hit.sentence.basis == "meaning",
        took_ms=response.metadata.took_ms.total,
    )


def _is_evidence(hit: Hit, question: LabelledQuestion) -> bool:
    return any(hit.page_number <= page <= hit.last_page_number for page in question.pages)


def _plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


async def report(engine: SearchEngine, questions: Sequence[LabelledQuestion]) -> None:
    """Print a line for each kind of snippet."""
    for nearest in (False, True):
        results = [one for question in questions if (one := await search(engine, question, nearest=nearest))]
        if results:
            count = len(results)
            print(
                f"  {'nearest' if nearest else 'words':8s} {count:4d} hits with the answer"
                f"   in the snippet {sum(one.in_snippet for one in results) / count:.3f}"
                f"   in the sentence {sum(one.in_sentence for one in results) / count:.3f}"
                f"   by meaning {sum(one.is_by_meaning for one in results):4d}"
                f"   {median(one.took_ms for one in results):6.0f} ms",
                flush=True,
            )


async def measure(folder: Path, address: ThrowawayDatabase, *, texts: Mapping[str, str], cache: Path) -> None:
    """Fill a library with the set and print how often its snippets show the answer."""
    questions = [question for question in corpora.read_questions([folder]) if question.answer]
    async with corpora.connect(address, cache) as (database, provider):
        files = await asyncio.to_thread(corpora.chunk_sets, [folder], cache)
        await corpora.fill(database, files, address, provider=provider, cache=cache)
        engine = SearchEngine(database, provider, SearchSettings())
        print(f"\n## {folder.name}: {len(questions)} questions")
        await report(engine, questions)
        translated = recall.translate(questions, texts)
        if translated:
            print("  in another language:")
            await report(engine, translated)


def main() -> None:
    """Measure each set."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--translations", nargs="*", type=Path, default=[])
    arguments = parser.parse_args()
    texts = corpora.read_translations(arguments.translations)
    for folder in arguments.sets:
        with fresh_library() as address:
            asyncio.run(measure(folder, address, texts=texts, cache=arguments.cache))


if __name__ == "__main__":
    main()
