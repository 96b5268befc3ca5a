"""Quotations sampled from real documents, and the same with one digit changed or a "not" dropped, put to the service.

    python benchmarks/quotes.py SET... [--quotes N] [--seed N] [--cache DIR]

A quotation is a sentence (or a row) of a passage as search returns it, of 6 to 60 words; it may go on past the foot of
a page. Asked about its document, it must be EXACT with a place on the pages of its passage; changed, it must not be
EXACT in that place.
"""

import argparse
import asyncio
import random
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import corpora
import recall
from throwaway import ThrowawayDatabase, fresh_library

from lectern.answers.quotes.schemas import QuoteLocation, QuoteRequest
from lectern.answers.quotes.service import verify_quote
from lectern.cli.open_installation import OPERATOR
from lectern.db.engine import create_engine
from lectern.db.session import Database
from lectern.embeddings.registry import create_provider
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings, SearchSettings

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Ý“\"])|\n\s*\n")


def changed(quote: str, choose: random.Random) -> str | None:
    """The quotation without its "not", or with another digit; None where it has neither."""
    without = re.sub(r"\b(?:not|non) ", "", quote, count=1)
    if without != quote:
        return without
    digits = [match.start() for match in re.finditer(r"\d", quote)]
    if not digits:
        return None
    place = choose.choice(digits)
    other = choose.choice([digit for digit in "0123456789" if digit != quote[place]])
    return quote[:place] + other + quote[place + 1 :]


@dataclass(frozen=True, slots=True)
class Sampled:
    """A quotation, its document and the pages of the passage that it was taken from."""

    quote: str
    document: str
    first_page: int
    last_page: int

    def stands_in(self, place: QuoteLocation) -> bool:
        """Whether the place is on the passage's pages."""
        return self.first_page <= place.page_number and place.last_page_number <= self.last_page


def sample(cuts: list[corpora.CutDocument], choose: random.Random, count: int) -> list[Sampled]:
    """Sentences of the documents' passages."""
    sentences = [
        Sampled(sentence.strip(), cut.path.name, chunk.page_number, chunk.last_page_number)
        for cut in cuts
        for chunk in cut.chunked.chunks
        for sentence in SENTENCE.split(chunk.text)
        if 6 <= len(sentence.split()) <= 60
    ]
    return choose.sample(sentences, k=min(count, len(sentences)))


async def measure(address: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Ask and count."""
    choose = random.Random(arguments.seed)
    cuts = await asyncio.to_thread(corpora.cut_sets, arguments.sets, arguments.cache)
    database = Database(create_engine(address.service_url))
    provider = create_provider(EmbeddingsSettings(threads=1), model_dir=arguments.cache / "models")
    await recall.fill(database, arguments.sets, address, provider=provider, cache=arguments.cache, is_embedded=True)
    engine = SearchEngine(database, provider, SearchSettings())
    counts: Counter[str] = Counter()
    milliseconds: list[float] = []
    for one in sample(cuts, choose, arguments.quotes):
        begun = time.perf_counter()
        asked = QuoteRequest(quote=one.quote, documents=[one.document])
        verdict = (await verify_quote(asked, OPERATOR, engine=engine)).data
        milliseconds.append((time.perf_counter() - begun) * 1000)
        right = [place for place in verdict.locations if one.stands_in(place)] if verdict.verdict == "EXACT" else []
        counts["EXACT on its page" if right else f"{verdict.verdict}, not on its page"] += 1
        if not right:
            print(f"{one.document} p. {one.first_page}: {verdict.verdict} {one.quote[:160]!r}")
        other = changed(one.quote, choose)
        if other is not None:
            asked = QuoteRequest(quote=other, documents=[one.document])
            verdict = (await verify_quote(asked, OPERATOR, engine=engine)).data
            places = {(place.char_start, place.char_end) for place in verdict.locations}
            is_same = bool(places & {(place.char_start, place.char_end) for place in right})
            counts["changed"] += 1
            counts["changed and EXACT in the same place"] += verdict.verdict == "EXACT" and is_same
            counts["changed and NEAR with the difference"] += verdict.verdict == "NEAR" and bool(verdict.differences)
    for name, count in counts.items():
        print(f"{count:6d}  {name}")
    print(f"{median(milliseconds):.0f} ms a quotation (median), the search for it included")
    await provider.close()
    await database.dispose()


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--quotes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    arguments = parser.parse_args()
    with fresh_library() as address:
        asyncio.run(measure(address, arguments))


if __name__ == "__main__":
    main()
