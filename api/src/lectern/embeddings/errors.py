"""Errors of embeddings."""

from lectern.errors import Conflict, LecternError, Misconfigured, NotFound, Unavailable


class EmbeddingsUnavailable(Unavailable):
    """The embedding service is unreachable or overloaded."""

    default_hint = "Keyword search still works. Embedding is retried automatically."


class EmbeddingsRejected(LecternError):
    """The embedding service rejected this request."""

    status = 502
    default_hint = "Check OPENAI_API_KEY, LECTERN_EMBEDDINGS_MODEL and the account's quota."


class EmbeddingsMismatch(Misconfigured):
    """These embeddings belong to another model or have other dimensions."""

    default_hint = (
        "Embeddings of different models are never mixed. Restore LECTERN_EMBEDDINGS, or run `lectern migrate`."
    )


class EmbeddingsMisconfigured(Misconfigured):
    """The embedding model of LECTERN_EMBEDDINGS cannot be used."""

    default_hint = "Use `local`, `onnx:FOLDER`, `openai` or `openai:BASE_URL`."


class GenerationNotFound(NotFound):
    """No generation of embeddings has this number."""

    default_hint = "`lectern embeddings list` shows the numbers."


class ModelNotSet(Conflict):
    """The model of these embeddings is not configured, so queries cannot use them."""

    default_hint = "Set LECTERN_EMBEDDINGS or LECTERN_EMBEDDINGS_NEXT to this model and restart."


class GenerationIncomplete(Conflict):
    """Some documents have no embeddings of this model yet."""

    default_hint = (
        "Nothing was changed. Workers create the missing embeddings; try again later. With `--incomplete` "
        "(`incomplete` over REST) these documents are found by keyword only until then."
    )


class GenerationActive(Conflict):
    """These embeddings are active, or their model is configured."""

    default_hint = (
        "Switch with `lectern embeddings use NUMBER`, "
        "and remove this model from LECTERN_EMBEDDINGS and LECTERN_EMBEDDINGS_NEXT."
    )
