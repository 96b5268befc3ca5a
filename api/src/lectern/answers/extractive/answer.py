"""Answers made of the best sentences of the retrieved chunks."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from lectern.answers.citations import AnswerDraft, CitedSpan, cite
from lectern.answers.entities import (
    drop_documents_of_later_years,
    drop_documents_without_names,
    drop_documents_without_numbers,
    full_text,
    list_similarly_named,
)
from lectern.answers.extractive.scoring import Candidate, score_sentences
from lectern.answers.extractive.sentences import cut
from lectern.answers.questions import Question, list_words, may_ask_for_several, topic_words
from lectern.answers.retrieval import RetrievalResult
from lectern.answers.schemas import AnswerSentence, Citation, Reason
from lectern.answers.text_analysis import content_words, identifiers, numbers
from lectern.db.scope import Scope
from lectern.embeddings.active import get_current_model
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.presentation.sentences import Span
from lectern.search.ranking.confidence import estimate_answer_confidence
from lectern.search.schemas import Hit
from lectern.search.service import SearchEngine

_MAX_SENTENCES: Final = 3
_MIN_PROBABILITY_SHARE: Final = 0.9  # of the best sentence, for further ones
_RIVAL_SHARE: Final = 0.3  # of the best sentence's probability, for one of another document
_SAME_WORDS: Final = 0.7  # share of the best sentence's words in one that says the same
_HEADING_WORDS: Final = 0.7  # share of a sentence's words in title and headings, above which it tells nothing new


async def extract_answer(
    question: Question, retrieved: RetrievalResult, *, engine: SearchEngine, scope: Scope
) -> AnswerDraft:
    """Answer with the best sentences, or with a reason why there is no answer.

    A comparison answers from each document, and names in `missing` those without an answer.
    `rivals` names the documents that answer a question differently and nearly as likely.
    """
    best: list[Candidate] = []
    missing: list[str] = []
    closest: dict[uuid.UUID, Span] = {}
    rivals: list[str] = []
    evidence = 0.0
    is_calculable = False
    async with engine.database.session(scope) as session:
        dated = [await drop_documents_of_later_years(session, question, hits) for hits in retrieved.groups]
        named = [await drop_documents_without_names(session, question, hits) for hits in dated]
        named = [await drop_documents_without_numbers(session, question, hits) for hits in named]
    groups = [own or list_similarly_named(question, hits) for own, hits in zip(named, dated, strict=True)]
    provider = get_current_model(engine.provider)
    for hits, own in zip(groups, named, strict=True):
        scored = await rank_sentences(question, hits, provider=provider)
        closest |= {one.hit.chunk_id: one.span for one in reversed(scored)}
        candidates = best_sentences(question, scored)
        evidence = max([evidence, *(candidate.probability for candidate in candidates[:1])])
        is_calculable |= any(candidate.is_likely and not candidate.has_kind for candidate in candidates[:1])
        if not own:
            continue
        if rivals := _rival_documents(question, candidates[:1], scored):
            break
        if candidates and candidates[0].is_answer and not repeats_headings(candidates[0]):
            best += candidates
        elif hits and len(retrieved.groups) > 1:
            missing.append(hits[0].document)
    draft = AnswerDraft(
        mode="extractive",
        evidence=round(evidence, 4),
        confidence=_estimate_confidence(question, retrieved, evidence),
        closest=closest,
        rivals=rivals,
    )
    if not best:
        reason = "not_calculated" if is_calculable else _reason(question, retrieved, is_contradicted=not any(groups))
        draft.reason = "ambiguous_document" if rivals else reason
        return draft
    async with engine.database.session(scope) as session:
        draft.citations = await cite(session, [CitedSpan(one.hit, one.span, one.header) for one in best])
    draft.missing = missing
    draft.sentences = [
        AnswerSentence(text=text, citations=[citation.number])
        for text, citation in zip(_quote(best, draft.citations), draft.citations, strict=True)
    ]
    return draft


def _quote(best: Sequence[Candidate], citations: Sequence[Citation]) -> Iterator[str]:
    """Yield the text of each sentence, rows of a page below their header unless the row before has the same one.

    The lines above a group of rows are between them.
    """
    header: list[str] | None = None
    for one, citation in zip(best, citations, strict=True):
        table = citation.table
        if table is None or cut(one.hit, one.span).startswith("|"):
            yield one.text
        else:
            rows = "; ".join(map(_join_cells, table.rows))
            group = " ".join(cut(one.hit, one.group).split()) if one.group else ""
            above = "" if table.header == header else _join_cells(table.header)
            yield " … ".join(filter(None, (above, group, rows)))
        header = table.header if table else None


def _join_cells(cells: Sequence[str]) -> str:
    return " | ".join(cells).strip()


def _estimate_confidence(question: Question, retrieved: RetrievalResult, evidence: float) -> float | None:
    """Return the confidence of an answer, or None for an underspecified question: no sentence is scored."""
    if retrieved.confidence is None or _is_underspecified(question, retrieved.all_hits):
        return None
    return round(estimate_answer_confidence(retrieved.confidence, evidence), 4)


def _reason(question: Question, retrieved: RetrievalResult, *, is_contradicted: bool) -> Reason:
    if not retrieved.all_hits:
        return "nothing_found"
    if is_contradicted:
        return "contradicted"
    return "underspecified" if _is_underspecified(question, retrieved.all_hits) else "weak_evidence"


async def rank_sentences(question: Question, hits: Sequence[Hit], *, provider: EmbeddingProvider) -> list[Candidate]:
    """Return sentences, the most probable answer first. Returns nothing for a question that leaves open about what."""
    if _is_underspecified(question, hits):
        return []
    candidates = await score_sentences(question, hits, provider=provider)
    return sorted(candidates, key=lambda candidate: -candidate.probability)


def _is_underspecified(question: Question, hits: Sequence[Hit]) -> bool:
    """Return True if a question has no name or code, and no word but one that several documents have.

    "How long do they keep it?" is answered by any of them.
    """
    words = topic_words(question)
    if len(words) > 1 or question.names or identifiers(question.text):
        return False
    return not words or len({hit.document_id for hit in hits if words <= set(content_words(full_text(hit)))}) > 1


def best_sentences(question: Question, candidates: list[Candidate]) -> list[Candidate]:
    """Return the most probable answer and up to two that are nearly as probable, or the best non-answer."""
    if not candidates or not candidates[0].is_answer:
        return candidates[:1]
    if _asks_for_section(question, candidates[0]):
        return _first_sentences(candidates)
    floor = max(_MIN_PROBABILITY_SHARE * candidates[0].probability, candidates[0].model.threshold)
    more = [candidate for candidate in candidates[1:_MAX_SENTENCES] if candidate.probability >= floor]
    return _distinct([candidates[0], *more, *_further_rows(question, candidates)])


def _further_rows(question: Question, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the rows of the best row's table that the question names too: equity in "net profit and equity".

    Each has few of the question's words, so its probability may be low.
    """
    best = candidates[0]
    if not best.row_name or not may_ask_for_several(question.text):
        return []
    found: list[Candidate] = []
    missing = set(question.words) - set(list_words(best.text, question))
    for one in candidates[1:]:
        named = missing & set(list_words(one.row_name, question))
        if named and one.hit is best.hit and len(found) < _MAX_SENTENCES - 1:
            found.append(one)
            missing -= set(list_words(one.text, question))
    return found


