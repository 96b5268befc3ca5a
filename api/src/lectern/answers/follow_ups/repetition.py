"""Recognize answers that a follow-up question has had before (pure)."""

from collections.abc import Sequence

from lectern.answers.follow_ups.carry_over import parse_follow_up
from lectern.answers.follow_ups.threads import AskedQuestion
from lectern.answers.questions import Question, kind_match, list_words
from lectern.answers.text_analysis import content_words, identifiers


def repeats_last_answer(asked: AskedQuestion, question: Question, sentences: Sequence[str]) -> bool:
    """Return True if a follow-up gets the sentences of the answer before it, and they have none of its own words.

    A follow-up without such words is a question word. Then the sentences must have the kind of answer it asks for.
    """
    if asked.rewritten_question is None:
        return False
    text = parse_follow_up(asked.original).text
    own = {*content_words(text), *identifiers(text)}

    def is_answer(sentence: str) -> bool:
        if own:
            return not own.isdisjoint([*list_words(sentence, question), *identifiers(sentence)])
        return kind_match(question.kind, sentence, question=question.text, words=question.words) == 1

    last = asked.thread.turns[-1].answer
    return all(sentence in last and not is_answer(sentence) for sentence in sentences)
