"""Errors of labelled sets, runs and calibration."""

from lectern.errors import Conflict, InvalidRequest


class UnreadableSet(InvalidRequest):
    """The file is not a labelled set."""

    code = "unreadable_labelled_set"
    default_hint = "Use JSON lines with question, document and pages, or TREC topics with --qrels."


class UnknownSetting(InvalidRequest):
    """There is no such search setting, or the value is invalid."""

    code = "unknown_search_setting"
    default_hint = "docs/reference/settings.md lists names and values under Search."


class UnreadableRun(InvalidRequest):
    """The file is not a saved run."""

    default_hint = "Use a run.json written by `lectern eval run --output`."


class TooFewGoldenQueries(Conflict):
    """There are not enough golden queries."""

    default_hint = "Star search hits that answer a query."


class NothingToCalibrate(Conflict):
    """The questions do not allow a calibration of confidence."""

    default_hint = "Star more hits, or add questions, including some with answerable: false."


class NothingToFit(Conflict):
    """The questions do not allow a fit of the ranker, or it gains nothing."""

    default_hint = "Search keeps its ranker. Star more hits, of more documents, and run `lectern eval fit` again."
