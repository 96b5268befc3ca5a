"""What can go wrong with embeddings."""

from lectern.errors import Conflict, LecternError, Misconfigured, NotFound, Unavailable


class EmbeddingsUnavailable(Unavailable):
    """The embedding service cannot be reached or is overloaded just now."""

    code = "embeddings_unavailable"
    default_hint = "Keyword search goes on working; embedding is tried again."


class EmbeddingsRejected(LecternError):
    """The embedding service refused this request for good."""

    status = 502
    code = "embeddings_rejected"
    default_hint = "Check OPENAI_API_KEY, LECTERN_EMBEDDINGS_MODEL and the account's quota."


class EmbeddingsMismatch(Misconfigured):
    """These embeddings were made by another model or have other dimensions."""

    code = "embeddings_mismatch"
    default_hint = (
        "Embeddings of different models are never mixed: restore the setting, or run `lectern migrate` and re-embed."
    )


class EmbeddingsMisconfigured(Misconfigured):
    """The embedding model of LECTERN_EMBEDDINGS cannot be used."""

    code = "embeddings_misconfigured"
    default_hint = "Use `local`, `onnx:FOLDER`, `openai` or `openai:BASE_URL`."


class GenerationNotFound(NotFound):
    """No embeddings have this number."""

    code = "generation_not_found"
    default_hint = "`lectern embeddings list` and the page on the system have the numbers."


class ModelNotSet(Conflict):
    """These embeddings are of a model that does not run here, so no query could be compared with them."""

    code = "model_not_set"
    default_hint = "Name it in LECTERN_EMBEDDINGS or LECTERN_EMBEDDINGS_NEXT and start again."


class GenerationIncomplete(Conflict):
    """Documents would be found by meaning no more."""

    code = "generation_incomplete"
    default_hint = (
        "Nothing was changed. Workers make what is missing; try again when it is there. With `--incomplete` "
        "(`incomplete` over REST) these documents are found by keyword only until then."
    )


class GenerationInUse(Conflict):
    """These embeddings are searched, or kept up to date."""

    code = "generation_in_use"
    default_hint = (
        "Use another model's first, and take this one's out of LECTERN_EMBEDDINGS and LECTERN_EMBEDDINGS_NEXT."
    )
