"""Questions that are answered by counting over the full text: pages, words, mentions of a term."""

import re
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final, Literal, TypeAlias

from lectern.answers import repository
from lectern.answers.citations import AnswerDraft
from lectern.answers.errors import DocumentNotRead
from lectern.answers.questions import Question
from lectern.answers.schemas import AnswerSentence, Citation, DocumentStats
from lectern.answers.statistics import get_stats
from lectern.answers.text_analysis import compile_any, content_words, load_data, numbers
from lectern.db.session import Session
from lectern.documents.chunks import build_links
from lectern.documents.parts.service import find_in_document
from lectern.documents.service import list_named_documents, resolve_documents
from lectern.search.schemas import Hit

_MAX_DOCUMENTS: Final = 5
_MAX_LOCATIONS: Final = 5
_DATA: Final = load_data("questions")["counting"]
_PAGES, _WORDS, _TIMES, _MENTIONED, _FILLER, _PERMISSION, _TERM_PREFIX, _AUXILIARY, _PLACE = (
    compile_any(_DATA[name])
    for name in (
        *("pages", "words", "times", "mentioned", "filler", "permission", "term_prefix", "auxiliary", "place"),
    )
)
_QUOTED: Final = re.compile(r"[\"“«‘']([^\"”»’']{1,200})[\"”»’']")

FilterCheck: TypeAlias = Callable[[uuid.UUID], Awaitable[bool]]
"""Returns True if the request's filters include a document."""


@dataclass(frozen=True, slots=True)
class CountQuery:
    """A count that a question asks for. `term` is what to count where `unit` is `term`."""

    unit: Literal["pages", "words", "term"]
    term: str | None = None


def parse_count_query(question: str) -> CountQuery | None:
    """Return the count that a question asks for, or None."""
    times = _TIMES.search(question)
    if times and _MENTIONED.search(times["rest"]):
        term = _parse_term(times["rest"])
        return CountQuery("term", term) if term else None
    if _PAGES.search(question):
        return CountQuery("pages")
    return CountQuery("words") if _WORDS.search(question) else None


def _parse_term(rest: str) -> str | None:
    """Return the text in quotation marks, else the text before "mentioned", or after it if there is none before."""
    quoted = _QUOTED.search(rest)
    if quoted:
        return quoted[1].strip() or None
    mention = _MENTIONED.search(rest)
    assert mention is not None
    term, after = rest[: mention.start()], rest[mention.end() :]
    if not term.strip() or _AUXILIARY.fullmatch(term):
        term = _PLACE.split(after, maxsplit=1)[0]
    return _TERM_PREFIX.sub("", term.strip()).strip(" ?.,\"'") or None


def document_words(question: str, query: CountQuery) -> str:
    """Return the part of a question that names the document. Empty if it asks what a count may or must be."""
    if _PERMISSION.search(question):
        return ""
    rest = question.replace(query.term, " ") if query.term else question
    for phrase in (_PAGES, _WORDS, _FILLER, _MENTIONED):
        rest = phrase.sub(" ", rest)
    return rest


async def answer_by_counting(
    session: Session,
    question: Question,
    *,
    documents: Sequence[str],
    hits: Sequence[Hit],
    matches_filters: FilterCheck,
) -> AnswerDraft | None:
    """Count in the documents that the request names, or in those that the question names by title or filename.

    The term need not be in that document: it may be among the hits, or any other document that matches the filters.
    Returns None if the question asks for no count, or the document is not clear.

    Raises:
        UnknownDocument: A named document does not exist in scope.
    """
    query = parse_count_query(question.text)
    if query is None:
        return None
    if documents:
        ids = await resolve_documents(session, documents)
    else:
        ids = _named_among_hits(question, query, hits) or await _named_elsewhere(
            session, question, query, matches_filters
        )
    if not 0 < len(ids) <= _MAX_DOCUMENTS:
        return None
    draft = AnswerDraft(mode="count")
    for document_id in ids:
        try:
            stats = await get_stats(session, document_id, term=query.term)
        except DocumentNotRead as error:
            draft.unread.append(error.details["document"])
            continue
        citations = await _citations(session, stats, first_number=len(draft.citations) + 1)
        draft.citations += citations
        sentence = _sentence(query, stats, question=question.text)
        draft.sentences.append(AnswerSentence(text=sentence, citations=[one.number for one in citations]))
    draft.reason = None if draft.sentences else "nothing_found"
    return draft


