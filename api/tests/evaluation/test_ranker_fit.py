"""Fits of the ranker, and the gain that decides whether one is stored."""

from collections.abc import Callable

import numpy as np
import pytest

from lectern.evaluation.errors import NothingToFit
from lectern.evaluation.ranker_fit import (
    MIN_GROUPS,
    MIN_QUESTIONS,
    LabelledCandidates,
    fit_ranker,
    group_by_document,
)
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.features import FEATURES, PLACES, Values
from lectern.search.ranking.fitted import load_fitted_model, measure_steps
from lectern.search.ranking.model import TreeModel, load_model

Choose = Callable[[Values, np.random.Generator], int]


def by_heading(features: Values, _: np.random.Generator) -> int:
    """Choose a candidate by a feature that the shipped ranker hardly reads."""
    return int(features[:, PLACES["heading_share"]].argmax())


def by_shipped_ranker(features: Values, chance: np.random.Generator) -> int:
    """Choose a candidate that the shipped ranker puts first to fifth."""
    return int(np.argsort(-load_model().score(features))[chance.integers(5)])


def at_random(features: Values, chance: np.random.Generator) -> int:
    return int(chance.integers(len(features)))


def questions(choose: Choose, *, count: int = 90, documents: int = 30, seed: int = 1) -> list[LabelledCandidates]:
    """Build questions with 40 candidates. One is chosen as relevant, and one has a heading with the query's words."""
    chance = np.random.default_rng(seed)
    made: list[LabelledCandidates] = []
    for number in range(count):
        features = chance.random((40, len(FEATURES)))
        features[:, [PLACES[name] for name in ("is_titled", "identifier_share", "is_referenced")]] = 0
        features[:, PLACES["heading_share"]] = np.arange(40) == chance.integers(40)
        is_relevant = np.arange(40) == choose(features, chance)
        made.append(
            LabelledCandidates(
                question=about(f"{number % documents}.pdf"),
                features=features,
                is_relevant=is_relevant,
                is_relevant_document=is_relevant,
            )
        )
    return made


def about(*documents: str) -> LabelledQuestion:
    return LabelledQuestion(
        id="1",
        set_name="mine",
        text="Where?",
        documents=frozenset(documents),
        pages=frozenset([1]),
        is_answerable=True,
        type="any",
        language="en",
    )


def test_real_gain_is_accepted_and_holds_on_new_questions() -> None:
    report = fit_ranker(questions(by_heading))

    assert report.is_gain
    assert (report.questions, report.groups) == (90, 30)
    assert report.mrr.after - report.mrr.before > report.mrr.low > 0.2
    assert max(report.fit.weights, key=lambda name: report.fit.weights[name]) == "heading_share"
    model = load_fitted_model(report.fit.to_json())
    firsts = [bool(one.is_relevant[model.score(one.features).argmax()]) for one in questions(by_heading, seed=2)]
    assert np.mean(firsts) > 0.3


@pytest.mark.parametrize("choose", [by_shipped_ranker, at_random])
def test_noise_is_refused(choose: Choose) -> None:
    reports = [fit_ranker(questions(choose, seed=seed)) for seed in range(5)]

    assert [report.is_gain for report in reports] == [False] * 5
    assert any(report.fit.weights for report in reports)


def test_fit_keeps_the_level_that_confidence_reads() -> None:
    collected = questions(by_heading)
    model = load_fitted_model(fit_ranker(collected).fit.to_json())

    def level(ranker: TreeModel) -> tuple[float, float]:
        """Return the means of the best score and of its lead over the fifth."""
        best = [np.sort(ranker.score(one.features))[::-1] for one in collected]
        return float(np.mean([rows[0] for rows in best])), float(np.mean([rows[0] - rows[4] for rows in best]))

    assert level(model) == pytest.approx(level(load_model()), abs=0.01)


def test_weights_have_no_wrong_sign() -> None:
    weights = fit_ranker(questions(at_random)).fit.weights
    free = {feature.name for feature in FEATURES if not feature.direction}

    assert weights
    assert all(weight > 0 for name, weight in weights.items() if name not in free)
    assert (measure_steps(np.ones((1, len(FEATURES)))) > 0).all()


@pytest.mark.parametrize(
    ("count", "documents"), [(MIN_QUESTIONS - 1, MIN_QUESTIONS - 1), (MIN_QUESTIONS, MIN_GROUPS - 1)]
)
def test_too_few_questions_or_documents_are_rejected(count: int, documents: int) -> None:
    with pytest.raises(NothingToFit, match=f"{count} questions about {documents} documents"):
        fit_ranker(questions(by_heading, count=count, documents=documents))


def test_questions_that_share_a_document_are_in_one_group() -> None:
    (one, *_) = questions(at_random, count=1)
    collected = [
        LabelledCandidates(
            question=about(*names),
            features=one.features,
            is_relevant=one.is_relevant,
            is_relevant_document=one.is_relevant,
        )
        for names in (("a",), ("b", "c"), ("d",), ("c", "a"), ("d",))
    ]

    assert group_by_document(collected).tolist() == [0, 0, 1, 0, 1]
