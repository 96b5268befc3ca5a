"""What a search refuses."""

from lectern.errors import Misconfigured, Unavailable
from lectern.http.references import UnknownReference


class UnknownLanguage(UnknownReference):
    """No document is in this language."""

    code = "unknown_language"


class SemanticSearchUnavailable(Unavailable):
    """The search was asked to go by meaning only, which is not possible just now."""

    code = "semantic_search_unavailable"
    default_hint = "Send hybrid=true: the keyword arm works without the embedding model."


class VocabularyMisconfigured(Misconfigured):
    """The file of LECTERN_VOCABULARY_FILE cannot be used."""

    code = "vocabulary_misconfigured"
    default_hint = 'An entry is `[[entry]]` with `names = ["RTO"]` and `words = { en = ["recovery time objective"] }`.'
