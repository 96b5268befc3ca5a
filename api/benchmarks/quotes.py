"""Verify quotations from real documents, unchanged and with another digit or without a "not".

    python benchmarks/quotes.py SET... [--quotes N] [--seed N] [--cache DIR]

A quotation is a sentence or a row of a chunk, with 6 to 60 words, perhaps over a page break. Verified in its document,
it must be EXACT on the pages of its chunk. Changed, it must not be EXACT in the same place.
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
from throwaway import ThrowawayDatabase, fresh_library

from lectern.answers.quotes.schemas import QuoteLocation, QuoteRequest, QuoteVerdict
from lectern.answers.quotes.service import verify_quote
from lectern.cli.open_installation import OPERATOR
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Ý“\"])|\n\s*\n")


def change(quote: str, choose: random.Random) -> str | None:
    """Remove a "not" from the quotation, or change a digit. Return None if it has neither."""
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
class Quotation:
    """A quotation with its document and the pages of its chunk."""

    quote: str
    document: str
    first_page: int
    last_page: int

    def covers(self, place: QuoteLocation) -> bool:
        """Return True if the place is on the pages of the chunk."""
        return self.first_page <= place.page_number and place.last_page_number <= self.last_page


def sample(files: list[corpora.ChunkedFile], choose: random.Random, count: int) -> list[Quotation]:
    """Draw sentences from the chunks."""
    sentences = [
        Quotation(sentence.strip(), file.path.name, chunk.page_number, chunk.last_page_number)
        for file in files
        for chunk in file.chunked.chunks
        for sentence in SENTENCE.split(chunk.text)
        if 6 <= len(sentence.split()) <= 60
    ]
    return choose.sample(sentences, k=min(count, len(sentences)))


async def verify(engine: SearchEngine, quote: str, document: str) -> QuoteVerdict:
    """Verify a quotation in its document."""
    request = QuoteRequest(quote=quote, documents=[document])
    return (await verify_quote(request, OPERATOR, engine=engine)).data


async def count_verdicts(engine: SearchEngine, quotations: list[Quotation], choose: random.Random) -> Counter[str]:
    """Verify the quotations, unchanged and changed, print those not recognized and return the outcomes."""
    counts: Counter[str] = Counter()
    milliseconds: list[float] = []
    for one in quotations:
        started = time.perf_counter()
        verdict = await verify(engine, one.quote, one.document)
        milliseconds.append((time.perf_counter() - started) * 1000)
        right = [place for place in verdict.locations if one.covers(place)] if verdict.verdict == "EXACT" else []
        counts["EXACT on its page" if right else f"{verdict.verdict}, not on its page"] += 1
        if not right:
            print(f"{one.document} p. {one.first_page}: {verdict.verdict} {one.quote[:160]!r}")
        other = change(one.quote, choose)
        if other is not None:
            verdict = await verify(engine, other, one.document)
            places = {(place.char_start, place.char_end) for place in verdict.locations}
            is_same = bool(places & {(place.char_start, place.char_end) for place in right})
            counts["changed"] += 1
            counts["changed and EXACT in the same place"] += verdict.verdict == "EXACT" and is_same
            counts["changed and NEAR with the difference"] += verdict.verdict == "NEAR" and bool(verdict.differences)
    print(f"{median(milliseconds):.0f} ms per quotation (median), including the search")
    return counts


async def measure(address: ThrowawayDatabase, arguments: argparse.Namespace) -> None:
    """Fill a library and print how many quotations have each outcome."""
    choose = random.Random(arguments.seed)
    files = await asyncio.to_thread(corpora.chunk_sets, arguments.sets, arguments.cache)
    async with corpora.connect(address, arguments.cache) as (database, provider):
        await corpora.fill(database, files, address, provider=provider, cache=arguments.cache)
        engine = SearchEngine(database, provider, SearchSettings())
        counts = await count_verdicts(engine, sample(files, choose, arguments.quotes), choose)
    for name, count in counts.items():
        print(f"{count:6d}  {name}")


def main() -> None:
    """Measure on a temporary Postgres."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--quotes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with fresh_library() as address:
        asyncio.run(measure(address, arguments))


if __name__ == "__main__":
    main()
