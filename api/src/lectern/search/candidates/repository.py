"""What a search asks the database: the scope's size, the query's terms, the hybrid statement, pages."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.db.driver import fetch
from lectern.db.scope import Scope
from lectern.db.session import prelude_rows
from lectern.extraction.types import PageImageStatus
from lectern.search.candidates.scope import DocumentFilter, IdList, Overview
from lectern.search.candidates.statement import Statement
from lectern.search.query.terms import Counts, ReadWord
from lectern.search.query.title_match import TitleMatch
from lectern.search.schemas import Neighbour


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedUp:
    """What is known of a query before it is run."""

    overview: Overview
    words: Sequence[ReadWord]
    counts: Counts
    names: Sequence[TitleMatch]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkMatch:
    """A row of the hybrid statement: a winner with its passage and its document."""

    chunk_id: uuid.UUID
    semantic_rank: int | None
    keyword_rank: int | None
    distance: float | None
    keyword_score: float | None
    is_unmatched_language: bool
    fused_score: float
    is_keyword_first: bool
    semantic_share: float
    keyword_share: float
    title_share: float
    identifier_share: float
    page_reference_share: float
    page_share: float
    document_id: uuid.UUID
    chunk_index: int
    section_heading: str | None
    section_path: list[str]
    page_number: int
    last_page_number: int
    char_start: int
    char_end: int
    token_count: int
    content_type: Literal["text", "table", "list", "heading"]
    importance: float
    language: str
    text: str
    filename: str
    title: str | None
    page_images: PageImageStatus
    collection: str
    tags: list[str]
    matched_terms: list[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedChunk:
    """A row of a traced statement."""

    chunk_id: uuid.UUID
    semantic_rank: int | None
    keyword_rank: int | None
    fused_rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A page as rectangles need it."""

    document_id: uuid.UUID
    page_number: int
    char_start: int
    text: str
    boxes: bytes


# Settings of Postgres, as SQL, under which the index is walked far enough, filters included; that of more than 100,000
# chunks more broadly, with the square root of how many they are (docs/adr/0019). Without a sequential scan the planner
# is left with the index, which it otherwise deserts for a plan that sorts every embedding.
INDEX_SETTINGS: Final = {
    "hnsw.ef_search": "round(least(1000, :ef_search * greatest(1, sqrt(library_chunks / 100000.0))))::text",
    "hnsw.iterative_scan": "'relaxed_order'",
    "enable_seqscan": "'off'",
    "enable_bitmapscan": "'off'",
}


_LANGUAGES: Final = text(
    "SELECT DISTINCT language FROM documents WHERE deleted_at IS NULL AND language IS NOT NULL ORDER BY language"
)

