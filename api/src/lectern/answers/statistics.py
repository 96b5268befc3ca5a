"""Counts over the full text of a document."""

import asyncio
import re
import uuid
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

from lectern.answers import repository
from lectern.answers.errors import DocumentNotRead
from lectern.answers.schemas import DocumentStats, FormCount, PageCount
from lectern.answers.text_analysis import fold, singular
from lectern.db.session import Session
from lectern.documents.errors import DocumentNotFound
from lectern.documents.parts.text_search import find_words

_WORD: Final = re.compile(r"[^\W_]+(?:[-.,'’/][^\W_]+)*")


async def get_stats(session: Session, document_id: uuid.UUID, *, term: str | None) -> DocumentStats:
    """Count pages, words and, if given, a term. Raises DocumentNotFound, DocumentNotRead."""
    names = (await repository.list_names(session, [document_id])).get(document_id)
    if names is None:
        raise DocumentNotFound
    pages = await repository.list_whole_texts(session, [document_id])
    text = "\n".join(page.text for page in pages)
    if not text.strip():
        raise DocumentNotRead(details={"document": names.filename})
    counts = None
    if term is not None:
        starts = [page.char_start for page in pages]
        counts = await asyncio.to_thread(count_term, text, term, page_starts=starts)
    return DocumentStats(
        document_id=document_id,
        document=names.filename,
        page_count=len(pages),
        word_count=await asyncio.to_thread(count_words, text),
        character_count=len(text),
        term=term,
        term_count=None if counts is None else counts.total(),
        term_pages=None
        if counts is None
        else [PageCount(page_number=pages[index].page_number, count=counts[index]) for index in sorted(counts)],
        other_forms=[] if term is None else await asyncio.to_thread(count_other_forms, text, term),
    )


def count_words(text: str) -> int:
    """Count words and numbers. "1,500.00", "well-known" and "don't" are one each."""
    return sum(1 for _ in _WORD.finditer(text))


def count_other_forms(text: str, term: str) -> list[FormCount]:
    """Count words with the letters of a single word and another ending, the most frequent first."""
    own = fold(term.strip())
    if not own.isalpha():
        return []
    wanted = singular(own)
    words = Counter(fold(match[0]) for match in _WORD.finditer(text))
    forms = {word: count for word, count in words.items() if word != own and singular(word) == wanted}
    return [FormCount(word=word, count=forms[word]) for word in sorted(forms, key=lambda word: (-forms[word], word))]


def count_term(text: str, term: str, *, page_starts: Sequence[int]) -> Counter[int]:
    """Count a term as whole words, by the index of the page where each match begins."""
    counts: Counter[int] = Counter()
    for match in find_words(text, term):
        before, after = text[match.char_start - 1 : match.char_start], text[match.char_end : match.char_end + 1]
        is_cut = (before.isalnum() and text[match.char_start].isalnum()) or (
            after.isalnum() and text[match.char_end - 1].isalnum()
        )
        if not is_cut:
            counts[bisect_right(page_starts, match.char_start) - 1] += 1
    return counts
