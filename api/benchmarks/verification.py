"""Count the sentences that verification accepts, among right and wrong ones about known passages.

    python benchmarks/verification.py HALF --corpus DIR [--show] [--cache DIR]

HALF is `tuning`, `frozen`, `second`, `third` or `fourth`. DIR is a build of the corpus (`python corpus/build.py DIR`).
Each line of `verification_sentences.jsonl` cites the chunks of its document that contain `passage`, as a model would.
A line is right, or wrong by its `fault`. `--show` lists the sentences that were judged wrongly.
"""

import argparse
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
SCALES: Final = frozenset({1.0, 1e3, 1e6})  # a header may give one to the figures below it
SAMPLES: Final = Path(__file__).parents[2] / "test-docs" / "documents"


def read_sentences(half: str) -> list[dict[str, Any]]:
    """The lines of a half. The halves share no document."""
    rows = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["half"] == half]


def find_evidence(row: dict[str, Any], *, corpus: Path, cache: Path) -> list[EvidenceText]:
    """The chunks that contain the passage. Raises ValueError if there are none."""
    path = SAMPLES / row["document"]
    cut = corpora.cut_file(path if path.exists() else corpus / "documents" / row["document"], cache)
    cited = [chunk for chunk in cut.chunked.chunks if _plain(row["passage"]) in _plain(chunk.text)]
    if not cited:
        raise ValueError(f"{row['id']}: the passage is not in {row['document']}.")
    return [_evidence(chunk, row["document"], cut.extracted.metadata.title or "") for chunk in cited]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _evidence(chunk: TextChunk, document: str, title: str) -> EvidenceText:
    names = "\n".join([document.replace("_", " "), title, *chunk.section_path, chunk.section_heading or ""])
    return EvidenceText(text=chunk.text, names=names, content_type=chunk.content_type, language=chunk.language)


class Judge:
    """Verifies sentences as the answer service does, with the local embedding model."""

    def __init__(self, models: Path) -> None:
        self._linker = WordLinker(create_provider(EmbeddingsSettings(threads=1), model_dir=models))
        self._languages = DEFAULT_LANGUAGES

    async def support(self, sentence: str, evidence: Sequence[EvidenceText]) -> list[tuple[EvidenceText, Support]]:
        """Support from single chunks, else from all of them together."""
        single = [(one, found) for one in evidence if (found := await self._together(sentence, [one]))]
        if single or len(evidence) == 1:
            return single
        together = await self._together(sentence, evidence)
        return [(one, Support((span,))) for one, span in zip(evidence, together.spans, strict=True)] if together else []

    async def align(self, sentence: str, evidence: Sequence[EvidenceText]) -> Alignment | None:
        """How a sentence matches the chunks, before the decision."""
        language, links = await self._link(sentence, evidence)
        return align(sentence, evidence, language=language, links=links)

    async def _together(self, sentence: str, evidence: Sequence[EvidenceText]) -> Support | None:
        language, links = await self._link(sentence, evidence)
        return find_support(sentence, evidence, language=language, links=links)

    async def _link(self, sentence: str, evidence: Sequence[EvidenceText]) -> tuple[str | None, WordLinks | None]:
        language = detect_language(sentence, languages=self._languages)
        return language, await self._linker.link(sentence, evidence, language=language)


def shows_figures(sentence: str, found: Sequence[tuple[EvidenceText, Support]]) -> bool:
    """Return True if the quoted spans, or the names above them, hold every figure of the sentence but years."""
    quoted = [one.text[span.start : span.end] for one, support in found for span in support.spans if span]
    shown = parse_text("\n".join([*quoted, *(one.names for one, _ in found)])).quantities
    claimed = [one for one in parse_text(sentence).quantities if not one.is_year]
    return all(any(same_amount(one, other, scales=SCALES) for other in shown) for one in claimed)


async def report(
    judge: Judge, rows: Sequence[dict[str, Any]], evidence: Sequence[Sequence[EvidenceText]], *, show: bool
) -> None:
    """Print the share accepted of each kind and each fault."""
    counts: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    without_figure = 0
    for row, passages in zip(rows, evidence, strict=True):
        found = await judge.support(row["sentence"], passages)
        is_wrong = row["fault"] is not None
        groups = ["all wrong", f"wrong: {row['fault']}"] if is_wrong else ["all right", f"right: {row['kind']}"]
        counts.update(groups)
        accepted.update(groups if found else [])
        is_hidden = bool(found) and not shows_figures(row["sentence"], found)
        without_figure += is_hidden
        if show and is_hidden:
            print(f"  {row['id']}  without its figure: {row['sentence']}")
        if show and is_wrong is bool(found):
            print(f"  {row['id']}  {row['fault'] or row['kind']}: {row['sentence']}")
    for group in sorted(counts):
        print(f"{group:24s} {accepted[group]:4d} of {counts[group]:4d} accepted  {accepted[group] / counts[group]:.3f}")
    print(f"accepted without its figure in the quotation: {without_figure}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("half", choices=["tuning", "frozen", "second", "third", "fourth"])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    rows = read_sentences(arguments.half)
    evidence = [find_evidence(row, corpus=arguments.corpus, cache=arguments.cache) for row in rows]
    asyncio.run(report(Judge(arguments.cache / "models"), rows, evidence, show=arguments.show))


if __name__ == "__main__":
    main()
