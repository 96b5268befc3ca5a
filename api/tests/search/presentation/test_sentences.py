"""Chunks are split into sentences, list items and rows, however their lines wrap."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.search.presentation.sentences import MAX_CHARACTERS, find_label, split_sentences

LIST = """Licences
The administration has to choose one of the licences below. They are grouped by what they are
meant for, and each is named by its code.
• New software: use the licence EUPL v1.2 (code EUPL-1.2). This licence, written by the
European Commission, was chosen because it holds in all languages of the Union;
• Libraries: use the BSD licence
1. Keep the text of the licence, see art. 12 of the Code
2. Say what was changed."""

TABLE = """How long it is kept
Data Kept for Counted from
Invoices 10 years End of the year
Capital work in progress and
advances on capital account 48.24 7,413.48
When the period is over the data are deleted by a job that runs on the
first Sunday of each month."""


def parts(text: str, content_type: str, heading: str | None = None) -> list[str]:
    spans = split_sentences(text, content_type=content_type, heading=heading)
    return [" ".join(text[span.start : span.end].split()) for span in spans]


def test_list_items_are_whole_sentences() -> None:
    assert parts(LIST, "list", "Licences") == [
        "The administration has to choose one of the licences below.",
        "They are grouped by what they are meant for, and each is named by its code.",
        "• New software: use the licence EUPL v1.2 (code EUPL-1.2).",
        "This licence, written by the European Commission, was chosen because it holds in all languages of the Union;",
        "• Libraries: use the BSD licence",
        "1. Keep the text of the licence, see art. 12 of the Code",
        "2. Say what was changed.",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Die Kantine ist im 2. Stock.",
        "Das Ergebnis stieg im 3. Quartal 2024 auf 5 Mio. EUR.",
        "Im 19. und 20. Jahrhundert wuchs die Stadt.",
        "Siehe Abs. 2 Nr. 3 des Gesetzes bzw. Ziff. 4.",
        "La Sra. García vive en el núm. 5.",
    ],
)
def test_ordinals_and_abbreviations_end_no_sentence(sentence: str) -> None:
    assert parts(f"{sentence} Mehr nicht.", "text") == [sentence, "Mehr nicht."]


def test_table_rows_stay_rows_and_wrapped_rows_are_joined() -> None:
    assert parts(TABLE, "table", "How long it is kept") == [
        "Data Kept for Counted from",
        "Invoices 10 years End of the year",
        "Capital work in progress and advances on capital account 48.24 7,413.48",
        "When the period is over the data are deleted by a job that runs on the first Sunday of each month.",
    ]


def test_prose_below_rows_of_cells_is_split_into_sentences() -> None:
    text = """Customer
