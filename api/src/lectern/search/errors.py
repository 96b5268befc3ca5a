"""What a search refuses."""

from lectern.errors import InvalidRequest, LecternError, Misconfigured, Unavailable
from lectern.http.references import UnknownReference


class UnknownLanguage(UnknownReference):
    """No document is in this language."""

    code = "unknown_language"


class SemanticSearchUnavailable(Unavailable):
    """The search was asked to go by meaning only, which is not possible just now."""

    code = "semantic_search_unavailable"
    default_hint = "Send hybrid=true: the keyword arm works without the embedding model."


class SynonymsMisconfigured(Misconfigured):
    """The file in LECTERN_SYNONYMS_FILE is invalid."""

    code = "synonyms_misconfigured"
    default_hint = 'An entry is `[[entry]]` with `names = ["RTO"]` and `words = { en = ["recovery time objective"] }`.'


class RerankingNotConfigured(InvalidRequest):
    """This installation has no reranker."""

    code = "reranking_not_configured"
    default_hint = "Leave out `rerank`, or have LECTERN_RERANK set."


class RerankingUnavailable(Unavailable):
    """The reranker cannot be reached or is overloaded just now."""

    code = "reranking_unavailable"


class RerankingRejected(LecternError):
    """The reranker refused the request, or answered something else than scores."""

    status = 502
    code = "reranking_rejected"
    default_hint = "Check LECTERN_RERANK, LECTERN_RERANK_MODEL and LECTERN_RERANK_API_KEY."


class RerankingMisconfigured(Misconfigured):
    """The reranker of LECTERN_RERANK cannot be used."""

    code = "reranking_misconfigured"
    default_hint = "Use `local`, `onnx:FOLDER`, `rerank:URL` or `tei:URL`."
