"""Test answers to questions for the steps of a procedure."""

import pytest
from tests.answers.passages import answer_sentences, hit

from lectern.answers.extractive.procedures import join_steps
from lectern.answers.extractive.sentences import list_sentences
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.presentation.sentences import MAX_CHARACTERS, split_sentences

BADGE = (
    "Badges\nA badge opens the doors of the office.\nLost badges are blocked on the same day.\n"
    "1. Open the portal and choose Badges.\n2. Choose Block and enter the number of the badge.\nThe number is on your "
    "contract.\n  - Old badges have a letter before it.\n3. Collect a new badge at the reception. It works at once.\n"
    "  - Bring a photo.\nThe first badge is free. Others cost 12 euros."
)
STEPS = (
    "Lost badges are blocked on the same day.\n1. Open the portal and choose Badges.\n2. Choose Block and enter the "
    "number of the badge. The number is on your contract.\n- Old badges have a letter before it.\n3. Collect a "
    "new badge at the reception. It works at once.\n- Bring a photo."
)
FILLING = (
    "Fuel\nFrom the main menu choose Tank, and then one of these options:\n"
    "Full: fill the tank to its limit.\nHalf: fill half of the tank.\nThe pump stops after five minutes."
)


async def test_steps_are_quoted_together_with_the_line_above(provider: EmbeddingProvider) -> None:
    assert await answer_sentences("How do I block a lost badge?", [hit(BADGE)], provider) == [STEPS]


async def test_other_questions_are_answered_by_one_step(provider: EmbeddingProvider) -> None:
    (answer,) = await answer_sentences("Where is a new badge collected?", [hit(BADGE)], provider)
    assert answer == "3. Collect a new badge at the reception."


async def test_an_option_is_quoted_with_what_introduces_it(provider: EmbeddingProvider) -> None:
    answer = await answer_sentences("How can I fill half of the tank?", [hit(FILLING)], provider)
    assert answer == ["From the main menu choose Tank, and then one of these options: … Half: fill half of the tank."]


async def test_a_sentence_that_repeats_the_question_is_no_procedure(provider: EmbeddingProvider) -> None:
    text = "Doors\nThe door does not open.\nHold the badge to the reader for two seconds."
    answer = await answer_sentences("The door does not open. What can I do?", [hit(text)], provider)
    assert answer == ["The door does not open. Hold the badge to the reader for two seconds."]


@pytest.mark.parametrize(
    "text",
    [
        "1. Scope\nThese rules apply.\n2. Terms\nA tenant is a person.",  # headings
        f"1. The tenant {'pays ' * 70}.\n2. The landlord {'waits ' * 70}.",  # clauses
        "2. Choose a badge.\n3. Choose a door.",  # the end of a procedure
        "1 hour of work costs 58 euros.\n2 hours of work cost 100 euros.",  # quantities
        "1. Choose a badge.\nThe badge opens.\n1. Choose a door.",
    ],
)
def test_other_numbered_lines_are_not_joined(text: str) -> None:
    spans = split_sentences(text, content_type="list")
    assert join_steps(text, spans) == spans


async def test_numbers_of_steps_need_no_full_stop(provider: EmbeddingProvider) -> None:
    text = "Badges\n1 Open the portal and choose Badges.\n2 Choose Block and enter the number.\n3 Sign the form."
    answer = await answer_sentences("How do I block a badge?", [hit(text)], provider)
    assert answer == [text.removeprefix("Badges\n")]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wie sperre ich einen Ausweis?", "1. Öffnen Sie das Portal.\n2. Sperren Sie den Ausweis.\n3. Melden Sie es."),
        ("¿Cómo bloqueo una tarjeta?", "1. Abra el portal.\n2. Bloquee la tarjeta.\n3. Avise al jefe."),
        ("Come blocco una tessera?", "1. Aprire il portale.\n2. Bloccare la tessera.\n3. Avvisare il capo."),
    ],
)
async def test_steps_are_asked_for_in_the_first_person(question: str, text: str, provider: EmbeddingProvider) -> None:
    assert await answer_sentences(question, [hit(f"Badges\n{text}")], provider) == [text]


def test_a_long_procedure_is_cut_between_sentences() -> None:
    text = "Cleaning\n" + "\n".join(f"{number}. Clean part {number} {'well ' * 30}." for number in range(1, 9))
    spans = join_steps(text, split_sentences(text, content_type="list"))
    assert [text[span.start : span.end].split(" ", maxsplit=1)[0] for span in spans] == ["Cleaning", "1.", "4.", "7."]
    assert all(span.end - span.start <= MAX_CHARACTERS for span in spans)


def test_two_procedures_of_a_chunk_are_separate() -> None:
    text = "Add\n1. Open the list.\n2. Press Add.\nRemove\n1. Open the list.\n2. Press Remove."
    under = hit(text, content_type="list")
    found = [one.text.replace("\n", " ") for one in list_sentences(under, joins_steps=True)]
    assert found == ["1. Open the list. 2. Press Add.", "Remove 1. Open the list. 2. Press Remove."]


async def test_an_item_is_quoted_below_a_heading_that_it_needs(provider: EmbeddingProvider) -> None:
    text = "Goods that cannot be returned\n• Opened toothbrushes, razors and masks.\n• Paint that was mixed to order."
    answer = await answer_sentences("Which mixed goods cannot be returned?", [hit(text, content_type="list")], provider)
    assert answer == ["Goods that cannot be returned … • Paint that was mixed to order."]
    (alone,) = await answer_sentences("What about paint mixed to order?", [hit(text, content_type="list")], provider)
    assert alone == "• Paint that was mixed to order."
