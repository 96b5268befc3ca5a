"""A response tells nothing about what is outside the scope: other documents there change no byte of it."""

import random
import statistics
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy import delete, select
from tests.search.test_result_cache import PEARS, asker, change, principal

from lectern.collections.models import Collection
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.documents.models import Document
from lectern.embeddings.provider import Vectors
from lectern.embeddings.providers.hash import HashProvider
from lectern.search.result_cache import ResultCache
from lectern.search.schemas import SearchRequest
from lectern.search.why.schemas import WhyRequest
from lectern.search.why.service import explain_absence
from lectern.settings import SearchSettings
from lectern.tags.models import Tag

from .conftest import EXACT, INDEXED, Library, store
from .library import LIBRARY, Passage, counted, recounted, store_document

SCOPES = ("collection", "collections", "tag", "documents", "tag_and_collection")
SHARED = {
    "en": "harbour light report invoice total running houses current assets ratio the of and was",
    "it": "porto luce fattura totale acquisizioni società controllate della e di il",
    "de": "Hafen Licht Rechnung Gesamtbetrag Häuser laufende der und das",
}
OWN = ["lantern", "pier", "SKU-0042", "222,730", "63/2013", "4.5%", "FY2021", "Boeing", "molo", "Leuchtturm", "ormeggi"]
# Words of documents outside the scope, each with a word of the same shape that nobody wrote.
# None has a translation: with one, the response would differ by the query and not by the documents.
INVENTED = {
    "zanzibar": "zanzabir",
    "warheads": "warfeads",
    "SKU-9973": "SKU-9937",
    "918,273": "918,723",
    "77/1997": "79/1998",
    "8.9%": "9.8%",
    "FY2017": "FY2016",
    "Airbus": "Airbos",
    "scialuppe": "scialoppe",
    "Schiffswracks": "Schiffswrocks",
    "palombaro": "palombero",
}
FOREIGN = list(INVENTED)
LANGUAGES = ("en", "it", "de")
SETTINGS = {"exact": EXACT, "index": INDEXED}


@dataclass(frozen=True, slots=True)
class TwoParts:
    """A library of documents in a scope and documents outside of every scope here."""

    library: Library
    scopes: dict[str, Scope]
    own: Sequence[uuid.UUID]
    foreign_collection: uuid.UUID

    async def replace_foreign(self, chance: random.Random, *, documents: int) -> None:
        """Store other documents outside the scope: in a collection of theirs, and beside the tagged ones."""
        async with self.library.database.session(SYSTEM_SCOPE) as session:
            await session.execute(delete(Document).where(Document.id.not_in(self.own)))
            for number in range(documents):
                collection = self.foreign_collection if number % 3 else self.library.shelf.collection
                await store_document(
                    session,
                    [write(chance, [*OWN, *FOREIGN]) for _ in range(chance.randint(1, 8))],
                    filename=f"{' '.join(chance.sample([*OWN, *FOREIGN, 'Q2', '2021'], 3))} {number}.pdf",
                    tags=["other"],
                    shelf=replace(self.library.shelf, collection=collection),
                )


def write(chance: random.Random, special: Sequence[str]) -> Passage:
    """Write a passage in some language, with a few of the special words."""
    language = chance.choice(LANGUAGES)
    words = chance.choices(SHARED[language].split(), k=14) + chance.sample(list(special), 3)
    chance.shuffle(words)
    return Passage(" ".join(words), language)


async def build(library: Library, chance: random.Random, *, documents: int = 6, passages: int = 6) -> TwoParts:
    """Store the documents in scope. Collections alone see no document of another collection."""
    ours, theirs = uuid.uuid4(), uuid.uuid4()
    own: list[uuid.UUID] = []
    async with library.database.session(SYSTEM_SCOPE) as session:
        session.add_all([Collection(id=ours, name="ours"), Collection(id=theirs, name="theirs")])
        await session.flush()
        for number in range(documents):
            stored = await store_document(
                session,
                [write(chance, OWN) for _ in range(chance.randint(2, passages))],
                filename=f"{chance.choice(OWN)} report {2019 + number}Q{1 + number % 4}.pdf",
                tags=["mine"],
                shelf=replace(library.shelf, collection=ours),
            )
            own.append(stored)
        mine = (await session.scalars(select(Tag.id).where(Tag.name == "mine"))).one()
    scopes = {
        "collection": Scope(actor="key:1", collections=frozenset({ours})),
        "collections": Scope(actor="key:1", collections=frozenset({ours, uuid.uuid4()})),
        "tag": Scope(actor="key:1", tags=frozenset({mine})),
        "documents": Scope(actor="key:1", documents=frozenset(own)),
        "tag_and_collection": Scope(actor="key:1", tags=frozenset({mine}), collections=frozenset({ours})),
    }
    return TwoParts(library, scopes, own, theirs)


