"""Questions with a given language."""

from dataclasses import replace

from lectern.answers.questions import Question, parse_question
from lectern.search.query.analysis import analyze_query


def make_question(text: str, *, language: str | None) -> Question:
    """Parse a question in this language, without detection."""
    return parse_question(replace(analyze_query(text), language=language))
