"""Selection of the best sentence and its rectangles, by query words or by meaning."""

from collections.abc import Sequence

import pytest
from tests.search.conftest import EXACT, Library
from tests.search.library import store_document

from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.errors import EmbeddingsUnavailable
from lectern.embeddings.provider import Vectors
from lectern.embeddings.providers.hash import HashProvider
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.presentation.nearest_sentences import MAX_COMPARED
from lectern.search.schemas import Hit, SearchRequest

FILLER = [f"Chapter {name} is about something that nobody asked for at all." for name in ("one", "two", "three")]
ANSWER = "The vault opens at nine in the morning."
# Long enough that the answer is not in its beginning.
PASSAGE = " ".join([*FILLER * 3, ANSWER, *FILLER])


async def store(library: Library, passages: Sequence[str]) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, passages, shelf=library.shelf)


def sentence_of(hit: Hit) -> str:
    assert hit.sentence is not None
    return hit.snippet.text[hit.sentence.start : hit.sentence.end]


async def test_sentence_with_query_words_has_its_own_rectangles(library: Library) -> None:
    await store(library, [f"{ANSWER} It closes at five.", "Something else."])
    (hit,) = (await library.search("when does the vault open", top_k=1)).data
    assert sentence_of(hit) == ANSWER
    assert hit.sentence is not None
    assert hit.sentence.basis == "words"
    assert (hit.sentence.char_start, hit.sentence.char_end) == (hit.char_start, hit.char_start + len(ANSWER))
    ((rectangle,), (whole,)) = [
        [rect for place in part for rect in place.rects] for part in (hit.sentence.highlights, hit.highlights)
    ]
    assert (rectangle.x, rectangle.y) == (whole.x, whole.y)
    assert rectangle.w == pytest.approx(whole.w * len(ANSWER) / len(hit.snippet.text), abs=0.02)


async def test_snippet_without_word_matches_shows_the_nearest_sentence(library: Library) -> None:
    await store(library, [PASSAGE, "Something else."])
    question = "vault opens at nine in the morning"
    (plain,) = (await library.search(question, hybrid=False, top_k=1)).data
    assert ANSWER not in plain.snippet.text
    assert plain.sentence is None
    response = await library.search(question, hybrid=False, top_k=1, nearest_sentence=True)
    (hit,) = response.data
    assert sentence_of(hit) == ANSWER
    assert hit.sentence is not None
    assert hit.sentence.basis == "meaning"
    assert hit.sentence.char_start == hit.char_start + PASSAGE.index(ANSWER)
    assert hit.sentence.highlights[0].page_number == 1
    assert len(hit.sentence.highlights[0].rects) == 1
    assert response.metadata.took_ms.sentences > 0


async def test_heading_is_not_the_nearest_sentence(library: Library) -> None:
    await store(library, [f"Vault hours\n\n{ANSWER}"])
    response = await library.search("vault hours", hybrid=False, nearest_sentence=True)
    assert sentence_of(response.data[0]) == ANSWER


async def test_hits_with_query_words_are_not_compared(library: Library) -> None:
    await store(library, [PASSAGE])
    response = await library.search("vault opens", nearest_sentence=True)
    assert sentence_of(response.data[0]) == ANSWER
    assert response.data[0].sentence is not None
    assert response.data[0].sentence.basis == "words"


class Counting(HashProvider):
    """A model that counts the texts of each call. It can be made unreachable for documents."""

    def __init__(self, *, is_reachable: bool = True) -> None:
        super().__init__(64)
        self.given: list[int] = []
        self._is_reachable = is_reachable

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.given.append(len(texts))
        if not self._is_reachable and len(texts) > 1:  # the query is a single text
            raise EmbeddingsUnavailable
        return await super().embed_documents(texts)


async def test_only_top_hits_are_compared_and_the_first_always(library: Library) -> None:
    long = " ".join(f"Row {number} of many has nothing to say." for number in range(MAX_COMPARED * 2))
    await store(library, [f"The vault. {long}", PASSAGE, PASSAGE.replace("nine", "ten")])
    request = SearchRequest(query="vault of many rows", hybrid=False, nearest_sentence=True)
    provider = Counting()
    response = await library.engine(EXACT, provider=provider).search_in_scope(request, SYSTEM_SCOPE)
    assert len(response.data) == 3
    assert 0 < provider.given[-1] <= MAX_COMPARED
    assert response.data[0].sentence is not None


async def test_model_lost_during_a_search_is_reported(library: Library) -> None:
    await store(library, [PASSAGE])
    request = SearchRequest(query="vault", hybrid=False, nearest_sentence=True)
    engine = library.engine(EXACT, provider=Counting(is_reachable=False))
    with pytest.raises(SemanticSearchUnavailable, match="sentences could not be compared"):
        await engine.search_in_scope(request, SYSTEM_SCOPE)
