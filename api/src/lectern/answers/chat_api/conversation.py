"""Earlier messages of a chat as a thread, so that follow-up questions can be rewritten (pure)."""

from collections.abc import Sequence
from typing import Final

from lectern.answers.chat_api.schemas import ChatMessage
from lectern.answers.follow_ups.rewriting import rewrite_by_rule
from lectern.answers.follow_ups.threads import Thread, Turn

_MAX_QUESTIONS: Final = 5
_MAX_CHARACTERS: Final = 600


def read_thread(messages: Sequence[ChatMessage]) -> Thread:
    """Return the questions before the last one with their answers. Earlier follow-ups are completed by rule."""
    places = [place for place, message in enumerate(messages) if message.role == "user"][-_MAX_QUESTIONS - 1 :]
    turns: list[Turn] = []
    for place in places[:-1]:
        asked = messages[place].text
        if not 0 < len(asked) <= _MAX_CHARACTERS:
            continue
        following = messages[place + 1]
        answer = following.text[:_MAX_CHARACTERS] if following.role == "assistant" else ""
        turns.append(Turn(question=rewrite_by_rule(asked, turns) if turns else asked, answer=answer))
    return Thread(turns=tuple(turns))
