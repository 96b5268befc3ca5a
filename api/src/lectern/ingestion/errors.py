"""What can go wrong with an ingestion beside what can go wrong with its file."""

from lectern.errors import LecternError, NotFound


class Superseded(LecternError):
    """The job was cancelled, given to another worker, or its document is gone: this run has nothing more to say."""

    code = "superseded"


class CrashedWorker(LecternError):
    """Working on this file ended its worker several times."""

    code = "crashed_worker"
    value_names = ("crashes",)
    default_hint = "Try again on a machine with more memory; if that does not help, the file itself may be the cause."


class GaveUp(LecternError):
    """A fault that should have passed did not."""

    code = "gave_up"
    value_names = ("attempts",)
    default_hint = "See to the cause and retry the job."


class Cancelled(LecternError):
    """The ingestion was cancelled."""

    code = "cancelled"
    default_hint = "Retry the job to go on where it stopped."


class UnexpectedFault(LecternError):
    """An error in Lectern itself ended the ingestion."""

    code = "internal_error"
    default_hint = "Retry the job; if it fails again, look for its id in the worker's log and report it."


class DatabaseFull(LecternError):
    """There is no space left for the database."""

    status = 507
    code = "database_full"
    default_hint = "Free some space; the job goes on by itself."


class DocumentUnknown(NotFound):
    """No document has this id."""

    code = "document_not_found"
