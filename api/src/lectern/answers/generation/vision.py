"""Vision: a second request with page images, if the text gives no answer and the endpoint reads images."""

import logging
import time
import uuid
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from typing import Final, NamedTuple

from lectern.answers import repository
from lectern.answers.citations import PromptImage
from lectern.answers.entities import contradicts_year
from lectern.answers.errors import ModelCannotSee, ModelRejected, ModelTimeout, ModelUnavailable, ModelUnreadable
from lectern.answers.generation.writer import AnswerWriter
from lectern.answers.questions import Question
from lectern.answers.repository import DocumentNames, PageOfText
from lectern.answers.schemas import (
    AnswerSentence,
    Citation,
    SentPage,
    SkippedPage,
    Usage,
    Vision,
    VisionProblem,
    VisionStatus,
)
from lectern.answers.text_analysis import is_instruction
from lectern.db.scope import Scope
from lectern.db.session import Database, Session
from lectern.documents.errors import PageHasNoImage
from lectern.documents.images.service import PageImageService
from lectern.documents.parts.service import StoredFile, get_original
from lectern.documents.service import resolve_documents
from lectern.errors import LecternError
from lectern.extraction.sandbox.drawing import DRAWABLE_TYPES
from lectern.search.presentation.sentences import split_sentences
from lectern.search.schemas import Hit

logger = logging.getLogger(__name__)
_FAILURES = (ModelRejected, ModelTimeout, ModelUnavailable, ModelUnreadable)
_WIDTH_PIXELS: Final = 1_240  # of an upright A4 page at 150 dots an inch
_CANDIDATES_PER_IMAGE: Final = 2  # some pages cannot be rendered


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionContext:
    """A question, the hits to answer from, and the documents that the request names."""

    question: Question
    hits: Sequence[Hit]
    documents: Sequence[str]


async def write_answer(
    writer: AnswerWriter, context: QuestionContext, *, page_images: "PageImageSource | None"
) -> AsyncGenerator[Citation | AnswerSentence]:
    """Yield the sentences that the text supports, else those of a second request with page images.

    Errors of the second request are stored in `draft.vision`, because the first request already gave a result.

    Raises what `AnswerWriter.sentences` raises; for the second request only after it has yielded a sentence.
    """
    if context.hits:
        async for event in writer.sentences(context.question.text, context.hits):
            yield event
    else:
        writer.draft.reason = "nothing_found"
    if page_images is not None and not writer.draft.sentences:
        async for event in _write_from_images(writer, context, page_images):
            yield event


async def _write_from_images(
    writer: AnswerWriter, context: QuestionContext, page_images: "PageImageSource"
) -> AsyncGenerator[Citation | AnswerSentence]:
    started, usage = time.perf_counter(), writer.draft.usage
    selection = await page_images.select(context, scope=writer.scope)
    status: VisionStatus = "no_pages"
    problem: LecternError | None = None
    if selection.images:
        try:
            async for event in writer.sentences(context.question.text, context.hits, images=selection.images):
                yield event
            status = "answered" if writer.draft.sentences else "abstained"
        except _FAILURES as error:
            if writer.draft.sentences:
                raise
            status, problem = "refused" if isinstance(error, ModelCannotSee) else "failed", error
            logger.warning("The chat endpoint did not read page images", extra={"code": error.code})
    took_ms = (time.perf_counter() - started) * 1000
    writer.draft.vision = _vision(status, selection, problem, usage, writer.draft.usage, took_ms=took_ms)


def _vision(
    status: VisionStatus,
    selection: "PageSelection",
    problem: LecternError | None,
    before: Usage | None,
    after: Usage | None,
    *,
    took_ms: float,
) -> Vision:
    return Vision(
        status=status,
        pages=[
            SentPage(document_id=image.document_id, document=image.document, page_number=image.page_number)
            for image in selection.images
        ],
        skipped_pages=selection.skipped_pages,
        prompt_tokens=(after.prompt_tokens if after else 0) - (before.prompt_tokens if before else 0),
        completion_tokens=(after.completion_tokens if after else 0) - (before.completion_tokens if before else 0),
        took_ms=round(took_ms, 3),
        problem=problem and VisionProblem(code=problem.code, detail=problem.message, hint=problem.hint),
    )


class _PageKey(NamedTuple):
    document_id: uuid.UUID
    page_number: int


