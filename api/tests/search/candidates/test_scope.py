"""The keyword index function returns no more than row-level security allows."""

import uuid
from dataclasses import replace

import pytest
from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncSession
from tests.search.conftest import Library
from tests.search.library import LIBRARY, store_document, tag_document

from lectern.collections.models import Collection
from lectern.db.engine import create_engine
from lectern.db.scope import SYSTEM_SCOPE, IdList, Scope

# The query of a service without any filter.
UNFILTERED = text(
    "SELECT chunk_id FROM lectern_find_lexical_candidates('{1:1}/1000000000', '''appl''', '{}', '{}', '{}', 3, 100,"
    " 10, 50, NULL, NULL)"
)


async def found(session: AsyncSession) -> set[uuid.UUID]:
    return set((await session.execute(UNFILTERED)).scalars())


async def visible(session: AsyncSession) -> set[uuid.UUID]:
    return set((await session.execute(text("SELECT id FROM chunks"))).scalars())


# The functions that return chunks by id, called with every chunk id.
PASSAGES = text("SELECT chunk_id, tags FROM lectern_load_chunks(CAST(:ids AS uuid[]))")
DESCRIBED = text(
    "SELECT chunk_id FROM lectern_describe_candidates(CAST(:ids AS uuid[]), NULL, NULL, NULL,"
    " ARRAY[CAST('{1\\:1}/1000000000' AS sparsevec)], '{acm}')"
)
OF_SECTIONS = text("SELECT lectern_filter_chunks_by_section(CAST(:ids AS uuid[]), '^none', '(?n)^apple')")
DENSE = text(
    "SELECT e.chunk_id FROM lectern_search_dense_exact(1, CAST(:vector AS halfvec),"
    " CAST(:documents AS uuid[]), 99, 99) AS e"
)
LEXICAL = text(
    "SELECT chunk_id FROM lectern_search_lexical_exact("
    " CAST('{' || lectern_hash_term('appl') || '\\:1}/1000000000' AS sparsevec), CAST(:documents AS uuid[]), 99)"
)
AMONG = text(
    "SELECT chunk_id FROM lectern_find_lexical_candidates('{1:1}/1000000000', '''appl''', '{}', '{}', '{}', 3, 100,"
    " 10, 50, CAST(:documents AS uuid[]), NULL)"
)
PAGES = text(
    "SELECT document_id FROM lectern_list_evidence('{}', '{}', '{}', CAST(:documents AS uuid[]), '{1,1,1}', '{9,9,9}')"
)
NAMED = text("SELECT lectern_match_documents_by_title('{acm,2021}', '{acm}', '{1}')")
VECTOR = {"vector": str([1.0] * 64)}
TAGS = text("""
SELECT c.id, ARRAY(SELECT t.name FROM tags t JOIN document_tags dt ON dt.tag_id = t.id
                   WHERE dt.document_id = c.document_id ORDER BY t.name) AS names FROM chunks c
""")


@pytest.mark.parametrize(
    "narrowed_by", ["nothing", "collections", "tags", "documents", "tags and collections", "grants", "none"]
)
async def test_index_without_service_filter_obeys_row_level_security(library: Library, narrowed_by: str) -> None:
    other = uuid.uuid4()
    async with library.database.session(SYSTEM_SCOPE) as session:
        session.add(Collection(id=other, name="Other"))
        await session.flush()
        name = "acme_2021.pdf"
        shelf = library.shelf
        first = await store_document(session, ["apples", "apple"], filename=name, shelf=shelf)
        second = await store_document(session, ["apples"], filename=name, shelf=replace(shelf, collection=other))
        third = await store_document(session, ["apples"], filename=name, shelf=shelf)
        red = await tag_document(session, first, "red")
        await tag_document(session, second, "red")
        await tag_document(session, first, "secret")
        ids = {"ids": list(await visible(session))}
        every = {"documents": [first, second, third]}
    scopes = {
        "nothing": (Scope(actor="key:1"), {first, second, third}),
        "collections": (Scope(actor="key:1", collections=frozenset({other})), {second}),
        "tags": (Scope(actor="key:1", tags=frozenset({red})), {first, second}),
        "documents": (Scope(actor="key:1", documents=frozenset({third})), {third}),
        "tags and collections": (
            Scope(actor="key:1", tags=frozenset({red}), collections=frozenset({LIBRARY})),
            {first},
        ),
        "grants": (
            Scope(actor="user:1", collections=frozenset({other}), granted=IdList.of([third])),
            {second, third},
        ),
        "none": (Scope(actor="key:1", documents=frozenset()), set[uuid.UUID]()),
    }
    scope, expected = scopes[narrowed_by]
    async with library.database.session(scope) as session:
        seen = await visible(session)
        assert await found(session) == seen
        assert set((await session.execute(DESCRIBED, ids)).scalars()) == seen
        assert set((await session.execute(OF_SECTIONS, ids)).scalars()) == seen
        for arm, query in ((DENSE, VECTOR), (LEXICAL, {}), (AMONG, {})):
            assert set((await session.execute(arm, every | query)).scalars()) == seen
        assert set((await session.execute(PAGES, every)).scalars()) == expected
        named = (await session.execute(NAMED)).scalar_one()
        assert {uuid.UUID(name[0]) for name in named} == expected
        tags_by_chunk = {row.chunk_id: row.tags for row in await session.execute(PASSAGES, ids)}
        assert tags_by_chunk == {row.id: row.names for row in await session.execute(TAGS)}
        documents = await session.execute(text("SELECT lectern_list_documents_in_scope()"))
        assert set(documents.scalars()) == expected


async def test_transaction_without_a_scope_finds_nothing(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, ["apples", "pears"], shelf=library.shelf)
        ids = {"ids": list(await visible(session))}
        every = {"documents": list(await session.scalars(text("SELECT id FROM documents")))}
    async with library.database.engine.connect() as connection:
        await connection.execute(text("SET ROLE lectern_app"))
        for statement in (UNFILTERED, PASSAGES, DESCRIBED, OF_SECTIONS):
            assert (await connection.execute(statement, {} if statement is UNFILTERED else ids)).all() == []
        for arm, query in ((DENSE, VECTOR), (LEXICAL, {}), (AMONG, {})):
            assert (await connection.execute(arm, every | query)).all() == []
        assert (await connection.execute(PAGES, every)).all() == []
        assert (await connection.execute(NAMED)).scalar_one() == []


async def test_unrestricted_scope_finds_everything(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_document(session, ["apples", "apple", "pears"])
        assert len(await found(session)) == 2


CALLS = "SELECT calls FROM pg_stat_xact_user_functions WHERE funcname = 'lectern_filter_visible_documents'"


@pytest.mark.parametrize("statement", [PASSAGES, DESCRIBED, OF_SECTIONS])
async def test_scope_is_resolved_once_for_all_chunks(library: Library, statement: TextClause) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        for number in range(3):
            await store_document(session, ["apples", "apple"], filename=f"{number}.pdf", shelf=library.shelf)
        ids = list(await visible(session))
    engine = create_engine(library.addresses.superuser_url)
    async with engine.begin() as connection:
        scope = Scope(actor="user:1", collections=frozenset({LIBRARY}), documents=frozenset({uuid.uuid4()}))
        for name, value in scope.parameters().items():
            await connection.execute(text("SELECT set_config(:name, :value, true)"), {"name": name, "value": value})
        await connection.execute(text("SET LOCAL track_functions = 'all'"))
        assert (await connection.execute(statement, {"ids": ids})).all() == []
        assert (await connection.execute(text(CALLS))).scalar_one() == 1
    await engine.dispose()
