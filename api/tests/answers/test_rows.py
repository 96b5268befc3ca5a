"""Rows that a question looks up by a cell, and questions that one row does not answer."""

from itertools import accumulate

import pytest
from tests.answers.passages import find_best, hit
from tests.answers.questions import make_question

from lectern.answers.extractive.headers import Header, find_headers
from lectern.answers.extractive.rows import find_looked_up_row
from lectern.answers.extractive.sentences import list_sentences
from lectern.answers.questions import asks_for_order
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.presentation.sentences import Span

HEADER = "Race\n\n| Pos | Driver | Laps | Time | Grid |\n| --- | --- | --- | --- | --- |\n"
ROWS = (
    "| 1 | Ann Lee | 63 | 1:31:33.7 | 4 |",
    "| 2 | Bo Berg | 63 | +12.3 | 1 |",
    "| 3 | Cy Roe | 61 | Wheel rim | 2 |",
    "| 4 | 2004 | 1999 | 2004 | 9 |",
)
RACE = hit(HEADER + "\n".join(ROWS), content_type="table")


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("how many laps did bo berg complete?", 1),
        ("How many laps did Ann Lee complete?", 0),
        ("how long did ann lee take to finish?", 0),
        ("what was the grid of 1999?", 3),
        ("how old is bo berg?", None),
        ("how many laps did ann lee and bo berg complete?", None),
        ("how many laps did cy young complete?", None),
        ("how many laps were there on the grid?", None),
    ],
)
def test_only_row_whose_cell_is_named_is_looked_up(question: str, row: int | None) -> None:
    found = find_looked_up_row(make_question(question, language="en"), list_sentences(RACE))
    assert found == (None if row is None else ROWS[row])


async def test_looked_up_row_needs_less_probability(provider: EmbeddingProvider) -> None:
    weak = RACE.model_copy(update={"score": 0.35})
    (looked_up,) = await find_best("how many laps did bo berg manage to complete yesterday?", [weak], provider)
    (other,) = await find_best("how many turns did bo berg manage to complete yesterday?", [weak], provider)
    assert looked_up.text.endswith("2 | Bo Berg | 63 | +12.3 | 1")
    assert looked_up.is_answer
    assert 0.2 < other.probability < 0.4
    assert not other.is_answer


@pytest.mark.parametrize(
    "question",
    [
        "Which driver came after Ann Lee?",
        "Which driver completed the most laps?",
        "Besides Ann Lee, which driver completed 63 laps?",
        "Welcher Fahrer hat die meisten Laps außer Ann Lee?",
        "Quale driver ha più laps di Ann Lee?",
        "¿Qué driver tiene más laps que Ann Lee?",
    ],
)
async def test_rows_do_not_answer_for_an_order_of_rows(provider: EmbeddingProvider, question: str) -> None:
    (best, *_) = await find_best(question, [RACE], provider)
    assert not best.has_kind


@pytest.mark.parametrize(
    ("question", "row", "expected"),
    [
        ("What is the notice period after more than five years?", "| Over 5 years | 3 months |", False),
        ("What is the notice period for more than a year?", "| Over 1 year | 3 months |", False),
        ("Quanto costa per più di 3 giorni?", "| Oltre 3 giorni | 20 euro |", False),
        ("¿Cuánto cuesta después de 30 días?", "| Desde el día 31 | 20 euros |", False),
        ("What is the highest temperature?", "| Max. temperature | 80 °C |", False),
        ("What was the rate in the first quarter of 2024?", "| Rate, Q1 2024 | 8.9 % |", False),
        ("What was the profit in the previous year?", "| Profit | 12 | 11 |", False),
        ("Wie hoch war der Umsatz im ersten Halbjahr?", "| Umsatz H1 | 12 |", False),
        ("Qual era l'utile dell'esercizio precedente?", "| Utile | 12 | 11 |", False),
        ("Who came after Ann Lee?", "| 1 | Ann Lee |", True),
        ("Who was first?", "| 1 | Ann Lee |", True),
        ("Who is older than Ann Lee?", "| Ann Lee | 31 |", True),
        ("Chi è arrivato dopo Ann Lee?", "| 1 | Ann Lee |", True),
    ],
)
def test_limits_ask_for_no_order(question: str, row: str, *, expected: bool) -> None:
    assert asks_for_order(question, row) is expected


async def test_row_answers_for_an_order_that_it_names(provider: EmbeddingProvider) -> None:
    header = "Speed\n\n| Race | Highest speed | Venue |\n| --- | --- | --- |\n"
    text = f"{header}| Spring | 212 km/h | Pisa |\n| Autumn | 198 km/h | Bari |"
    (best, *_) = await find_best("What was the highest speed in spring?", [hit(text, content_type="table")], provider)
    assert best.is_answer
    assert best.text.endswith("Spring | 212 km/h | Pisa")


async def test_columns_of_times_and_lengths_answer_how_long(provider: EmbeddingProvider) -> None:
    header = "Songs\n\n| Title | Singer | Length |\n| --- | --- | --- |\n"
    songs = f"{header}| Intro | Ann Lee | 1:41 |\n| Rain | Bo Berg | 3:05 |"
    (best, *_) = await find_best("How long is the intro?", [hit(songs, content_type="table")], provider)
    assert best.is_answer
    assert "1:41" in best.text


GROUPS = hit(
    "Fleet\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Mainline |  |  |\n| Seat miles | 243 | 241 |\n"
    "| Regional |  |  |\n| In millions: |  |  |\n| Seat miles | 33 | 32 |\n| Figures do not include Virgin. |  |  |",
    content_type="table",
)


async def test_row_is_quoted_below_the_names_of_its_group(provider: EmbeddingProvider) -> None:
    (mainline, *_) = await find_best("How many seat miles did the mainline have in 2025?", [GROUPS], provider)
    assert mainline.text == "2025 | 2024 … Mainline … Seat miles | 243 | 241"
    (regional, *_) = await find_best("How many regional seat miles were there in 2025?", [GROUPS], provider)
    assert regional.text == "2025 | 2024 … Regional; In millions: … Seat miles | 33 | 32"


def test_names_of_groups_are_no_answers_but_sentences_are() -> None:
    texts = [one.text for one in list_sentences(GROUPS)]
    assert texts == [
        "| Seat miles | 243 | 241 |",
        "| Seat miles | 33 | 32 |",
        "| Figures do not include Virgin. |  |  |",
    ]


@pytest.mark.parametrize(
    ("line", "is_header"),
    [
        ("March 31 June 30 Sept. 30 Dec. 31", True),
        ("2025 2024 (a) 2023", True),
        ("2025", False),
        ("Shops 12 in 14 towns", False),
    ],
)
def test_dates_too_near_for_tabs_name_the_columns(line: str, *, is_header: bool) -> None:
    lines = [line, "2025", "Net income\t99\t821", "Income taxes\t12\t14"]
    ends = list(accumulate(len(one) + 1 for one in lines))
    spans = [Span(end - len(one) - 1, end - 1) for one, end in zip(lines, ends, strict=True)]
    header = Header(spans[0], spans[1])
    assert find_headers("\n".join(lines), spans) == (dict.fromkeys(spans[2:], header) if is_header else {})
