"""Whether the snippet of a hit shows the answer: cut by the question's words, and around the nearest sentence.

    python benchmarks/snippets.py SET... [--translations FILE...]

SET is a folder with `pdfs/` and `questions.jsonl` whose lines have `answer`. Of each question counts the first of its
first five hits whose passage has the answer on a page of the evidence: is the answer in its snippet, in its sentence?
"""

import argparse
import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import corpora
import recall
from throwaway import ThrowawayDatabase, throwaway_postgres

from lectern.db.engine import create_engine
from lectern.db.migrations.runner import migrate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.registry import create_provider
from lectern.search.schemas import Hit, SearchRequest
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings, SearchSettings

HITS: Final = 5


@dataclass(frozen=True, slots=True)
class Shown:
    """What a question's hit shows of its answer."""

    in_snippet: bool
    in_sentence: bool
    is_by_meaning: bool
    took_ms: float


async def look(engine: SearchEngine, question: dict[str, Any], *, text: str, nearest: bool) -> Shown | None:
    """None where no hit has the answer."""
    request = SearchRequest(query=text, documents=[question["doc"]], top_k=HITS, nearest_sentence=nearest)
    found = await engine.search_in_scope(request, SYSTEM_SCOPE)
    answer = _plain(question["answer"])
    hit = next((hit for hit in found.data if answer in _plain(hit.text) and _is_evidence(hit, question)), None)
    if hit is None:
        return None
    sentence = hit.snippet.text[hit.sentence.start : hit.sentence.end] if hit.sentence else ""
    return Shown(
        in_snippet=answer in _plain(hit.snippet.text),
        in_sentence=answer in _plain(sentence),
        is_by_meaning=hit.sentence is not None and hit.sentence.basis == "meaning",
        took_ms=found.metadata.took_ms.total,
    )


def _is_evidence(hit: Hit, question: dict[str, Any]) -> bool:
    return any(hit.page_number <= page <= hit.last_page_number for page in question["evidence_pages"])


def _plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


async def report(engine: SearchEngine, questions: Sequence[tuple[dict[str, Any], str]]) -> None:
    """A line for each way of cutting."""
    for nearest in (False, True):
        shown = [one for row, text in questions if (one := await look(engine, row, text=text, nearest=nearest))]
        if shown:
            count = len(shown)
            print(
                f"  {'nearest' if nearest else 'words':8s} {count:4d} hits with the answer"
                f"   in the snippet {sum(one.in_snippet for one in shown) / count:.3f}"
                f"   in the sentence {sum(one.in_sentence for one in shown) / count:.3f}"
                f"   by meaning {sum(one.is_by_meaning for one in shown):4d}"
                f"   {median(one.took_ms for one in shown):6.0f} ms",
                flush=True,
            )


async def measure(folder: Path, address: ThrowawayDatabase, *, texts: dict[str, str], cache: Path) -> None:
    """Fill a library with the set and report."""
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    provider = create_provider(EmbeddingsSettings(), model_dir=cache / "models")
    await recall.fill(database, [folder], address, provider=provider, cache=cache, is_embedded=True)
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row.get("answer") and row.get("evidence_pages")]
    engine = SearchEngine(database, provider, SearchSettings())
    print(f"\n## {folder.name}: {len(rows)} questions")
    await report(engine, [(row, row["question"]) for row in rows])
    translated = [(row, texts[row["id"]]) for row in rows if row["id"] in texts]
    if translated:
        print("  in another language:")
        await report(engine, translated)
    await provider.close()
    await database.dispose()


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--translations", nargs="*", type=Path, default=[])
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    arguments = parser.parse_args()
    logging.getLogger("lectern.search").setLevel(logging.ERROR)
    lines = [line for file in arguments.translations for line in file.read_text(encoding="utf-8").splitlines()]
    texts = {row["id"]: row["question"] for row in map(json.loads, lines)}
    with throwaway_postgres() as server:
        server.prepare_template(migrate)
        for folder in arguments.sets:
            with server.fresh_database() as address:
                asyncio.run(measure(folder, address, texts=texts, cache=arguments.cache))


if __name__ == "__main__":
    main()
