"""The best sentences of the passages, or none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.asking.evidence import (
    THRESHOLD,
    Features,
    coverage,
    has_kind,
    names_found,
    probability,
    word_weights,
)
from lectern.answers.asking.instructions import is_instruction
from lectern.answers.asking.questions import Question
from lectern.answers.asking.retrieval import told
from lectern.answers.asking.sentences import Span, split_sentences
from lectern.answers.asking.words import content_words
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.confidence import semantic_fit
from lectern.search.schemas import Hit

# Sentences that are compared with the question by meaning: each costs the local model about 15 ms.
MOST_EMBEDDED: Final = 24
MOST_SENTENCES: Final = 3
# How much less likely than the best a further sentence may be.
_NEARLY: Final = 0.9
_SHORTEST: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A sentence of a passage and how well it answers."""

    hit: Hit
    span: Span
    features: Features
    probability: float

    @property
    def text(self) -> str:
        """In one line."""
        return " ".join(self.hit.text[self.span.start : self.span.end].split())


async def best_sentences(
    question: Question, hits: Sequence[Hit], *, confidence: float | None, provider: EmbeddingProvider
) -> list[Candidate]:
    """Sentences of the passages, the likeliest answer first; those after it answer nearly as well."""
    candidates = sorted(
        await list_candidates(question, hits, confidence=confidence, provider=provider),
        key=lambda candidate: -candidate.probability,
    )
    if not candidates:
        return []
    floor = max(_NEARLY * candidates[0].probability, THRESHOLD)
    more = [candidate for candidate in candidates[1:MOST_SENTENCES] if candidate.probability >= floor]
    return [candidates[0], *_distinct(candidates[0], more)]


def _distinct(best: Candidate, more: Sequence[Candidate]) -> list[Candidate]:
    """Those that say something else: overlapping passages hold the same sentence twice."""
    seen = {best.text}
    kept: list[Candidate] = []
    for candidate in more:
        if candidate.text not in seen:
            seen.add(candidate.text)
            kept.append(candidate)
    return kept


async def list_candidates(
    question: Question, hits: Sequence[Hit], *, confidence: float | None, provider: EmbeddingProvider
) -> list[Candidate]:
    passages = [content_words(told(hit)) for hit in hits]
    weights = word_weights(question.words, passages)
    found = [
        (hit, span, words, _words_near(hit, span))
        for hit, words in zip(hits, passages, strict=True)
        for span in split_sentences(
            hit.text, is_tabular=hit.content_type in {"table", "list"}, heading=hit.section_heading
        )
        if span.end - span.start >= _SHORTEST and not is_instruction(hit.text[span.start : span.end])
    ]
    found.sort(key=lambda row: -(coverage(weights, row[3]) + has_kind(question.kind, _cut(row[0], row[1]), question)))
    found = found[:MOST_EMBEDDED]
    similarities = await _similarities(question, [(hit, span) for hit, span, _, _ in found], provider)
    result: list[Candidate] = []
    for (hit, span, passage, near), similarity in zip(found, similarities, strict=True):
        by_words = coverage(weights, near)
        features = Features(
            confidence=0.5 if confidence is None else confidence,
            similarity=by_words if similarity is None else similarity,
            sentence_words=by_words,
            passage_words=coverage(weights, passage),
            kind=has_kind(question.kind, _cut(hit, span), question),
            names=names_found(question, told(hit)),
        )
        result.append(Candidate(hit=hit, span=span, features=features, probability=probability(features)))
    return result


def _cut(hit: Hit, span: Span) -> str:
    return hit.text[span.start : span.end]


def _words_near(hit: Hit, span: Span) -> list[str]:
    """Of the sentence and of the heading it stands under."""
    return content_words(f"{hit.section_heading or ''}\n{_cut(hit, span)}")


async def _similarities(
    question: Question, spans: Sequence[tuple[Hit, Span]], provider: EmbeddingProvider
) -> list[float | None]:
    """How near each sentence, under its heading, is to the question; None where the model's scale is not known."""
    model = provider.info.id
    if not spans or semantic_fit(1.0, model=model) is None:
        return [None] * len(spans)
    asked = await provider.embed_query(question.text)
    vectors = await provider.embed_documents(
        [f"{hit.section_heading or hit.title or ''}\n{_cut(hit, span)}".strip() for hit, span in spans]
    )
    return [semantic_fit(float(similarity), model=model) for similarity in vectors @ asked]
