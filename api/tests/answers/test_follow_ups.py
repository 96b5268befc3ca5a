"""The rule that completes follow-up questions, and the labelled pairs that measure it."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.test_docs.test_sample_documents import page_texts

from lectern.answers.follow_ups.carry_over import is_elliptic
from lectern.answers.follow_ups.rewriting import rewrite_by_rule
from lectern.answers.follow_ups.threads import Turn

FOLDER = Path(__file__).parents[2] / "benchmarks"
HALVES = ("tuning", "frozen")
SCANNED = "verbale-collaudo-scansione.pdf"


def pairs(half: str) -> list[dict[str, Any]]:
    lines = (FOLDER / f"follow_up_questions_{half}.jsonl").read_text(encoding="utf-8").splitlines()
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
    ],
)
def test_follow_up_is_completed(earlier: str, question: str, rewritten: str) -> None:
    assert rewrite_by_rule(question, [Turn(question=earlier)]) == rewritten


@pytest.mark.parametrize(
    "question",
    [
        "Is it allowed to bring a dog to the office?",
        "Are there rules for visitors of the warehouse?",
        "travel advance cash limit",
        "Who is the CEO of Quercialta?",
        "È possibile pagare le pensioni a domicilio?",
        "Ci sono regole per gli ospiti che visitano il magazzino di Borgo Selce?",
        "???",
    ],
)
def test_question_that_stands_alone_is_recognized(question: str) -> None:
    assert not is_elliptic(question)


@pytest.mark.parametrize("half", HALVES)
def test_labelled_pairs_quote_the_page_that_answers_them(half: str) -> None:
    rows = pairs(half)
    for row in rows:
        if row["type"] == "standalone" or row["document"] == SCANNED:
            continue
        texts = page_texts(f"documents/{row['document']}")
        quote: str = row["quote"]
        pages: list[int] = row["pages"]
        for page in pages:
            assert plain(quote) in plain(texts[page - 1]), row["id"]
    kinds = [(row["language"], row["type"]) for row in rows]
    assert min(kinds.count((language, "follow-up")) for language in ("en", "it")) >= 14
    assert min(kinds.count((language, "standalone")) for language in ("en", "it")) >= 6


def plain(text: str) -> str:
    return " ".join(text.replace("|", " ").replace("*", "").split()).casefold()
