"""Sentences of passages that may answer a question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.asking.instructions import is_instruction
from lectern.answers.asking.questions import Question
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.confidence import semantic_fit
from lectern.search.nearest import as_embedded
from lectern.search.schemas import Hit
from lectern.search.sentences import Span, split_sentences

_SHORTEST: Final = 12
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_ENDS: Final = re.compile(r"[.!?:;][\"”»')\]]*\s*$")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A sentence of a passage, how well it answers, and how probable that must be to say it.

    `features` are those of the table that judged it: `evidence.FEATURES` or `foreign.FEATURES`.
    """

    hit: Hit
    span: Span
    features: tuple[float, ...]
    probability: float
    threshold: float

    @property
    def text(self) -> str:
        """In one line."""
        return " ".join(self.hit.text[self.span.start : self.span.end].split())

    def overlaps(self, other: "Candidate") -> bool:
        """Whether both quote the same characters of a document."""
        if self.hit.document_id != other.hit.document_id:
            return False
        start, other_start = (one.hit.char_start + one.span.start for one in (self, other))
        end, other_end = (one.hit.char_start + one.span.end for one in (self, other))
        return start < other_end and other_start < end

    @property
    def is_enough(self) -> bool:
        """Whether it may be said."""
        return self.probability >= self.threshold


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence, entry or row of a passage, and what it stands on: the sentence before, or the header of its rows."""

    hit: Hit
    span: Span
    context: Span | None

    @property
    def text(self) -> str:
        return cut(self.hit, self.span)

    @property
    def context_text(self) -> str:
        return cut(self.hit, self.context) if self.context else ""


def quotable(hit: Hit) -> Iterator[Quotable]:
    """Those that are long enough, do not speak to a model, and are no header of other rows."""
    spans = [
        span
        for span in split_sentences(hit.text, content_type=hit.content_type, heading=hit.section_heading)
        if not is_instruction(cut(hit, span))
    ]
    if hit.content_type == "table":
        header = _header(hit, spans)
        found = [Quotable(hit, span, header) for span in spans if span != header]
    else:
        found = [Quotable(hit, span, context) for span, context in zip(spans, _contexts(hit, spans), strict=True)]
    yield from (one for one in found if one.span.end - one.span.start >= _SHORTEST)


def _contexts(hit: Hit, spans: Sequence[Span]) -> Iterator[Span | None]:
    """Among sentences: of a row the line without figures above its rows, of anything else what stands before it."""
    before: Span | None = None
    header: Span | None = None
    for span in spans:
        is_row = _is_row(cut(hit, span))
        if not is_row:
            header = None if _ENDS.search(cut(hit, span)) else span
        yield header if is_row else before
        before = span


def _is_row(text: str) -> bool:
    """Whether a line has figures and does not end as a sentence does."""
    return _FIGURE.search(text) is not None and not _ENDS.search(text)


def _header(hit: Hit, rows: Sequence[Span]) -> Span | None:
    """The row before the first with figures, or that one where its figures are years; None where nothing is below."""
    for before, row, below in zip([None, *rows], rows, [*rows[1:], None], strict=False):
        figures = _FIGURE.findall(cut(hit, row))
        if figures:
            return row if below and all(map(_YEAR.fullmatch, figures)) else before
    return None


def cut(hit: Hit, span: Span) -> str:
    return hit.text[span.start : span.end]


async def similarities(
    question: Question, spans: Sequence[tuple[Hit, Span]], provider: EmbeddingProvider
) -> list[float] | None:
    """Cosine of each sentence, under its heading, to the question; None where the model's scale is not known."""
    if not spans or semantic_fit(1.0, model=provider.info.id) is None:
        return None
    asked = await provider.embed_query(question.text)
    vectors = await provider.embed_documents([as_embedded(hit, span) for hit, span in spans])
    return [float(similarity) for similarity in vectors @ asked]
