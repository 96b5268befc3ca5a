"""Run the statements of a search: lookup, hybrid search, evidence and neighbours."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.db.driver import fetch, fetch_rows
from lectern.db.scope import IdList, Scope
from lectern.db.session import prelude_rows
from lectern.search.candidates.lookup import FILTER_CONDITIONS, SCOPE_CONDITIONS, lookup_sql
from lectern.search.candidates.scope import Overview, SearchFilter
from lectern.search.candidates.statement import Statement
from lectern.search.query.analysis import QueryAnalysis
from lectern.search.query.terms import Counts, ReadWord
from lectern.search.query.title_match import TitleMatch
from lectern.search.query.translation import join_by_language
from lectern.search.ranking.candidate import ArmRanks, SearchCandidate
from lectern.search.ranking.match import ChunkMatch
from lectern.search.schemas import Neighbour

SAMPLE_CHUNKS: Final = 256  # of a scope of tags or documents, for its statistics (docs/adr/0020)

# Planning the lookup anew takes as long as running it. INDEX_SETTINGS end this for statements that need their own plan.
_VERSION: Final = """SET LOCAL plan_cache_mode = force_generic_plan;
SELECT coalesce(bit_xor(token), 0) FROM library_version_tokens WHERE"""
_OF_COLLECTIONS: Final = "collection_id = ANY (lectern_get_scope_ids('lectern.collections'))"

_LANGUAGES: Final = text(
    "SELECT DISTINCT language FROM documents WHERE deleted_at IS NULL AND language IS NOT NULL ORDER BY language"
)


# Words are passed as one text, a word a line: the driver would convert a list item by item.
_EVIDENCE: Final = """
SELECT * FROM lectern_list_evidence(
    CAST(:languages AS text[]), CAST(:words AS text[]), CAST(:terms AS text[]),
    CAST(:documents AS uuid[]), CAST(:first AS integer[]), CAST(:last AS integer[]))
"""

_FILE_HASHES: Final = text("SELECT id, sha256 FROM documents WHERE id = ANY (CAST(:ids AS uuid[]))")

_CHUNKS: Final = "SELECT * FROM lectern_load_chunks(CAST(:ids AS uuid[]))"

_NEIGHBOURS: Final = text("""
SELECT c.document_id, c.id AS chunk_id, c.chunk_index, c.page_number, c.last_page_number, c.section_heading,
       c.token_count, c.text
