"""Sentences of passages that may answer a question."""

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

    @property
    def is_enough(self) -> bool:
        """Whether it may be said."""
        return self.probability >= self.threshold


def quotable(hit: Hit) -> Iterator[Span]:
    """Sentences, or rows, of a passage that are long enough and do not speak to a model."""
    is_tabular = hit.content_type in {"table", "list"}
    for span in split_sentences(hit.text, is_tabular=is_tabular, heading=hit.section_heading):
        if span.end - span.start >= _SHORTEST and not is_instruction(cut(hit, span)):
            yield span


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
