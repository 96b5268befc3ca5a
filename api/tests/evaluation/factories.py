"""Factories of questions and results."""

from lectern.evaluation.results import QuestionResult, Run, summarise
from lectern.evaluation.sets import LabelledQuestion


def question(document: str = "a.pdf", *pages: int) -> LabelledQuestion:
    return LabelledQuestion(
        id="1",
        set_name="set",
        text="Where?",
        documents=frozenset([document]),
        pages=frozenset(pages),
        is_answerable=True,
        type="any",
        language="en",
    )


def result(key: str, rank: int | None, *, set_name: str = "set", confidence: float | None = 0.9) -> QuestionResult:
    """Build a result with the answer at a rank. A rank of None with `confidence` builds a miss."""
    return QuestionResult(
        id=key,
        set_name=set_name,
        question=f"Question {key}?",
        type="any",
        language="en",
        is_answerable=True,
        documents=["a.pdf"],
        pages=[1],
        gains=[1 if place == rank else 0 for place in range(1, 21)],
        missing=0 if rank else 1,
        document_rank=1 if rank else None,
        confidence=confidence,
        took_ms=1.0,
        hits=[],
    )


def run(*results: QuestionResult) -> Run:
    return Run(settings={"candidates": 50}, questions=list(results), summaries=summarise(results), abstention=None)