# Ids are only wanted where they narrow: the exact arms read them from an index, the others filter by them. Gathering
# those of 25,000 documents for nothing took longer than counting them.
_GROUND: Final = """
WITH chosen AS {materialized} (
    SELECT id, status, ready_at, unreadable_page_count, chunk_count, embedded_chunk_count
    FROM documents AS d WHERE deleted_at IS NULL AND {conditions}
), library AS MATERIALIZED (
    SELECT language, sum(chunk_count)::bigint AS chunk_count FROM (
        SELECT language, chunk_count FROM lexeme_stats WHERE lexeme = ''
        UNION ALL SELECT language, chunk_count FROM lexeme_deltas WHERE lexeme = '') AS every
    GROUP BY language
), figures AS ({figures}
), overview AS MATERIALIZED (
    SELECT figures.*,
           CASE WHEN :is_narrowed OR chunks <= :exact_chunks
                THEN (SELECT coalesce(array_agg(id), '{{}}')::text FROM chosen WHERE chunk_count > 0) END AS allowed,
           coalesce((SELECT sum(chunk_count) FROM library), 0)::bigint AS library_chunks,
           CASE WHEN NOT :is_narrowed THEN (
               SELECT array_agg(id)::text FROM documents WHERE deleted_at IS NOT NULL AND chunk_count > 0) END AS trash,
           model.id AS generation, model.fingerprint
    FROM figures LEFT JOIN (
        SELECT id, fingerprint FROM embedding_generations
        WHERE fingerprint = ANY (CAST(:fingerprints AS text[])) AND (state = 'active' OR :is_pinned)
    ) AS model ON true
), read AS MATERIALIZED (
    SELECT word, frequency, language, term, false AS is_expansion
    FROM lectern_tokenize_query(:query, ({languages})) {added}
), counted AS (
    SELECT lexeme, language, sum(chunk_count)::bigint AS chunk_count FROM (
        SELECT * FROM lexeme_stats WHERE lexeme = ANY (ARRAY(SELECT term FROM read))
        UNION ALL SELECT * FROM lexeme_deltas WHERE lexeme = ANY (ARRAY(SELECT term FROM read))
    ) AS every GROUP BY lexeme, language HAVING sum(chunk_count) > 0
    UNION ALL SELECT '', language, chunk_count FROM library WHERE chunk_count > 0
)
SELECT overview.*,
       coalesce((SELECT jsonb_agg(jsonb_build_array(
           word, frequency, language, term, coalesce(lectern_hash_term(term), 0), is_expansion)) FROM read), '[]')
           AS words,
       coalesce((SELECT jsonb_agg(jsonb_build_array(lexeme, language, chunk_count)) FROM counted), '[]') AS counts,
       lectern_match_documents_by_title(
           ARRAY(SELECT term FROM read WHERE term IS NOT NULL AND NOT is_expansion) || CAST(:years AS text[])) AS names
       {settings}
FROM overview
"""
_COUNTED: Final = """
    SELECT count(*) AS documents,
           count(*) FILTER (WHERE chunk_count > 0) AS searchable,
           count(*) FILTER (WHERE status IN ('queued', 'processing') AND ready_at IS NULL) AS processing,
           count(*) FILTER (WHERE status = 'failed') AS failed,
           coalesce(sum(unreadable_page_count), 0)::bigint AS pages_unreadable,
           coalesce(sum(chunk_count), 0)::bigint AS chunks,
           coalesce(sum(embedded_chunk_count), 0)::bigint AS embedded_chunks
    FROM chosen"""
# Without a filter the counts are known, unless the scope is narrowed by tags or documents (docs/adr/0020).
_KNOWN: Final = "SELECT * FROM lectern_get_document_counts()"
# Row-level security leaves the same documents without these; with them it need not ask every document (docs/adr/0020).
_OF_SCOPE: Final = {
    "tags": "d.id = ANY (ARRAY(SELECT lectern_list_tagged_documents()))",
    "documents": "d.id = ANY (lectern_get_scope_ids('lectern.documents'))",
}
_ASKED_LANGUAGES: Final = """SELECT ARRAY(
        SELECT language FROM library UNION SELECT CAST(:query_language AS text) WHERE :query_language <> ''
        ORDER BY 1)"""
_ADDED_WORDS: Final = """
    UNION ALL
    SELECT word, frequency, language, term, true FROM lectern_tokenize_query(:added, ({languages}))"""
# An address stands for the words of its name, mostly two, which passages that have one mostly lack.
_ADDRESSES: Final = """
    UNION ALL SELECT term, 2, NULL, term, true FROM unnest(CAST(:addresses AS text[])) AS term"""
_CONDITIONS: Final = {
    "any_tags": "EXISTS (SELECT FROM document_tags AS t WHERE t.document_id = d.id AND t.tag_id = ANY (:any_tags))",
    "all_tags": "(SELECT count(*) FROM document_tags AS t WHERE t.document_id = d.id AND t.tag_id = ANY (:all_tags))"
    " = cardinality(CAST(:all_tags AS uuid[]))",
    "no_tags": "NOT EXISTS (SELECT FROM document_tags AS t WHERE t.document_id = d.id AND t.tag_id = ANY (:no_tags))",
    "documents": "d.id = ANY (:documents)",
    "collections": "d.collection_id = ANY (:collections)",
    "created_after": "d.created_at >= :created_after",
    "created_before": "d.created_at < :created_before",
    "language": "d.language = :language",
}

