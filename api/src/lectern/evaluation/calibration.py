"""Calibration of confidence on labelled questions, by Platt scaling (pure).

The probability that hits answer a question is 1 / (1 + exp(-(bias + slope * log-odds(uncalibrated confidence)))).
Source: Platt, "Probabilistic outputs for support vector machines", 1999, with its smoothed targets.
Bias 0 and slope 1 leave the confidence unchanged.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from lectern.evaluation.errors import NothingToCalibrate
from lectern.evaluation.metrics import precision_and_recall
from lectern.search.ranking.confidence import UNCALIBRATED, Calibration, log_odds

MIN_PER_OUTCOME: Final = 20  # answered and unanswered searches each
_FOLDS: Final = 5
_ROUNDS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSearch:
    """A search with its uncalibrated confidence and its outcome.

    Searches for the same `question`, with and without the documents that answer it, stay in one fold.
    """

    set_name: str
    question: str
    confidence: float
    is_answered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationReport:
    """Quality of "not in these documents" (a confidence below 0.5), measured on held-out questions.

    `loss` is the Brier score. `uncalibrated_loss` is that of the shipped confidence, `base_loss` that of a
    constant prediction, the share of answered searches.
    """

    calibration: Calibration
    searches: int
    unanswered: int
    precision: float | None
    recall: float | None
    loss: float
    uncalibrated_loss: float
    base_loss: float
    held_out: str


def calibrate(searches: Sequence[LabelledSearch]) -> CalibrationReport:
    """Fit all searches, and measure the fit by cross-validation over sets, or over fifths of a single set.

    Raises:
        NothingToCalibrate: There are too few searches with one outcome, or confidence does not separate them,
            or the shipped one is as good.
    """
    unanswered = sum(not one.is_answered for one in searches)
    if min(unanswered, len(searches) - unanswered) < MIN_PER_OUTCOME:
        raise NothingToCalibrate(
            f"{len(searches) - unanswered} answered and {unanswered} unanswered searches. "
            f"{MIN_PER_OUTCOME} of each are needed."
        )
    groups, held_out = _groups(searches)
    pairs = [
        (one, fitted.apply(one.confidence))
        for group in sorted(set(groups))
        for fitted in [fit([one for one, other in zip(searches, groups, strict=True) if other != group])]
        for one in [one for one, other in zip(searches, groups, strict=True) if other == group]
    ]
    outcomes = [float(one.is_answered) for one, _ in pairs]
    base = sum(outcomes) / len(outcomes)
    loss = _squared_error([probability for _, probability in pairs], outcomes)
    base_loss = _squared_error([base] * len(outcomes), outcomes)
    uncalibrated_loss = _squared_error([one.confidence for one, _ in pairs], outcomes)
    calibration = fit(searches)
    if loss >= base_loss or calibration.slope <= 0:
        raise NothingToCalibrate(
            f"Confidence does not predict answers here: squared error {loss:.3f}, without it {base_loss:.3f}."
        )
    if loss >= uncalibrated_loss:
        raise NothingToCalibrate(
            f"The shipped confidence is as good: squared error {uncalibrated_loss:.3f}, fitted {loss:.3f}."
        )
    predicted = [probability < 0.5 for _, probability in pairs]  # noqa: PLR2004 (less likely than not)
    precision, recall = precision_and_recall(predicted, [not one.is_answered for one, _ in pairs])
    return CalibrationReport(
        calibration=calibration,
        searches=len(searches),
        unanswered=unanswered,
        precision=precision,
        recall=recall,
        loss=loss,
        uncalibrated_loss=uncalibrated_loss,
        base_loss=base_loss,
        held_out=held_out,
    )


def fit(searches: Sequence[LabelledSearch]) -> Calibration:
    """Return the bias and slope with the greatest likelihood, by Newton's method with a weak prior."""
    if not searches:
        return UNCALIBRATED
    values = np.array([log_odds(one.confidence) for one in searches])
    answered = np.array([one.is_answered for one in searches])
    positives, negatives = int(answered.sum()), int((~answered).sum())
    targets = np.where(answered, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    design = np.stack([np.ones_like(values), values], axis=1)
    weights = np.array([0.0, 1.0])
    for _ in range(_ROUNDS):
        probabilities = 1 / (1 + np.exp(-(design @ weights)))
        gradient = design.T @ (probabilities - targets) + 1e-3 * weights
        curvature = (design * (probabilities * (1 - probabilities))[:, None]).T @ design + 1e-3 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        weights = weights - np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:  # noqa: PLR2004 (float precision)
            break
    return Calibration(bias=round(float(weights[0]), 3), slope=round(float(weights[1]), 3))


def _groups(searches: Sequence[LabelledSearch]) -> tuple[list[str], str]:
    sets = {one.set_name for one in searches}
    if len(sets) > 1:
        return [one.set_name for one in searches], "one set at a time"
    questions = sorted({one.question for one in searches})
    edges = [math.ceil(len(questions) * part / _FOLDS) for part in range(_FOLDS + 1)]
    fold = {key: str(part) for part, (start, end) in enumerate(pairwise(edges)) for key in questions[start:end]}
    return [fold[one.question] for one in searches], "a fifth of the questions at a time"


def _squared_error(predicted: Sequence[float], outcomes: Sequence[float]) -> float:
    return sum((value - outcome) ** 2 for value, outcome in zip(predicted, outcomes, strict=True)) / len(outcomes)