def queries(chance: random.Random, count: int) -> list[dict[str, Any]]:
    """Return requests of shared, own, foreign and invented words in one or more languages."""
    made: list[dict[str, Any]] = []
    for _ in range(count):
        words = chance.sample([*OWN, *FOREIGN, *INVENTED.values()], chance.randint(1, 3))
        for language in chance.sample(LANGUAGES, chance.randint(0, 2)):
            words += chance.choices(SHARED[language].split(), k=chance.randint(1, 4))
        chance.shuffle(words)
        query = " ".join(words) + chance.choice(["", "?", " in 2021", " quick ratio", " on page 2"])
        made.append({"query": query, "top_k": chance.randint(1, 20), "explain": True, "context": chance.randint(0, 1)})
    return made


async def respond(parts: TwoParts, scope: Scope, settings: SearchSettings, request: dict[str, Any]) -> dict[str, Any]:
    """Return all that a principal learns by a search and by asking why it missed a document."""
    engine = replace(parts.library.engine(settings), cache=ResultCache(max_bytes=1_000_000))
    search = SearchRequest.model_validate(request)
    twice = [await engine.search(search, principal(scope)) for _ in range(2)]
    why = WhyRequest.model_validate({"query": request["query"], "document": str(parts.own[0])})
    return {
        "search": [one.model_dump(exclude={"metadata": {"took_ms"}}) for one in twice],
        "why": (await explain_absence(engine, why, scope)).model_dump(),
    }


async def assert_nothing_changes(
    parts: TwoParts, chance: random.Random, settings: SearchSettings, *, requests: int, scopes: Sequence[str] = SCOPES
) -> None:
    """Compare the responses beside no other documents, a few, and many."""
    asked = queries(chance, requests)
    before: dict[tuple[str, int], Any] = {}
    for documents in (0, 2, 15):
        await parts.replace_foreign(chance, documents=documents)
        for name in scopes:
            for number, request in enumerate(asked):
                response = await respond(parts, parts.scopes[name], settings, request)
                assert response == before.setdefault((name, number), response), (name, request, documents)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
async def test_documents_outside_the_scope_change_nothing(
    library: Library, seed: int, settings: SearchSettings
) -> None:
    chance = random.Random(seed)
    await assert_nothing_changes(await build(library, chance), chance, settings, requests=3)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
async def test_documents_outside_a_large_scope_change_nothing(library: Library, settings: SearchSettings) -> None:
    chance = random.Random(7)
    parts = await build(library, chance, documents=45, passages=20)
    response = await respond(parts, parts.scopes["tag"], settings, {"query": "harbour"})
    assert response["search"][0]["metadata"]["coverage"]["documents_in_scope"] == 45
    await assert_nothing_changes(parts, chance, settings, requests=4, scopes=["collection", "tag"])


class Deaf(HashProvider):
    """A model for which every query means the same, so that only words differ."""

    async def embed_query(self, text: str) -> Vectors:
        return await super().embed_query("harbour light")


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
async def test_foreign_words_are_answered_like_invented_ones(library: Library, settings: SearchSettings) -> None:
    chance = random.Random(3)
    parts = await build(library, chance)
    await parts.replace_foreign(chance, documents=25)
    engine = library.engine(settings, provider=Deaf(64))
    contexts = ("{}", "harbour light {}", "fattura totale della {}", "was the {} report of {} in 2021?", "{} SKU-0042")
    for name in ("collection", "tag"):
        for foreign, invented in INVENTED.items():
            for context in contexts:
                responses = [
                    await engine.search_in_scope(
                        SearchRequest(query=context.replace("{}", word), top_k=20, explain=True), parts.scopes[name]
                    )
                    for word in (foreign, invented)
                ]
                one, other = (response.model_dump(exclude={"metadata": {"took_ms"}}) for response in responses)
                assert one == other, (name, context, foreign)


