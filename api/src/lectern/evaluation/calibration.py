"""Confidence fitted to labelled questions, and how far it can be trusted then (pure).

The probability that hits answer a question is 1 / (1 + exp(-(bias + slope * log-odds(confidence as measured)))).
Source: Platt, "Probabilistic outputs for support vector machines", 1999, with the smoothed targets given there.
Bias 0 and slope 1 leave the confidence as it is.
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

FEWEST: Final = 20  # of each kind: searches that were answered, and such that were not
FOLDS: Final = 5
_ROUNDS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A search of known outcome: its confidence as measured, and whether its hits answered. `question` keeps together
    what was asked with and without the documents that answer it.
    """

    set_name: str
    question: str
    confidence: float
    is_answered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What "not in these documents" (below a confidence of 0.5) was worth, on questions that were left out of the fit.

    `loss` is the mean of the squared error (Brier); `base_loss` that of always saying the share of answered searches.
    """

    calibration: Calibration
    searches: int
    unanswered: int
    precision: float | None
    recall: float | None
    loss: float
    base_loss: float
    left_out: str


def calibrate(judged: Sequence[Judged]) -> Trust:
    """Fit all, and judge by fits that have not seen the set (of one set: the fifth) that they are asked about.

    Raises:
        NothingToCalibrate: There are too few searches of one outcome, or confidence does not tell them apart.
    """
    unanswered = sum(not one.is_answered for one in judged)
    if min(unanswered, len(judged) - unanswered) < FEWEST:
        raise NothingToCalibrate(
            f"{len(judged) - unanswered} searches were answered and {unanswered} were not; {FEWEST} of each are needed."
        )
    groups, left_out = _groups(judged)
    pairs = [
        (one, fitted.apply(one.confidence))
        for group in sorted(set(groups))
        for fitted in [fit([one for one, other in zip(judged, groups, strict=True) if other != group])]
        for one in [one for one, other in zip(judged, groups, strict=True) if other == group]
    ]
    outcomes = [float(one.is_answered) for one, _ in pairs]
    base = sum(outcomes) / len(outcomes)
    loss = _squared_error([probability for _, probability in pairs], outcomes)
    base_loss = _squared_error([base] * len(outcomes), outcomes)
    calibration = fit(judged)
    if loss >= base_loss or calibration.slope <= 0:
        raise NothingToCalibrate(
            f"On these questions confidence does not tell answered searches from others (squared error {loss:.3f}, "
            f"and {base_loss:.3f} without it): it stays as it is."
        )
    said = [probability < 0.5 for _, probability in pairs]  # noqa: PLR2004 (more likely not than so)
    precision, recall = precision_and_recall(said, [not one.is_answered for one, _ in pairs])
    return Trust(
        calibration=calibration,
        searches=len(judged),
        unanswered=unanswered,
        precision=precision,
        recall=recall,
        loss=loss,
        base_loss=base_loss,
        left_out=left_out,
    )


def fit(judged: Sequence[Judged]) -> Calibration:
    """Bias and slope of the greatest likelihood (Newton's method, with a trace of a prior so that it ends)."""
    if not judged:
        return UNCALIBRATED
    values = np.array([log_odds(one.confidence) for one in judged])
    answered = np.array([one.is_answered for one in judged])
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
        if np.abs(step).max() < 1e-9:  # noqa: PLR2004 (as exact as floats are here)
            break
    return Calibration(bias=round(float(weights[0]), 3), slope=round(float(weights[1]), 3))


def _groups(judged: Sequence[Judged]) -> tuple[list[str], str]:
    sets = {one.set_name for one in judged}
    if len(sets) > 1:
        return [one.set_name for one in judged], "one set at a time"
    questions = sorted({one.question for one in judged})
    edges = [math.ceil(len(questions) * part / FOLDS) for part in range(FOLDS + 1)]
    fold = {key: str(part) for part, (start, end) in enumerate(pairwise(edges)) for key in questions[start:end]}
    return [fold[one.question] for one in judged], "a fifth of the questions at a time"


def _squared_error(said: Sequence[float], outcomes: Sequence[float]) -> float:
    return sum((value - outcome) ** 2 for value, outcome in zip(said, outcomes, strict=True)) / len(outcomes)
