"""Incremental parser of the model's JSON answer (pure)."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final, cast

_ANSWER_FOUND: Final = re.compile(r'"answer_found"\s*:\s*(true|false)')
_SENTENCES: Final = re.compile(r'"sentences"\s*:\s*\[')
_SEPARATOR: Final = re.compile(r"[\s,]*")


@dataclass(frozen=True, slots=True)
class GeneratedSentence:
    """A sentence of the model and the labels of the sources it cites."""

    text: str
    labels: tuple[str, ...]


class AnswerParser:
    """Returns each sentence once, when it is complete and the model has set `answer_found`."""

    def __init__(self) -> None:
        self._text = ""
        self._position: int | None = None
        self._pending: list[GeneratedSentence] = []
        self.answer_found: bool | None = None

    def feed(self, piece: str) -> list[GeneratedSentence]:
        """Add a piece of JSON and return the sentences it completes."""
        self._text += piece
        if self.answer_found is None and (match := _ANSWER_FOUND.search(self._text)):
            self.answer_found = match[1] == "true"
        if self._position is None and (begin := _SENTENCES.search(self._text)):
            self._position = begin.end()
        self._pending += self._take_complete()
        if self.answer_found is not True:
            return []
        ready, self._pending = self._pending, []
        return ready

    def is_valid(self) -> bool:
        """Return True if the text is one JSON object in the expected form, with a readable sentence or none."""
        start = self._text.find("{")
        try:
            value, _ = json.JSONDecoder().raw_decode(self._text, max(start, 0))
        except ValueError:
            return False
        if not isinstance(value, dict):
            return False
        answer = cast("dict[str, Any]", value)
        sentences = answer.get("sentences", [])
        is_readable = isinstance(sentences, list) and (
            not sentences or any(map(_parse_sentence, cast("list[object]", sentences)))
        )
        return isinstance(answer.get("answer_found"), bool) and (is_readable or not answer["answer_found"])

    def _take_complete(self) -> list[GeneratedSentence]:
        complete: list[GeneratedSentence] = []
        while self._position is not None:
            separator = _SEPARATOR.match(self._text, self._position)
            start = separator.end() if separator else self._position
            if self._text[start : start + 1] != "{":
                break
            try:
                value, self._position = json.JSONDecoder().raw_decode(self._text, start)
            except ValueError:
                break
            sentence = _parse_sentence(value)
            if sentence:
                complete.append(sentence)
        return complete


def _parse_sentence(value: object) -> GeneratedSentence | None:
    """Return None for anything else than a sentence: some servers ignore the schema."""
    if not isinstance(value, dict):
        return None
    parts = cast("dict[str, Any]", value)
    text, labels = parts.get("text"), parts.get("sources")
    if not isinstance(text, str) or not text.strip() or not isinstance(labels, list):
        return None
    names = [label for label in cast("list[object]", labels) if isinstance(label, str)]
    return GeneratedSentence(" ".join(text.split()), tuple(dict.fromkeys(names)))
