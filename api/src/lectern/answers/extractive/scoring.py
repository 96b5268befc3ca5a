"""Probability that a sentence answers a question, from a table of features.

The weights were fitted by `benchmarks/answers.py` on labelled sets. Each set was measured with a table fitted on the
other sets (docs/benchmarks/answers.md).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from statistics import median
from typing import Final

from lectern.answers.entities import full_text, is_foreign, name_share
from lectern.answers.extractive.sentences import TABLE_RULE, SentenceInContext, cut, list_sentences
from lectern.answers.extractive.translated import has_translated_words
from lectern.answers.questions import PRICE_WORDS, Question, has_currency, has_unit, kind_match, list_words
from lectern.answers.text_analysis import identifiers, numbers
from lectern.answers.verification.translation import WordLinker, plain_words
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.presentation.nearest_sentences import embedding_text
from lectern.search.presentation.sentences import MAX_CHARACTERS, Span
from lectern.search.ranking.confidence import scale_similarity
from lectern.search.schemas import Hit


@dataclass(frozen=True, slots=True)
class EvidenceModel:
    """A logistic model: a weight for each feature, and the probability from which a sentence is an answer."""

    intercept: float
    weights: Mapping[str, float]
    threshold: float

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability that a sentence with these features answers."""
        total = self.intercept + sum(weight * features[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-total))


