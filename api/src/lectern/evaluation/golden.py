"""Golden queries as a labelled set.

Pages of one document marked for the same query are one question. Pages of two documents are two questions.
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
_MAX_QUERIES: Final = 1_000


async def golden_questions(session: Session, *, at_most: int = _MAX_QUERIES) -> list[LabelledQuestion]:
    """Return the golden queries in scope as questions, newest first.

    Raises:
        TooFewGoldenQueries: There are none.
    """
    return to_questions(await load_golden_queries(session))[:at_most]


async def load_golden_queries(session: Session) -> list[GoldenQueryResponse]:
    """Return the newest golden queries in scope. Raises TooFewGoldenQueries."""
    queries = await newest_golden_queries(session, limit=_MAX_QUERIES)
    if not queries:
        raise TooFewGoldenQueries("No golden queries yet.")
    return queries


def ranks_by_golden_query(queries: Sequence[GoldenQueryResponse], run: Run) -> dict[uuid.UUID, int | None]:
    """Return the rank of each golden query that the run has, None if not found."""
    ranks = {(result.question, result.documents[0]): result.first_rank for result in run.questions}
    return {one.id: ranks[one.query, one.document] for one in queries if (one.query, one.document) in ranks}


def to_questions(queries: Sequence[GoldenQueryResponse]) -> list[LabelledQuestion]:
    """Return one question for each query and document, with the id of its first golden query."""
    by_question: dict[tuple[str, str], list[GoldenQueryResponse]] = {}
    for query in queries:
        by_question.setdefault((query.query, query.document), []).append(query)
    return [
        LabelledQuestion(
            id=str(marked[0].id),
            set_name=NAME,
            text=text,
            documents=frozenset([document]),
            pages=frozenset(one.page_number for one in marked),
            is_answerable=True,
            type="any",
            language=detect_language(text, languages=LANGUAGES) or "unknown",
        )
        for (text, document), marked in by_question.items()
    ]
