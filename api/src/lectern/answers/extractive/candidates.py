"""Sentences of passages that may answer a question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from lectern.answers.questions import Question
from lectern.answers.verification.instructions import is_instruction
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.presentation.nearest_sentences import embedding_text
from lectern.search.presentation.sentences import MAX_CHARACTERS, Span, split_sentences
from lectern.search.ranking.confidence import semantic_fit
from lectern.search.schemas import Hit

_SHORTEST: Final = 12
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_ENDS: Final = re.compile(r"[.!?:;][\"”»')\]]*\s*$")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RULE: Final = re.compile(r"[\s|:-]+")  # between the header of a Markdown table and its rows
_ENTRY: Final = re.compile(r"\s*(?:[|•◦▪‣·*–—-]|\(?(?:\d{1,3}|[a-zA-Z])[.)]?\s)")
_INTRODUCES: Final = re.compile(r":\s*$")
_FEW_ROWS: Final = 2
_WORDS_OF_HEADER: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A sentence of a passage, how well it answers, and how probable that must be to say it.

    `features` are those of the table that judged it: `evidence.FEATURES` or `foreign.FEATURES`. `header` is that of
    its table, where the row says little without it.
    """

    hit: Hit
    span: Span
    header: Span | None = None
    features: tuple[float, ...]
    probability: float
    threshold: float

    @property
    def text(self) -> str:
        """In one line; what is left out between a header and a row is shown as such."""
        parts = [self.header, self.span] if self.header else [self.span]
        return " … ".join(_in_one_line(cut(self.hit, part)) for part in parts)

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


def _in_one_line(text: str) -> str:
    """Rows of a Markdown table are parted by semicolons; signs at their ends and the rule under a header go."""
    lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    shown = [line for line in lines if not line.startswith("|") or not _RULE.fullmatch(line)]
    said = ""
    for before, line in pairwise(["", *shown]):
        is_row = line.startswith("|")
        said += ("; " if is_row and before.startswith("|") else " ") + (line.strip("| ") if is_row else line)
    return said.strip()


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence, entry or row of a passage, and what it stands on: the sentence before, or the header of its rows.

    `end` is that of the entries that it introduces ("on three things:") and is quoted with, or its own.
    """

    hit: Hit
    span: Span
    context: Span | None
    end: int

    @property
    def text(self) -> str:
        return cut(self.hit, self.span)

    @property
    def is_row(self) -> bool:
        """Whether it stands under a header."""
        return self.hit.content_type == "table" or _is_row(self.text)

    @property
    def context_text(self) -> str:
        return cut(self.hit, self.context) if self.context else ""


def quotable(hit: Hit) -> Iterator[Quotable]:
    """Those that are long enough, do not speak to a model, and are no header of other rows."""
    spans = [
        span
        for span in split_sentences(hit.text, content_type=hit.content_type, heading=hit.section_heading)
        if not is_instruction(cut(hit, span)) and not _RULE.fullmatch(cut(hit, span))
    ]
    if hit.content_type == "table":
        header = _header(hit, spans)
        found = [Quotable(hit, span, header, span.end) for span in spans if span != header]
    else:
        found = list(_among_sentences(hit, spans))
    yield from (one for one in found if one.span.end - one.span.start >= _SHORTEST)


def _among_sentences(hit: Hit, spans: Sequence[Span]) -> Iterator[Quotable]:
    """Rows stand on the line without figures above them, entries on what introduces them, others on what is before.

    A line above rows is no answer, nor is what introduces where its entries are not in the passage.
    """
    before: Span | None = None
    header: Span | None = None
    lead: Span | None = None
    for place, span in enumerate(spans):
        text, following = cut(hit, span), spans[place + 1 :]
        is_row = _is_row(text)
        if lead and before is not lead and not _is_entry(text):
            lead = None
        is_title = not is_row and not _ENDS.search(text)
        if _INTRODUCES.search(text):
            lead = span
            if following:
                yield Quotable(hit, span, before, _end_of_entries(hit, span, following))
        elif not (is_title and following and _is_row(cut(hit, following[0]))):
            yield Quotable(hit, span, (header or lead) if is_row else (lead or before), span.end)
        if is_title:
            header = Span(before.start, span.end) if before and before is lead else span
        elif not is_row:
            header = None
        before = None if text.startswith("|") else span  # a row of a table introduces no sentence


def _end_of_entries(hit: Hit, lead: Span, following: Sequence[Span]) -> int:
    """As far as they can be quoted; the first of them need not look like one."""
    end = lead.end
    for place, span in enumerate(following):
        is_entry = not place or _is_entry(cut(hit, span))
        if not is_entry or span.end - lead.start > MAX_CHARACTERS:
            break
        end = span.end
    return end


def _is_entry(text: str) -> bool:
    return _is_row(text) or _ENTRY.match(text) is not None


def _is_row(text: str) -> bool:
    """Whether a line has figures and does not end as a sentence does."""
    return _FIGURE.search(text) is not None and not _ENDS.search(text)


def _header(hit: Hit, rows: Sequence[Span]) -> Span | None:
    """The row before the first with figures, or that one where its figures are years; of many without any the first.

    None where that is too long to name columns: the line above a list of names and values.
    """
    header = rows[0] if len(rows) > _FEW_ROWS else None
    for before, row, below in zip([None, *rows], rows, [*rows[1:], None], strict=False):
        figures = _FIGURE.findall(cut(hit, row))
        if figures:
            header = row if below and all(map(_YEAR.fullmatch, figures)) else before
            break
    return header if header and len(cut(hit, header).split()) <= _WORDS_OF_HEADER else None


def cut(hit: Hit, span: Span) -> str:
    return hit.text[span.start : span.end]


async def similarities(
    question: Question, spans: Sequence[tuple[Hit, Span | None, Span]], provider: EmbeddingProvider
) -> list[float] | None:
    """Cosine of each sentence, under its heading and its table's header, to the question.

    None where the model's scale is not known.
    """
    if not spans or semantic_fit(1.0, similarity_range=provider.info.similarity_range) is None:
        return None
    asked = await provider.embed_query(question.text)
    vectors = await provider.embed_documents([embedding_text(hit, span, header=header) for hit, header, span in spans])
    return [float(similarity) for similarity in vectors @ asked]
