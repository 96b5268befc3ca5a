"""Failures as models and clients see them: `{error, code, hint}`. No other error text leaves the service."""

from typing import Literal

from mcp.server.mcpserver.exceptions import ToolError

Code = Literal[
    "VALIDATION_ERROR",
    "RATE_LIMITED",
    "DOWNLOAD_ERROR",
    "PROCESSING_ERROR",
    "MODEL_LOAD_ERROR",
    "TIMEOUT",
    "INTERNAL_ERROR",
    "NOT_FOUND",
    "UNAUTHORIZED",
    "HOST_NOT_ALLOWED",
]
DEFAULTS: dict[Code, tuple[str, str]] = {
    "VALIDATION_ERROR": ("Invalid arguments.", "Correct the arguments and call again."),
    "RATE_LIMITED": ("Too many calls with this key.", "Wait before the next call."),
    "DOWNLOAD_ERROR": ("The file could not be fetched.", "Check its URL."),
    "PROCESSING_ERROR": ("The document could not be read.", "See its status with list_documents."),
    "MODEL_LOAD_ERROR": ("Search by meaning is temporarily unavailable.", "Call again with hybrid=true, or later."),
    "TIMEOUT": ("The call took too long and was ended.", "Ask for less, or try again later."),
    "INTERNAL_ERROR": ("Internal error of Lectern.", "Try again, or contact your administrator if it persists."),
    "NOT_FOUND": ("Nothing that you may see has this name or id.", "See list_documents or list_tags."),
    "UNAUTHORIZED": ("Unknown, revoked or expired key, or not for your address.", "Ask for a key that may do this."),
    "HOST_NOT_ALLOWED": ("Unknown Host header.", "Set LECTERN_PUBLIC_URL, or add the host to MCP_ALLOWED_HOSTS."),
}
_ANSWERS: dict[Code, set[int | str]] = {
    "VALIDATION_ERROR": {400, 409, 413, 415, 422},
    "RATE_LIMITED": {429},
    "DOWNLOAD_ERROR": {"download_failed", "download_too_large"},
    "PROCESSING_ERROR": {
        *("extraction_failed", "corrupt", "encrypted", "no_text", "empty", "document_has_no_text", "nothing_to_count"),
        *("crashed_worker", "gave_up"),
    },
    "MODEL_LOAD_ERROR": {
        *("semantic_search_unavailable", "embeddings_unavailable", "embeddings_rejected"),
        *("answer_model_unavailable", "answer_model_rejected", "answer_model_unreadable", "answer_model_misconfigured"),
    },
    "TIMEOUT": {408, 504, "timed_out", "answer_model_timeout"},
    "NOT_FOUND": {404},
    "UNAUTHORIZED": {401, 403},
}
_CODES: dict[int | str, Code] = {answer: code for code, answers in _ANSWERS.items() for answer in answers}


class Failure(ToolError):
    """A failure with one of ten codes. Message and hint default to those of the code.

    `unknown` are the names that the API does not know, and `corrections` the only close name for some of them.
    """

    def __init__(self, code: Code, message: str | None = None, hint: str | None = None) -> None:
        self.code = code
        self.message = message or DEFAULTS[code][0]
        self.hint = hint or DEFAULTS[code][1]
        self.unknown: list[str] = []
        self.corrections: dict[str, str] = {}
        super().__init__(self.message)

    def as_dict(self) -> dict[str, str]:
        return {"error": self.message, "code": self.code, "hint": self.hint}


def code_of(status: int, problem_code: str) -> Code:
    """Return the code for a response of the API, by its problem code or by its status."""
    return _CODES.get(problem_code) or _CODES.get(status) or "INTERNAL_ERROR"