def _rival_documents(question: Question, best: Sequence[Candidate], candidates: Sequence[Candidate]) -> list[str]:
    """Return the documents that answer differently, if there are several. A comparison asks for several."""
    if question.is_comparison or not best or not best[0].is_answer:
        return []
    floor = _RIVAL_SHARE * best[0].probability
    likely = (one for one in candidates if one.probability >= floor and not _says_the_same(best[0], one))
    names = dict.fromkeys([best[0].hit.document, *(one.hit.document for one in likely)])
    return list(names) if len(names) > 1 else []


def _says_the_same(best: Candidate, other: Candidate) -> bool:
    """Return True for the same numbers and most of the words, as in two editions of a document."""
    words = set(content_words(best.text))
    shared = words & set(content_words(other.text))
    return numbers(best.text) == numbers(other.text) and len(shared) > _SAME_WORDS * len(words)


def repeats_headings(candidate: Candidate) -> bool:
    """Return True for a line of title and headings, such as the running head "Travel Policy 2024".

    A figure of its own tells more than the heading: "The notice period is 30 days."
    """
    hit = candidate.hit
    name = hit.document.replace("_", " ").replace("-", " ")
    headings = "\n".join([name, hit.title or "", *hit.section_path, hit.section_heading or ""])
    if numbers(candidate.text) - numbers(headings):
        return False
    words, known = content_words(candidate.text), set(content_words(headings))
    return sum(word in known for word in words) >= _HEADING_WORDS * len(words)


def _asks_for_section(question: Question, best: Candidate) -> bool:
    """Return True if the question only names the code of the section: "What does art. 12-bis say?"."""
    wanted = identifiers(question.text) - question.years
    is_headed = bool(wanted) and wanted <= identifiers(best.hit.section_heading or "")
    return is_headed and not wanted & identifiers(best.text) and not set(question.words) & set(content_words(best.text))


def _first_sentences(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the first sentences of the best candidate's chunk, with its probability."""
    best = candidates[0]
    own = sorted((one for one in candidates if one.hit is best.hit), key=lambda candidate: candidate.span.start)
    return [replace(one, probability=best.probability) for one in own[:_MAX_SENTENCES]]


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Remove repetitions: overlapping chunks have the same sentence twice."""
    distinct: list[Candidate] = []
    for candidate in candidates:
        if not any(candidate.text == other.text or candidate.overlaps(other) for other in distinct):
            distinct.append(candidate)
    return distinct
