"""Golden queries as a labelled set: what people marked as the place that answers.

    questions = await golden_questions(session)     # raises TooFewGoldenQueries

Two pages of one document marked for the same words are one question with two pages; pages of two documents are two.
"""

import uuid
from collections.abc import Sequence
from typing import Final

from lectern.answers.golden.schemas import GoldenQueryResponse
from lectern.answers.golden.service import newest_golden_queries
from lectern.chunking.languages import detect_language
from lectern.db.session import Session
from lectern.evaluation.errors import TooFewGoldenQueries
from lectern.evaluation.results import Run
from lectern.evaluation.sets import LANGUAGES, LabelledQuestion

NAME: Final = "golden"
MAX_PLACES: Final = 1_000


async def golden_questions(session: Session, *, at_most: int = MAX_PLACES) -> list[LabelledQuestion]:
    """The questions made of the newest golden queries in scope, newest first.

    Raises:
        TooFewGoldenQueries: There are none.
    """
    return as_questions(await golden_places(session))[:at_most]


async def golden_places(session: Session) -> list[GoldenQueryResponse]:
    """What they are made of. Raises TooFewGoldenQueries."""
    places = await newest_golden_queries(session, limit=MAX_PLACES)
    if not places:
        raise TooFewGoldenQueries("No golden queries yet.")
    return places


def ranks_of_places(places: Sequence[GoldenQueryResponse], run: Run) -> dict[uuid.UUID, int | None]:
    """By golden query, where the page that answers its question came first; those that were asked."""
    ranks = {(result.question, result.documents[0]): result.first_rank for result in run.questions}
    return {place.id: ranks[place.query, place.document] for place in places if (place.query, place.document) in ranks}


def as_questions(places: Sequence[GoldenQueryResponse]) -> list[LabelledQuestion]:
    """One for each query and document, in the order in which these come first; the id is that of the first place."""
    by_question: dict[tuple[str, str], list[GoldenQueryResponse]] = {}
    for place in places:
        by_question.setdefault((place.query, place.document), []).append(place)
    return [
        LabelledQuestion(
            id=str(marked[0].id),
            set_name=NAME,
            text=query,
            documents=frozenset([document]),
            pages=frozenset(place.page_number for place in marked),
            is_answerable=True,
            type="any",
            language=detect_language(query, languages=LANGUAGES, otherwise="") or "unknown",
        )
        for (query, document), marked in by_question.items()
    ]
