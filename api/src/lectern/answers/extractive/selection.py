"""The best sentences of the passages, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lectern.answers.extractive.answer_kinds import CURRENCY, has_kind, has_unit_of_time
from lectern.answers.extractive.candidates import Candidate, Quotable, quotable, similarities
from lectern.answers.extractive.cross_language import best_foreign
from lectern.answers.extractive.features import (
    THRESHOLD,
    Features,
    coverage,
    identifiers,
    neighbours,
    probability,
    word_weights,
)
from lectern.answers.questions import Question
from lectern.answers.retrieval import told
from lectern.answers.words import content_words, numbers
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.presentation.sentences import MAX_CHARACTERS, Span
from lectern.search.ranking.confidence import scale_similarity
from lectern.search.schemas import Hit

# Sentences that are compared with the question by meaning: each costs the local model about 15 ms.
MOST_EMBEDDED: Final = 24
MOST_SENTENCES: Final = 3
# How much less likely than the best a further sentence may be.
_NEARLY: Final = 0.9
# What being the first passage's is worth among those that are compared, where the words of a whole question are 1.
_RANK_WORTH: Final = 0.3
_WORTH_QUOTING: Final = 0.2
# Nothing without one answers a question for it; names and occasions have too many forms to say so.
_CERTAIN_KINDS: Final = frozenset({"duration", "number"})
_PRICES: Final = content_words("price priced cost costs prezzo prezzi costo costa costano")
_LEAST_SIMILARITY: Final = -0.5
_MOST_SIMILARITY: Final = 1.5


async def best_sentences(
    question: Question, hits: Sequence[Hit], *, confidence: float | None, provider: EmbeddingProvider
) -> list[Candidate]:
    """Sentences of the passages, the likeliest answer first; those after it answer nearly as well.

    None for a question that says nothing ("?"): any passage would do. Where they are judged by their words and none is
    enough, the best of the passages in another language is looked for.
    """
    if not question.words and not identifiers(question.text):
        return []
    candidates = sorted(
        await list_candidates(question, hits, confidence=confidence, provider=provider),
        key=lambda candidate: -candidate.probability,
    )
    if not candidates or not candidates[0].is_enough:
        foreign = await best_foreign(question, hits, provider=provider)
        return [foreign] if foreign and foreign.is_enough else candidates[:1]
    if _is_told_by_heading(question, candidates[0]):
        return _beginning(candidates)
    floor = max(_NEARLY * candidates[0].probability, THRESHOLD)
    more = [candidate for candidate in candidates[1:MOST_SENTENCES] if candidate.probability >= floor]
    return [candidates[0], *_distinct(candidates[0], more)]


def _is_told_by_heading(question: Question, best: Candidate) -> bool:
    """Whether the code asked for is the section's ("What does art. 12-bis say?"), and nothing else is asked."""
    wanted = identifiers(question.text) - question.years
    is_headed = bool(wanted) and wanted <= identifiers(best.hit.section_heading or "")
    return is_headed and not wanted & identifiers(best.text) and not set(question.words) & set(content_words(best.text))


