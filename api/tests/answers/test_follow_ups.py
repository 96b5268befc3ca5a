"""The rule that completes follow-up questions, and the labelled pairs that measure it."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.test_docs.test_sample_documents import page_texts

from lectern.answers.follow_ups.carry_over import is_elliptic
from lectern.answers.follow_ups.rewriting import rewrite_by_rule
from lectern.answers.follow_ups.threads import Turn
from lectern.search.query.analysis import analyze_query

FILES = ("tuning", "frozen", "translated_tuning", "translated_frozen")
FOLDER = Path(__file__).parents[2] / "benchmarks"
SCANNED = "verbale-collaudo-scansione.pdf"


def pairs(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / f"follow_up_questions_{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("earlier", "question", "rewritten"),
    [
        ("What was the net profit in 2024?", "And in 2023?", "What was the net profit in 2023?"),
        ("What is the limit in London?", "What about Rome?", "What is the limit in London, and Rome?"),
        ("What is the limit in London?", "And in Rome?", "What is the limit in Rome?"),
        ("Who leads the Red team?", "And the Blue team?", "Who leads the Blue team?"),
        ("What does the drill cost?", "How heavy is it?", "How heavy is it? (drill cost)"),
        ("Quanto costa il corso per gli adulti?", "E per i minori?", "Quanto costa il corso per i minori?"),
        ("Quanto dura il contratto?", "E la caparra?", "Quanto dura il contratto, e la caparra?"),
        ("Chi firma il contratto di Alfa?", "Quando scade?", "Quando scade? (firma; contratto di Alfa)"),
        ("What is the limit in London?", "I meant in Rome.", "What is the limit in Rome?"),
        ("What does counselling cost?", "I mean legal advice", "What does counselling cost, and legal advice?"),
        ("Quanto dura il corso per gli adulti?", "Volevo dire per i minori", "Quanto dura il corso per i minori?"),
        ("What benefits does the plan offer?", "Support", "Support? (benefits; plan offer)"),
        (
            "Which advisers does the bank have?",
            "Is it the same for brokers?",
            "Is it the same for brokers? (advisers; bank)",
        ),
        ("Where do the forms (all of them) go?", "Are they online?", "Are they online? (forms; go)"),
        ("Wie hoch ist das Limit in London?", "Und in Rom?", "Wie hoch ist das Limit in Rom?"),
        ("Was kostet der Bohrer von Forgia?", "Wie schwer ist er?", "Wie schwer ist er? (Bohrer von Forgia)"),
        ("Was kostet der Bohrer?", "Und die Säge?", "Was kostet der Bohrer, und die Säge?"),
        ("¿Cuál es el límite en Londres?", "¿Y en Roma?", "¿Cuál es el límite en Roma?"),
        ("¿Cuánto cuesta el curso?", "¿Y el examen?", "¿Cuánto cuesta el curso, y el examen?"),
        ("¿Quién firma el contrato de Alfa?", "¿Cuándo termina?", "¿Cuándo termina? (firma; contrato de Alfa)"),
    ],
)
def test_follow_up_is_completed(earlier: str, question: str, rewritten: str) -> None:
    assert rewrite_by_rule(question, [Turn(question=earlier)]) == rewritten


def test_context_of_the_questions_before_is_carried_and_limited() -> None:
    turns = [Turn(question="What does the drill of Forgia cost in Milan?")]
    for question in ("How heavy is it?", "And its battery?", "Is it cheaper online?"):
        turns.append(Turn(question=rewrite_by_rule(question, turns)))
    assert [turn.question for turn in turns[1:]] == [
        "How heavy is it? (drill of Forgia cost; Milan)",
        "How heavy is it, and its battery? (drill of Forgia cost; Milan)",
        "Is it cheaper online? (heavy; battery; drill of Forgia cost; Milan)",
    ]
    assert rewrite_by_rule("Is it blue?", turns) == "Is it blue? (cheaper online; heavy; battery; drill of Forgia cost)"


def test_word_that_points_back_may_mean_a_name_of_the_last_answer() -> None:
    turn = Turn(question="Who leads the Red team?", answer="Since May it is led by Elena Marchi. Paolo Neri left.")
    assert (
        rewrite_by_rule("When was she appointed?", [turn])
        == "When was she appointed? (leads the Red team; Elena Marchi)"
    )
    assert rewrite_by_rule("And the Blue team?", [turn]) == "Who leads the Blue team?"


def test_long_question_that_begins_with_a_word_that_points_back_is_completed() -> None:
    turn = Turn(question="What is the Terra mission?")
    long = "Is it launched with instruments that measure clouds, land, snow, ice and oceans?"
    assert rewrite_by_rule(long, [turn]) == f"{long} (Terra mission)"
    apart = "Does the bank of Alfa write to all customers abroad before it closes their accounts?"
    assert rewrite_by_rule(apart, [turn]) == apart


@pytest.mark.parametrize(
    "question",
    [
        "Is it allowed to bring a dog to the office?",
        "Are there rules for visitors of the warehouse?",
        "travel advance cash limit",
        "How does the first instalment of a mortgage with a variable rate change?",
        "Who is the CEO of Quercialta?",
        "È possibile pagare le pensioni a domicilio?",
        "Ci sono regole per gli ospiti che visitano il magazzino di Borgo Selce?",
        "???",
        "Ist es erlaubt, Getränke neben den Kassen zu haben?",
        "Gibt es Regeln für Gäste im Lager von Borgo Selce?",
        "Wer ist der Vorstandsvorsitzende von Quercialta?",
        "¿Es posible pagar las pensiones a domicilio?",
        "¿Cuál es la garantía de los colchones Quiete?",
    ],
)
def test_question_that_stands_alone_is_recognized(question: str) -> None:
    assert not is_elliptic(question, analyze_query(question).language)


@pytest.mark.parametrize("name", FILES)
def test_labelled_pairs_quote_the_page_that_answers_them(name: str) -> None:
    rows = pairs(name)
    for row in rows:
        if row["type"] == "standalone" or row["document"] == SCANNED:
            continue
        texts = page_texts(f"documents/{row['document']}")
        quote: str = row["quote"]
        pages: list[int] = row["pages"]
        for page in pages:
            assert plain(quote) in plain(texts[page - 1]), row["id"]
    kinds = [(row["language"], row["type"]) for row in rows]
    languages = {language for language, _ in kinds}
    assert len(languages) == 2
    assert min(kinds.count((language, "follow-up")) for language in languages) >= 14
    assert min(kinds.count((language, "standalone")) for language in languages) >= 6


def plain(text: str) -> str:
    return " ".join(text.replace("|", " ").replace("*", "").split()).casefold()
