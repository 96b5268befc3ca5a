"""Incremental parser of the model's JSON answer (pure)."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final, cast

from lectern.search.presentation.sentences import split_sentences

_ANSWER_FOUND: Final = re.compile(r'"answer_found"\s*:\s*(true|false)')
_SENTENCES: Final = re.compile(r'"sentences"\s*:\s*\[')
_SEPARATOR: Final = re.compile(r"[\s,]*")
_BOLD: Final = re.compile(r"\*\*(\S(?:.*?\S)?)\*\*")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^()\s]+\)")
_LIST_MARKER: Final = re.compile(r"(?:[-*•]|(\d{1,2})[.)]) ")
_MIN_WORDS: Final = 3
"""A shorter sentence, such as "Yes.", goes with the next one."""


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
        self._last_number = 0
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
            if sentence := _parse_sentence(value):
                texts = _split(self._without_marker(_without_markdown(sentence.text)))
                complete += [GeneratedSentence(text, sentence.labels) for text in texts]
        return complete

    def _without_marker(self, text: str) -> str:
        """Remove the marker of a list, which is no figure of the sentence. Numbers count up from 1."""
        marker = _LIST_MARKER.match(text)
        number = marker and marker[1]
        if marker is None or (number and int(number) != self._last_number + 1):
            return text
        self._last_number = int(number or self._last_number)
        return text[marker.end() :]


def _without_markdown(text: str) -> str:
    """Remove the marks of bold text and the addresses of links."""
    return _LINK.sub(r"\1", _BOLD.sub(r"\1", text))


def _split(text: str) -> list[str]:
    """Return the sentences of a text. Some models write several as one."""
    texts: list[str] = []
    start = 0
    for span in split_sentences(text, content_type="text"):
        if len(text[start : span.end].split()) >= _MIN_WORDS:
            texts.append(text[start : span.end].strip())
            start = span.end
    rest = text[start:].strip()
    return [*texts, rest] if rest else texts


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