SAME_LANGUAGE: Final = EvidenceModel(
    intercept=-5.77,
    weights={
        "confidence": 0.25,  # of the search, 0..1
        "similarity": 2.51,  # of the quoted text and the question: 0 for unrelated texts, 1 for good answers, -0.5..1.5
        "sentence_words": 0.57,  # share of the question's weight in the sentence and its heading
        "context_words": 2.46,  # the same share, with the context of the sentence
        "identifiers": 0.78,  # numbers and codes of the question: 1 all, -1 none, 0 if the question has none
        "pairs": 0.91,  # share of the question's pairs of neighbouring words
        "rank": 0.64,  # 1 / rank of the chunk
        "kind": 1.04,  # 1 if it has the kind of answer that is asked for
    },
    threshold=0.3,
)
CROSS_LANGUAGE: Final = EvidenceModel(
    intercept=-5.16,
    weights={
        "similarity": 1.04,  # 0..1
        "kind": 0.79,
        "names": 0.73,  # share of the question's names in the chunk
        "lead": 0.48,  # similarity above the best of any other page, -1..1
        "above": 1.23,  # similarity above the median sentence, up to 2
        "words": 2.99,  # share of the question's weight in the sentence and its heading, in translation
    },
    threshold=0.45,
)
# Sentences compared in meaning: each takes the local model about 15 ms.
_MAX_EMBEDDED: Final = 24
_MAX_EMBEDDED_CROSS_LANGUAGE: Final = 50
_MAX_TRANSLATED: Final = 8
# Weight of the chunk's rank when sentences are selected for comparison. All words of the question weigh 1.
_RANK_WEIGHT: Final = 0.3
_MIN_CONTEXT_GAIN: Final = 0.2  # context that adds less is not quoted
# A sentence without a figure never answers a question for one. Names and occasions have too many forms to tell.
_REQUIRED_KINDS: Final = frozenset({"duration", "length", "weight", "number"})
_STEEPNESS: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A sentence with the probability that it answers. `header` is quoted too if the row needs it.

    `row_name` is empty unless the sentence is a table row.
    """

    hit: Hit
    span: Span
    header: Span | None = None
    row_name: str = ""
    features: Mapping[str, float]
    model: EvidenceModel
    probability: float

    @property
    def text(self) -> str:
        """The quoted text in one line, with an ellipsis between a header and its row."""
        parts = [self.header, self.span] if self.header else [self.span]
        return " … ".join(_in_one_line(cut(self.hit, part)) for part in parts)

    @property
    def is_answer(self) -> bool:
        """True if the probability reaches the threshold."""
        return self.probability >= self.model.threshold

    def overlaps(self, other: "Candidate") -> bool:
        """Return True if both quote the same characters of a document."""
        if self.hit.document_id != other.hit.document_id:
            return False
        start, other_start = (one.hit.char_start + one.span.start for one in (self, other))
        end, other_end = (one.hit.char_start + one.span.end for one in (self, other))
        return start < other_end and other_start < end


def _in_one_line(text: str) -> str:
    """Join lines, with semicolons between rows of a Markdown table."""
    lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    lines = [line for line in lines if not line.startswith("|") or not TABLE_RULE.fullmatch(line)]
    joined = ""
    for before, line in pairwise(["", *lines]):
        is_row = line.startswith("|")
        cells = line.strip("| ").replace("\\|", "|") if is_row else line
        joined += ("; " if is_row and before.startswith("|") else " ") + cells
    return joined.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class _LexicalFeatures:
    sentence: SentenceInContext
    values: Mapping[str, float]

    @property
    def preference(self) -> float:
        """The weight by which sentences are selected for comparison in meaning."""
        return self.values["context_words"] + self.values["kind"] + _RANK_WEIGHT * self.values["rank"]

    @property
    def quoted(self) -> tuple[Span | None, Span]:
        """A separate header, or None, and the span to quote.

        Context directly before the sentence is quoted with it, as before "It costs 24 million". A distant header is
        quoted separately. Other distant context is not quoted. A row of several figures needs its header in any case.
        """
        hit, before = self.sentence.hit, self.sentence.context
        span = Span(self.sentence.span.start, self.sentence.end)
        gain = self.values["context_words"] - self.values["sentence_words"]
        if before is None or (gain < _MIN_CONTEXT_GAIN and not self.sentence.has_columns):
            return None, span
        is_adjacent = before.start < span.start and not hit.text[before.end : span.start].strip()
        if is_adjacent and span.end - before.start <= MAX_CHARACTERS:
            return None, Span(before.start, span.end)
        return (before if self.sentence.is_row else None), span


async def score_sentences(
    question: Question, hits: Sequence[Hit], *, confidence: float | None, provider: EmbeddingProvider
) -> list[Candidate]:
    """Score the sentences that share most with the question."""
    weights = _word_weights(question.words, [list_words(full_text(hit), question) for hit in hits])
    lexical = [
        features
        for rank, hit in enumerate(hits, 1)
        for sentence in list_sentences(hit)
        if (features := _lexical_features(sentence, question, weights, rank=rank)).values["kind"]
        or question.kind not in _REQUIRED_KINDS
    ]
    lexical.sort(key=lambda features: -features.preference)
    selected = lexical[:_MAX_EMBEDDED]
    cosines = await _similarities(question, [(one.sentence.hit, *one.quoted) for one in selected], provider)
    candidates: list[Candidate] = []
    for place, one in enumerate(selected):
        header, span = one.quoted
        similarity = one.values["sentence_words"]
        if cosines is not None:
            similarity = _clamp(
                scale_similarity(cosines[place], similarity_range=provider.info.similarity_range), -0.5, 1.5
            )
        features = {**one.values, "confidence": 0.5 if confidence is None else confidence, "similarity": similarity}
        candidate = _candidate(SAME_LANGUAGE, features, hit=one.sentence.hit, span=span, header=header)
        candidates.append(replace(candidate, row_name=one.sentence.row_name))
    return candidates


async def score_foreign_sentences(
    question: Question, hits: Sequence[Hit], *, provider: EmbeddingProvider
) -> list[Candidate]:
    """Score sentences in another language than the question, by meaning.

    If the first hit is in the question's language, only sentences with half of its words in translation count.
    A question about something else would else find a foreign sentence that is merely similar.
    """
    every = (one for hit in hits if is_foreign(question, hit) for one in list_sentences(hit))
    sentences = list(islice(every, _MAX_EMBEDDED_CROSS_LANGUAGE))
    possible = {
        place for place, one in enumerate(sentences) if is_foreign(question, hits[0]) or _is_translation(question, one)
    }
    if not possible:
        return []
    cosines = await _similarities(question, [(one.hit, None, one.span) for one in sentences], provider)
    if cosines is None:
        return []
    scaled = [scale_similarity(cosine, similarity_range=provider.info.similarity_range) for cosine in cosines]
    middle = median(scaled)
    pages = [(one.hit.document_id, one.hit.page_number) for one in sentences]
    shares = await _translated_shares(question, sentences, scaled, provider)
    candidates: list[Candidate] = []
    for place, (sentence, page, value, share) in enumerate(zip(sentences, pages, scaled, shares, strict=True)):
        if place not in possible:
            continue
        others = [one for other, one in zip(pages, scaled, strict=True) if other != page]
        lead = _STEEPNESS * (value - max(others)) if others else 0.0
        features = {
            "similarity": _clamp(value, 0.0, 1.0),
            "kind": kind_match(question.kind, sentence.text, question=question.text, words=question.own_words),
            "names": name_share(question, full_text(sentence.hit)),
            "lead": _clamp(lead, -1.0, 1.0),
            "above": min(_STEEPNESS * (value - middle), 2.0),
            "words": share,
        }
        candidates.append(_candidate(CROSS_LANGUAGE, features, hit=sentence.hit, span=sentence.span))
    return candidates


def _is_translation(question: Question, sentence: SentenceInContext) -> bool:
    """Return True if a sentence has the kind of answer that is required, and half of the question's words."""
    is_kind = question.kind not in _REQUIRED_KINDS or _kind_match(question, sentence) > 0
    return is_kind and has_translated_words(question, _headed(sentence), language=sentence.hit.language)


