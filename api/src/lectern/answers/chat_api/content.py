"""The text of an answer in Markdown, with footnotes, and their annotations (pure)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from lectern.answers.chat_api.schemas import Annotation, UrlCitation
from lectern.answers.schemas import AnswerResponse, Citation, ClosestSource

_MAX_SNIPPET_CHARACTERS: Final = 400
# Links, images and HTML. A client would load images of a document from anywhere.
_ACTIVE_MARKDOWN: Final = re.compile(r"(?<=\])[(\[:]|<(?=[A-Za-z/!?])")
_BRACKETS: Final = re.compile(r"[\[\]]")


@dataclass(slots=True)
class ChatContent:
    """Content that grows sentence by sentence. Each method returns what it adds."""

    web_url: str
    text: str = ""
    annotations: list[Annotation] = field(default_factory=list[Annotation])
    _marks: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def add_sentence(self, text: str, citations: Sequence[int]) -> str:
        """Add a sentence with its footnote marks."""
        start = len(self.text)
        self.text += f"{' ' if self.text else ''}{_deactivate(text)}"
        self._add_marks(citations)
        return self.text[start:]

    def add_sources(self, response: AnswerResponse) -> str:
        """Add the sources or the closest passages, and the message. Fills in `annotations`."""
        start, data = len(self.text), response.data
        places = {citation.number: citation for citation in data.citations} or dict(enumerate(data.nearest, start=1))
        links = {number: self._link(place) for number, place in places.items()}
        titles = {number: _title(place) for number, place in places.items()}
        if data.outcome == "answered":
            answer = self.text
            self.text += "\n\nSources:\n" if links else ""
            for number, place in places.items():
                snippet = _shorten(place.snippet)
                quote = "" if snippet in answer else f": {snippet}"  # An extractive answer already quotes it.
                self.text += f"\n- [{number}] {_markdown_link(titles[number], links[number])}{quote}"
            self.text += f"\n\n{response.message}"
        else:
            self.text += response.message
            for number, place in places.items():
                self.text += f"\n\n> {_shorten(place.snippet)}"
                self._add_marks([number])
                self.text += f"\n>\n> {_markdown_link(titles[number], links[number])}"
        if data.rewritten_question:
            self.text += f"\n\nAsked as: {_deactivate(data.rewritten_question)}"
        self._annotate(links, titles)
        return self.text[start:]

    def _add_marks(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._marks.append((number, len(self.text) + 1))
            self.text += f" [{number}]"

    def _annotate(self, links: Mapping[int, str], titles: Mapping[int, str]) -> None:
        for number, start in self._marks:
            end = start + len(f"[{number}]")
            cited = UrlCitation(start_index=start, end_index=end, url=links[number], title=titles[number])
            self.annotations.append(Annotation(url_citation=cited))

    def _link(self, place: Citation | ClosestSource) -> str:
        """Return the web UI's address of the page, with the characters to highlight."""
        query: dict[str, int] = {"page": place.page_number}
        start, end = place.char_start, place.char_end
        if start is not None and end is not None and end > start:
            query |= {"start": start, "end": end}
        return f"{self.web_url}/documents/{place.document_id}?{urlencode(query)}"


def _title(place: Citation | ClosestSource) -> str:
    return f"{place.title or place.document}, page {place.page_number}"


def _markdown_link(title: str, url: str) -> str:
    escaped = _BRACKETS.sub(r"\\\g<0>", " ".join(title.split()))
    return f"[{_deactivate(escaped)}]({url})"


def _shorten(text: str) -> str:
    line = " ".join(text.split()).lstrip("#> ")  # A heading would swallow the quotation.
    cut = line if len(line) <= _MAX_SNIPPET_CHARACTERS else line[: _MAX_SNIPPET_CHARACTERS - 1].rstrip() + "…"
    return _deactivate(cut)


def _deactivate(text: str) -> str:
    r"""Escape links, images and HTML of a document, so that a client shows them as text: `[a]\(b)`."""
    return _ACTIVE_MARKDOWN.sub(r"\\\g<0>", text)
