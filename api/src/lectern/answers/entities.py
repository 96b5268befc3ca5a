"""Chunks about another year, company, person or place than the question names.

Beta's profit is no answer to a question about Alfa's profit.
"""

import re
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from lectern.answers import repository
from lectern.answers.questions import Question
from lectern.answers.text_analysis import COMPANY, LEGAL_FORMS, load_data
from lectern.db.session import Session
from lectern.search.query.question import fold, parse_numbered_names, parse_years
from lectern.search.query.translation import STEMMERS, translate
from lectern.search.schemas import Hit

_PLACES: Final = [[fold(name.strip()) for name in names.split(",")] for names in load_data("exonyms")["places"]]
_LETTERS_PER_EDIT: Final = 5
_MAX_EDITS: Final = 2
_ROMAN_NUMERAL: Final = re.compile(r"[ivxlcdm]+")
_CAPITALIZED: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][^\W\d_]+")
_TRANSLATIONS: Final = {name: [other for other in names if other != name] for names in _PLACES for name in names}


def full_text(hit: Hit) -> str:
    """Return the chunk's text below its filename, title and headings."""
    return f"{headings_text(hit)}\n{hit.text}"


def headings_text(hit: Hit) -> str:
    """Return the filename, title and headings of a chunk."""
    return "\n".join([hit.document, hit.title or "", *hit.section_path, hit.section_heading or ""])


def is_foreign(question: Question, hit: Hit) -> bool:
    """Return True if a hit is in another language than the question."""
    return bool(question.language and hit.language) and hit.language != question.language


