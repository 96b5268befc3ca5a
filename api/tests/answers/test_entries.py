"""Entries of forms, e-mails and minutes: a label and its value."""

import pytest
from tests.answers.passages import answer_sentences, hit

from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.schemas import Hit

INVOICE = (
    "Invoice\nInvoice number: 2026-01874\nCustomer: Lindgren S.r.l.\nSeats: 12\nPayment due: 2 April\nWeight: 40 kg"
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the invoice number?", "Invoice number: 2026-01874"),
        ("Who is the customer of the invoice?", "Customer: Lindgren S.r.l."),
        ("How many seats does the invoice list?", "Seats: 12"),
        ("How heavy is the invoiced machine?", "Weight: 40 kg"),
    ],
)
async def test_entry_of_a_form_is_quoted_alone(provider: EmbeddingProvider, question: str, answer: str) -> None:
    assert await answer_sentences(question, [hit(INVOICE)], provider) == [answer]


async def test_entry_needs_a_word_of_its_label_in_the_question(provider: EmbeddingProvider) -> None:
    assert await answer_sentences("Who owns Lindgren?", [hit(INVOICE)], provider) == []
    assert await answer_sentences("Who mows the lawn?", [MAIL, MINUTES], provider) == []


@pytest.mark.parametrize("content_type", ["text", "table"])
async def test_row_of_two_cells_is_an_entry(provider: EmbeddingProvider, content_type: str) -> None:
    record = hit(
        "Record of training\nParticipant\tBruno Castaldi\nTrainer\tElsa Morin\nPlace\tstore in Ravenna\nHours\t12",
        content_type=content_type,
    )
    (answer, *_) = await answer_sentences("Who is the trainer?", [record], provider)
    assert answer.endswith("Trainer Elsa Morin")


async def test_title_of_a_form_says_what_its_entries_are_about(provider: EmbeddingProvider) -> None:
    minutes = hit("Birch Court\nMinutes of the residents' meeting\nPlace: laundry room\nChair: Ms Solheim")
    (answer, *_) = await answer_sentences("Who chaired the residents' meeting?", [minutes], provider)
    assert answer == "Minutes of the residents' meeting … Chair: Ms Solheim"


MAIL = hit(
    "Bookkeeping\nFrom: Ada Lovell <ada@example.org>\nTo: Bo Lind\nCc: Mia Sand\nDate: Fri, 1 Mar 2024 12:00:00 +0100\n"
    "\nThe invoice of the printer was paid on Monday."
)
REPLY = hit(
    "Keys\nFrom: Ada Lovell\nTo: Bo Lind\n\nIt is with the porter.\n\nFrom: Bo Lind\nTo: Ada Lovell\n\nWho has it?"
)
MINUTES = hit(
    "Time: 9:00\nPresent: Ruth Calloway (treasurer), Imran Sadiq\nApologies: Marcus Webb\nMinutes: Joel Pettifer\n\n"
    "The roof is repaired in May.\n\nActions\nLena: get two quotes for the roof\nImran: order the paint"
)


@pytest.mark.parametrize(
    ("question", "passage", "answer"),
    [
        ("Who sent the e-mail?", MAIL, "From: Ada Lovell <ada@example.org>"),
        ("Chi ha mandato la mail?", MAIL, "From: Ada Lovell <ada@example.org>"),
        ("Wer hat die E-Mail geschickt?", MAIL, "From: Ada Lovell <ada@example.org>"),
        ("Who was the message sent to?", MAIL, "To: Bo Lind"),
        ("Who is the sender?", REPLY, "From: Ada Lovell"),
        ("Who received the e-mail?", REPLY, "To: Bo Lind"),
        ("Who is in copy?", MAIL, "Cc: Mia Sand"),
        ("When was the message sent?", MAIL, "Date: Fri, 1 Mar 2024 12:00:00 +0100"),
        ("Who was absent?", MINUTES, "Apologies: Marcus Webb"),
        ("Who took the minutes?", MINUTES, "Minutes: Joel Pettifer"),
        ("Who is the treasurer?", MINUTES, "Present: Ruth Calloway (treasurer), Imran Sadiq"),
        ("Who gets the quotes?", MINUTES, "Lena: get two quotes for the roof"),
    ],
)
async def test_labels_of_mails_and_minutes_answer_who_and_when(
    provider: EmbeddingProvider, question: str, passage: Hit, answer: str
) -> None:
    assert await answer_sentences(question, [passage], provider) == [answer]
