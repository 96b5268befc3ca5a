"""Measure how many right and wrong sentences about known passages verification accepts.

    python benchmarks/verification.py HALF --corpus DIR [--show] [--cache DIR]

HALF is one of `tuning`, `frozen`, `second`, `third`, `fourth`, `fifth` and `sixth`.
DIR is a build of the corpus (`python corpus/build.py DIR`).
Each line of `verification_sentences.jsonl` cites the chunks of its document that contain `passage`, like a model.
A line with a `fault` is wrong. `--show` prints the sentences with a wrong verdict.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import corpora

from lectern.answers.verification.evidence import EvidenceText
from lectern.answers.verification.features import Alignment
from lectern.answers.verification.quantities import parse_text, same_amount
from lectern.answers.verification.support import Support, align, find_support
from lectern.answers.verification.translation import WordLinker, WordLinks
from lectern.chunking.languages import detect_language
from lectern.chunking.types import TextChunk
from lectern.embeddings.registry import create_provider
from lectern.search.query.analysis import DEFAULT_LANGUAGES
from lectern.settings import EmbeddingsSettings

SENTENCES: Final = Path(__file__).with_name("verification_sentences.jsonl")
SCALES: Final = frozenset({1.0, 1e3, 1e6})  # the header of a table can have one for its numbers
ARTICLES: Final = Path(__file__).with_name("articles")
SAMPLES: Final = Path(__file__).parents[2] / "test-docs" / "documents"


def read_sentences(half: str) -> list[dict[str, Any]]:
    """Return the lines of a half. The halves share no document."""
    rows = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["half"] == half]


def find_evidence(row: dict[str, Any], *, corpus: Path, cache: Path) -> list[EvidenceText]:
    """Return the chunks that contain the passage. Raise ValueError if there are none."""
    folders = (SAMPLES, ARTICLES, corpus / "documents")
    path = next(path for folder in folders if (path := folder / row["document"]).exists())
    file = corpora.chunk_file(path, cache)
    cited = [chunk for chunk in file.chunked.chunks if _plain(row["passage"]) in _plain(chunk.text)]
    if not cited:
        raise ValueError(f"{row['id']}: the passage is not in {row['document']}.")
    return [_evidence(chunk, row["document"], file.extracted.metadata.title or "") for chunk in cited]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _evidence(chunk: TextChunk, document: str, title: str) -> EvidenceText:
    names = "\n".join([document.replace("_", " "), title, *chunk.section_path, chunk.section_heading or ""])
    return EvidenceText(text=chunk.text, names=names, content_type=chunk.content_type, language=chunk.language)


class Verifier:
    """A verifier of sentences like the answer service's, with the local embedding model."""

    def __init__(self, models: Path) -> None:
        self._linker = WordLinker(create_provider(EmbeddingsSettings(threads=1), model_dir=models))
        self._languages = DEFAULT_LANGUAGES

    async def support(self, sentence: str, evidence: Sequence[EvidenceText]) -> list[tuple[EvidenceText, Support]]:
        """Return the support of single chunks, or else of all chunks together."""
        single = [(one, found) for one in evidence if (found := await self._together(sentence, [one]))]
        if single or len(evidence) == 1:
            return single
        together = await self._together(sentence, evidence)
        return [(one, Support((span,))) for one, span in zip(evidence, together.spans, strict=True)] if together else []

    async def align(self, sentence: str, evidence: Sequence[EvidenceText]) -> Alignment | None:
        """Return how a sentence matches the chunks, before the decision."""
        language, links = await self._link(sentence, evidence)
        return align(sentence, evidence, language=language, links=links)

    async def _together(self, sentence: str, evidence: Sequence[EvidenceText]) -> Support | None:
        language, links = await self._link(sentence, evidence)
        return find_support(sentence, evidence, language=language, links=links)

    async def _link(self, sentence: str, evidence: Sequence[EvidenceText]) -> tuple[str | None, WordLinks | None]:
        language = detect_language(sentence, languages=self._languages)
        return language, await self._linker.link(sentence, evidence, language=language)


def quotes_numbers(sentence: str, found: Sequence[tuple[EvidenceText, Support]]) -> bool:
    """Return True if the quoted spans, or the headings above them, have every number of the sentence except years."""
    spans = [one.text[span.start : span.end] for one, support in found for span in support.spans if span]
    quoted = parse_text("\n".join([*spans, *(one.names for one, _ in found)])).quantities
    claimed = [one for one in parse_text(sentence).quantities if not one.is_year]
    return all(any(same_amount(one, other, scales=SCALES) for other in quoted) for one in claimed)


async def report(
    verifier: Verifier, rows: Sequence[dict[str, Any]], evidence: Sequence[Sequence[EvidenceText]], *, show: bool
) -> None:
    """Print the accepted share of each kind of right and wrong sentences."""
    counts: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    unquoted = 0
    for row, passages in zip(rows, evidence, strict=True):
        found = await verifier.support(row["sentence"], passages)
        is_wrong = row["fault"] is not None
        groups = ["all wrong", f"wrong: {row['fault']}"] if is_wrong else ["all right", f"right: {row['kind']}"]
        counts.update(groups)
        accepted.update(groups if found else [])
        is_unquoted = bool(found) and not quotes_numbers(row["sentence"], found)
        unquoted += is_unquoted
        if show and is_unquoted:
            print(f"  {row['id']}  number not quoted: {row['sentence']}")
        if show and is_wrong is bool(found):
            print(f"  {row['id']}  {row['fault'] or row['kind']}: {row['sentence']}")
    for group in sorted(counts):
        print(f"{group:24s} {accepted[group]:4d} of {counts[group]:4d} accepted  {accepted[group] / counts[group]:.3f}")
    print(f"accepted with a number that is not quoted: {unquoted}")


def main() -> None:
    """Verify the sentences of a half."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("half", choices=["tuning", "frozen", "second", "third", "fourth", "fifth", "sixth"])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print the sentences with a wrong verdict")
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    rows = read_sentences(arguments.half)
    evidence = [find_evidence(row, corpus=arguments.corpus, cache=arguments.cache) for row in rows]
    asyncio.run(report(Verifier(arguments.cache / "models"), rows, evidence, show=arguments.show))


if __name__ == "__main__":
    main()