def _beginning(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The first sentences of the best one's passage, in their order, as likely as that one."""
    best = candidates[0]
    own = sorted((one for one in candidates if one.hit is best.hit), key=lambda candidate: candidate.span.start)
    return [replace(one, probability=best.probability) for one in own[:MOST_SENTENCES]]


def _distinct(best: Candidate, more: Sequence[Candidate]) -> list[Candidate]:
    """Those that say something else: overlapping passages hold the same sentence twice."""
    seen = [best]
    kept: list[Candidate] = []
    for candidate in more:
        if not any(candidate.text == other.text or candidate.overlaps(other) for other in seen):
            seen.append(candidate)
            kept.append(candidate)
    return kept


async def list_candidates(
    question: Question, hits: Sequence[Hit], *, confidence: float | None, provider: EmbeddingProvider
) -> list[Candidate]:
    passages = [content_words(told(hit)) for hit in hits]
    weights = word_weights(question.words, passages)
    every = [
        read
        for place, hit in enumerate(hits, 1)
        for one in quotable(hit)
        if (read := _read(one, question, weights, rank=1 / place)).kind or question.kind not in _CERTAIN_KINDS
    ]
    every.sort(key=lambda read: -(read.context_words + read.kind + _RANK_WORTH * read.rank))
    found = every[:MOST_EMBEDDED]
    cosines = await similarities(question, [(read.sentence.hit, *read.quoted) for read in found], provider)
    result: list[Candidate] = []
    for place, read in enumerate(found):
        header, span = read.quoted
        features = Features(
            confidence=0.5 if confidence is None else confidence,
            similarity=read.sentence_words if cosines is None else _similarity(cosines[place], provider),
            sentence_words=read.sentence_words,
            context_words=read.context_words,
            identifiers=read.identifiers,
            pairs=read.pairs,
            rank=read.rank,
            kind=read.kind,
        )
        result.append(
            Candidate(
                hit=read.sentence.hit,
                span=span,
                header=header,
                features=features.values(),
                probability=probability(features),
                threshold=THRESHOLD,
            )
        )
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A sentence and what its words tell."""

    sentence: Quotable
    sentence_words: float
    context_words: float
    identifiers: float
    pairs: float
    rank: float
    kind: float

    @property
    def quoted(self) -> tuple[Span | None, Span]:
        """With what it stands on, in one where that stands just before it: as before "It costs 24 million".

        Apart where it is the header of a row; anything else is not quoted from afar.
        """
        hit, before = self.sentence.hit, self.sentence.context
        span = Span(self.sentence.span.start, self.sentence.end)
        if before is None or self.context_words - self.sentence_words < _WORTH_QUOTING:
            return None, span
        is_next = before.start < span.start and not hit.text[before.end : span.start].strip()
        if is_next:
            return None, Span(before.start, span.end) if span.end - before.start <= MAX_CHARACTERS else span
        return (before if self.sentence.is_row else None), span


def _read(sentence: Quotable, question: Question, weights: Mapping[str, float], *, rank: float) -> _Read:
    filed = f"{sentence.hit.section_heading or ''}\n{sentence.text}"
    words = content_words(filed)
    asked = neighbours(question.words)
    identified = _identified(question, filed)
    around = [*words, *content_words(sentence.context_text), *(_priced(sentence) if identified >= 0 else ())]
    return _Read(
        sentence=sentence,
        sentence_words=coverage(weights, words),
        context_words=coverage(weights, around),
        identifiers=identified,
        pairs=len(asked & neighbours(words)) / len(asked) if asked else 0.0,
        rank=rank,
        kind=_has_kind(question, sentence),
    )


def _has_kind(question: Question, sentence: Quotable) -> float:
    """Whether it has what is asked for; in a row of figures a time is one by its header."""
    if question.kind == "duration" and sentence.is_row and has_unit_of_time(sentence.context_text):
        return float(bool(numbers(sentence.text)))
    return has_kind(question.kind, sentence.text, question=question.text, words=question.words)


def _priced(sentence: Quotable) -> list[str]:
    """The words for prices, for a row under a header that names a currency: "SKU-0042 22.60" under "Article EUR"."""
    is_row = sentence.hit.content_type == "table"
    return _PRICES if is_row and CURRENCY.search(sentence.context_text) else []


def _identified(question: Question, text: str) -> float:
    """1 where all numbers and codes of the question are in a text, -1 where none is, 0 where it has none."""
    wanted = identifiers(question.text) - question.years
    return 2 * len(wanted & identifiers(text)) / len(wanted) - 1 if wanted else 0.0


def _similarity(cosine: float, provider: EmbeddingProvider) -> float:
    return min(
        max(scale_similarity(cosine, similarity_range=provider.info.similarity_range), _LEAST_SIMILARITY),
        _MOST_SIMILARITY,
    )
