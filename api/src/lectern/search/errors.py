"""What a search refuses."""

from lectern.errors import LecternError


class UnknownFilter(LecternError):
    """A filter names something that does not exist here."""

    status = 422
    code = "unknown_filter"
    default_hint = "Nothing was searched. Use one of the names in details, or leave the filter out."


class SemanticSearchUnavailable(LecternError):
    """The query could not be embedded, and the search was asked to go by meaning only."""

    status = 503
    code = "semantic_search_unavailable"
    default_hint = "Send hybrid=true: the keyword arm works without the embedding model."
