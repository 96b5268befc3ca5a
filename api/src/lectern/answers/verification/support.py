"""Verification of a sentence against the chunks it cites (pure).

A sentence is refused at once if a figure, name or code is missing, or if the place where its figures match best has
another unit, period, limit or year, the opposite negation, an antonym, or another value in a column of the row. So is
one with three words in a row that the passage lacks.
Otherwise a sentence without figures is accepted if most of its wording is that of the passage. For others, a logistic
regression over a few features decides (`data/verification.toml`, fitted by `benchmarks/verification_fit.py`).

Sentences and names that address a language model count as absent. A sentence that only restates the question is no
answer, even if it is supported.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.text_analysis import content_words, is_negated, is_wh_question, load_data
from lectern.answers.verification.evidence import EvidenceText, EvidenceUnit, parse_evidence, usable_names
from lectern.answers.verification.features import Aligner, Alignment
from lectern.answers.verification.figures import figures
from lectern.answers.verification.quantities import parse_text
from lectern.answers.verification.tokens import LETTER_STEM
from lectern.answers.verification.translation import WordLinks
from lectern.search.presentation.sentences import Span
from lectern.search.query.question import fold, parse_names

_MODEL: Final = load_data("verification")
_WEIGHTS: Final[Mapping[str, float]] = _MODEL["weights"]
_INTERCEPT: Final[float] = _MODEL["intercept"]
_THRESHOLD: Final[float] = _MODEL["threshold"]
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w.-]+\w|\b[^\W\d]\w+(?:\.[^\W\d]\w+)+")
CONFLICTS: Final = (
    "empty",
    "addition",
    "unit_conflict",
    "rate_conflict",
    "limit_conflict",
    "year_conflict",
    "negation",
    "opposite",
    "row_conflict",
)
_MAX_SPAN: Final = 600  # characters, unless the figures are further apart


@dataclass(frozen=True, slots=True)
class Support:
    """The supporting sentences of each text as a span; None for a text that adds nothing."""

    spans: tuple[Span | None, ...]


def find_support(
    sentence: str, evidence: Sequence[EvidenceText], *, language: str | None = None, links: WordLinks | None = None
) -> Support | None:
    """Return where the texts together support the sentence, or None.

    `links` are translations of its words, for a sentence in another language than the texts.
    """
    alignment = align(sentence, evidence, language=language, links=links)
    if alignment is None or any(alignment.features[name] for name in CONFLICTS):
        return None
    is_supported = alignment.features["verbatim"] or probability(alignment.features) >= _THRESHOLD
    return _support(alignment, evidence) if is_supported else None


def probability(features: Mapping[str, float]) -> float:
    """Return the probability of the model that a sentence with these features is supported."""
    return 1.0 / (1.0 + math.exp(-_INTERCEPT - sum(weight * features[name] for name, weight in _WEIGHTS.items())))


def align(
    sentence: str, evidence: Sequence[EvidenceText], *, language: str | None = None, links: WordLinks | None = None
) -> Alignment | None:
    """Return how a sentence matches the texts, or None if a figure, a name or all words are missing."""
    claim = parse_text(sentence)
    units = [unit for source, one in enumerate(evidence) for unit in parse_evidence(one, source)]
    names = "\n".join(usable_names(one) for one in evidence)
    if not units or not (claim.words or claim.quantities) or not _has_names(sentence, evidence, units, names, language):
        return None
    alignment = Aligner(claim, units, parse_text(names), links=links).align()
    return alignment if alignment.has_all_figures and alignment.units else None


def _has_names(
    sentence: str, evidence: Sequence[EvidenceText], units: Sequence[EvidenceUnit], names: str, language: str | None
) -> bool:
    """Return True if the texts have every name, place, code and address.

    In another language only places and codes must be the same. A title or a department is translated.
    """
    texts = [evidence[unit.source].text[unit.span.start : unit.span.end] for unit in units]
    whole = fold(" ".join([names, *texts]))
    stems = parse_text(names).stems.union(*(unit.parsed.stems | unit.header.stems for unit in units))
    claim = parse_text(sentence)
    if not all(word.stem in stems for word in claim.words if _is_strict(word.stem)):
        return False
    is_foreign = bool(language) and all(one.language != language for one in evidence)
    named = [] if is_foreign else [name for name in parse_names(sentence, language=language) if _is_own_name(name)]
    addresses = [fold(address) for address in _ADDRESS.findall(sentence)]
    return all(name in whole for name in (*named, *claim.codes, *addresses))


def _is_strict(stem: str) -> bool:
    """Return True for places, dates and single letters such as those of variants."""
    return stem.startswith(("place:", "date:")) or LETTER_STEM.fullmatch(stem) is not None


def _is_own_name(name: str) -> bool:
    """Return False for a currency, a place or a month, which have other names too."""
    return any(":" not in word.stem for word in parse_text(name).words)


def _support(alignment: Alignment, evidence: Sequence[EvidenceText]) -> Support:
    """Return a span for each text, from its first figure to its last, with the further sentences that fit."""
    spans: list[Span | None] = []
    for source in range(len(evidence)):
        matched = [match.unit.span for match in alignment.matches if match.unit.source == source]
        further = [unit.span for unit in alignment.units if unit.source == source and unit.span not in matched]
        span = _join(matched) if matched else None
        for other in further:
            joined = _join([other, *([span] if span else [])])
            if span is None or joined.end - joined.start <= _MAX_SPAN:
                span = joined
        spans.append(span)
    return Support(tuple(spans))


def _join(spans: Sequence[Span]) -> Span:
    return Span(min(span.start for span in spans), max(span.end for span in spans))


def restates_question(sentence: str, question: str) -> bool:
    """Return True if the sentence adds no word and no number to a wh-question."""
    is_new = not (
        set(content_words(sentence)) <= set(content_words(question)) and figures(sentence) <= figures(question)
    )
    return not is_new and is_negated(sentence) == is_negated(question) and is_wh_question(question)
