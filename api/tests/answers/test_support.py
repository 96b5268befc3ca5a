"""Whether a passage says a sentence, where, and how questions and sentences are read."""

import pytest

from lectern.answers.asking.questions import Count, counted, understand
from lectern.answers.asking.support import Passage, find_support, is_echo
from lectern.answers.asking.words import content_words, normal_number
from lectern.search.sentences import split_sentences

TEXT = (
    "Records are kept for ten years. The bank does not charge a fee for payments of up to 1,500.00 euro. "
    "Payments abroad cost 2.5% of the amount, as Maria Bianchi decided in 2021."
)
PASSAGE = Passage(text=TEXT, filed_under="tariff 2024.pdf Fees of Banca Fiordalba", language="en")


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("The bank does not charge a fee for payments up to 1500 euro.", "The bank does not charge"),
        ("At Banca Fiordalba payments abroad cost 2.5% of the amount.", "Payments abroad"),
        ("Maria Bianchi decided what payments abroad cost in 2021.", "Payments abroad"),
        ("Records are kept for ten years.", "Records"),
    ],
)
def test_what_a_passage_says_is_supported_by_its_sentence(sentence: str, place: str) -> None:
    support = find_support(sentence, [PASSAGE])
    assert support is not None
    (span,) = support.spans
    assert span is not None
    assert TEXT[span.start : span.end].startswith(place)


@pytest.mark.parametrize(
    "sentence",
    [
        "The bank does not charge a fee for payments of up to 1,600 euro.",
        "The bank charges a fee for payments of up to 1,500 euro.",
        "Payments abroad cost 2.5% of the amount, as Anna Verdi decided.",
        "The moon is made of green cheese and payments.",
        "Payments abroad never cost 2.5% of the amount.",
        "...",
    ],
)
def test_another_number_another_name_a_denial_or_other_words_are_no_support(sentence: str) -> None:
    assert find_support(sentence, [PASSAGE]) is None


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("What is the travel allowance for meals?", "Travel allowance for meals", True),
        ("What is the travel allowance for meals?", "The allowance for meals is 40 euro.", False),
        ("Quanto è il rimborso per i pasti?", "Rimborso per i pasti", True),
        ("In which year was the policy approved?", "The policy was approved in that year.", True),
        ("In which year was the policy approved?", "The policy was approved in 2021.", False),
        ("Is smoking allowed in the office?", "Smoking is allowed in the office.", False),
        ("Posso fumare in ufficio?", "Fumare in ufficio", False),
        ("Which gifts are accepted?", "Gifts are not accepted.", False),
    ],
)
def test_the_words_of_a_question_answer_only_yes_or_no(question: str, sentence: str, *, expected: bool) -> None:
    assert is_echo(sentence, question) is expected


def test_two_passages_may_support_a_sentence_together() -> None:
    first = Passage(text="In 2023 the net profit was 41.2 million euro.")
    second = Passage(text="In 2024 the net profit was 47.9 million euro.")
    sentence = "The net profit was 41.2 million euro in 2023 and 47.9 million euro in 2024."
    assert find_support(sentence, [first]) is None
    support = find_support(sentence, [first, second])
    assert support is not None
    assert None not in support.spans


def test_a_sentence_in_another_language_needs_its_facts_and_its_meaning() -> None:
    sentence = "I pagamenti all'estero costano il 2,5% dell'importo."
    assert find_support(sentence, [PASSAGE], language="it", similarity=0.8) is not None
    assert find_support(sentence, [PASSAGE], language="it", similarity=0.1) is None
    assert find_support(sentence.replace("2,5", "3,5"), [PASSAGE], language="it", similarity=0.9) is None


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("1,500.00", "1500"),
        ("1.500,00", "1500"),
        ("1 500", "1"),
        ("15.000", "15000"),
        ("0.125", "0.125"),
        ("2,50", "2.5"),
    ],
)
def test_numbers_are_alike_however_their_digits_are_parted(written: str, plain: str) -> None:
    assert normal_number(written.split(" ", maxsplit=1)[0]) == plain


def test_words_of_a_question_are_those_that_say_something() -> None:
    assert content_words("What is the fee for a paper statement?") == ["fee", "paper", "statem"]
    assert content_words("Quali sono i conti dell'impresa?") == ["cont", "impres"]


@pytest.mark.parametrize(
    ("text", "kind", "years", "names"),
    [
        ("What was the net profit of Quercialta in FY18?", "number", "2018", "quercialta"),
        ("Quando riapre la filiale di Torrechiara?", "date", "", "torrechiara"),
        ("Who signed the contract on 3 May 2021?", "person", "2021", ""),
        ("Describe the procedure", "any", "", ""),
    ],
)
def test_a_question_says_what_it_asks_for(text: str, kind: str, years: str, names: str) -> None:
    question = understand(text, language=None)
    assert (question.kind, question.years, question.names) == (kind, set(years.split()), set(names.split()))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("How many pages does the report have?", Count("pages")),
        ("Quante pagine ha il contratto?", Count("pages")),
        ("How many words are in a.pdf?", Count("words")),
        ("How often is due diligence mentioned?", Count("term", "due diligence")),
        ('How many times does the word "risk" appear in a.pdf?', Count("term", "risk")),
        ("Quante volte viene menzionato il Garante nel documento?", Count("term", "Garante")),
        ("Quante volte compare la parola rischio?", Count("term", "rischio")),
        ("How often must high-risk relationships be reviewed?", None),
        ("How many branches does the bank have?", None),
    ],
)
def test_counting_questions_are_told_from_questions_about_numbers(text: str, count: Count | None) -> None:
    assert counted(text) == count


def test_sentences_end_at_stops_at_short_lines_and_not_at_abbreviations() -> None:
    text = "8.1 Records\nRecords are kept for ten years, see art. 12 of the law and the rules of\nthe bank. They go."
    parts = [text[span.start : span.end] for span in split_sentences(text, content_type="text", heading="8.1 Records")]
    assert parts == [
        "Records are kept for ten years, see art. 12 of the law and the rules of\nthe bank.",
        "They go.",
    ]
    assert len(split_sentences("a 1\nb 2\nc 3", content_type="table")) == 3
    assert all(span.end - span.start <= 600 for span in split_sentences("x" * 2_000, content_type="text"))
