"""Counting questions answered by counting: over the full text, not over the passages that search finds."""

import re
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from lectern.answers import repository
from lectern.answers.questions import Count, Question, counted, counted_in
from lectern.answers.quotes.schemas import DocumentStats
from lectern.answers.quotes.service import get_stats
from lectern.answers.schemas import AnswerSentence, Citation
from lectern.answers.words import content_words, numbers
from lectern.db.session import Session
from lectern.documents.chunks import build_links
from lectern.documents.parts.service import find_in_document
from lectern.documents.service import list_documents_named, resolve_documents
from lectern.search.schemas import Hit

MOST_DOCUMENTS: Final = 5
MOST_PLACES: Final = 5
_ITALIAN: Final = re.compile(r"\b(?:quant[aeio]|numero di|con quale frequenza)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Counted:
    """What counting says."""

    sentences: list[AnswerSentence]
    citations: list[Citation]


IsWanted: TypeAlias = Callable[[uuid.UUID], Awaitable[bool]]
"""Whether the request's filters leave a document."""


async def answer_by_counting(
    session: Session, question: Question, *, documents: Sequence[str], hits: Sequence[Hit], is_wanted: IsWanted
) -> Counted | None:
    """Counts over the documents named in the request, or in the question by their title or filename.

    What is counted need not stand in that document: it is looked for among those found, then among all that are wanted.
    None where the question does not ask for a count or it is not clear of which document.

    Raises:
        UnknownDocument: A document named does not exist in scope.
    """
    wanted = counted(question.text)
    if wanted is None:
        return None
    if documents:
        ids = await resolve_documents(session, documents)
    else:
        ids = _named_in(question, wanted, hits) or await _named_elsewhere(session, question, wanted, is_wanted)
    if not 0 < len(ids) <= MOST_DOCUMENTS:
        return None
    sentences: list[AnswerSentence] = []
    citations: list[Citation] = []
    for document_id in ids:
        stats = await get_stats(session, document_id, term=wanted.term)
        places = await _places(session, stats, first_number=len(citations) + 1)
        citations += places
        text = _sentence(wanted, stats, is_italian=_ITALIAN.search(question.text) is not None)
        sentences.append(AnswerSentence(text=text, citations=[place.number for place in places]))
    return Counted(sentences, citations)


def _named_in(question: Question, wanted: Count, hits: Sequence[Hit]) -> list[uuid.UUID]:
    """The documents found whose whole title or filename is in the question; else the only one that its words name."""
    rest = question.text.replace(wanted.term, " ") if wanted.term else question.text
    said = {*content_words(rest), *numbers(rest)}
    named: dict[uuid.UUID, None] = {}
    for hit in hits:
        for name in (hit.title or "", PurePosixPath(hit.document).stem.replace("_", " ")):
            words = {*content_words(name), *numbers(name)}
            if words and words <= said:
                named[hit.document_id] = None
    return list(named) or _only_named(counted_in(question.text, wanted.term), hits)


def _only_named(place: str, hits: Sequence[Hit]) -> list[uuid.UUID]:
    """The one document found in whose title and filename all these words stand; none where there are several."""
    meant = {hit.document_id: None for hit in hits if _is_named(place, filename=hit.document, title=hit.title)}
    return list(meant) if len(meant) == 1 else []


async def _named_elsewhere(session: Session, question: Question, wanted: Count, is_wanted: IsWanted) -> list[uuid.UUID]:
    """The same among all documents: it may be one in which nothing was found."""
    place = counted_in(question.text, wanted.term)
    words = [*content_words(place), *numbers(place)]
    named = await list_documents_named(session, words) if words else []
    meant = [one.id for one in named if _is_named(place, filename=one.filename, title=one.title)]
    if len(meant) > MOST_DOCUMENTS:
        return []
    left = [document_id for document_id in meant if await is_wanted(document_id)]
    return left if len(left) == 1 else []


def _is_named(place: str, *, filename: str, title: str | None) -> bool:
    said = {*content_words(place), *numbers(place)}
    name = f"{title or ''} {PurePosixPath(filename).stem.replace('_', ' ').replace('-', ' ')}"
    return bool(said) and said <= {*content_words(name), *numbers(name)}


def _sentence(wanted: Count, stats: DocumentStats, *, is_italian: bool) -> str:
    if wanted.what == "pages":
        return f"{stats.document} {'ha' if is_italian else 'has'} {_number(stats.page_count, 'pages', is_italian)}."
    if wanted.what == "words":
        return f"{stats.document} {'ha' if is_italian else 'has'} {_number(stats.word_count, 'words', is_italian)}."
    count, pages = stats.term_count or 0, stats.term_pages or []
    times = _number(count, "times", is_italian)
    where = ", ".join(f"{page.page_number} ({page.count})" for page in pages)
    if is_italian:
        return f"«{wanted.term}» compare {times} in {stats.document}" + (f", a pagina {where}." if pages else ".")
    return f'"{wanted.term}" appears {times} in {stats.document}' + (f", on page {where}." if pages else ".")


_NOUNS: Final = {
    "pages": (("page", "pages"), ("pagina", "pagine")),
    "words": (("word", "words"), ("parola", "parole")),
    "times": (("time", "times"), ("volta", "volte")),
}


def _number(count: int, noun: str, is_italian: bool) -> str:  # noqa: FBT001 - of the two languages, in the order of the table
    return f"{count} {_NOUNS[noun][int(is_italian)][int(count != 1)]}"


async def _places(session: Session, stats: DocumentStats, *, first_number: int) -> list[Citation]:
    """The first places of a term; a number of pages or words has none."""
    if not stats.term_count:
        return []
    facts = (await repository.list_facts(session, [stats.document_id]))[stats.document_id]
    found = await find_in_document(session, stats.document_id, words=stats.term or "", cursor=None, limit=MOST_PLACES)
    return [
        Citation(
            number=number,
            chunk_id=None,
            document_id=stats.document_id,
            document=facts.filename,
            title=facts.title,
            page_number=place.page_number,
            last_page_number=place.page_number,
            section_heading=None,
            content_type="text",
            snippet=f"{place.before}{place.text}{place.after}",
            char_start=place.char_start,
            char_end=place.char_end,
            highlights=place.highlights,
            score=1.0,
            links=build_links(
                stats.document_id, page=place.page_number, char_start=place.char_start, char_end=place.char_end
            ),
        )
        for number, place in enumerate(found.items, start=first_number)
    ]