async def test_foreign_words_take_as_long_as_invented_ones(library: Library) -> None:
    chance = random.Random(4)
    parts = await build(library, chance)
    await parts.replace_foreign(chance, documents=60)
    engine = library.engine(SearchSettings(), provider=Deaf(64))
    for name in ("collection", "tag"):
        seconds: dict[str, list[float]] = {"zanzibar": [], "zanzabir": []}
        for _ in range(40):
            for word, durations in seconds.items():
                started = time.perf_counter()
                await engine.search_in_scope(SearchRequest(query=f"harbour light {word}"), parts.scopes[name])
                durations.append(time.perf_counter() - started)
        foreign, invented = (statistics.median(durations) for durations in seconds.values())
        assert abs(foreign - invented) < 0.3 * invented, (name, foreign, invented)


async def test_principals_that_see_everything_still_use_the_whole_library(library: Library) -> None:
    chance = random.Random(5)
    parts = await build(library, chance)
    await parts.replace_foreign(chance, documents=10)
    request = SearchRequest(query="zanzibar harbour", explain=True)
    engine = library.engine()
    everything = (await engine.search_in_scope(request, SYSTEM_SCOPE)).data
    assert any("zanzibar" in hit.text for hit in everything)
    key = (await engine.search_in_scope(request, Scope(actor="key:1"))).data
    assert [hit.chunk_id for hit in key] == [hit.chunk_id for hit in everything]
    assert [hit.score for hit in key] == [hit.score for hit in everything]


async def test_counts_follow_a_document_into_another_collection(library: Library) -> None:
    chance = random.Random(6)
    parts = await build(library, chance)
    async with library.database.session(SYSTEM_SCOPE) as session:
        right = await counted(session)
        moved = await session.get_one(Document, parts.own[0])
        moved.collection_id = parts.foreign_collection
        await session.flush()
        assert await counted(session) == await recounted(session) != right
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(delete(Document).where(Document.id.in_(parts.own)))
        assert await counted(session) == {}


async def test_collection_is_cached_until_it_changes_itself(library: Library) -> None:
    orchard = uuid.uuid4()
    async with library.database.session(SYSTEM_SCOPE) as session:
        session.add(Collection(id=orchard, name="Orchard"))
        await session.flush()
        shelf = replace(library.shelf, collection=orchard)
        mine = await store_document(session, PEARS, filename="mine.pdf", tags=["fruit"], shelf=shelf)
    theirs = await store(library, PEARS, filename="theirs.pdf", tags=["fruit"])
    asked = asker(library)
    scope = Scope(actor="key:2", collections=frozenset({orchard}))

    async def is_cached() -> bool:
        return (await asked.ask(scope=scope)).metadata.is_cached

    assert [await is_cached() for _ in range(2)] == [False, True]
    await store(library, PEARS, filename="another.pdf")
    await change(library, "UPDATE documents SET title = 'Plums' WHERE id = :id", id=theirs)
    await change(library, "DELETE FROM documents WHERE id = :id", id=theirs)
    await change(library, "SELECT lectern_merge_library_versions()")
    assert await is_cached()
    for statement in (
        "UPDATE documents SET title = 'Plums' WHERE id = :id",
        "UPDATE chunks SET importance = 0 WHERE document_id = :id",
        "UPDATE tags SET name = 'Stone fruit' WHERE id IN (SELECT tag_id FROM document_tags WHERE document_id = :id)",
        "DELETE FROM document_tags WHERE document_id = :id",
        f"UPDATE collections SET name = 'Garden' WHERE id = '{orchard}'",
        f"UPDATE documents SET collection_id = '{LIBRARY}' WHERE id = :id",
        f"UPDATE documents SET collection_id = '{orchard}' WHERE id = :id",
        "DELETE FROM documents WHERE id = :id",
    ):
        await change(library, statement, id=mine)
        assert not await is_cached(), statement
        assert await is_cached()
