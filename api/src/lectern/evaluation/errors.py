"""What can be wrong with a labelled set or with what it is compared to."""

from lectern.errors import Conflict, InvalidRequest


class UnreadableSet(InvalidRequest):
    """This is not a labelled set."""

    code = "unreadable_labelled_set"
    default_hint = "Give JSON lines with question, document and pages, or TREC topics together with --qrels."


class UnknownSetting(InvalidRequest):
    """This is not a setting of searching that can be tried."""

    code = "unknown_search_setting"
    default_hint = "Write NAME=VALUE,VALUE with a number that the settings' reference lists under search."


class UnreadableRun(InvalidRequest):
    """This is not a saved run."""

    code = "unreadable_run"
    default_hint = "Give a file that `lectern eval run --output` has written."


class TooFewGoldenQueries(Conflict):
    """There are too few golden queries for this."""

    code = "too_few_golden_queries"
    default_hint = "Star hits that answer a query, or POST /api/v1/evaluations/golden."


class NothingToCalibrate(Conflict):
    """These questions do not say how far confidence can be trusted."""

    code = "nothing_to_calibrate"
    default_hint = "Star more hits, or add questions; those marked answerable: false count too."