@dataclass(frozen=True, slots=True)
class _PageCandidate:
    page: PageOfText
    names: DocumentNames
    original: StoredFile
    hits: tuple[Hit, ...]


@dataclass(slots=True)
class PageSelection:
    """Page images to send, and the pages skipped with their reasons."""

    images: list[PromptImage] = field(default_factory=list[PromptImage])
    skipped_pages: list[SkippedPage] = field(default_factory=list[SkippedPage])


@dataclass(frozen=True, slots=True, kw_only=True)
class PageImageSource:
    """Selects and renders pages, within a limit of their number and of their total size."""

    database: Database
    images: PageImageService
    max_pages: int
    max_bytes: int

    async def select(self, context: QuestionContext, *, scope: Scope) -> PageSelection:
        """Render the pages of the hits in order, alternating with textless pages of the named documents.

        Pages are read in `scope`. Rendering begins after the transaction has ended.
        """
        async with self.database.session(scope, is_snapshot=True) as session:
            candidates = await self._candidates(session, context)
        selection = PageSelection()
        for candidate in candidates:
            if len(selection.images) == self.max_pages:
                break
            room = self.max_bytes - sum(len(image.jpeg) for image in selection.images)
            rendered = await self._render(candidate, room=room)
            if isinstance(rendered, PromptImage):
                selection.images.append(rendered)
            else:
                selection.skipped_pages.append(rendered)
        return selection

    async def _candidates(self, session: Session, context: QuestionContext) -> list[_PageCandidate]:
        by_page: dict[_PageKey, list[Hit]] = {}
        for hit in context.hits:
            for number in range(hit.page_number, hit.last_page_number + 1):
                by_page.setdefault(_PageKey(hit.document_id, number), []).append(hit)
        textless: list[_PageKey] = []
        if context.documents:
            ids = await resolve_documents(session, context.documents)
            textless = [_PageKey(*row) for row in await repository.list_unreadable(session, ids, limit=self.max_pages)]
        wanted = list(islice(_alternate(by_page, textless), _CANDIDATES_PER_IMAGE * self.max_pages))
        spans = [(page.document_id, page.page_number, page.page_number) for page in wanted]
        texts = {_PageKey(*row[:2]): row for row in await repository.list_texts_within(session, spans)}
        names = await repository.list_names(session, list({page.document_id for page in wanted}))
        originals = {one: await get_original(session, one) for one in names}
        return [
            _PageCandidate(
                texts[page], names[page.document_id], originals[page.document_id], tuple(by_page.get(page, ()))
            )
            for page in wanted
            if page in texts and not contradicts_year(context.question, _joined(names[page.document_id]))
        ]

    async def _render(self, candidate: _PageCandidate, *, room: int) -> PromptImage | SkippedPage:
        page = candidate.page
        code = "contains_instructions"
        if candidate.original.content_type not in DRAWABLE_TYPES:
            code = PageHasNoImage.code
        elif not _contains_instructions(page.text):
            try:
                jpeg = await self.images.draw(
                    page.document_id,
                    candidate.original,
                    page_number=page.page_number,
                    width_pixels=_WIDTH_PIXELS,
                    image_format="jpeg",
                )
            except LecternError as error:
                code = error.code
            else:
                if len(jpeg) <= room:
                    return _prompt_image(candidate, jpeg)
                code = "too_many_bytes"
        return SkippedPage(
            document_id=page.document_id, document=candidate.names.filename, page_number=page.page_number, code=code
        )


def _alternate(retrieved: Iterable[_PageKey], textless: Iterable[_PageKey]) -> Iterable[_PageKey]:
    """Alternate between both kinds of pages, without duplicates."""
    turns = chain.from_iterable(zip_longest(retrieved, textless))
    return dict.fromkeys(page for page in turns if page is not None)


def _joined(names: DocumentNames) -> str:
    return f"{names.title or ''}\n{names.filename}"


def _contains_instructions(text: str) -> bool:
    """Return True if the page addresses a language model. A sentence cannot be removed from an image."""
    return any(is_instruction(text[span.start : span.end]) for span in split_sentences(text, content_type="text"))


def _prompt_image(candidate: _PageCandidate, jpeg: bytes) -> PromptImage:
    page = candidate.page
    return PromptImage(
        document_id=page.document_id,
        document=candidate.names.filename,
        title=candidate.names.title,
        page_number=page.page_number,
        char_start=page.char_start,
        char_end=page.char_start + len(page.text),
        hits=candidate.hits,
        jpeg=jpeg,
    )