relationships\t1,597.6\t1,098.9
Total\t1,601.0\t1,100.8
The remaining period for customer relationships is
14.3 years. It is shorter for the licences of 2019, and
$3 million were written off."""
    assert parts(text, "table") == [
        "Customer relationships 1,597.6 1,098.9",
        "Total 1,601.0 1,100.8",
        "The remaining period for customer relationships is 14.3 years.",
        "It is shorter for the licences of 2019, and $3 million were written off.",
    ]


def test_rows_of_words_are_not_joined() -> None:
    rows = ["Identity documents Due diligence Legal obligation", "Health data Policies of mortgages Explicit consent"]
    assert parts("\n".join(rows), "table") == rows


def test_markdown_rows_are_rows_with_any_content() -> None:
    rows = ["| Part | Measured by |", "| --- | --- |", "| Goals | Agreed in May. Then again in June. |"]
    text = "It depends on this:\n\n" + "\n".join(rows) + "\nAnd on that."
    assert parts(text, "text") == ["It depends on this:", *rows, "And on that."]


def test_markdown_rows_of_figures_are_rows() -> None:
    text = "| Year | Seats |\n| --- | --- |\n| 1963 | 12 |\n| 1964 | |\n| 1965 | 11 |"
    assert parts(text, "table") == ["| Year | Seats | | --- | --- |", "| 1963 | 12 |", "| 1964 | |", "| 1965 | 11 |"]


@pytest.mark.parametrize("content_type", ["table", "list"])
def test_lines_ending_with_a_number_are_rows(content_type: str) -> None:
    rows = ["net sales 12 11", "net profit 3 2", "of which abroad 1 1"]
    assert parts("\n".join(rows), content_type) == rows


def test_price_of_a_two_line_article_is_in_its_row() -> None:
    text = "SKU-0067 Lawn mower, two batteries. Cut 42 cm, mulching\nplug.\n449.00\nSKU-0068 Can, 5 l. 26.00\n12.5 11.9"
    assert parts(text, "table") == [
        "SKU-0067 Lawn mower, two batteries. Cut 42 cm, mulching plug. 449.00",
        "SKU-0068 Can, 5 l. 26.00",
        "12.5 11.9",
    ]


def test_list_of_names_and_prices_is_split_by_line() -> None:
    rows = ["SKU-0042 Anchor, M10. Zinc-plated. 22.60", "SKU-0044 Chain, galvanised, 4 mm. By the metre. 3.10"]
    assert parts("\n".join(rows), "list") == rows


@given(
    text=st.text(alphabet="ab.C;,•-1 \n", max_size=300),
    content_type=st.sampled_from(["text", "list", "table", "heading"]),
)
def test_every_letter_is_in_one_part_in_order(text: str, content_type: str) -> None:
    spans = split_sentences(text, content_type=content_type)
    assert "".join("".join(text[span.start : span.end].split()) for span in spans) == "".join(text.split())
    assert all(0 < span.end - span.start <= MAX_CHARACTERS for span in spans)
    assert all(before.end <= after.start for before, after in pairwise(spans))


def test_leading_number_belongs_to_the_text_after_it() -> None:
    text = "The doors close within 60 seconds, 38 were measured\n3. Outcome\nThe test is passed. It is repeated in May."
    parts = [text[part.start : part.end] for part in split_sentences(text, content_type="text")]
    assert parts == [
        "The doors close within 60 seconds, 38 were measured",
        "3. Outcome",
        "The test is passed.",
        "It is repeated in May.",
    ]
    text = "It is as art. 3. says. Sales rose by 3. The rest stayed."
    assert len(split_sentences(text, content_type="text")) == 3


def test_entries_of_a_form_are_separate_and_keep_wrapped_values() -> None:
    form = "Customer: Lindgren\nPayment due: 2 April 2026\nDelivery: to the back door of the\ncafé\npH value: 7.4"
    assert parts(form, "text") == [
        "Customer: Lindgren",
        "Payment due: 2 April 2026",
        "Delivery: to the back door of the café",
        "pH value: 7.4",
    ]


def test_line_with_a_label_in_prose_is_not_cut_off() -> None:
    prose = "We deliver on three days of every week and count them\nfrom Monday: that is the first one of all."
    assert parts(prose, "text") == [" ".join(prose.split())]


def test_day_of_a_german_date_ends_no_sentence() -> None:
    text = "Bitte bestellt bis Freitag, den 6. März, bei Frau Siemers. Tor 2 schließt am 16. Mai. Danach gilt Tor 4."
    assert parts(text, "text") == [
        "Bitte bestellt bis Freitag, den 6. März, bei Frau Siemers.",
        "Tor 2 schließt am 16. Mai.",
        "Danach gilt Tor 4.",
    ]


def test_bold_labels_begin_entries() -> None:
    text = "**Date:** 6 May\n**Absent:** flats 2 and 5\n- **Ada:** brings the tent"
    assert [find_label(line) for line in text.split("\n")] == ["Date", "Absent", "Ada"]


def test_rows_of_cells_below_each_other_are_entries() -> None:
    text = "Dates for your diary\n5 October\tPhotographs\n12 October\tBook fair in the library\nPlease be in time."
    assert parts(text, "text", "Dates for your diary") == [
        "5 October Photographs",
        "12 October Book fair in the library",
        "Please be in time.",
    ]


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Weight\t6.4 kg", "Weight"),
        ("Applicant:\tAda Lovelace", "Applicant"),
        ("Net sales\t222,730\t192,052", ""),
        ("Gas: segment profit\t24.3\t25.8", ""),
        ("1.\tRinse the tank", ""),
    ],
)
def test_first_of_two_cells_is_the_label(line: str, label: str) -> None:
    assert find_label(line) == label


def test_long_line_is_split_in_linear_time() -> None:
    text = "word " * 100_000
    assert len(split_sentences(f"Fee.\n{text}\n{text}.\tEnd.", content_type="text")) > 1
