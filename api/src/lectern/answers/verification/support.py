"""Verification of a sentence against the chunks it cites (pure).

Chunks support a sentence if all of this holds:

- Every figure, in digits or words, is in its place (`figures.py`).
- Every name and address is in the chunks, or in the names of their documents and sections.
- At least 60 % of its content words are in the chunks. A sentence in another language shares no words. Instead it must
  have a number or a name, and a similarity of at least one half.
- The best matching sentences agree in negation, and do not say the opposite ("risen" and "fallen").

Sentences and names that address a language model count as absent. A sentence that only restates the question is no
answer, even if it is supported.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.text_analysis import (
    compile_any,
    content_words,
    is_instruction,
    is_negated,
    is_wh_question,
    load_data,
)
from lectern.answers.verification.figures import are_in_place, figures
from lectern.search.presentation.sentences import Span, split_sentences
from lectern.search.query.question import fold, parse_names

_MIN_WORD_SHARE: Final = 0.6
_MIN_SIMILARITY: Final = 0.5
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w.-]+\w|\b[^\W\d]\w+(?:\.[^\W\d]\w+)+")
_ANTONYMS: Final = [
    (compile_any([rf"\b(?:{'|'.join(pair['one'])})\b"]), compile_any([rf"\b(?:{'|'.join(pair['other'])})\b"]))
    for pair in load_data("antonyms")["pair"]
]
_MAX_RUN: Final = 2
_FIGURE_WEIGHT: Final = 2.0
_RUN_PENALTY: Final = 1.0  # a second sentence must add more than this


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceText:
    """A chunk's text, and the filename, title and headings above it, one a line."""

    text: str
    names: str = ""
    content_type: str = "text"
    language: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """The supporting sentences of each text as a span; None for a text that adds nothing."""

    spans: tuple[Span | None, ...]


@dataclass(frozen=True, slots=True)
class _Claim:
    words: frozenset[str]
    figures: frozenset[str]
    names: frozenset[str]
    addresses: frozenset[str]
    is_negated: bool


def find_support(
    sentence: str, evidence: Sequence[EvidenceText], *, language: str | None = None, similarity: float | None = None
) -> Support | None:
    """Return where the texts together support the sentence, or None.

    `similarity` is 0..1, in the scale of search confidence.
    """
    claim = _parse(sentence)
    sentences = [_usable_sentences(one) for one in evidence]
    units = [
        [one.text[span.start : span.end] for span in spans] for one, spans in zip(evidence, sentences, strict=True)
    ]
    document_names = "\n".join(_usable_names(one) for one in evidence)
    whole = f"{document_names} {' '.join(' '.join(texts) for texts in units)}"
    if not (claim.words or claim.figures) or not _has_facts(claim, whole):
        return None
    is_foreign = bool(language) and all(one.language and one.language != language for one in evidence)
    if is_foreign:
        is_near = similarity is None or similarity >= _MIN_SIMILARITY
        if not is_near or not (claim.figures or claim.names or similarity is not None):
            return None
    elif not are_in_place(
        sentence, [unit for texts in units for unit in texts], names=document_names
    ) or not _has_words(claim, whole):
        return None
    spans = tuple(_best_run(claim, one, parts) for one, parts in zip(evidence, sentences, strict=True))
    if not any(spans) or (not is_foreign and not _agrees_in_negation(claim, evidence, spans)):
        return None
    quoted = " ".join(one.text[span.start : span.end] for one, span in zip(evidence, spans, strict=True) if span)
    return None if contradicts(sentence, quoted) else Support(spans)


def contradicts(sentence: str, evidence: str) -> bool:
    """Return True if one text has a word and the other only its antonym."""
    return any(
        (_has_only(sentence, one, other) and _has_only(evidence, other, one))
        or (_has_only(sentence, other, one) and _has_only(evidence, one, other))
        for one, other in _ANTONYMS
    )


def _has_only(text: str, word: re.Pattern[str], antonym: re.Pattern[str]) -> bool:
    return word.search(text) is not None and antonym.search(text) is None


def restates_question(sentence: str, question: str) -> bool:
    """Return True if the sentence adds no word and no number to a wh-question."""
    claim, asked = _parse(sentence), _parse(question)
    is_new = not (claim.words <= asked.words and claim.figures <= asked.figures)
    return not is_new and claim.is_negated == asked.is_negated and is_wh_question(question)


def _parse(sentence: str) -> _Claim:
    return _Claim(
        words=frozenset(content_words(sentence)),
        figures=frozenset(figures(sentence)),
        names=parse_names(sentence),
        addresses=frozenset(fold(address) for address in _ADDRESS.findall(sentence)),
        is_negated=is_negated(sentence),
    )


def _usable_names(evidence: EvidenceText) -> str:
    return "\n".join(line for line in evidence.names.split("\n") if not is_instruction(line))


def _usable_sentences(evidence: EvidenceText) -> list[Span]:
    spans = split_sentences(evidence.text, content_type=evidence.content_type)
    return [span for span in spans if not is_instruction(evidence.text[span.start : span.end])]


def _has_facts(claim: _Claim, whole: str) -> bool:
    plain = fold(whole)
    return claim.figures <= figures(whole) and all(name in plain for name in claim.names | claim.addresses)


def _has_words(claim: _Claim, whole: str) -> bool:
    return len(claim.words & set(content_words(whole))) >= _MIN_WORD_SHARE * len(claim.words)


def _weight(claim: _Claim, text: str) -> float:
    return len(claim.words & set(content_words(text))) + _FIGURE_WEIGHT * len(claim.figures & figures(text))


def _best_run(claim: _Claim, evidence: EvidenceText, spans: Sequence[Span]) -> Span | None:
    """Return the sentence, or two consecutive ones, with most of the claim."""
    best, best_weight = None, 0.0
    for length in range(1, _MAX_RUN + 1):
        for first in range(len(spans) - length + 1):
            run = Span(spans[first].start, spans[first + length - 1].end)
            weight = _weight(claim, evidence.text[run.start : run.end]) - _RUN_PENALTY * (length - 1)
            if weight > best_weight:
                best, best_weight = run, weight
    if best is None and spans and not evidence.text.isspace():
        return spans[0] if claim.figures & figures(evidence.names) else None
    return best


def _agrees_in_negation(claim: _Claim, evidence: Sequence[EvidenceText], spans: Sequence[Span | None]) -> bool:
    """Return True if one of the spans is negated exactly if the claim is."""
    return any(
        is_negated(one.text[span.start : span.end]) == claim.is_negated
        for one, span in zip(evidence, spans, strict=True)
        if span is not None
    )
