"""Snippets show the match and have their location on the page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.search.presentation.sentences import Span
from lectern.search.presentation.snippets import (
    MAX_CHARACTERS,
    PageSpan,
    PageText,
    list_words,
    locate,
    make_snippet,
)

PROSE = (
    "The bank was founded in 1901. It has nine branches. Net sales were $222,730 in fiscal 2017, a record. "
    "The board thanks all customers. Nothing else happened."
)


def test_snippet_is_the_best_matching_sentence_with_marked_words() -> None:
    long = "Padding that says nothing at all. " * 20 + PROSE + " More padding follows here." * 20
    matching = {"Net": {"net"}, "sales": {"sale"}, "222,730": {"222730"}, "bank": {"bank"}}
    snippet = make_snippet(long, matching, weights={"net": 1, "sale": 1, "222730": 3, "bank": 0.5}, content_type="text")
    text = long[snippet.start : snippet.end]
    assert "Net sales were $222,730" in text
    assert [text[left:right] for left, right in snippet.matches if text[left:right] != "bank"] == [
        "Net",
        "sales",
        "222,730",
    ]


def test_snippet_without_matches_is_the_beginning() -> None:
    snippet = make_snippet(PROSE, {}, weights={}, content_type="text")
    assert (snippet.start, snippet.matches) == (0, ())
    assert PROSE[snippet.start : snippet.end].startswith("The bank was founded")


def test_part_of_an_identifier_marks_the_whole() -> None:
    snippet = make_snippet("See SKU-0042 there.", {"0042": {"0042"}}, weights={"0042": 1}, content_type="text")
    assert snippet.matches == ((4, 12),)


def test_part_of_a_number_does_not_match() -> None:
    matching = {"2": {"2"}, "4": {"4"}}
    for number in ("4.2", "4,2 %", "2,004.4", "1.002", "4.2%"):
        snippet = make_snippet(f"See {number} there.", matching, weights={"2": 1, "4": 1}, content_type="text")
        assert snippet.matches == ()
    assert make_snippet("See 4.2.1 and 2-bis.", matching, weights={"2": 1}, content_type="text").matches


def test_table_rows_stay_whole() -> None:
    table = "\n".join(f"row {number} value {number * 7}" for number in range(60))
    snippet = make_snippet(
        table, {"row": {"row"}, "301": {"301"}}, weights={"301": 5, "row": 0.1}, content_type="table"
    )
    lines = table[snippet.start : snippet.end].split("\n")
    assert "row 43 value 301" in lines
    assert all(line in table.split("\n") for line in lines)


def test_snippet_has_the_whole_sentence_and_its_lead() -> None:
    long = "Padding that says nothing at all. " * 20 + PROSE + " More padding follows here." * 20
    start = long.index("The board thanks")
    around = Span(start, start + len("The board thanks all customers."))
    snippet = make_snippet(long, {"bank": {"bank"}}, weights={"bank": 9}, content_type="text", around=around)
    text = long[snippet.start : snippet.end]
    assert snippet.sentence == around
    assert text.startswith("The bank was founded")  # the preceding sentence that still fits
    far = Span(long.rindex("More padding"), len(long))
    snippet = make_snippet(long, {"bank": {"bank"}}, weights={"bank": 9}, content_type="text", around=far)
    assert snippet.sentence == far
    assert "bank" not in long[snippet.start : snippet.end]


def test_sentence_with_the_highest_weight_is_selected() -> None:
    matching = {"bank": {"bank"}, "nine": {"nine"}, "branches": {"branch"}}
    snippet = make_snippet(PROSE, matching, weights={"bank": 2, "nine": 1.5, "branch": 1}, content_type="text")
    assert snippet.sentence is not None
    assert PROSE[snippet.sentence.start : snippet.sentence.end] == "It has nine branches."
    assert make_snippet(PROSE, {}, weights={}, content_type="text").sentence is None


LETTERS = st.sampled_from(["ab .\n,é1", "ab  ", "ab", "abé1\n"])


def test_the_sentence_of_a_table_below_prose_is_one_row() -> None:
    prose = "Cheques of 1,000 euro or more carry the name of the payee and the clause that they cannot be transferred."
    rows = [
        "Operation Limit in euro What the branch has to do",
        "Cash deposit 5,000 Write the source of the money",
        "Cash deposit 10,000 Ask for a document and copy it",
        "Transfer abroad 25,000 Ask for invoice or contract",
        "Currency exchange 1,000 Identify the person first",
        "Cash withdrawal 8,000 Book it two days before",
    ]
    matching = {"withdrawal": {"withdrawal"}, "Cash": {"cash"}}
    text = "\n".join([prose, *rows])
    snippet = make_snippet(text, matching, weights={"cash": 1, "withdrawal": 2}, content_type="text")
    assert text[snippet.start : snippet.end].startswith("Operation")
    assert snippet.sentence is not None
    assert text[snippet.sentence.start : snippet.sentence.end] == rows[-1]


@given(
    text=LETTERS.flatmap(lambda letters: st.text(alphabet=letters, max_size=1_200)),
    words=st.sets(st.sampled_from(["a", "ab", "b1", "é"])),
    place=st.none() | st.tuples(st.floats(0, 0.999), st.integers(1, 700)),
)
def test_snippet_is_a_bounded_part_of_its_chunk(text: str, words: set[str], place: tuple[float, int] | None) -> None:
    matching = {word: {word} for word in words}
    start = int(place[0] * len(text)) if place else 0
    around = Span(start, min(start + place[1], len(text))) if place and text else None
    snippet = make_snippet(text, matching, weights=dict.fromkeys(words, 1.0), content_type="text", around=around)
    if snippet.sentence:
        assert snippet.start <= snippet.sentence.start < snippet.sentence.end <= snippet.end
    assert 0 <= snippet.start <= snippet.end <= len(text)
    assert snippet.end - snippet.start <= MAX_CHARACTERS
    assert all(0 <= left < right <= snippet.end - snippet.start for left, right in snippet.matches)


def test_words_with_the_prefix_of_a_term_are_candidates() -> None:
    found = list_words("Città e CITTADINI, SKU-0042; nothing", ["citt", "0042"])
    assert found == {"Città", "CITTADINI", "0042"}


def test_chunk_is_located_across_pages_without_the_footer() -> None:
    pages = [PageText(1, 0, "Heading\nfirst line\nfooter 1"), PageText(2, 27, "header\nsecond line\nthird line")]
    passage = "first line\nsecond line\nthird line"
    assert locate(passage, 0, len(passage), char_start=8, pages=pages) == [
        PageSpan(1, 8, 18),
        PageSpan(2, 7, 29),
    ]
    assert locate(passage, 6, 17, char_start=8, pages=pages) == [PageSpan(1, 14, 18), PageSpan(2, 7, 13)]


def test_repeated_table_header_has_no_location() -> None:
    pages = [PageText(3, 100, "2017 10\n2016 20")]
    passage = "year value\n2017 10\n2016 20"
    assert locate(passage, 0, len(passage), char_start=100, pages=pages) == [PageSpan(3, 0, 15)]


def test_chunk_without_pages_has_no_location() -> None:
    assert locate("some text", 0, 9, char_start=0, pages=[]) == []


def test_contiguous_chunk_is_located_at_its_start() -> None:
    pages = [PageText(1, 0, "Total 5\nCash 3\n\nTotal 5\nDebt 2")]

    assert locate("Total 5\nDebt 2", 0, 14, char_start=16, pages=pages) == [PageSpan(1, 16, 30)]
    assert locate("Total 5\nCash 3\n\nTotal 5", 8, 23, char_start=0, pages=pages) == [PageSpan(1, 8, 23)]
    assert locate("Total 5", 3, 3, char_start=0, pages=pages) == []


ROWS = "Cashier\t412\t30 days\nBranch manager of Rho S.r.l. Milan\t96\t90 days\nRisk analyst\t41\t60 days\n"
SENTENCE = "The online shop may hold an order, but a person looks\nat every order within four working hours. "


@pytest.mark.parametrize("content_type", ["text", "table"])
def test_a_snippet_ends_with_a_row_or_with_a_sentence(content_type: str) -> None:
    def cut_text(text: str) -> str:
        snippet = make_snippet(text, {}, weights={}, content_type=content_type)
        return text[snippet.start : snippet.end]

    assert cut_text(ROWS * 9).endswith(" days")
    assert cut_text(f"{ROWS}{SENTENCE * 9}").endswith("hours.")
    assert cut_text(f"{SENTENCE * 2}\n{ROWS * 9}").endswith(" days")
    assert cut_text("| Kind | Rate |\n| --- | --- |\n" + "| Fixed for S.r.l. Milan | 4 % |\n" * 20).endswith("| 4 % |")


def test_a_long_sentence_between_rows_ends_with_a_line() -> None:
    text = ROWS + "no end of words here\n" * 30 + ROWS
    snippet = make_snippet(text, {"end": {"end"}}, weights={"end": 1}, content_type="table")
    assert text[snippet.start : snippet.end].endswith("here")
