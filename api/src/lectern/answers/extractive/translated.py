"""Words of a question that a sentence in another language has in translation, by the dictionaries of search (pure)."""

from typing import Final

from lectern.answers.questions import Question
from lectern.answers.verification.translation import plain_words, translated_stems
from lectern.search.query.question import fold

_MIN_SHARE: Final = 0.5


def has_translated_words(question: Question, text: str, *, language: str | None) -> bool:
    """Return True if a text in a language has half of the question's words, names aside, as they are or translated."""
    asked = {stem: word for stem, word in plain_words(question.text).items() if fold(word) not in question.names}
    own = plain_words(text).keys()
    found = sum(
        stem in own or not own.isdisjoint(translated_stems(word, question.language, target=language))
        for stem, word in asked.items()
    )
    return bool(asked) and found >= _MIN_SHARE * len(asked)
