"""The model's JSON read while it is still being written (pure)."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final, cast

_FOUND: Final = re.compile(r'"answer_found"\s*:\s*(true|false)')
_SENTENCES: Final = re.compile(r'"sentences"\s*:\s*\[')
_BETWEEN: Final = re.compile(r"[\s,]*")


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence as the model wrote it, and the labels it names."""

    text: str
    labels: tuple[str, ...]


class AnswerReader:
    """Gives each sentence once, as soon as it is complete and the model has said that it found an answer."""

    def __init__(self) -> None:
        self._text = ""
        self._position: int | None = None
        self._pending: list[Written] = []
        self.is_found: bool | None = None

    def feed(self, piece: str) -> list[Written]:
        """Sentences that this piece completes."""
        self._text += piece
        if self.is_found is None and (said := _FOUND.search(self._text)):
            self.is_found = said[1] == "true"
        if self._position is None and (begun := _SENTENCES.search(self._text)):
            self._position = begun.end()
        self._pending += self._complete()
        if self.is_found is not True:
            return []
        ready, self._pending = self._pending, []
        return ready

    def is_whole(self) -> bool:
        """Whether all of it is one JSON object of the form that was asked for, with no sentence or one to be read."""
        start = self._text.find("{")
        try:
            value, _ = json.JSONDecoder().raw_decode(self._text, max(start, 0))
        except ValueError:
            return False
        if not isinstance(value, dict):
            return False
        answer = cast("dict[str, Any]", value)
        said = answer.get("sentences", [])
        is_readable = isinstance(said, list) and (not said or any(map(_sentence, cast("list[object]", said))))
        return isinstance(answer.get("answer_found"), bool) and (is_readable or not answer["answer_found"])

    def _complete(self) -> list[Written]:
        found: list[Written] = []
        while self._position is not None:
            between = _BETWEEN.match(self._text, self._position)
            start = between.end() if between else self._position
            if self._text[start : start + 1] != "{":
                break
            try:
                value, self._position = json.JSONDecoder().raw_decode(self._text, start)
            except ValueError:
                break
            sentence = _sentence(value)
            if sentence:
                found.append(sentence)
        return found


def _sentence(value: object) -> Written | None:
    """None for what is no sentence: some servers hold to the schema, some do not."""
    if not isinstance(value, dict):
        return None
    parts = cast("dict[str, Any]", value)
    text, labels = parts.get("text"), parts.get("sources")
    if not isinstance(text, str) or not text.strip() or not isinstance(labels, list):
        return None
    names = [label for label in cast("list[object]", labels) if isinstance(label, str)]
    return Written(" ".join(text.split()), tuple(dict.fromkeys(names)))
