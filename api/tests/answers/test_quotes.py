"""Exact and approximate matching of quotations."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.answers.quotes.matching import TextDifference, find_exact, find_near

PAGE = (
    "Fees and charges\n"
    "The bank does not charge a fee for payments of up to 1,500.00 euro. For inter-\n"
    "national payments the oﬃce applies “Tariff B” – 0.25% of the amount, at least €5 –\n"
    "unless the customer is a well-known counterparty.\n"
)


@pytest.mark.parametrize(
    "quote",
    [
        "The bank does not charge a fee for payments of up to 1,500.00 euro.",
        "does not charge\n a fee",
        "For international payments the office applies",
        "For inter-national payments",
        "for payments of up to 1,500.00 euro. For inter-\nnational payments",
        'applies "Tariff B" - 0.25% of the amount',
        "a well-known counterparty",
        "Fees and charges The bank",
        "“Fees and charges”",
        '"does not charge a fee"',
    ],
)
def test_typography_is_ignored(quote: str) -> None:
    (place,) = find_exact(PAGE, quote)
    assert PAGE[slice(*place)].split(maxsplit=1)[0].strip('"“') == quote.split(maxsplit=1)[0].strip('"“')


@pytest.mark.parametrize(
    "quote",
    [
        "The bank does charge a fee for payments",
        "The bank does not charge a fee for payments of up to 1,600.00 euro",
        "payments of up to 1,500.00 euros",
        "the bank does not charge a fee",
        "he bank does not charge",
        "0.25 of the amount",
        "at least €50",
        "“The bank does charge a fee for payments”",
        "“does not charge a fee",
        "",
        " | ",
    ],
)
def test_changed_word_digit_or_capital_is_not_exact(quote: str) -> None:
    assert find_exact(PAGE, quote) == []


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The value is 5.7 today.", "The value is 5"),
        ("The value is 5,7 today.", "The value is 5"),
        ("Il valore è 1.000.000 euro.", "Il valore è 1.000"),
        ("It may cost 1,250.00 euro.", "250.00 euro"),
        ("It may cost 12\u00a0500 euro.", "It may cost 12"),
        ("It may cost 12\u202f500 euro.", "500 euro"),
        ("It may cost 12'500 francs.", "It may cost 12"),
        ("The loss was -5 million.", "5 million"),
        ("The loss was (\u22125) million.", "5"),
        ("Earnings of $.50 per share", "50 per share"),
        ("The rate is 3.5% of it.", "The rate is 3.5"),
        ("The rate is 3.5 % of it.", "The rate is 3.5"),
        ("Under no. 12/2024 it runs.", "Under no. 12"),
        ("It is 102 metres away.", "It is 10² metres away"),
    ],
)
def test_partial_number_is_not_exact(text: str, quote: str) -> None:
    assert find_exact(text, quote) == []
    near = find_near(text, quote)
    assert near is None or near.differences[0].found != quote


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("It may take 5. Then it ends.", "It may take 5"),
        ("Articles 5, 6 and 7", "Articles 5"),
        ("Pages 10-20 of it", "20 of it"),
        ("| Lamp B | 45 |", "Lamp B 45"),
        ("An area of 10 m² here", "An area of 10"),
        ("CO2 and x2", "CO² and x²"),
    ],
)
def test_whole_number_is_exact(text: str, quote: str) -> None:
    assert len(find_exact(text, quote)) == 1


def test_invisible_characters_are_ignored() -> None:
    text = "\ufeffThe co\u200bope\u2060rative paid\u200b. It ended."
    assert [text[slice(*place)] for place in find_exact(text, "The cooperative paid. It")] == [text[1:-7]]
    assert find_exact(text, "It\u200b ended\ufeff.") == [(len(text) - 9, len(text))]
    near = find_near(text, "The cooperative paid. He ended.")
    assert near is not None
    assert near.differences == (TextDifference("replaced", "He", "It"),)
    assert text[near.start : near.end] == text[1:-1]


def test_hyphenation_is_no_difference() -> None:
    near = find_near(PAGE, "For international payments the office uses “Tariff B” unless it is well-known")
    divided = find_near("They were lia-\nble for high-\nrisk work done then.", "They are liable for high-risk work")
    assert near is None or all("national" not in part.quoted for part in near.differences)
    assert divided is not None
    assert divided.differences == (TextDifference("replaced", "are", "were"),)


@pytest.mark.parametrize(
    "quote", ["Ekin Aky\n\u00a8 urek, Ashwin", "Ekin Aky \u00a8 urek, Ashwin", "Pedro Martins,\n\u00b4\nAmanda"]
)
def test_separate_accent_is_a_character(quote: str) -> None:
    text = "Afra Feyza Akyurek, Ekin Aky\n\u00a8 urek, Ashwin Kalyan. Pedro Martins,\n\u00b4\nAmanda Bertsch."
    assert len(find_exact(text, quote)) == 1
    assert find_exact(text, quote.replace("i", "o", 1)) == []


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            "Quiz 2\n\u2026Continued: 40 m\u00b2 of Lectern\u2122",
            "Quiz 2\n\u2026Continued: 40 m\u00b2 of Lectern\u2122",
        ),
        ("\u2026Continued, and so on\u2026", "...Continued, and so on..."),
        ("...Continued", "\u2026Continued"),
        ("40 m2 of floor", "40 m\u00b2 of floor"),
        ("one \u00bd cup", "one \u00bd cup"),
    ],
)
def test_compatible_characters_match(text: str, quote: str) -> None:
    assert find_exact(text, quote) == [(0, len(text))]


def test_near_match_lists_differences() -> None:
    near = find_near(PAGE, "The bank does charge a fee for payments of up to 1,600.00 euro.")
    assert near is not None
    assert near.differences == (
        TextDifference("missing", "", "not"),
        TextDifference("replaced", "1,600.00", "1,500.00"),
    )
    assert PAGE[near.start : near.end].startswith("The bank does not")
    assert PAGE[near.start : near.end].endswith("euro")
    assert 0.75 <= near.similarity < 1


def test_added_word_is_listed() -> None:
    near = find_near(PAGE, "the customer is never a well-known counterparty")
    assert near is not None
    assert near.differences == (TextDifference("added", "never", ""),)


def test_changed_capital_is_near() -> None:
    near = find_near(PAGE, "the bank does not charge a fee")
    assert near is not None
    assert near.similarity == 1.0
    assert near.differences == (
        TextDifference("replaced", "the bank does not charge a fee", "The bank does not charge a fee"),
    )


@pytest.mark.parametrize(
    "quote", ["The cat sat on the mat and slept all day", "a fee", "", "Quarterly dividends rose by a third"]
)
def test_absent_quotation_is_not_found(quote: str) -> None:
    assert find_near(PAGE, quote) is None


WORDS = st.lists(
    st.sampled_from(["alpha", "beta", "12.5%", "not", "office", "élan", "(x)", "1,000"]), min_size=8, max_size=60
)


@given(WORDS, st.data())
def test_any_run_of_words_is_exact_across_line_breaks(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 4))
    last = data.draw(st.integers(first + 3, len(words)))
    breaks = random.Random(data.draw(st.integers(0, 1000)))
    text = "".join(word + breaks.choice([" ", "\n", "  ", " \n "]) for word in words)
    quote = " ".join(words[first:last])
    places = find_exact(text, quote, limit=1000)
    assert any(text[start:end].split() == quote.split() for start, end in places)


@given(WORDS, st.data())
def test_changed_word_is_never_exact(words: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(words) - 1))
    changed = [*words[:place], "changed", *words[place + 1 :]]
    assert find_exact(" ".join(words), " ".join(changed)) == []


def test_quotation_of_signs_matches_in_linear_time() -> None:
    text = ("a-" * 2_000 + "b " + "f" * 2_000 + " ") * 5
    assert find_exact(text, "a-" * 1_500 + "c") == []
    assert len(find_exact(text, "f" * 2_000)) == 5
