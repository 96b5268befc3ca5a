"""Answers that a language model writes, sentence by sentence held against the passages it names."""

import secrets
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from lectern.answers.citations import Cited, Place, cite
from lectern.answers.draft import Outcome
from lectern.answers.errors import ModelUnreadable
from lectern.answers.generation.answer_parser import AnswerReader, Written
from lectern.answers.generation.chat import Chat, Exchange
from lectern.answers.generation.prompt import PagePicture, Prompt, make_prompt
from lectern.answers.schemas import AnswerSentence, Citation, Usage
from lectern.answers.verification.instructions import is_instruction
from lectern.answers.verification.support import Passage, find_support, restates_question
from lectern.chunking.languages import detect_language
from lectern.db.scope import Scope
from lectern.embeddings.active import get_current_model
from lectern.search.ranking.confidence import semantic_fit
from lectern.search.schemas import Hit
from lectern.search.service import SearchEngine

_NONCE_BYTES: Final = 12


@dataclass(slots=True, kw_only=True)
class Writing:
    """One answer of a model while it is written; `outcome` is complete when `sentences` has ended."""

    endpoint: Chat
    engine: SearchEngine
    scope: Scope
    max_source_tokens: int
    outcome: Outcome = field(default_factory=lambda: Outcome(mode="model"))

    async def sentences(
        self, question: str, hits: Sequence[Hit], *, pictures: Sequence[PagePicture] = ()
    ) -> AsyncGenerator[Citation | AnswerSentence]:
        """Each supported sentence, after the citations that it names for the first time.

        Asked again with pictures, it adds to the same outcome.

        Raises what `Chat.stream` raises; ModelUnreadable for an answer that is not in the form.
        """
        nonce = secrets.token_hex(_NONCE_BYTES)
        limit = self.max_source_tokens
        prompt = make_prompt(question, hits, nonce=nonce, max_source_tokens=limit, pictures=pictures)
        reader, exchange = AnswerReader(), Exchange()
        written = 0
        self.outcome.model = self.endpoint.model
        try:
            async for piece in self.endpoint.stream(prompt, exchange):
                for sentence in reader.feed(piece):
                    written += 1
                    for event in await self._checked(sentence, prompt, question):
                        yield event
        finally:
            self._count(exchange, pictures)
        if not reader.is_whole():
            raise ModelUnreadable
        self._conclude(is_found=reader.is_found is True, written=written)

    async def _checked(self, sentence: Written, prompt: Prompt, question: str) -> list[Citation | AnswerSentence]:
        hits = [prompt.labels[label] for label in sentence.labels if label in prompt.labels]
        pages = [prompt.pictures[label] for label in sentence.labels if label in prompt.pictures]
        self.outcome.dropped_labels += len(sentence.labels) - len(hits) - len(pages)
        cited = await self._places(sentence.text, hits, pages)
        if not cited or restates_question(sentence.text, question):
            self.outcome.dropped_sentences += 1
            return []
        if any(sentence.text == said.text for said in self.outcome.sentences):
            return []  # small models say one thing until their tokens are used up
        new = [place for place in cited if place not in self.outcome.places]
        async with self.engine.database.session(self.scope) as session:
            made = await cite(session, new, first_number=len(self.outcome.places) + 1)
        self.outcome.places += new
        self.outcome.citations += made
        numbers = [self.outcome.places.index(place) + 1 for place in cited]
        said = AnswerSentence(text=sentence.text, citations=numbers)
        self.outcome.sentences.append(said)
        return [*made, said]

    async def _places(self, text: str, hits: Sequence[Hit], pages: Sequence[PagePicture]) -> Sequence[Place]:
        """Passages that say it, those of the pages among them; else the pages on whose pictures it is said to stand."""
        passages = _distinct([*hits, *(hit for page in pages for hit in page.hits)])
        return await self._supported(text, passages) or ([] if is_instruction(text) else pages)

    async def _supported(self, text: str, hits: Sequence[Hit]) -> list[Cited]:
        """The places of the passages that say it, each by itself, or all of them together."""
        alone = [place for hit in hits for place in await self._together(text, [hit])]
        return alone or (await self._together(text, hits) if len(hits) > 1 else [])

    async def _together(self, text: str, hits: Sequence[Hit]) -> list[Cited]:
        language = detect_language(text, languages=self.engine.languages, otherwise="") or None
        is_foreign = bool(language) and all(hit.language != language for hit in hits)
        similarity = await self._similarity(text, hits) if is_foreign and hits else None
        found = find_support(text, [passage_of(hit) for hit in hits], language=language, similarity=similarity)
        if found is None:
            return []
        return [Cited(hit, span) for hit, span in zip(hits, found.spans, strict=True) if span is not None]

    async def _similarity(self, text: str, hits: Sequence[Hit]) -> float | None:
        provider = get_current_model(self.engine.provider)
        asked = await provider.embed_query(text)
        vectors = await provider.embed_documents([hit.text for hit in hits])
        return semantic_fit(float((vectors @ asked).max()), similarity_range=provider.info.similarity_range)

    def _count(self, exchange: Exchange, pictures: Sequence[PagePicture]) -> None:
        before = self.outcome.usage or Usage(requests=0, prompt_tokens=0, completion_tokens=0, images=0)
        self.outcome.structured = exchange.structured
        self.outcome.usage = Usage(
            requests=before.requests + exchange.requests,
            prompt_tokens=before.prompt_tokens + exchange.prompt_tokens,
            completion_tokens=before.completion_tokens + exchange.completion_tokens,
            images=before.images + len(pictures),
            image_bytes=before.image_bytes + sum(len(page.jpeg) for page in pictures),
        )

    def _conclude(self, *, is_found: bool, written: int) -> None:
        outcome = self.outcome
        if outcome.sentences:
            outcome.reason = None
        else:
            outcome.reason = "unsupported" if is_found and written else "model_abstained"


def _distinct(hits: Iterable[Hit]) -> list[Hit]:
    return list({hit.chunk_id: hit for hit in hits}.values())


def passage_of(hit: Hit) -> Passage:
    """A hit as its sentences are held against it."""
    filed = "\n".join([hit.document.replace("_", " "), hit.title or "", *hit.section_path, hit.section_heading or ""])
    return Passage(text=hit.text, filed_under=filed, content_type=hit.content_type, language=hit.language)
