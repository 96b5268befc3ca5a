"""What can be wrong with the history."""

from lectern.errors import NotFound


class AnswerNotFound(NotFound):
    """No answer in your history has this id."""

    code = "answer_not_found"
    default_hint = "It may be older than the retention, or a document that it cites was purged or left your scope."