FROM chunks AS c
JOIN unnest(CAST(:documents AS uuid[]), CAST(:places AS integer[])) AS w (document_id, place)
  ON c.document_id = w.document_id AND c.chunk_index = w.place
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """Facts of the library about a query, before it is run. They depend on the scope only.

    `is_sampled`: the counts are estimated, so a term without a count may still occur.
    """

    overview: Overview
    words: Sequence[ReadWord]
    counts: Counts
    is_sampled: bool
    titles: Sequence[TitleMatch]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A page with the boxes of its words."""

    document_id: uuid.UUID
    page_number: int
    char_start: int
    text: str
    boxes: bytes


def library_version_sql(scope: Scope) -> str:
    """Build the statement that reads the version of what the scope sees, for `Database.session(prelude_sql=...)`.

    It runs in the round trip of BEGIN. A scope without a version of its own has that of the whole library.
    """
    is_listed = scope.has_version and scope.collections is not None
    return f"{_VERSION} {_OF_COLLECTIONS if is_listed else 'collection_id IS NULL'}"


def read_library_version(session: AsyncSession) -> int:
    """Return the library version that the session sees. It must be opened with `library_version_sql`."""
    ((library_version,),) = prelude_rows(session)
    return library_version


async def list_languages(session: AsyncSession) -> list[str]:
    """List the languages of the documents in scope."""
    return list((await session.execute(_LANGUAGES)).scalars())


async def look_up(
    session: AsyncSession,
    documents: SearchFilter,
    *,
    scope: Scope,
    analysis: QueryAnalysis,
    exact_chunks: int,
    fingerprints: Sequence[str],
    is_pinned: bool = False,
    ef_search: int,
) -> Lookup:
    """Look up everything that the hybrid statement needs, in one round trip.

    Args:
        session: A session in the caller's scope.
        documents: The filter.
        scope: The caller's scope, which narrows the documents in SQL, too.
        analysis: The query; its words and synonyms are read under each language of the library and its own.
        exact_chunks: A scope of at most this many chunks is returned as ids. A larger one sets up the embedding index.
        fingerprints: The models of this process.
        is_pinned: Use the generation of the only model, active or not.
        ef_search: Breadth of the embedding index for a library of up to 100,000 chunks.
    """
    values = documents.parameters()
    narrowing = [part for name, part in SCOPE_CONDITIONS.items() if getattr(scope, name) is not None][:1]
    has_sample = bool(narrowing)  # counts are maintained by collection only
    conditions = [*narrowing, *(FILTER_CONDITIONS[name] for name in values)]
    expansions = "\n".join(phrase for match in analysis.expansions for phrase in match.phrases)
    values |= {"is_narrowed": bool(values), "exact_chunks": exact_chunks}
    values |= {"fingerprints": list(fingerprints), "is_pinned": is_pinned, "ef_search": ef_search}
    values |= {"query": analysis.text, "query_language": analysis.language or "", "periods": list(analysis.periods)}
    values |= {"expansions": expansions} if expansions else {}
    translations = join_by_language(analysis.translations)
    if translations:
        values |= {"translated_languages": list(translations), "translations": list(translations.values())}
    values |= {"sample_chunks": SAMPLE_CHUNKS} if has_sample else {}
    is_maintained = not conditions
    statement = lookup_sql(
        tuple(conditions),
        has_expansions=bool(expansions),
        has_translations=bool(translations),
        is_sampled=has_sample,
        is_maintained=is_maintained,
    )
    (row,) = await fetch(session, statement, values)
    counts: dict[str, dict[str, int]] = {}
    for lexeme, language, chunk_count in row["counts"]:
        counts.setdefault(lexeme, {})[language] = chunk_count
    row |= {name: IdList(row[name]) for name in ("allowed", "trash") if row[name] is not None}
    return Lookup(
        overview=Overview(**{field: row[field] for field in Overview.__slots__}),
        words=[ReadWord(*word) for word in row["words"]],
        counts=counts,
        is_sampled=row["chunks"] > SAMPLE_CHUNKS if has_sample else bool(scope.granted),
        titles=[
            TitleMatch(uuid.UUID(document_id), chunks, frozenset(words), frozenset(figures), frozenset(terms))
            for document_id, chunks, words, figures, terms in row["titles"]
        ],
    )


async def find_candidates(session: AsyncSession, statement: Statement) -> list[SearchCandidate]:
    """Run a statement and return its candidates, in no order."""
    return await fetch_rows(session, statement.sql, statement.parameters, SearchCandidate._make)


async def load_chunks(session: AsyncSession, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, ChunkMatch]:
    """Load chunks in scope, without ranks."""
    rows = await fetch(session, _CHUNKS, {"ids": list(ids)}) if ids else []
    return {row["chunk_id"]: ChunkMatch(document=row.pop("filename"), **row) for row in rows}


async def trace(session: AsyncSession, statement: Statement) -> list[ArmRanks]:
    """Run a traced statement and return the ranks of its chunks in the arms, best first."""
    rows = (await session.execute(text(statement.sql), statement.parameters)).mappings()
    return [ArmRanks(**row) for row in rows]


async def matches_filter(session: AsyncSession, documents: SearchFilter, document_id: uuid.UUID) -> bool:
    """Return true if a filter matches a document in scope."""
    values = documents.parameters()
    conditions = " AND ".join(["true", *(FILTER_CONDITIONS[name] for name in values)])
    query = f"SELECT EXISTS (SELECT FROM documents AS d WHERE d.id = :id AND deleted_at IS NULL AND {conditions})"  # noqa: S608 - constants
    return bool((await session.execute(text(query), values | {"id": document_id})).scalar_one())


async def list_evidence(
    session: AsyncSession,
    words: Mapping[str, Collection[str]],
    *,
    terms: Sequence[str],
    spans: Sequence[tuple[uuid.UUID, int, int]],
) -> tuple[dict[str, dict[str, set[str]]], list[StoredPage]]:
    """Return the query terms of each word, and pages, in one round trip.

    Args:
        session: A session in the caller's scope.
        words: Words of the chunks by language.
        terms: Terms of the query; words that are indexed as none of them are left out.
        spans: Ranges of pages: document, first and last page.
    """
    lines = {
        language: "\n".join(sorted(of_language)) for language, of_language in words.items() if of_language and terms
    }
    if not lines and not spans:
        return {}, []
    values: dict[str, object] = {"languages": list(lines), "words": list(lines.values()), "terms": list(terms)}
    values |= {name: [span[index] for span in spans] for index, name in enumerate(("documents", "first", "last"))}
    matching: dict[str, dict[str, set[str]]] = {}
    pages: list[StoredPage] = []
    for row in await fetch(session, _EVIDENCE, values):
        matched = row.pop("words")
        if matched is None:
            pages.append(StoredPage(**row))
            continue
        for language, word, term in matched:
            matching.setdefault(language, {}).setdefault(word, set()).add(term)
    return matching, pages


async def list_file_hashes(session: AsyncSession, documents: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    """Return the SHA-256 of each document's file."""
    rows = await session.execute(_FILE_HASHES, {"ids": list(documents)})
    return {row.id: row.sha256 for row in rows}


async def list_neighbours(
    session: AsyncSession, positions: Collection[tuple[uuid.UUID, int]]
) -> dict[tuple[uuid.UUID, int], Neighbour]:
    """Return the chunks at these positions (document, chunk_index) that exist."""
    if not positions:
        return {}
    documents, indexes = (list(column) for column in zip(*sorted(positions), strict=True))
    rows = (await session.execute(_NEIGHBOURS, {"documents": documents, "places": indexes})).mappings()
    return {(row["document_id"], row["chunk_index"]): Neighbour.model_validate(row) for row in rows}