# Words come as one text, a word a line: the driver takes a list of them apart one by one.
_EVIDENCE: Final = r"""
WITH asked AS MATERIALIZED (
    SELECT language, word, lectern_normalize_text(word) AS plain
    FROM unnest(CAST(:languages AS text[]), CAST(:words AS text[])) AS given (language, lines),
         string_to_table(lines, E'\n') AS word
), read AS (
    SELECT language, word, lectern_strip_accents(lexeme) AS term
    FROM asked, unnest(to_tsvector(lectern_get_search_configuration(language), lectern_extract_words(plain)))
    UNION ALL
    SELECT language, word, term FROM (SELECT * FROM asked WHERE plain ~ '\d' OFFSET 0) AS a,
         lectern_extract_numeric_terms(plain)
)
SELECT NULL::uuid AS document_id, NULL::integer AS page_number, NULL::integer AS char_start, NULL::text AS text,
       NULL::bytea AS boxes,
       jsonb_agg(jsonb_build_array(language, word, term)) AS words
FROM read WHERE term = ANY (:terms) HAVING count(*) > 0
UNION ALL
SELECT p.document_id, p.page_number, p.char_start, p.text, p.boxes, NULL FROM pages AS p
JOIN unnest(CAST(:documents AS uuid[]), CAST(:first AS integer[]), CAST(:last AS integer[]))
    AS w (document_id, first, last)
  ON p.document_id = w.document_id AND p.page_number BETWEEN w.first AND w.last
"""

_NEIGHBOURS: Final = text("""
SELECT c.document_id, c.id AS chunk_id, c.chunk_index, c.page_number, c.last_page_number, c.section_heading,
       c.token_count, c.text
FROM chunks AS c
JOIN unnest(CAST(:documents AS uuid[]), CAST(:places AS integer[])) AS w (document_id, place)
  ON c.document_id = w.document_id AND c.chunk_index = w.place
""")


# Not read by itself: asked for by a transaction as it begins (`Database.session(prelude_sql=...)`).
LIBRARY_VERSION_SQL: Final = "SELECT coalesce(bit_xor(token), 0) FROM library_version_tokens"


def read_library_version(session: AsyncSession) -> int:
    """What the session, opened asking for `LIBRARY_MARK`, sees the library as: another number for every other state."""
    ((library_version,),) = prelude_rows(session)
    return library_version


async def list_languages(session: AsyncSession) -> list[str]:
    """The languages of the documents in scope."""
    return list((await session.execute(_LANGUAGES)).scalars())


async def look_up(
    session: AsyncSession,
    documents: DocumentFilter,
    *,
    scope: Scope,
    query: str,
    added: str = "",
    addresses: Sequence[str] = (),
    years: Sequence[str] = (),
    query_language: str | None,
    exact_chunks: int,
    fingerprints: Sequence[str],
    is_pinned: bool = False,
    ef_search: int,
) -> LookedUp:
    """Look up everything that the search statement needs, in one round trip.

    Args:
        session: A session in the caller's scope.
        documents: The filter.
        scope: The caller's scope; it narrows the documents in SQL, too.
        query: The words to look up under each language of the library.
        added: Synonyms, a phrase a line.
        addresses: Terms of the kinds of address that the query asks for.
        years: Years and quarters to match titles with, beside those in the query.
        query_language: The query's language, if it was detected.
        exact_chunks: A scope of at most this many chunks is returned as ids. A larger one sets up the embedding index.
        fingerprints: The models of this process.
        is_pinned: Use the generation of the only model, active or not.
        ef_search: Breadth of the embedding index for a library of up to 100,000 chunks.
    """
    values = documents.given()
    narrowing = [part for name, part in _OF_SCOPE.items() if getattr(scope, name) is not None][:1]
    conditions = [*narrowing, *(_CONDITIONS[name] for name in values)]
    values |= {"is_narrowed": bool(values), "exact_chunks": exact_chunks}
    values |= {"fingerprints": list(fingerprints), "is_pinned": is_pinned}
    values |= {"query": query, "query_language": query_language or "", "years": list(years)}
    values |= ({"added": added} if added else {}) | ({"addresses": list(addresses)} if addresses else {})
    values |= {"ef_search": ef_search}
    sql = _ground_sql(tuple(conditions), has_added=bool(added), has_addresses=bool(addresses))
    (row,) = await fetch(session, sql, values)
    counts: dict[str, dict[str, int]] = {}
    for lexeme, language, chunk_count in row["counts"]:
        counts.setdefault(lexeme, {})[language] = chunk_count
    row |= {name: IdList(row[name]) for name in ("allowed", "trash") if row[name] is not None}
    known = Overview(**{field: row[field] for field in Overview.__slots__})
    return LookedUp(
        overview=known,
        words=[ReadWord(*word) for word in row["words"]],
        counts=counts,
        names=[
            TitleMatch(uuid.UUID(i), chunks, frozenset(words), frozenset(figures), frozenset(terms))
            for i, chunks, words, figures, terms in row["names"]
        ],
    )


