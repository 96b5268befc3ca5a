"""The best sentence of passages in another language than the question: by meaning, since words are not shared.

Only where the search puts such a passage first: where the first passage is in the language of the question, a question
about something else would find a foreign sentence that is merely near. The table was fitted by `benchmarks/answers.py`
on questions in the other of two languages, each set measured by a table fitted on the others
(docs/benchmarks/answers.md).
"""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import islice
from statistics import median
from typing import Final

from lectern.answers.extractive.answer_kinds import has_kind
from lectern.answers.extractive.candidates import Candidate, quotable, similarities
from lectern.answers.extractive.features import names_found
from lectern.answers.questions import Question
from lectern.answers.retrieval import told
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.ranking.confidence import scale_similarity
from lectern.search.schemas import Hit

# Sentences that are compared, those of the first passages: each costs the local model about 15 ms.
MOST_EMBEDDED: Final = 50
FEATURES: Final = ("similarity", "kind", "names", "lead", "above")
# Intercept, then a weight for each of FEATURES.
WEIGHTS: Final = (-3.52, 0.08, 1.34, 0.3, 3.0, 0.68)
THRESHOLD: Final = 0.45
_STEEPNESS: Final = 2.0
_MOST_LEAD: Final = 1.0
_MOST_ABOVE: Final = 2.0


@dataclass(frozen=True, slots=True)
class ForeignFeatures:
    """`lead`: how much nearer than the nearest of any other page, -1..1; `above`: than the middle one, to 2."""

    similarity: float
    kind: float
    names: float
    lead: float
    above: float


def probability(features: ForeignFeatures, *, weights: Sequence[float] = WEIGHTS) -> float:
    """That a sentence with these features answers."""
    total = weights[0] + sum(weight * value for weight, value in zip(weights[1:], astuple(features), strict=True))
    return 1 / (1 + math.exp(-total))


async def best_foreign(question: Question, hits: Sequence[Hit], *, provider: EmbeddingProvider) -> Candidate | None:
    """The likeliest answer among them; None where the first passage is not foreign or nothing can be compared."""
    found = await list_foreign(question, hits, provider=provider)
    return max(found, key=lambda candidate: candidate.probability, default=None)


async def list_foreign(question: Question, hits: Sequence[Hit], *, provider: EmbeddingProvider) -> list[Candidate]:
    if not hits or not _is_foreign(question, hits[0]):
        return []
    every = (one for hit in hits if _is_foreign(question, hit) for one in quotable(hit))
    sentences = list(islice(every, MOST_EMBEDDED))
    cosines = await similarities(question, [(one.hit, None, one.span) for one in sentences], provider)
    if cosines is None:
        return []
    near = [scale_similarity(cosine, similarity_range=provider.info.similarity_range) for cosine in cosines]
    middle = median(near)
    places = [(one.hit.document_id, one.hit.page_number) for one in sentences]
    result: list[Candidate] = []
    for sentence, place, value in zip(sentences, places, near, strict=True):
        others = [one for other, one in zip(places, near, strict=True) if other != place]
        lead = _STEEPNESS * (value - max(others)) if others else 0.0
        features = ForeignFeatures(
            similarity=min(max(value, 0.0), 1.0),
            kind=has_kind(question.kind, sentence.text, question=question.text, words=question.words),
            names=names_found(question, told(sentence.hit)),
            lead=min(max(lead, -_MOST_LEAD), _MOST_LEAD),
            above=min(_STEEPNESS * (value - middle), _MOST_ABOVE),
        )
        result.append(
            Candidate(
                hit=sentence.hit,
                span=sentence.span,
                features=astuple(features),
                probability=probability(features),
                threshold=THRESHOLD,
            )
        )
    return result


def _is_foreign(question: Question, hit: Hit) -> bool:
    return bool(question.language and hit.language) and hit.language != question.language
