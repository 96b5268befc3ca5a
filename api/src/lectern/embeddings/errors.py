"""What can go wrong with embeddings."""

from lectern.errors import LecternError, Misconfigured, Unavailable


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
