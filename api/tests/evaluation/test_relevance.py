"""Relevance of hits to labelled questions."""

from dataclasses import dataclass, replace

from lectern.evaluation.relevance import judge_relevance
from lectern.evaluation.sets import Evidence

from .factories import question


@dataclass(frozen=True, slots=True)
class Place:
    document: str
    page_number: int
    last_page_number: int
    char_start: int = 0
    char_end: int = 0
    text: str = ""


def hit(document: str, first: int, last: int | None = None) -> Place:
    return Place(document, first, last or first)


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


def test_half_of_a_range_counts_and_less_does_not() -> None:
    labelled = replace(question("a.txt"), evidence=(Evidence(document="a.txt", span=(100, 200)),))
    before, over = (replace(hit("a.txt", 1), char_start=start, char_end=end) for start, end in ((0, 140), (150, 400)))

    assert judge_relevance(labelled, [before, over]).gains == (0, 1)


def test_quote_counts_without_marks_of_tables_and_case() -> None:
    labelled = replace(question("a.docx"), evidence=(Evidence(document="a.docx", quote="Adults 240 265"),))
    row, other = (replace(hit(name, 1), text="| **adults** | 240 | 265 |") for name in ("a.docx", "b.docx"))

    assert judge_relevance(labelled, [other, row]).gains == (0, 1)


def test_pages_of_each_document_count_in_that_document() -> None:
    places = (Evidence(document="a.pdf", pages=frozenset([1])), Evidence(document="b.pdf", pages=frozenset([7])))
    judged = judge_relevance(replace(question("a.pdf"), evidence=places), [hit("b.pdf", 1), hit("b.pdf", 7)])

    assert (judged.gains, judged.missing) == ((0, 1), 1)