def drop_contradicting(question: Question, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits without those that name only other years or companies than the question."""
    documents: dict[uuid.UUID, str] = {}
    for hit in hits:
        documents[hit.document_id] = f"{documents.get(hit.document_id, '')}\n{full_text(hit)}"
    return tuple(
        hit
        for hit in hits
        if not contradicts_company(question.text, full_text(hit), document=documents[hit.document_id])
        and not contradicts_year(question, full_text(hit))
    )


def contradicts_year(question: Question, text: str) -> bool:
    """Return True if the text names years, and none of those in the question."""
    named = _list_years(text)
    return bool(question.years) and bool(named) and not question.years & named


def _list_years(text: str) -> frozenset[str]:
    return parse_years(text.replace("_", " ").replace("-", " "))


def contradicts_company(question: str, text: str, *, document: str) -> bool:
    """Return True if the text names companies, and `document` none of those in the question.

    A company is recognized by the word before its legal form. The document may omit the form.
    """
    asked = _companies(question)
    if not asked or not _companies(text):
        return False
    plain = fold(document)
    return not any(name in plain for name in asked)


def _companies(text: str) -> set[str]:
    return {fold(match[1]) for match in COMPANY.finditer(text)}


async def drop_documents_without_names(session: Session, question: Question, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits of documents with most of the question's names in their text, title or filename.

    A comparison has names of several documents, and each needs one of them. In another language, names that a
    dictionary translates are not looked for, and a chunk may spell the others nearly alike: Aristotle, Aristotele.
    """
    known = question.names - LEGAL_FORMS
    if not known:
        return tuple(hits)
    wanted = {hit.document_id: _untranslated(known, question, hit) for hit in hits}
    mentions: dict[uuid.UUID, set[str]] = {hit.document_id: set() for hit in hits}
    for hit in hits:
        find = _similar_names if is_foreign(question, hit) else _exact_names
        mentions[hit.document_id] |= find(wanted[hit.document_id], full_text(hit))

    def lacks_names(document_id: uuid.UUID) -> bool:
        names = wanted[document_id]
        found = len(mentions[document_id] & names)
        return bool(names) and (not found if question.is_comparison else 2 * found <= len(names))

    def find_on_page(document_id: uuid.UUID, text: str) -> None:
        mentions[document_id] |= _exact_names(known, text)

    return await _drop_lacking(session, hits, lacks=lacks_names, find_in=find_on_page)


def _untranslated(names: frozenset[str], question: Question, hit: Hit) -> frozenset[str]:
    """Return the names that a hit's document must have under the same name, none in a language without dictionary."""
    if not is_foreign(question, hit):
        return names
    if not {question.language, hit.language} <= STEMMERS.keys():
        return frozenset()
    return frozenset(
        name
        for name in names
        if not _ROMAN_NUMERAL.fullmatch(name)
        and all(one.language != hit.language for one in translate(name, question.language))
    )


async def drop_documents_without_numbers(session: Session, question: Question, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits of documents that have each name of the question with its number: what Prato 42 costs, not 76.

    A comparison needs one of them in each document. In another language, names that a dictionary translates are not
    looked for.
    """
    patterns = {one: _compile_numbered(*one) for one in parse_numbered_names(question.text)}
    if not patterns:
        return tuple(hits)
    names = frozenset(name for name, _ in patterns)
    wanted: dict[uuid.UUID, set[tuple[str, str]]] = {}
    found: dict[uuid.UUID, set[tuple[str, str]]] = {hit.document_id: set() for hit in hits}

    def find_in(document_id: uuid.UUID, text: str) -> None:
        plain = fold(text)
        found[document_id] |= {one for one in wanted[document_id] if patterns[one].search(plain)}

    def lacks_numbers(document_id: uuid.UUID) -> bool:
        own = found[document_id]
        return own < wanted[document_id] and not (own and question.is_comparison)

    for hit in hits:
        untranslated = _untranslated(names, question, hit)
        wanted[hit.document_id] = {one for one in patterns if one[0] in untranslated}
        find_in(hit.document_id, full_text(hit))
    return await _drop_lacking(session, hits, lacks=lacks_numbers, find_in=find_in)


def _compile_numbered(name: str, number: str) -> re.Pattern[str]:
    """Return a pattern for a name with its number, also behind others: Aqualine 40, 60 and 80."""
    between = r"(?:[\W\d_]|\b[^\W\d_]{1,3}\b){0,30}?"
    return re.compile(rf"\b{re.escape(name)}{between}(?<![\w.,]){re.escape(number)}(?!\w|[.,]\d)")


async def _drop_lacking(
    session: Session,
    hits: Sequence[Hit],
    *,
    lacks: Callable[[uuid.UUID], bool],
    find_in: Callable[[uuid.UUID, str], None],
) -> tuple[Hit, ...]:
    """Return the hits without documents that lack something, also on the pages that the search did not return."""
    doubtful = list(filter(lacks, dict.fromkeys(hit.document_id for hit in hits)))
    for page in await repository.list_whole_texts(session, doubtful) if doubtful else ():
        find_in(page.document_id, page.text)
    without = set(filter(lacks, doubtful))
    return tuple(hit for hit in hits if hit.document_id not in without)


async def drop_documents_of_later_years(session: Session, question: Question, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits without documents that name later years than the question, and none of its years.

    What a report of 2025 says without a year is no answer for 2012. A rule of 2025 may still hold in 2026.
    """
    if not question.years or question.is_comparison:
        return tuple(hits)
    named: dict[uuid.UUID, frozenset[str]] = {}
    for hit in hits:
        named[hit.document_id] = named.get(hit.document_id, frozenset()) | _list_years(full_text(hit))
    doubtful = [document_id for document_id, years in named.items() if not years & question.years]
    for page in await repository.list_whole_texts(session, doubtful) if doubtful else ():
        named[page.document_id] |= _list_years(page.text)
    latest = max(question.years)
    relevant = {one for one, years in named.items() if years & question.years or max(years, default=latest) <= latest}
    return tuple(hit for hit in hits if hit.document_id in relevant)


async def drop_documents_about_other_entities(
    session: Session, question: Question, hits: Sequence[Hit]
) -> tuple[Hit, ...]:
    """Return the hits without documents that lack the names by which the question tells documents apart.

    A name tells documents apart if some of them have it and others in the same language do not, in all of their text.
    """
    known = question.names - LEGAL_FORMS
    mentions = _mentions_by_document(known, hits)
    await _add_other_parts(session, mentions, known, _without_distinctive_name(mentions, hits))
    others = set(_without_distinctive_name(mentions, hits))
    return tuple(hit for hit in hits if hit.document_id not in others)


def find_names(names: Collection[str], plain: str) -> set[str]:
    """Return the names that a folded text has, also in another language: London, Londra."""
    return {
        name
        for name in names
        if name in plain or any(re.search(rf"\b{re.escape(form)}\b", plain) for form in _TRANSLATIONS.get(name, ()))
    }


def is_misspelling(name: str, word: str) -> bool:
    """Return True if two folded words differ by one letter in five, at most two: "celeron" and "celoron".

    A letter is missing, added or replaced, or two neighbours are swapped. Codes with digits never match.
    """
    allowed = min(len(name) // _LETTERS_PER_EDIT, _MAX_EDITS)
    if not allowed or abs(len(name) - len(word)) > allowed or not (name.isalpha() and word.isalpha()):
        return False
    return _edit_distance(name, word) <= allowed


def _edit_distance(first: str, second: str) -> int:
    """Return the edit distance, with swaps of neighbours (optimal string alignment)."""
    before, row = list[int](), list(range(len(second) + 1))
    for place, letter in enumerate(first, 1):
        before, above, row = row, before, [place]
        for column, other in enumerate(second, 1):
            cost = min(before[column] + 1, row[-1] + 1, before[column - 1] + (letter != other))
            if place > 1 and column > 1 and letter == second[column - 2] and other == first[place - 2]:
                cost = min(cost, above[column - 2] + 1)
            row.append(cost)
    return row[-1]


def list_similarly_named(question: Question, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits with most of the question's names, some of them only nearly spelled alike.

    Such a name may be the same or another one, so a hit neither answers nor shows that nothing was found.
    """
    known = question.names - LEGAL_FORMS
    return tuple(hit for hit in hits if 2 * len(_similar_names(known, full_text(hit))) > len(known))


def _similar_names(names: Collection[str], text: str) -> set[str]:
    """Return the names that the text has, or that one of its capitalized words is nearly spelled like."""
    words = {fold(word) for word in _CAPITALIZED.findall(text)}
    similar = {name for name in names if any(is_misspelling(name, word) for word in words)}
    return _exact_names(names, text) | similar


def _exact_names(names: Collection[str], text: str) -> set[str]:
    return find_names(names, fold(text))


def _mentions_by_document(names: Collection[str], hits: Sequence[Hit]) -> dict[uuid.UUID, set[str]]:
    mentions: dict[uuid.UUID, set[str]] = {}
    for hit in hits:
        mentions.setdefault(hit.document_id, set()).update(_exact_names(names, full_text(hit)))
    return mentions


async def _add_other_parts(
    session: Session, mentions: Mapping[uuid.UUID, set[str]], names: Collection[str], doubtful: Sequence[uuid.UUID]
) -> None:
    """Add names in the parts of the doubtful documents that the search did not return."""
    for page in await repository.list_whole_texts(session, doubtful) if doubtful else ():
        mentions[page.document_id].update(_exact_names(names, page.text))


def _without_distinctive_name(mentions: Mapping[uuid.UUID, set[str]], hits: Sequence[Hit]) -> list[uuid.UUID]:
    """Return the documents without any name that some documents in their language have, and not all."""
    languages = {hit.document_id: hit.language for hit in hits}
    every = list(mentions.values())
    distinctive = set[str]().union(*every) - (set[str].intersection(*every) if every else set())
    named = {languages[document_id] for document_id, own in mentions.items() if own & distinctive}
    return [
        document_id
        for document_id, own in mentions.items()
        if not own & distinctive and languages[document_id] in named
    ]
