"""Links between the words of a sentence and of a passage, by the dictionary or by their embeddings."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, TypeAlias

import numpy as np

from lectern.answers.text_analysis import content_words, load_data
from lectern.answers.verification.evidence import EvidenceText, usable_names
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.search.query.translation import STEMMERS, translate

WordLinks: TypeAlias = Mapping[str, frozenset[str]]

_COMMON_WORDS: Final = {
    language: tuple(words.split()) for language, words in load_data("common_words")["words"].items()
}
_MEANS: Final[dict[tuple[str, Sequence[str]], Vectors]] = {}  # of the common words, by model and words
_WORD: Final = re.compile(r"[^\W\d_]+")
_MIN_LINK: Final = 0.25
_NEAR_BEST: Final = 0.05
_MIN_SHARED: Final = 0.5  # of the words of a sentence whose language is not clear
_TINY: Final = 1e-9


def plain_words(text: str) -> dict[str, str]:
    """Return the words of a text that may need translation, by stem."""
    words: dict[str, str] = {}
    for match in _WORD.finditer(text):
        words |= dict.fromkeys(content_words(match[0]), match[0].lower())
    return words


def link_by_dictionary(
    claimed: Mapping[str, str], actual: Mapping[str, str], *, languages: tuple[str, str]
) -> dict[str, frozenset[str]]:
    """Return the stems of the passage that translate each stem of the sentence, or have an English word in common."""
    language, target = languages
    into = {language: target, target: language} if "en" in languages else dict.fromkeys(languages, "en")
    meanings = {stem: translated_stems(word, target, into=into[target]) | {stem} for stem, word in actual.items()}
    links: dict[str, frozenset[str]] = {}
    for stem, word in claimed.items():
        own = translated_stems(word, language, into=into[language]) | {stem}
        links[stem] = frozenset(other for other, its in meanings.items() if not own.isdisjoint(its))
    return links


def translated_stems(word: str, language: str | None, *, into: str | None) -> frozenset[str]:
    """Return the stems of a word's translations into a language."""
    translations = [one for one in translate(word, language) if one.language == into]
    return frozenset(chain.from_iterable(content_words(one.word) for one in translations))


def link_words(claimed: Sequence[str], actual: Sequence[str], similarity: Vectors) -> dict[str, frozenset[str]]:
    """Return the nearest stems of the passage for each stem of the sentence."""
    links: dict[str, frozenset[str]] = {}
    for row, stem in enumerate(claimed):
        near = similarity[row] >= max(_MIN_LINK, similarity[row].max() - _NEAR_BEST)
        links[stem] = frozenset(actual[column] for column in np.flatnonzero(near).tolist())
    return links


def centre(vectors: Vectors, mean: Vectors) -> Vectors:
    """Remove the mean of a language's common words, and normalize."""
    moved = vectors - mean
    return moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), _TINY)


class WordLinker:
    """Finds translations by the dictionary, else by the embedding model. Keeps the vectors of words it has seen."""

    def __init__(self, provider: EmbeddingProvider) -> None:
        self._provider = provider
        self._vectors: dict[str, Vectors] = {}

    async def link(self, sentence: str, evidence: Sequence[EvidenceText], *, language: str | None) -> WordLinks | None:
        """Return translations, or None if the sentence is in a language of the evidence."""
        claimed, actual = plain_words(sentence), dict[str, str]()
        for one in evidence:
            actual |= plain_words(f"{usable_names(one)}\n{one.text}")
        if not claimed or not actual or not _is_foreign(claimed, actual, evidence, language=language):
            return None
        target = evidence[0].language
        if language in STEMMERS and target in STEMMERS:
            return link_by_dictionary(claimed, actual, languages=(language, target))
        return await self._link_by_meaning(claimed, actual, languages=(language, target))

    async def _link_by_meaning(
        self, claimed: Mapping[str, str], actual: Mapping[str, str], *, languages: tuple[str | None, str | None]
    ) -> WordLinks:
        """Return the `actual` words with the nearest embeddings for each of the `claimed` ones, all by stem."""
        language, target = languages
        await self._embed([*claimed.values(), *actual.values()])
        similarity = await self._centred(claimed.values(), language) @ (await self._centred(actual.values(), target)).T
        return link_words(list(claimed), list(actual), similarity)

    async def _centred(self, words: Iterable[str], language: str | None) -> Vectors:
        common = _COMMON_WORDS.get(language or "") or tuple(chain.from_iterable(_COMMON_WORDS.values()))
        key = (self._provider.info.fingerprint, common)
        if key not in _MEANS:
            _MEANS[key] = (await self._provider.embed_documents(common)).mean(axis=0)
        return centre(np.stack([self._vectors[word] for word in words]), _MEANS[key])

    async def _embed(self, words: Iterable[str]) -> None:
        new = [word for word in dict.fromkeys(words) if word not in self._vectors]
        if new:
            self._vectors |= dict(zip(new, await self._provider.embed_documents(new), strict=True))


def _is_foreign(
    claimed: Mapping[str, str], actual: Mapping[str, str], evidence: Sequence[EvidenceText], *, language: str | None
) -> bool:
    """Return True if no text is in the sentence's language. A short sentence has none, but perhaps common words."""
    if language:
        return all(one.language != language for one in evidence)
    return len(claimed.keys() & actual.keys()) < _MIN_SHARED * len(claimed)
