"""Errors of the chat endpoint, the chat API, counts, the history and golden queries."""

from lectern.errors import LecternError, Misconfigured, NotFound, Unavailable


class ModelUnavailable(Unavailable):
    """The chat endpoint cannot be reached, or is overloaded."""

    code = "answer_model_unavailable"
    default_hint = "Try again later. Search and quote checks work without the chat endpoint."


class ModelTimeout(LecternError):
    """The chat endpoint took too long."""

    status = 504
    code = "answer_model_timeout"
    default_hint = "Try again with fewer passages, or use a faster model."


class ModelRejected(Unavailable):
    """The chat endpoint rejected this request."""

    code = "answer_model_rejected"
    default_hint = "Check LECTERN_ANSWERS_BASE_URL, LECTERN_ANSWERS_MODEL, LECTERN_ANSWERS_API_KEY and the quota."


class ModelCannotSee(ModelRejected):
    """The chat endpoint rejects images."""

    code = "answer_model_cannot_see"
    default_hint = "Use a model that reads images, or set LECTERN_ANSWERS_VISION_PAGES=0."


class ModelUnreadable(Unavailable):
    """The chat endpoint returned something that is not an answer."""

    code = "answer_model_unreadable"
    default_hint = "Use a model that returns JSON, or ask a narrower question."


class ModelMisconfigured(Misconfigured):
    """The settings of the chat endpoint are incomplete."""

    code = "answer_model_misconfigured"
    default_hint = "Set LECTERN_ANSWERS_BASE_URL and LECTERN_ANSWERS_MODEL, or neither."


class ChatModelNotFound(NotFound):
    """There is no model with this name."""

    code = "model_not_found"
    default_hint = "List the models with GET /v1/models."


class DocumentNotRead(LecternError):
    """This document has no text that could be read, so nothing was counted."""

    status = 409
    code = "nothing_to_count"
    default_hint = "Its status says why. A document that is still processing can be counted later."


class ThreadNotFound(NotFound):
    """Your history has no such thread."""

    default_hint = "It may have been deleted, or cite a document that you cannot open. Begin a new thread."


class AnswerNotFound(NotFound):
    """Your history has no answer with this id."""

    default_hint = "Answers leave the history after the retention period, or when a cited document is purged."


class ChunkNotFound(NotFound):
    """This page has no chunk with this id."""

    default_hint = "The document may have a newer version. Search again."


class GoldenQueryNotFound(NotFound):
    """There is no golden query with this id that you may remove."""

    default_hint = "It may have been removed. List the golden queries again."
