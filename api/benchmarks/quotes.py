"""Quotations sampled from real documents, and the same with one digit changed or a "not" dropped.

    python benchmarks/quotes.py SET... [--quotes N] [--seed N] [--cache DIR]

A quotation is a sentence (or a row) of a passage as search returns it, of 6 to 60 words. It must be EXACT on a page of
its passage in the whole text of its document; changed, it must not be exact anywhere that the original stands.
"""

import argparse
import random
import re
import time
from collections import Counter
from itertools import accumulate
from pathlib import Path

import corpora

from lectern.answers.quotes import find_exact, find_near

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


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--quotes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    arguments = parser.parse_args()
    choose = random.Random(arguments.seed)
    cuts = corpora.cut_sets(arguments.sets, arguments.cache)
    sampled = [
        (cut, chunk, sentence.strip())
        for cut in cuts
        for chunk in cut.chunked.chunks
        for sentence in SENTENCE.split(chunk.text)
        if 6 <= len(sentence.split()) <= 60
    ]
    counts: Counter[str] = Counter()
    seconds = 0.0
    for cut, chunk, quote in choose.sample(sampled, k=min(arguments.quotes, len(sampled))):
        pages = cut.extracted.pages
        text = "\n".join(page.text for page in pages)
        lengths = [len(page.text) + 1 for page in pages]
        starts = dict(zip((page.page_number for page in pages), accumulate(lengths, initial=0), strict=False))
        begun = time.perf_counter()
        places = find_exact(text, quote, limit=1_000)
        seconds += time.perf_counter() - begun
        last = pages[chunk.last_page_number - 1]
        first, end = starts[chunk.page_number], starts[chunk.last_page_number] + len(last.text)
        is_right = any(first <= start < end for start, _ in places)
        counts["EXACT on its page" if is_right else "EXACT elsewhere" if places else "not EXACT"] += 1
        if not is_right:
            print(f"{cut.path.name} p. {chunk.page_number}: {quote[:160]!r}")
        other = changed(quote, choose)
        if other is not None:
            counts["changed"] += 1
            counts["changed and EXACT in the same place"] += bool({*find_exact(text, other, limit=1_000)} & {*places})
            near = find_near(text, other)
            counts["changed and NEAR with the difference"] += near is not None and bool(near.differences)
    for name, count in counts.items():
        print(f"{count:6d}  {name}")
    print(f"{seconds / max(1, arguments.quotes) * 1000:.1f} ms a quotation in the whole text of its document")


if __name__ == "__main__":
    main()