def _named_among_hits(question: Question, query: CountQuery, hits: Sequence[Hit]) -> list[uuid.UUID]:
    """Return the hits' documents whose whole title or filename is in the question, else the only one it describes."""
    said = _keys(question.text.replace(query.term, " ") if query.term else question.text)
    named: dict[uuid.UUID, None] = {}
    for hit in hits:
        for name in (hit.title or "", PurePosixPath(hit.document).stem.replace("_", " ")):
            words = _keys(name)
            if words and words <= said:
                named[hit.document_id] = None
    if named:
        return list(named)
    place = document_words(question.text, query)
    described = {hit.document_id: None for hit in hits if _describes(place, filename=hit.document, title=hit.title)}
    return list(described) if len(described) == 1 else []


async def _named_elsewhere(
    session: Session, question: Question, query: CountQuery, matches_filters: FilterCheck
) -> list[uuid.UUID]:
    """Return the only document of the library that the question describes, or nothing."""
    place = document_words(question.text, query)
    words = [*content_words(place), *numbers(place)]
    candidates = await list_named_documents(session, words) if words else []
    described = [one.id for one in candidates if _describes(place, filename=one.filename, title=one.title)]
    if len(described) > _MAX_DOCUMENTS:
        return []
    matching = [document_id for document_id in described if await matches_filters(document_id)]
    return matching if len(matching) == 1 else []


def _keys(text: str) -> set[str]:
    return {*content_words(text), *numbers(text)}


def _describes(place: str, *, filename: str, title: str | None) -> bool:
    """Return True if all words of `place` are in the title and filename."""
    said = _keys(place)
    name = f"{title or ''} {PurePosixPath(filename).stem.replace('_', ' ').replace('-', ' ')}"
    return bool(said) and said <= _keys(name)


def _sentence(query: CountQuery, stats: DocumentStats, *, question: str) -> str:
    """Return the count as a sentence, in the language of the question where there is a template for it."""
    templates: dict[str, dict[str, Any]] = _DATA["sentence"]
    language = next(
        (
            one
            for one, parts in templates.items()
            if "asked" in parts and compile_any([parts["asked"]]).search(question)
        ),
        "en",
    )
    parts = templates[language]
    unit = "times" if query.unit == "term" else query.unit
    count = {"pages": stats.page_count, "words": stats.word_count, "times": stats.term_count or 0}[unit]
    pages = ", ".join(f"{page.page_number} ({page.count})" for page in stats.term_pages or [])
    forms = ", ".join(f"{form.word} ({form.count})" for form in stats.other_forms) if unit == "times" else ""
    counted = str(parts[unit]).format(
        document=stats.document,
        count=count,
        noun=parts["nouns"][unit][int(count != 1)],
        term=query.term,
        where=str(parts["where"]).format(pages=pages) if pages else "",
    )
    return counted + (str(parts["forms"]).format(forms=forms) if forms else "")


async def _citations(session: Session, stats: DocumentStats, *, first_number: int) -> list[Citation]:
    """Cite the first locations of a term. Counts of pages and words have no citation."""
    if not stats.term_count:
        return []
    document = (await repository.list_names(session, [stats.document_id]))[stats.document_id]
    found = await find_in_document(
        session, stats.document_id, words=stats.term or "", cursor=None, limit=_MAX_LOCATIONS
    )
    return [
        Citation(
            number=number,
            chunk_id=None,
            document_id=stats.document_id,
            document=document.filename,
            title=document.title,
            page_number=match.page_number,
            last_page_number=match.page_number,
            section_heading=None,
            content_type="text",
            snippet=f"{match.before}{match.text}{match.after}",
            char_start=match.char_start,
            char_end=match.char_end,
            highlights=match.highlights,
            score=1.0,
            links=build_links(
                stats.document_id,
                page=match.page_number,
                char_start=match.char_start,
                char_end=match.char_end,
            ),
        )
        for number, match in enumerate(found.items, start=first_number)
    ]