async def _translated_shares(
    question: Question,
    sentences: Sequence[SentenceInContext],
    similarities: Sequence[float],
    provider: EmbeddingProvider,
) -> list[float]:
    """Return the share of the question's weight that each of the nearest sentences has, in translation.

    It is 0 for the other sentences: each word takes the local model about 3 ms.
    """
    nearest = sorted(range(len(sentences)), key=lambda place: -similarities[place])[:_MAX_TRANSLATED]
    words = {place: plain_words(_headed(sentences[place])) for place in nearest}
    asked, known = plain_words(question.text), {stem: word for own in words.values() for stem, word in own.items()}
    if not asked or not known:
        return [0.0] * len(sentences)
    languages = (question.language, sentences[nearest[0]].hit.language)
    links = await WordLinker(provider).link_all(asked, known, languages=languages)
    links = {stem: frozenset({stem}) if stem in known else near for stem, near in links.items()}
    translated = {place: [stem for stem, near in links.items() if near & own.keys()] for place, own in words.items()}
    weights = _word_weights(asked, list(translated.values()))
    return [_weighted_share(weights, translated.get(place, ())) for place in range(len(sentences))]


def _headed(sentence: SentenceInContext) -> str:
    return f"{sentence.hit.section_heading or ''}\n{sentence.text}"


def _candidate(
    model: EvidenceModel, features: Mapping[str, float], *, hit: Hit, span: Span, header: Span | None = None
) -> Candidate:
    ordered = {name: features[name] for name in model.weights}
    return Candidate(
        hit=hit, span=span, header=header, features=ordered, model=model, probability=model.probability(ordered)
    )


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


async def _similarities(
    question: Question, spans: Sequence[tuple[Hit, Span | None, Span]], provider: EmbeddingProvider
) -> list[float] | None:
    """Return the cosine of each span, below its heading and header, to the question. None for an unknown model."""
    if not spans or provider.info.similarity_range is None:
        return None
    query = await provider.embed_query(question.text)
    vectors = await provider.embed_documents([embedding_text(hit, span, header=header) for hit, header, span in spans])
    return [float(similarity) for similarity in vectors @ query]


def _lexical_features(
    sentence: SentenceInContext, question: Question, weights: Mapping[str, float], *, rank: int
) -> _LexicalFeatures:
    headed = _headed(sentence)
    words = list_words(headed, question)
    pairs = set(pairwise(question.words))
    identified = _identifier_match(question, headed)
    around = [
        *words,
        *list_words(sentence.context_text, question),
        *(_price_words(sentence) if identified >= 0 else ()),
    ]
    return _LexicalFeatures(
        sentence=sentence,
        values={
            "sentence_words": _weighted_share(weights, words),
            "context_words": _weighted_share(weights, around),
            "identifiers": identified,
            "pairs": len(pairs & set(pairwise(words))) / len(pairs) if pairs else 0.0,
            "rank": 1 / rank,
            "kind": _kind_match(question, sentence),
        },
    )


def _kind_match(question: Question, sentence: SentenceInContext) -> float:
    """Match the kind of answer. In a row of figures, the header may have their unit."""
    if sentence.is_row and has_unit(question.kind, sentence.context_text):
        return float(bool(numbers(sentence.text)))
    return kind_match(question.kind, sentence.text, question=question.text, words=question.own_words)


def _price_words(sentence: SentenceInContext) -> list[str]:
    """Return the words for prices, for a row below a currency: "SKU-0042 22.60" below "Article EUR"."""
    is_row = sentence.hit.content_type == "table"
    return PRICE_WORDS if is_row and has_currency(sentence.context_text) else []


def _identifier_match(question: Question, text: str) -> float:
    """Return 1 if the text has all identifiers of the question, -1 for none, 0 if the question has none."""
    wanted = identifiers(question.text) - question.years
    return 2 * len(wanted & identifiers(text)) / len(wanted) - 1 if wanted else 0.0


def _word_weights(words: Iterable[str], chunks: Sequence[Iterable[str]]) -> dict[str, float]:
    """Weigh each word of the question by its inverse frequency in the retrieved chunks."""
    sets = [set(chunk) for chunk in chunks]
    return {word: math.log(1 + len(sets) / (0.5 + sum(word in chunk for chunk in sets))) for word in words}


def _weighted_share(weights: Mapping[str, float], words: Iterable[str]) -> float:
    """Return the share of the question's weight among the words; 1 for a question without words."""
    total = sum(weights.values())
    present = set(words)
    return sum(weight for word, weight in weights.items() if word in present) / total if total else 1.0
