"""Passages that no library holds, and their sentences that answer."""

import uuid
from collections.abc import Sequence
from typing import Any

from tests.answers.questions import make_question

from lectern.answers.extractive.answer import best_sentences, rank_sentences
from lectern.answers.extractive.scoring import Candidate
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.schemas import Hit


def hit(text: str, *, content_type: str = "text", page: int = 1, score: float = 0.9) -> Hit:
    absent: dict[str, Any] = dict.fromkeys(Hit.model_fields)
    given = {
        "document_id": uuid.UUID(int=page),
        "document": "a.pdf",
        "section_path": (),
        "section_heading": text.split("\n", maxsplit=1)[0],
        "content_type": content_type,
        "language": "en",
        "page_number": page,
        "char_start": 0,
        "text": text,
        "score": score,
    }
    return Hit.model_construct(None, **{**absent, **given})


async def find_best(question: str, passages: Sequence[Hit], provider: EmbeddingProvider) -> list[Candidate]:
    asked = make_question(question, language="en")
    scored = await rank_sentences(asked, passages, provider=provider)
    return best_sentences(asked, scored)


async def answer_sentences(question: str, passages: Sequence[Hit], provider: EmbeddingProvider) -> list[str]:
    """Return the sentences of the answer."""
    found = await find_best(question, passages, provider)
    return [one.text for one in found if one.is_answer]
