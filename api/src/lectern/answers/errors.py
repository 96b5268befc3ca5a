"""What can go wrong with the chat endpoint."""

from lectern.errors import LecternError, Misconfigured, Unavailable


class ModelUnavailable(Unavailable):
    """The chat endpoint cannot be reached or is overloaded just now."""

    code = "answer_model_unavailable"
    default_hint = "Try again later; search and quotations work without it."


class ModelTimeout(LecternError):
    """The chat endpoint took too long."""

    status = 504
    code = "answer_model_timeout"
    default_hint = "Try again, ask for fewer passages (top_k), or raise LECTERN_ANSWERS_TIMEOUT_SECONDS."


class ModelRejected(Unavailable):
    """The chat endpoint refused this request for good."""

    code = "answer_model_rejected"
    default_hint = "Check LECTERN_ANSWERS_BASE_URL, LECTERN_ANSWERS_MODEL, LECTERN_ANSWERS_API_KEY and the quota."


class ModelCannotSee(ModelRejected):
    """The chat endpoint refuses pictures of pages."""

    code = "answer_model_cannot_see"
    default_hint = "Use a model that reads pictures, show it fewer, or set LECTERN_ANSWERS_VISION_PAGES=0."


class ModelUnreadable(Unavailable):
    """The chat endpoint answered something that is no answer."""

    code = "answer_model_unreadable"
    default_hint = "Use a model that returns JSON, or ask a narrower question."


class ModelMisconfigured(Misconfigured):
    """The chat endpoint's settings do not fit together."""

    code = "answer_model_misconfigured"
    default_hint = "Set LECTERN_ANSWERS_BASE_URL and LECTERN_ANSWERS_MODEL, or neither of them."
