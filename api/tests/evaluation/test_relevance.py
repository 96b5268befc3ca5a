"""Relevance of hits to labelled questions."""

from dataclasses import replace

from lectern.evaluation.relevance import RankedHit, judge_relevance

from .factories import question


def hit(document: str, first: int, last: int | None = None) -> RankedHit:
    return RankedHit(document=document, page_number=first, last_page_number=last or first, score=1.0)


def test_second_chunk_of_a_page_gains_nothing() -> None:
    judged = judge_relevance(
        question("a.pdf", 2, 3), [hit("a.pdf", 1), hit("a.pdf", 2), hit("a.pdf", 2), hit("a.pdf", 3)]
    )

    assert judged.gains == (0, 1, 0, 1)
    assert judged.missing == 0


def test_chunk_over_two_labelled_pages_covers_both() -> None:
    judged = judge_relevance(question("a.pdf", 2, 3), [hit("a.pdf", 2, 3)])

    assert (judged.gains, judged.missing) == ((1,), 0)


def test_page_of_another_document_gains_nothing() -> None:
    judged = judge_relevance(question("a.pdf", 2), [hit("b.pdf", 2), hit("b.pdf", 2), hit("a.pdf", 1)])

    assert judged.gains == (0, 0, 0)
    assert judged.missing == 1
    assert judged.document_rank == 2


def test_without_pages_any_chunk_of_the_document_counts() -> None:
    topic = replace(question("184"), documents=frozenset(["184", "29"]))

    judged = judge_relevance(topic, [hit("184.txt", 1), hit("184.txt", 2), hit("7.txt", 1)])

    assert judged.gains == (1, 0, 0)
    assert judged.missing == 1
