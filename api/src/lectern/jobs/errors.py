"""Errors of jobs and the queue."""

from lectern.errors import Conflict, LecternError, NotFound


class JobNotFound(NotFound):
    """No job has this id."""


class JobNotRetryable(Conflict):
    """Only a failed or cancelled job can be retried."""

    default_hint = "Wait until it ends, or cancel it first."


class JobNotCancellable(Conflict):
    """This job has already ended."""


class QueueLost(LecternError):
    """The connection to the queue broke."""

    status = 503
