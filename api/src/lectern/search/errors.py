"""Errors of search and reranking."""

from lectern.errors import InvalidRequest, LecternError, Misconfigured, Unavailable
from lectern.http.references import UnknownReference


class UnknownLanguage(UnknownReference):
    """No document has this language."""


class QueryWithoutWords(InvalidRequest):
    """The query has no word or number."""

    default_hint = "Write a word, a number or a question."


class SemanticSearchUnavailable(Unavailable):
    """Semantic search is unavailable and keyword search is off."""

    default_hint = "Turn on keyword search, which works without the embedding model."


class SynonymsMisconfigured(Misconfigured):
    """The file in LECTERN_SYNONYMS_FILE is invalid."""

    default_hint = 'Write entries as `[[entry]]`, `terms = ["RTO"]`, `synonyms = { en = ["recovery time objective"] }`.'


class RerankingNotConfigured(InvalidRequest):
    """This installation has no reranker."""

    default_hint = "Omit `rerank`, or set LECTERN_RERANK."


class RerankingUnavailable(Unavailable):
    """The reranker is unreachable or overloaded."""


class RerankingRejected(LecternError):
    """The reranker rejected the request or did not return scores."""

    status = 502
    default_hint = "Check LECTERN_RERANK, LECTERN_RERANK_MODEL and LECTERN_RERANK_API_KEY."


class RerankingMisconfigured(Misconfigured):
    """The reranker in LECTERN_RERANK cannot be used."""

    default_hint = "Use `local`, `onnx:FOLDER`, `rerank:URL` or `tei:URL`."
