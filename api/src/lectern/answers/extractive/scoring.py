"""Probability that a sentence answers a question, from a table of features.

The weights were fitted by `benchmarks/answers.py fit` on labelled sets (docs/benchmarks/history/answers.md).
"""

import math
import re
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from lectern.answers.entities import full_text, headings_text, is_foreign
from lectern.answers.extractive.procedures import is_bullet, is_numbered
from lectern.answers.extractive.rows import find_looked_up_row, needs_other_rows
from lectern.answers.extractive.sentences import TABLE_RULE, SentenceInContext, cut, list_sentences
from lectern.answers.questions import (
    CALCULATED_KINDS,
    PRICE_WORDS,
    Question,
    Synonym,
    has_currency,
    has_unit,
    kind_match,
    list_label_words,
    list_words,
)
from lectern.answers.text_analysis import content_words, identifiers, numbers
from lectern.answers.verification.translation import plain_words, translated_stems
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.presentation.nearest_sentences import embedding_text
from lectern.search.presentation.sentences import MAX_CHARACTERS, Span, find_label
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


# Which of the compared sentences answers: weights of a softmax over them.
PREFERENCE: Final = {
    "similarity": 2.33,  # of the quoted text and the question: 0 for unrelated texts, 1 for good answers, -0.5..1.5
    "similarity_rank": 1.39,  # 1 / rank of the similarity
    "hit_score": 3.39,  # of the hit, 0..1
    "missing_words": -4.44,  # share of the question's weight that is not in the quoted text, headings or names
    "kind": 1.29,  # 1 if it has the kind of answer that is asked for
    "is_row": -1.6,  # 1 for a table row
    "row_name": 2.94,  # share of the words of a row's name that the question has
    "new_numbers": 0.19,  # numbers that the question does not have, up to 3
    "identifiers": 0.95,  # numbers and codes of the question: 1 all, -1 none, 0 if the question has none
}
# How likely the preferred sentence answers, in the question's language and in another. `share` is the log of its share
# of the softmax, with sentences of the same text.
SAME_LANGUAGE: Final = EvidenceModel(
    intercept=-1.57,
    weights={"share": 0.96, "hit_score": 2.3, "similarity": 1.96, "missing_words": -1.32},
    threshold=0.4,
)
OTHER_LANGUAGE: Final = EvidenceModel(
    intercept=1.27,
    weights={"share": 0.89, "hit_score": 1.6, "similarity": 2.24, "missing_words": -2.2, "is_row": -2.02},
    threshold=0.5,
)
_MIN_LOOKED_UP: Final = 0.2  # probability from which the only row that the question names is an answer
# Sentences compared in meaning: each takes the local model about 15 ms.
_MAX_EMBEDDED: Final = 24
_MAX_NEW_NUMBERS: Final = 3
_MIN_SHARE_BEFORE: Final = 0.37  # odds, relative to the best, from which the sentence before is quoted alone
_NAME_SEPARATOR: Final = re.compile(r"[_-]|\.\w+$")  # in names of files
_MIN_CONTEXT_GAIN: Final = 0.2  # context that adds less is not quoted
_KINDS_WITHOUT_LABEL: Final = frozenset({"duration", "length", "weight"})  # "How heavy is it?" asks for "Weight"
# A sentence without a figure never answers a question for one. Names and occasions have too many forms to tell.
_REQUIRED_KINDS: Final = _KINDS_WITHOUT_LABEL | {"number"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A sentence with the probability that it answers. `header` is quoted above it: a row's, a lead or a heading.

    `group` are the lines above the rows around the sentence. `row_name` is empty unless it is a table row.
    `has_kind` is False for figures to calculate a change, an average or a share from, and for rows to compare.
    """

    hit: Hit
    span: Span
    header: Span | None = None
    group: Span | None = None
    row_name: str = ""
    has_kind: bool = True
    features: Mapping[str, float]
    model: EvidenceModel
    probability: float

    @property
    def text(self) -> str:
        """The quoted text, with an ellipsis between a header and its row."""
        return _quoted_text(self.hit, self.header, self.group, self.span)

    @property
    def is_likely(self) -> bool:
        """True if the probability reaches the threshold."""
        return self.probability >= self.model.threshold

    @property
    def is_answer(self) -> bool:
        """True if the sentence is likely, and has the value itself."""
        return self.is_likely and self.has_kind

    def overlaps(self, other: "Candidate") -> bool:
        """Return True if both quote the same characters of a document."""
        if self.hit.document_id != other.hit.document_id:
            return False
        start, other_start = (one.hit.char_start + one.span.start for one in (self, other))
        end, other_end = (one.hit.char_start + one.span.end for one in (self, other))
        return start < other_end and other_start < end


def _quoted_text(hit: Hit, *parts: Span | None) -> str:
    return " … ".join(_join_lines(cut(hit, part)) for part in parts if part)


def _join_lines(text: str) -> str:
    """Join lines, with semicolons between rows of a Markdown table. Numbered steps keep their lines."""
    lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    lines = [line for line in lines if not line.startswith("|") or not TABLE_RULE.fullmatch(line)]
    has_steps = sum(map(is_numbered, lines)) > 1
    joined = ""
    for before, line in pairwise(["", *lines]):
        is_row = line.startswith("|")
        cells = line.strip("| ").replace("\\|", "|") if is_row else line
        begins_line = has_steps and (is_numbered(line) or is_bullet(line))
        joined += ("; " if is_row and before.startswith("|") else "\n" if begins_line else " ") + cells
    return joined.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A hit with what the features of its sentences need from the question."""

    hit: Hit
    question: Question
    weights: Mapping[str, float]
    headings: str
    heading_words: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Quotable:
    """A sentence with what is quoted of it, and its features without those of meaning."""

    sentence: SentenceInContext
    header: Span | None
    group: Span | None
    span: Span
    text: str
    own_share: float
    answered: frozenset[str]  # words of the question that the label of an entry answers under another name
    is_person: bool  # an entry that answers a question for a person by its value
    features: Mapping[str, float]

    def is_quoted_before(self, other: "_Quotable") -> bool:
        """Return True if another sentence is quoted with this one before it."""
        is_same = self.sentence.hit is other.sentence.hit and other.span.start <= self.span.start
        return is_same and self.span.end <= other.sentence.span.start


async def score_sentences(question: Question, hits: Sequence[Hit], *, provider: EmbeddingProvider) -> list[Candidate]:
    """Select sentences by their words, compare their meaning, and return the probability that each answers.

    The second step of the model gives the probability of the best one. That of the others is lower by their odds.
    """
    passages = _read_passages(question, hits)
    every = [
        _read_sentence(sentence, passage)
        for passage in passages
        for sentence in list_sentences(passage.hit, joins_steps=question.kind == "steps")
    ]
    every = list(_drop_quoted_headers(one for one in every if _asks_for_entry(question, one)))
    if question.kind in _REQUIRED_KINDS:
        every = [one for one in every if one.features["kind"]]
    if question.kind == "steps":
        every = [one for one in every if not _repeats_question(question, one)]
    selected = sorted(every, key=lambda one: -_preference(one.features))[:_MAX_EMBEDDED]
    if not selected:
        return []
    cosines = await _similarities(question, [(one.sentence.hit, one.header, one.span) for one in selected], provider)
    similarities = [one.own_share for one in selected]
    if cosines is not None:
        scaled = (scale_similarity(cosine, similarity_range=provider.info.similarity_range) for cosine in cosines)
        similarities = [min(max(value, -0.5), 1.5) for value in scaled]
    # Embeddings do not know that "Cc" answers "copy": the words that it answers count instead.
    similarities = [
        max(value, 1 - one.features["missing_words"]) if one.answered else value
        for value, one in zip(similarities, selected, strict=True)
    ]
    ranks = [1 + sum(other > value for other in similarities) for value in similarities]
    return _with_probabilities(
        question,
        selected,
        find_looked_up_row(question, [one.sentence for one in every]),
        [
            {**one.features, "similarity": value, "similarity_rank": 1 / rank}
            for one, value, rank in zip(selected, similarities, ranks, strict=True)
        ],
    )


def _read_passages(question: Question, hits: Sequence[Hit]) -> list[_Passage]:
    translated = {hit.language: _translate(question, hit.language) for hit in hits if is_foreign(question, hit)}
    questions = [translated.get(hit.language, question) for hit in hits]
    texts = [list_words(full_text(hit), asked) for hit, asked in zip(hits, questions, strict=True)]
    weights = _word_weights(question.words, texts)
    passages: list[_Passage] = []
    for hit, asked in zip(hits, questions, strict=True):
        headings = f"{_NAME_SEPARATOR.sub(' ', hit.document)}\n{headings_text(hit)}"
        words = list_words(headings, asked)
        passages.append(_Passage(hit=hit, question=asked, weights=weights, headings=headings, heading_words=words))
    return passages


def _translate(question: Question, language: str | None) -> Question:
    """Return the question with the words of a language that translate its own as synonyms."""
    words = plain_words(question.text)
    translations = (
        Synonym(frozenset({stem}), frozenset({other}))
        for stem in question.words
        if stem in words
        for other in translated_stems(words[stem], question.language, into=language)
    )
    return replace(question, synonyms=(*question.synonyms, *translations))


def _with_probabilities(
    question: Question,
    selected: Sequence[_Quotable],
    looked_up: str | None,
    features: Sequence[Mapping[str, float]],
) -> list[Candidate]:
    """Judge the best sentence, and replace it by the one quoted before it if that is nearly as likely alone.

    If it is the row that the question looks up, a lower probability is enough.
    """
    preferences = list(map(_preference, features))
    best = max(range(len(selected)), key=preferences.__getitem__)
    odds = [math.exp(preference - preferences[best]) for preference in preferences]
    same = sum(value for value, one in zip(odds, selected, strict=True) if one.text == selected[best].text)
    model = OTHER_LANGUAGE if is_foreign(question, selected[best].sentence.hit) else SAME_LANGUAGE
    probability = model.probability({**features[best], "share": math.log(same / sum(odds))})
    if selected[best].sentence.text == looked_up:
        model = replace(model, threshold=_MIN_LOOKED_UP)
    before = [
        place
        for place, one in enumerate(selected)
        if one.is_quoted_before(selected[best]) and odds[place] >= _MIN_SHARE_BEFORE
    ]
    if before:
        odds[max(before, key=odds.__getitem__)], odds[best] = 1.0, 0.0
    return [
        Candidate(
            hit=one.sentence.hit,
            span=one.span,
            header=one.header,
            group=one.group,
            row_name=one.sentence.row_name,
            has_kind=(question.kind not in CALCULATED_KINDS or own["kind"] > 0)
            and not needs_other_rows(question, one.sentence),
            features=own,
            model=model,
            probability=probability * value,
        )
        for one, own, value in zip(selected, features, odds, strict=True)
    ]


def _preference(features: Mapping[str, float]) -> float:
    """Return the weighted sum of the features. Before the meaning is compared, its features are missing."""
    return sum(PREFERENCE[name] * value for name, value in features.items())


def _headed(sentence: SentenceInContext) -> str:
    return f"{sentence.hit.section_heading or ''}\n{sentence.text}"


async def _similarities(
    question: Question, spans: Sequence[tuple[Hit, Span | None, Span]], provider: EmbeddingProvider
) -> list[float] | None:
    """Return the cosine of each span, below its heading and header, to the question. None for an unknown model."""
    if not spans or provider.info.similarity_range is None:
        return None
    query = await provider.embed_query(question.text)
    vectors = await provider.embed_documents([embedding_text(hit, span, header=header) for hit, header, span in spans])
    return [float(similarity) for similarity in vectors @ query]


def _read_sentence(sentence: SentenceInContext, passage: _Passage) -> _Quotable:
    """Decide what is quoted of a sentence, and compare its words with the question's."""
    question, weights = passage.question, passage.weights
    headed = _headed(sentence)
    words = list_words(headed, question)
    is_identified = _identifier_match(identifiers(question.text) - question.years, headed) >= 0
    price_words = _price_words(sentence) if is_identified else []
    own_share = _weighted_share(weights, words)
    in_context = _weighted_share(weights, [*words, *list_words(sentence.context_text, question), *price_words])
    header, span = _choose_quote(
        sentence,
        is_clearer=in_context - own_share >= _MIN_CONTEXT_GAIN,
        needs_lead=question.kind == "steps" and sentence.has_lead,
    )
    group = sentence.group if header else None
    if not header and own_share - _weighted_share(weights, list_words(sentence.text, question)) >= _MIN_CONTEXT_GAIN:
        header = _heading_of_item(sentence)
    text = _quoted_text(sentence.hit, header, group, span)
    answered = list_label_words(sentence.label, question)
    is_person = not answered and _names_person(question, sentence, text)
    row_name = set([] if is_person else answered or list_words(sentence.row_name, question))
    quoted_words = [*passage.heading_words, *list_words(text, question), *answered, *price_words]
    return _Quotable(
        sentence=sentence,
        header=header,
        group=group,
        span=span,
        text=text,
        own_share=own_share,
        answered=frozenset(answered),
        is_person=is_person,
        features={
            "hit_score": sentence.hit.score or 0.0,
            "missing_words": 1 - _weighted_share(weights, quoted_words),
            "kind": _kind_match(question, sentence),
            "is_row": float(bool(row_name)),
            "row_name": len(row_name & set(question.words)) / len(row_name) if row_name else 0.0,
            "new_numbers": float(min(len(numbers(text) - numbers(question.text)), _MAX_NEW_NUMBERS)),
            "identifiers": _identifier_match(identifiers(question.text), f"{passage.headings}\n{text}"),
        },
    )


def _asks_for_entry(question: Question, one: _Quotable) -> bool:
    """Return False for an entry of a form whose label has no word of the question, unless it has a unit or person.

    A question without words asks for any entry. Rows of cells are compared in any case.
    """
    is_kind = question.kind in _KINDS_WITHOUT_LABEL and one.features["kind"] == 1
    is_asked = is_kind or one.is_person or one.features["row_name"] > 0
    is_entry = bool(one.sentence.label) and "\t" not in one.sentence.text
    return not is_entry or not question.words or is_asked


def _repeats_question(question: Question, one: _Quotable) -> bool:
    """Return True for a sentence without words of its own, unless it is labelled: "Pitch: set the pitch"."""
    return not find_label(one.text) and question.own_words.issuperset(content_words(one.text))


def _drop_quoted_headers(quotables: Iterable[_Quotable]) -> Iterator[_Quotable]:
    """Drop entries that answer the same words as one before in the chunk: a reply quotes the headers of a message."""
    known: set[tuple[uuid.UUID, frozenset[str]]] = set()
    for one in quotables:
        key = (one.sentence.hit.chunk_id, one.answered)
        if not one.answered or key not in known:
            yield one
        known.add(key)


def _names_person(question: Question, sentence: SentenceInContext, text: str) -> bool:
    """Return True if a question for a person has a word of an entry's value besides names, and none of its label.

    The label or the value names the person: "Lena: get two quotes", "Present: Ruth Calloway (chair)".
    """
    topic = set(question.words).difference(*map(content_words, question.names))
    if question.kind != "person" or not sentence.label or topic & set(list_words(sentence.label, question)):
        return False
    return bool(topic & set(list_words(text, question)))


def _choose_quote(sentence: SentenceInContext, *, is_clearer: bool, needs_lead: bool) -> tuple[Span | None, Span]:
    """Return a separate header, or None, and the span to quote.

    Context that makes it clearer is quoted too if it is directly before, as before "It costs 24 million". A distant
    header is quoted separately, other distant context is not. A row of several figures needs its header in any case,
    an option of a procedure its lead.
    """
    hit, before = sentence.hit, sentence.context
    span = Span(sentence.span.start, sentence.end)
    if before is None or not (is_clearer or needs_lead or sentence.has_columns):
        return None, span
    is_adjacent = before.start < span.start and not hit.text[before.end : span.start].strip()
    if is_adjacent and span.end - before.start <= MAX_CHARACTERS:
        return None, Span(before.start, span.end)
    return (before if sentence.is_row or needs_lead else None), span


def _heading_of_item(sentence: SentenceInContext) -> Span | None:
    """Return the heading of a bulleted item: "Open packages" may be below "What cannot be returned"."""
    heading = sentence.hit.section_heading or ""
    is_headed = bool(heading) and sentence.hit.text.startswith(heading)
    return Span(0, len(heading)) if is_headed and is_bullet(sentence.text) else None


def _kind_match(question: Question, sentence: SentenceInContext) -> float:
    """Match the kind of answer. A row of figures gives no reason or meaning. Its header may have the unit."""
    if question.kind in {"reason", "meaning"} and sentence.has_columns and numbers(sentence.text):
        return 0.0
    if sentence.is_row and has_unit(question.kind, sentence.context_text):
        return float(bool(numbers(sentence.text)))
    # the header of a row may say that its figures are changes or shares
    text = f"{sentence.context_text} {sentence.text}" if sentence.is_row else sentence.text
    return kind_match(
        question.kind,
        text if question.kind in CALCULATED_KINDS else sentence.text,
        question=question.text,
        words=question.own_words,
    )


def _price_words(sentence: SentenceInContext) -> list[str]:
    """Return the words for prices, for a row below a currency: "SKU-0042 22.60" below "Article EUR"."""
    is_row = sentence.hit.content_type == "table"
    return PRICE_WORDS if is_row and has_currency(sentence.context_text) else []


def _identifier_match(wanted: Collection[str], text: str) -> float:
    """Return 1 if the text has all wanted identifiers, -1 for none, 0 if none are wanted."""
    return 2 * len(identifiers(text).intersection(wanted)) / len(wanted) - 1 if wanted else 0.0


def _word_weights(words: Iterable[str], chunks: Sequence[Iterable[str]]) -> dict[str, float]:
    """Weigh each word of the question by its inverse frequency in the retrieved chunks."""
    sets = [set(chunk) for chunk in chunks]
    return {word: math.log(1 + len(sets) / (0.5 + sum(word in chunk for chunk in sets))) for word in words}


def _weighted_share(weights: Mapping[str, float], words: Iterable[str]) -> float:
    """Return the share of the question's weight among the words; 1 for a question without words."""
    total = sum(weights.values())
    present = set(words)
    return sum(weight for word, weight in weights.items() if word in present) / total if total else 1.0
