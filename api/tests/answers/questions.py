"""Questions with a given language."""

from dataclasses import replace

from lectern.answers.questions import Question, parse_question
from lectern.search.query.analysis import analyze_query
from lectern.search.query.question import parse_names


def make_question(text: str, *, language: str | None) -> Question:
    """Parse a question in this language, without detection."""
    names = parse_names(text, language=language)
    return parse_question(replace(analyze_query(text), language=language, names=names))