@lru_cache(maxsize=256)
def _ground_sql(conditions: tuple[str, ...], *, has_added: bool, has_addresses: bool) -> str:
    calls = "".join(
        f", CASE WHEN chunks > :exact_chunks THEN set_config('{name}', {value}, true) END AS s{number}"
        for number, (name, value) in enumerate(INDEX_SETTINGS.items())
    )
    more = _ADDED_WORDS.format(languages=_ASKED_LANGUAGES) if has_added else ""
    return _GROUND.format(
        materialized="MATERIALIZED" if conditions else "NOT MATERIALIZED",  # asked once for counts, perhaps for ids
        conditions=" AND ".join(["true", *conditions]),
        figures=_COUNTED if conditions else _KNOWN,
        settings=calls,
        languages=_ASKED_LANGUAGES,
        added=more + (_ADDRESSES if has_addresses else ""),
    )


async def run(session: AsyncSession, statement: Statement) -> list[ChunkMatch]:
    """The winners, best first."""
    return [ChunkMatch(**row) for row in await fetch(session, statement.sql, statement.parameters)]


async def trace(session: AsyncSession, statement: Statement) -> list[TracedChunk]:
    """The ranks of a traced statement, best first."""
    rows = (await session.execute(text(statement.sql), statement.parameters)).mappings()
    return [TracedChunk(**row) for row in rows]


async def matches_filter(session: AsyncSession, documents: DocumentFilter, document_id: uuid.UUID) -> bool:
    """Whether a filter leaves a document that is in scope."""
    values = documents.given()
    conditions = " AND ".join(["true", *(_CONDITIONS[name] for name in values)])
    found = f"SELECT EXISTS (SELECT FROM documents AS d WHERE d.id = :asked AND deleted_at IS NULL AND {conditions})"  # noqa: S608 (conditions are the constants above)
    return bool((await session.execute(text(found), values | {"asked": document_id})).scalar_one())


async def list_evidence(
    session: AsyncSession,
    words: Mapping[str, Collection[str]],
    *,
    terms: Sequence[str],
    spans: Sequence[tuple[uuid.UUID, int, int]],
) -> tuple[dict[str, dict[str, set[str]]], list[StoredPage]]:
    """What shows why passages were found and where they stand, in one round trip.

    The terms, among those given, that each word of each language is indexed as, words without any left out; `words` are
    by language. And the pages from the first to the last of each span (document, first, last).
    """
    asked = {
        language: "\n".join(sorted(of_language)) for language, of_language in words.items() if of_language and terms
    }
    if not asked and not spans:
        return {}, []
    values: dict[str, object] = {"languages": list(asked), "words": list(asked.values()), "terms": list(terms)}
    values |= {name: [span[place] for span in spans] for place, name in enumerate(("documents", "first", "last"))}
    found: dict[str, dict[str, set[str]]] = {}
    pages: list[StoredPage] = []
    for row in await fetch(session, _EVIDENCE, values):
        matched = row.pop("words")
        if matched is None:
            pages.append(StoredPage(**row))
            continue
        for language, word, term in matched:
            found.setdefault(language, {}).setdefault(word, set()).add(term)
    return found, pages


async def list_neighbours(
    session: AsyncSession, places: Collection[tuple[uuid.UUID, int]]
) -> dict[tuple[uuid.UUID, int], Neighbour]:
    """The passages at these places (document, chunk_index), as far as they exist."""
    if not places:
        return {}
    documents, indexes = (list(column) for column in zip(*sorted(places), strict=True))
    rows = (await session.execute(_NEIGHBOURS, {"documents": documents, "places": indexes})).mappings()
    return {(row["document_id"], row["chunk_index"]): Neighbour.model_validate(row) for row in rows}
