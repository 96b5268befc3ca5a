"""Calibration of confidence and its measures on held-out questions."""

import random

import pytest

from lectern.evaluation.calibration import MIN_PER_OUTCOME, LabelledSearch, calibrate, fit
from lectern.evaluation.errors import NothingToCalibrate
from lectern.search.ranking.confidence import UNCALIBRATED, Calibration


def searches(*, sets: int = 1, seed: int = 3, is_informative: bool = True) -> list[LabelledSearch]:
    """Build 40 searches per set. Informative confidence is higher for those with an answer."""
    chance = random.Random(seed)
    made: list[LabelledSearch] = []
    for number in range(sets):
        for key in range(40):
            for is_answered in (True, False):
                confidence = chance.betavariate(8, 2) if is_answered and is_informative else chance.betavariate(5, 4)
                made.append(
                    LabelledSearch(
                        set_name=f"set {number}", question=str(key), confidence=confidence, is_answered=is_answered
                    )
                )
    return made


def test_calibrated_confidence_is_a_probability() -> None:
    report = calibrate(searches())

    low, middle, high = (report.calibration.apply(confidence) for confidence in (0.3, 0.7, 0.95))
    assert low < 0.3 < middle < 0.9 < high
    assert report.loss < report.base_loss == 0.25
    assert report.precision is not None
    assert report.recall is not None
    assert min(report.precision, report.recall) > 0.6
    assert (report.searches, report.unanswered, report.held_out) == (80, 40, "a fifth of the questions at a time")


def test_cross_validation_holds_out_one_set_at_a_time() -> None:
    assert calibrate(searches(sets=2)).held_out == "one set at a time"


def test_fit_recovers_bias_and_slope() -> None:
    chance, wanted = random.Random(5), Calibration(bias=-1.5, slope=2.0)
    confidences = [chance.random() for _ in range(4_000)]
    judged = [
        LabelledSearch(
            set_name="a",
            question=str(key),
            confidence=confidence,
            is_answered=chance.random() < wanted.apply(confidence),
        )
        for key, confidence in enumerate(confidences)
    ]

    found = fit(judged)

    assert found.bias == pytest.approx(wanted.bias, abs=0.2)
    assert found.slope == pytest.approx(wanted.slope, abs=0.2)


def test_uninformative_confidence_is_not_calibrated() -> None:
    with pytest.raises(NothingToCalibrate, match="does not predict"):
        calibrate(searches(is_informative=False))


def test_too_few_searches_are_rejected() -> None:
    with pytest.raises(NothingToCalibrate, match=f"{MIN_PER_OUTCOME - 1} answered"):
        calibrate(searches()[: 2 * (MIN_PER_OUTCOME - 1)])


def test_uncalibrated_confidence_is_unchanged() -> None:
    assert [UNCALIBRATED.apply(confidence) for confidence in (0.0, 0.37, 1.0)] == [0.0, 0.37, 1.0]
    assert 0 < Calibration(bias=0.5, slope=1.0).apply(0.0) < Calibration(bias=0.5, slope=1.0).apply(1.0) < 1
