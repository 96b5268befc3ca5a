"""Errors of an ingestion, beside those of its file."""

from lectern.errors import LecternError


class Superseded(LecternError):
    """This run no longer owns its job."""


class CrashedWorker(LecternError):
    """This file ended its worker several times."""

    value_names = ("crashes",)
    default_hint = "Retry on a machine with more memory. If it fails again, the file itself may be the cause."


class GaveUp(LecternError):
    """A transient error persisted."""

    value_names = ("attempts",)
    default_hint = "Fix the cause and retry the job."


class Cancelled(LecternError):
    """The ingestion was cancelled."""

    default_hint = "Retry the job to continue."


class UnexpectedFault(LecternError):
    """An error in Lectern ended the ingestion."""

    code = "internal_error"
    default_hint = "Retry the job. If it fails again, find its id in the worker's log and report it."
