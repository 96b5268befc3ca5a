"""The request around a question says nothing about its subject."""

import pytest

from lectern.search.query.analysis import analyze_query
from lectern.search.query.question import drop_request


@pytest.mark.parametrize(
    ("query", "subject"),
    [
        ("Can you tell me how long it lasts, please?", "how long it lasts"),
        ("Hello, please show me the net sales of 2024", "the net sales of 2024"),
        ("I would like to know who signs it. Thanks!", "who signs it"),
        ("Per favore, mi sai dire quanto costa FV-102? Grazie", "quanto costa FV-102"),
        ("Sai quando scade il contratto?", "quando scade il contratto?"),
        ("Können Sie mir sagen, wann die Frist endet?", "wann die Frist endet?"),
        ("¿Puedes decirme cuánto cuesta?", "cuánto cuesta?"),
        ("Pouvez-vous me dire qui signe, s'il vous plaît ?", "qui signe"),
    ],
)
def test_request_is_dropped(query: str, subject: str) -> None:
    assert drop_request(query) == subject


@pytest.mark.parametrize(
    "query",
    [
        "Hi-Fi systems",
        "SAI 2024",
        "Please",
        "Tell me",
        "What is a thank you?",
        "Thank you letters",
        "Known defects",
        "",
    ],
)
def test_the_rest_of_a_query_stays(query: str) -> None:
    assert drop_request(query) == query


def test_a_polite_query_is_analyzed_as_its_question() -> None:
    assert analyze_query("Could you tell me how long the trial lasts?") == analyze_query("how long the trial lasts?")


def test_letters_copied_from_a_pdf_are_those_of_its_text() -> None:
    assert analyze_query("Eﬃciency of the ﬁlter at 𝑉 = 3").text == "Efficiency of the filter at V = 3"
