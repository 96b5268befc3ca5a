"""The best sentences of the passages, or none."""

from collections.abc import Sequence
from typing import Final

from lectern.answers.asking.candidates import Candidate, cut, quotable, similarities
from lectern.answers.asking.evidence import (
    THRESHOLD,
    Features,
    coverage,
    has_kind,
    names_found,
    probability,
    word_weights,
)
from lectern.answers.asking.foreign import best_foreign
from lectern.answers.asking.questions import Question
from lectern.answers.asking.retrieval import told
from lectern.answers.asking.words import content_words
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.confidence import semantic_fit
from lectern.search.schemas import Hit
from lectern.search.sentences import Span

# Sentences that are compared with the question by meaning: each costs the local model about 15 ms.
MOST_EMBEDDED: Final = 24
MOST_SENTENCES: Final = 3
# How much less likely than the best a further sentence may be.
_NEARLY: Final = 0.9


async def best_sentences(
    question: Question, hits: Sequence[Hit], *, confidence: float | None, provider: EmbeddingProvider
) -> list[Candidate]:
    """Sentences of the passages, the likeliest answer first; those after it answer nearly as well.

    Where they are judged by their words and none is enough, the best of the passages in another language is looked for.
    """
    candidates = sorted(
        await list_candidates(question, hits, confidence=confidence, provider=provider),
        key=lambda candidate: -candidate.probability,
    )
    if not candidates or not candidates[0].is_enough:
        foreign = await best_foreign(question, hits, provider=provider)
        return [foreign] if foreign and foreign.is_enough else candidates[:1]
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
        for span in quotable(hit)
    ]
    found.sort(key=lambda row: -(coverage(weights, row[3]) + has_kind(question.kind, cut(row[0], row[1]), question)))
    found = found[:MOST_EMBEDDED]
    near = await _nearness(question, [(hit, span) for hit, span, _, _ in found], provider)
    result: list[Candidate] = []
    for (hit, span, passage, words), similarity in zip(found, near, strict=True):
        by_words = coverage(weights, words)
        features = Features(
            confidence=0.5 if confidence is None else confidence,
            similarity=by_words if similarity is None else similarity,
            sentence_words=by_words,
            passage_words=coverage(weights, passage),
            kind=has_kind(question.kind, cut(hit, span), question),
            names=names_found(question, told(hit)),
        )
        result.append(
            Candidate(
                hit=hit,
                span=span,
                features=features.values(),
                probability=probability(features),
                threshold=THRESHOLD,
            )
        )
    return result


def _words_near(hit: Hit, span: Span) -> list[str]:
    """Of the sentence and of the heading it stands under."""
    return content_words(f"{hit.section_heading or ''}\n{cut(hit, span)}")


async def _nearness(
    question: Question, spans: Sequence[tuple[Hit, Span]], provider: EmbeddingProvider
) -> Sequence[float | None]:
    cosines = await similarities(question, spans, provider)
    if cosines is None:
        return [None] * len(spans)
    return [semantic_fit(cosine, model=provider.info.id) for cosine in cosines]
