"""The lookup statement: what a search must know before its hybrid statement can be built (pure).

It counts the documents in scope, reads the query under each language, and matches titles.
"""

from functools import lru_cache
from typing import Final

# Settings of Postgres, as SQL, for a walk of the HNSW index that goes far enough under filters. The breadth grows with
# the square root of a library above 100,000 chunks (docs/adr/0021). Without a sequential scan the planner uses the
# index; otherwise it prefers a plan that sorts every embedding. The best plan depends on the filter.
INDEX_SETTINGS: Final = {
    "hnsw.ef_search": "round(least(1000, :ef_search * greatest(1, sqrt(indexed_chunks / 100000.0))))::text",
    "hnsw.iterative_scan": "'relaxed_order'",
    "enable_seqscan": "'off'",
    "enable_bitmapscan": "'off'",
    "plan_cache_mode": "'force_custom_plan'",
}

# Ids are selected only if they narrow the search: gathering those of 25,000 documents took longer than counting them.
_LOOKUP: Final = """
WITH chosen AS {materialized} (
    SELECT id, status, ready_at, unreadable_page_count, chunk_count, embedded_chunk_count, language
    FROM documents AS d WHERE deleted_at IS NULL AND {conditions}
), figures AS ({figures}
), library AS MATERIALIZED ({library}
), overview AS MATERIALIZED (
    SELECT figures.*,
           CASE WHEN :is_narrowed OR chunks <= :exact_chunks
                THEN (SELECT coalesce(array_agg(id), '{{}}')::text FROM chosen WHERE chunk_count > 0) END AS allowed,
           coalesce((SELECT sum(chunk_count) FROM library), 0)::bigint AS library_chunks,
           CASE WHEN chunks > :exact_chunks THEN lectern_count_indexed_chunks() END AS indexed_chunks,
           CASE WHEN NOT :is_narrowed THEN (
               SELECT array_agg(id)::text FROM documents WHERE deleted_at IS NOT NULL AND chunk_count > 0) END AS trash,
           model.id AS generation, model.fingerprint,
           coalesce(model.confidence_bias, 0) AS confidence_bias,
           coalesce(model.confidence_slope, 1) AS confidence_slope, model.ranker_fit
    FROM figures LEFT JOIN (
        SELECT id, fingerprint, confidence_bias, confidence_slope, ranker_fit FROM embedding_generations
        WHERE fingerprint = ANY (CAST(:fingerprints AS text[])) AND (state = 'active' OR :is_pinned)
    ) AS model ON true
), read AS MATERIALIZED (
    SELECT word, frequency, language, term, 'query' AS source
    FROM lectern_tokenize_query(:query, ({languages})) {expansions} {translations}
), counted AS MATERIALIZED (
    SELECT lexeme, language, chunk_count FROM {counts} WHERE lexeme <> ''
)
SELECT overview.*,
       coalesce((SELECT jsonb_agg(jsonb_build_array(
           word, frequency, language, term, coalesce(lectern_hash_term(term), 0), source)) FROM read), '[]')
           AS words,
       coalesce((SELECT jsonb_agg(jsonb_build_array(lexeme, language, chunk_count)) FROM (
           SELECT * FROM counted UNION ALL SELECT '', language, chunk_count FROM library) AS every), '[]') AS counts,
       (SELECT lectern_match_documents_by_title(
           ARRAY(SELECT term FROM read WHERE term IS NOT NULL AND source = 'query') || CAST(:periods AS text[]),
           array_agg(lexeme), array_agg(chunk_count)) FROM counted) AS titles
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
# Without a filter the counts of collections are kept up to date, but not those of tags and documents (docs/adr/0025).
_MAINTAINED: Final = "SELECT * FROM lectern_get_document_counts()"
# Row-level security imposes the same conditions. Stated here, they avoid a check of every document (docs/adr/0025).
SCOPE_CONDITIONS: Final = {
    "tags": "d.id = ANY (ARRAY(SELECT lectern_list_tagged_documents()))",
    "documents": "d.id = ANY (lectern_get_scope_ids('lectern.documents'))",
}
# Counts of terms cover the scope only, so that a response tells nothing about what is outside of it (docs/adr/0020).
_LIBRARY: Final = "SELECT language, chunk_count FROM lectern_count_lexemes(ARRAY[''])"
_READ_TERMS: Final = "ARRAY(SELECT DISTINCT term FROM read WHERE term IS NOT NULL)"
_SAMPLE: Final = """lectern_sample_lexemes(
    ARRAY(SELECT id FROM chosen WHERE chunk_count > 0 ORDER BY id LIMIT :sample_chunks), {terms},
    (SELECT chunks FROM figures), :sample_chunks)"""
# Of a large scope, the languages of documents are near enough to those of their chunks.
_SAMPLED_LIBRARY: Final = """
    SELECT language, chunk_count FROM {sample} WHERE (SELECT chunks FROM figures) <= :sample_chunks
    UNION ALL SELECT coalesce(language, ''), sum(chunk_count)::bigint FROM chosen
    WHERE chunk_count > 0 AND (SELECT chunks FROM figures) > :sample_chunks
    GROUP BY 1"""
_LANGUAGES: Final = """SELECT ARRAY(
        SELECT language FROM library UNION SELECT CAST(:query_language AS text) WHERE :query_language <> ''
        ORDER BY 1)"""
_EXPANSIONS: Final = """
    UNION ALL
    SELECT word, frequency, language, term, 'synonym' FROM lectern_tokenize_query(:expansions, ({languages}))"""
_TRANSLATIONS: Final = """
    UNION ALL
    SELECT read.word, read.frequency, read.language, read.term, 'translation'
    FROM unnest(CAST(:translated_languages AS text[]), CAST(:translations AS text[])) AS t (language, words),
         lectern_tokenize_query(t.words, ARRAY[t.language]) AS read
    WHERE t.language IN (SELECT language FROM {documents})"""
FILTER_CONDITIONS: Final = {
    "any_tags": "EXISTS (SELECT FROM document_tags AS t WHERE t.document_id = d.id AND t.tag_id = ANY (:any_tags))",
    # Tags of the same name count as one.
    "all_tags": "(SELECT count(DISTINCT n.normalized_name) FROM document_tags AS t JOIN tags AS n ON n.id = t.tag_id"
    " WHERE t.document_id = d.id AND n.id = ANY (:all_tags))"
    " = (SELECT count(DISTINCT normalized_name) FROM tags WHERE id = ANY (:all_tags))",
    "no_tags": "NOT EXISTS (SELECT FROM document_tags AS t WHERE t.document_id = d.id AND t.tag_id = ANY (:no_tags))",
    "documents": "d.id = ANY (:documents)",
    "collections": "d.collection_id = ANY (:collections)",
    "created_after": "d.created_at >= :created_after",
    "created_before": "d.created_at < :created_before",
    "language": "d.language = :language",
}


@lru_cache(maxsize=256)
def lookup_sql(
    conditions: tuple[str, ...],
    *,
    has_expansions: bool,
    has_translations: bool,
    is_sampled: bool,
    is_maintained: bool,
) -> str:
    """Build the statement for documents under these conditions, with statistics of the scope or of a sample.

    `is_maintained`: the counts of documents are kept up to date.
    """
    index_settings = "".join(
        f", CASE WHEN chunks > :exact_chunks THEN set_config('{name}', {value}, true) END AS s{number}"
        for number, (name, value) in enumerate(INDEX_SETTINGS.items())
    )
    counts = "lectern_count_lexemes({terms})"
    library = _LIBRARY
    if is_sampled:
        counts, library = _SAMPLE, _SAMPLED_LIBRARY.format(sample=_SAMPLE.format(terms="'{}'"))
    translated = _TRANSLATIONS.format(documents="library" if is_maintained else "chosen")
    return _LOOKUP.format(
        materialized="NOT MATERIALIZED" if is_maintained else "MATERIALIZED",  # read once for counts, perhaps for ids
        conditions=" AND ".join(["true", *conditions]),
        figures=_MAINTAINED if is_maintained else _COUNTED,
        settings=index_settings,
        library=library,
        counts=counts.format(terms=_READ_TERMS),
        languages=_LANGUAGES,
        expansions=_EXPANSIONS.format(languages=_LANGUAGES) if has_expansions else "",
        translations=translated if has_translations else "",
    )
