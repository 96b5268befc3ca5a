"""Pages for an endpoint that sees: which ones, drawn, within the limits of their number and size."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from typing import Final, NamedTuple

from lectern.answers import repository
from lectern.answers.extractive.features import contradicts_year
from lectern.answers.generation.prompt import PagePicture
from lectern.answers.questions import Question
from lectern.answers.repository import DocumentFacts, PageOfText
from lectern.answers.schemas import SkippedPage
from lectern.answers.verification.instructions import is_instruction
from lectern.db.scope import Scope
from lectern.db.session import Database, Session
from lectern.documents.images.service import PageImageService
from lectern.documents.parts.repository import OriginalFacts
from lectern.documents.parts.service import get_original
from lectern.documents.service import resolve_documents
from lectern.errors import LecternError
from lectern.search.presentation.sentences import split_sentences
from lectern.search.schemas import Hit

WIDTH_PIXELS: Final = 1_240  # of an upright A4 page at 150 dots an inch
_TRIED_FOR_EACH: Final = 2  # pages that are tried for each that may be shown: some cannot be drawn


class _Page(NamedTuple):
    document_id: uuid.UUID
    page_number: int


@dataclass(frozen=True, slots=True)
class _Drawable:
    page: PageOfText
    facts: DocumentFacts
    original: OriginalFacts
    hits: tuple[Hit, ...]


@dataclass(slots=True)
class Gathered:
    """Pages that can be shown, and those that cannot, with the reason."""

    pictures: list[PagePicture] = field(default_factory=list[PagePicture])
    skipped_pages: list[SkippedPage] = field(default_factory=list[SkippedPage])


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What showing pages needs, and how many of them, of how many bytes together."""

    database: Database
    images: PageImageService
    max_pages: int
    max_bytes: int

    async def gather(self, question: Question, hits: Sequence[Hit], *, named: Sequence[str], scope: Scope) -> Gathered:
        """The pages of the hits in their order; among them pages without any text of the documents that are named.

        Row-level security of `scope` decides what is there; drawing waits until the transaction has ended.
        """
        async with self.database.session(scope, is_snapshot=True) as session:
            drawable = await self._choose(session, question, hits, named=named)
        gathered = Gathered()
        for one in drawable:
            if len(gathered.pictures) == self.max_pages:
                break
            drawn = await self._drawn(one, room=self.max_bytes - sum(len(page.jpeg) for page in gathered.pictures))
            if isinstance(drawn, PagePicture):
                gathered.pictures.append(drawn)
            else:
                gathered.skipped_pages.append(drawn)
        return gathered

    async def _choose(
        self, session: Session, question: Question, hits: Sequence[Hit], *, named: Sequence[str]
    ) -> list[_Drawable]:
        by_page: dict[_Page, list[Hit]] = {}
        for hit in hits:
            for number in range(hit.page_number, hit.last_page_number + 1):
                by_page.setdefault(_Page(hit.document_id, number), []).append(hit)
        textless: list[_Page] = []
        if named:
            ids = await resolve_documents(session, named)
            textless = [_Page(*row) for row in await repository.list_unreadable(session, ids, limit=self.max_pages)]
        wanted = list(islice(_in_turns(by_page, textless), _TRIED_FOR_EACH * self.max_pages))
        spans = [(page.document_id, page.page_number, page.page_number) for page in wanted]
        texts = {_Page(*row[:2]): row for row in await repository.list_texts_within(session, spans)}
        ids = list({page.document_id for page in wanted})
        facts = await repository.list_facts(session, ids)
        originals = {one: await get_original(session, one) for one in facts}
        return [
            _Drawable(texts[page], facts[page.document_id], originals[page.document_id], tuple(by_page.get(page, ())))
            for page in wanted
            if page in texts and not contradicts_year(question, _filed_under(facts[page.document_id]))
        ]

    async def _drawn(self, one: _Drawable, *, room: int) -> PagePicture | SkippedPage:
        code = "contains_instructions"
        if not _contains_instructions(one.page.text):
            try:
                jpeg = await self.images.draw(
                    one.original,
                    page_number=one.page.page_number,
                    width_pixels=WIDTH_PIXELS,
                    image_format="jpeg",
                )
            except LecternError as error:
                code = error.code
            else:
                if len(jpeg) <= room:
                    return _picture(one, jpeg)
                code = "too_many_bytes"
        document_id, page_number = one.page.document_id, one.page.page_number
        return SkippedPage(document_id=document_id, document=one.facts.filename, page_number=page_number, code=code)


def _in_turns(found: Iterable[_Page], textless: Iterable[_Page]) -> Iterable[_Page]:
    """One page of each kind after the other, each page once."""
    turns = chain.from_iterable(zip_longest(found, textless))
    return dict.fromkeys(page for page in turns if page is not None)


def _filed_under(facts: DocumentFacts) -> str:
    return f"{facts.title or ''}\n{facts.filename}"


def _contains_instructions(text: str) -> bool:
    """Whether somebody planted an instruction in the page's text: in its picture it could not be left out."""
    return any(is_instruction(text[span.start : span.end]) for span in split_sentences(text, content_type="text"))


def _picture(one: _Drawable, jpeg: bytes) -> PagePicture:
    page = one.page
    return PagePicture(
        document_id=page.document_id,
        document=one.facts.filename,
        title=one.facts.title,
        page_number=page.page_number,
        char_start=page.char_start,
        char_end=page.char_start + len(page.text),
        hits=one.hits,
        jpeg=jpeg,
    )
