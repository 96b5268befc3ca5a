"""Whether passages say what a sentence says, and where (pure).

A sentence is supported by passages when

- every figure in it, in digits or in words, is in them where the sentence puts it (`figures.py`), and every name (a
  word with a capital that does not begin the sentence) and every address is in them or in what they are filed under;
- at least 60 % of its content words are in them, compared by their first six letters without accents. A sentence in
  another language than the passage has other words: there, it must hold a number or a name, and meaning decides
  (`similarity`, 0..1 as search stretches it, at least one half);
- the sentences of the passage that have most of its words deny what it denies: a "not" that was dropped, or put in, is
  no support; nor is "risen" supported by "fallen" (`opposites.py`).

What only repeats a question (the heading above its answer, mostly) stands in the passages and is still no answer to it.
Sentences of a passage, and names it is filed under, that speak to a model (`instructions.py`) count as if they were not
there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.questions import names_in
from lectern.answers.verification.antonyms import contradict
from lectern.answers.verification.figures import are_in_place, figures
from lectern.answers.verification.instructions import is_instruction
from lectern.answers.words import content_words, denies, folded
from lectern.search.presentation.sentences import Span, split_sentences

FEWEST_WORDS: Final = 0.6
LEAST_SIMILARITY: Final = 0.5
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w.-]+\w|\b[^\W\d]\w+(?:\.[^\W\d]\w+)+")
# Questions for something that is not said yet; "is it allowed?" may be answered in its own words.
_ASKING: Final = re.compile(
    r"(?:\w+\W+){0,2}(?:who|whom|whose|what|when|where|which|why|how|chi|che|cosa|quando|dove|qual\w*|quant\w+|perché|come"
    r"|wer|wem|wen|wann|wo|warum|welch\w+|wie|qui|que|quoi|quel\w*|quand|où|pourquoi|comment|combien|quién\w*|qué|cuál\w*"
    r"|cuándo|dónde|cómo|cuánt\w+|quem|quais|onde|wat|wanneer|waar|waarom|welke?|hoe)\b",
    re.IGNORECASE,
)
_MOST_RUN: Final = 2
_NUMBER_WORTH: Final = 2.0
_BETTER_BY: Final = 1.0  # what a second sentence must add to be part of the support


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage and what it is filed under: filename, title and headings, a line each."""

    text: str
    filed_under: str = ""
    content_type: str = "text"
    language: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """The sentences of each passage that support, as a span of its text; None for a passage that adds nothing."""

    spans: tuple[Span | None, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    words: frozenset[str]
    figures: frozenset[str]
    names: frozenset[str]
    addresses: frozenset[str]
    is_denial: bool


def find_support(
    sentence: str, passages: Sequence[Passage], *, language: str | None = None, similarity: float | None = None
) -> Support | None:
    """Where the passages together say the sentence; None where they do not."""
    said = _read(sentence)
    quotable = [_quotable(passage) for passage in passages]
    texts = [
        " ".join(passage.text[span.start : span.end] for span in spans)
        for passage, spans in zip(passages, quotable, strict=True)
    ]
    filed = "\n".join(_filed(passage) for passage in passages)
    whole = f"{filed} {' '.join(texts)}"
    if not (said.words or said.figures) or not _has_facts(said, whole):
        return None
    is_foreign = bool(language) and all(passage.language and passage.language != language for passage in passages)
    units = [
        passage.text[span.start : span.end] for passage, each in zip(passages, quotable, strict=True) for span in each
    ]
    if not is_foreign and not are_in_place(sentence, units, filed_under=filed):
        return None
    if is_foreign:
        is_near = similarity is None or similarity >= LEAST_SIMILARITY
        if not is_near or not (said.figures or said.names or similarity is not None):
            return None
    elif not _has_words(said, whole):
        return None
    spans = tuple(_best_run(said, passage, parts) for passage, parts in zip(passages, quotable, strict=True))
    if not any(spans) or (not is_foreign and not _agrees(said, passages, spans)):
        return None
    shown = " ".join(passage.text[span.start : span.end] for passage, span in zip(passages, spans, strict=True) if span)
    return None if contradict(sentence, shown) else Support(spans)


def restates_question(sentence: str, question: str) -> bool:
    """Whether a sentence has no word and no number that the question does not have, and the question asks for one."""
    said, asked = _read(sentence), _read(question)
    is_new = not (said.words <= asked.words and said.figures <= asked.figures) or said.is_denial != asked.is_denial
    return not is_new and _ASKING.match(question) is not None


def _read(sentence: str) -> _Said:
    return _Said(
        words=frozenset(content_words(sentence)),
        figures=frozenset(figures(sentence)),
        names=names_in(sentence),
        addresses=frozenset(folded(address) for address in _ADDRESS.findall(sentence)),
        is_denial=denies(sentence),
    )


def _filed(passage: Passage) -> str:
    return "\n".join(line for line in passage.filed_under.split("\n") if not is_instruction(line))


def _quotable(passage: Passage) -> list[Span]:
    spans = split_sentences(passage.text, content_type=passage.content_type)
    return [span for span in spans if not is_instruction(passage.text[span.start : span.end])]


def _has_facts(said: _Said, whole: str) -> bool:
    plain = folded(whole)
    return said.figures <= figures(whole) and all(name in plain for name in said.names | said.addresses)


def _has_words(said: _Said, whole: str) -> bool:
    return len(said.words & set(content_words(whole))) >= FEWEST_WORDS * len(said.words)


def _worth(said: _Said, text: str) -> float:
    return len(said.words & set(content_words(text))) + _NUMBER_WORTH * len(said.figures & figures(text))


def _best_run(said: _Said, passage: Passage, spans: Sequence[Span]) -> Span | None:
    """The sentence, or two that follow each other, with most of what is said."""
    best, best_worth = None, 0.0
    for length in range(1, _MOST_RUN + 1):
        for first in range(len(spans) - length + 1):
            run = Span(spans[first].start, spans[first + length - 1].end)
            worth = _worth(said, passage.text[run.start : run.end]) - _BETTER_BY * (length - 1)
            if worth > best_worth:
                best, best_worth = run, worth
    if best is None and spans and not passage.text.isspace():
        return spans[0] if said.figures & figures(passage.filed_under) else None
    return best


def _agrees(said: _Said, passages: Sequence[Passage], spans: Sequence[Span | None]) -> bool:
    """Whether one of the supporting places denies or does not, as the sentence does."""
    return any(
        denies(passage.text[span.start : span.end]) == said.is_denial
        for passage, span in zip(passages, spans, strict=True)
        if span is not None
    )
