"""Answers written by a language model, each sentence verified against the chunks it cites."""

import secrets
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from lectern.answers.citations import AnswerDraft, CitationSource, CitedSpan, PromptImage, cite
from lectern.answers.errors import ModelUnreadable
from lectern.answers.generation.answer_parser import AnswerParser, GeneratedSentence
from lectern.answers.generation.chat import Chat, Exchange
from lectern.answers.generation.prompt import Prompt, make_prompt
from lectern.answers.schemas import AnswerSentence, Citation, Usage, add_usage
from lectern.answers.text_analysis import is_instruction
from lectern.answers.verification.evidence import EvidenceText
from lectern.answers.verification.support import find_support, restates_question
from lectern.answers.verification.translation import WordLinker
from lectern.chunking.languages import detect_language
from lectern.db.scope import Scope
from lectern.embeddings.active import get_current_model
from lectern.search.schemas import Hit
from lectern.search.service import SearchEngine

_NONCE_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class RestatedSentence:
    """A sentence as it is verified. `is_calculated` tells if calculated figures were replaced."""

    text: str
    is_calculated: bool


class CalculatedResults(Protocol):
    """Results of a calculation, which sentences may state."""

    @property
    def results(self) -> list[str]:
        """The results for the prompt."""
        ...

    @property
    def hits(self) -> list[Hit]:
        """The chunks with the figures of the calculation."""
        ...

    @property
    def sources(self) -> list[CitedSpan]:
        """The places of these figures."""
        ...

    def restate(self, sentence: str) -> RestatedSentence | None:
        """Replace calculated figures by those of the documents. None: the results contradict the sentence."""
        ...


@dataclass(slots=True)
class AnswerWriter:
    """Writes one answer. `draft` is complete when `sentences` has ended."""

    chat: Chat
    engine: SearchEngine
    scope: Scope
    max_source_tokens: int
    draft: AnswerDraft = field(default_factory=lambda: AnswerDraft(mode="model"))
    calculation: CalculatedResults | None = None
    model_seconds: float = 0.0
    _linker: WordLinker | None = None

    async def sentences(
        self, question: str, hits: Sequence[Hit], *, images: Sequence[PromptImage] = ()
    ) -> AsyncGenerator[Citation | AnswerSentence]:
        """Yield each supported sentence after its new citations. A second call, with images, extends the same draft.

        Raises what `Chat.stream` raises, and ModelUnreadable for an answer outside the schema.
        """
        nonce = secrets.token_hex(_NONCE_BYTES)
        limit = self.max_source_tokens
        results = self.calculation.results if self.calculation else ()
        prompt = make_prompt(question, hits, nonce=nonce, max_source_tokens=limit, images=images, results=results)
        parser, exchange = AnswerParser(), Exchange()
        count = 0
        self.draft.model = self.chat.model
        try:
            async for piece in self._stream(prompt, exchange):
                for sentence in parser.feed(piece):
                    count += 1
                    for event in await self._verify(sentence, prompt, question):
                        yield event
        finally:
            self.add_usage(exchange, images)
        if not parser.is_valid():
            raise ModelUnreadable
        if self.draft.sentences:
            self.draft.reason = None
        else:
            self.draft.reason = "unsupported" if parser.answer_found and count else "model_abstained"

    async def _stream(self, prompt: Prompt, exchange: Exchange) -> AsyncGenerator[str]:
        """Yield the pieces of the answer and measure the time spent waiting for them."""
        started = time.perf_counter()
        async for piece in self.chat.stream(prompt, exchange):
            self.model_seconds += time.perf_counter() - started
            yield piece
            started = time.perf_counter()
        self.model_seconds += time.perf_counter() - started

    async def _verify(
        self, sentence: GeneratedSentence, prompt: Prompt, question: str
    ) -> list[Citation | AnswerSentence]:
        hits = [prompt.labels[label] for label in sentence.labels if label in prompt.labels]
        images = [prompt.images[label] for label in sentence.labels if label in prompt.images]
        draft = self.draft
        draft.dropped_labels += len(sentence.labels) - len(hits) - len(images)
        draft.dropped_labels -= sum(label in prompt.results for label in sentence.labels)
        sources = await self._sources(sentence.text, hits, images)
        if not sources or restates_question(sentence.text, question):
            draft.dropped_sentences += 1
            return []
        if any(sentence.text == earlier.text for earlier in draft.sentences):
            return []  # small models repeat a sentence until their tokens are used up
        new = [source for source in sources if source not in draft.sources]
        async with self.engine.database.session(self.scope) as session:
            citations = await cite(session, new, first_number=len(draft.sources) + 1)
        draft.sources += new
        draft.citations += citations
        numbers = [draft.sources.index(source) + 1 for source in sources]
        verified = AnswerSentence(text=sentence.text, citations=numbers)
        draft.sentences.append(verified)
        return [*citations, verified]

    async def _sources(self, text: str, hits: Sequence[Hit], images: Sequence[PromptImage]) -> Sequence[CitationSource]:
        """Return the chunks that support a sentence, with those of the images' pages, else the cited images."""
        chunks = distinct_hits([*hits, *(hit for image in images for hit in image.hits)])
        if self.calculation is not None:
            restated = self.calculation.restate(text)
            if restated is None:
                return []
            if restated.is_calculated:
                is_supported = bool(await self._supporting_together(restated.text, self.calculation.hits))
                return self.calculation.sources if is_supported else []
        return await self._supporting(text, chunks) or ([] if is_instruction(text) else images)

    async def _supporting(self, text: str, hits: Sequence[Hit]) -> list[CitedSpan]:
        """Return support from single chunks, else from all of them together."""
        alone = [span for hit in hits for span in await self._supporting_together(text, [hit])]
        return alone or (await self._supporting_together(text, hits) if len(hits) > 1 else [])

    async def _supporting_together(self, text: str, hits: Sequence[Hit]) -> list[CitedSpan]:
        language = detect_language(text, languages=self.engine.languages)
        evidence = [evidence_text(hit) for hit in hits]
        if self._linker is None:
            self._linker = WordLinker(get_current_model(self.engine.provider))
        links = await self._linker.link(text, evidence, language=language) if evidence else None
        support = find_support(text, evidence, language=language, links=links)
        if support is None:
            return []
        return [CitedSpan(hit, span) for hit, span in zip(hits, support.spans, strict=True) if span is not None]

    def add_usage(self, exchange: Exchange, images: Sequence[PromptImage]) -> None:
        """Add a request to the usage of the draft."""
        used = Usage(
            requests=exchange.requests,
            prompt_tokens=exchange.prompt_tokens,
            completion_tokens=exchange.completion_tokens,
            images=len(images),
            image_bytes=sum(len(image.jpeg) for image in images),
        )
        self.draft.structured = exchange.structured
        self.draft.usage = add_usage(self.draft.usage, used)


def distinct_hits(hits: Iterable[Hit]) -> list[Hit]:
    """Return each chunk once, in order."""
    return list({hit.chunk_id: hit for hit in hits}.values())


def evidence_text(hit: Hit) -> EvidenceText:
    """Return a hit as evidence for a sentence."""
    names = "\n".join([hit.document.replace("_", " "), hit.title or "", *hit.section_path, hit.section_heading or ""])
    return EvidenceText(text=hit.text, names=names, content_type=hit.content_type, language=hit.language)
