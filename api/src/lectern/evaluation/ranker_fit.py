"""Fit the weights of `search/ranking/fitted.py` to labelled questions, and test them on other documents.

The loss of a question is the negative log-probability of its relevant candidates, where the scores are log-odds. Its
minimum is found by projected Newton steps. A Gaussian prior keeps the weights near 0, which is the shipped ranker.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.errors import UnknownDocument
from lectern.evaluation.errors import NothingToFit
from lectern.evaluation.relevance import has_place, is_relevant_document
from lectern.evaluation.runner import list_labelled_copies
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.features import FEATURES, Values, build_features
from lectern.search.ranking.fitted import RankerFit, measure_steps, shipped_version
from lectern.search.ranking.model import load_model
from lectern.search.schemas import MAX_QUERY_CHARACTERS, SearchRequest
from lectern.search.service import SearchEngine

MIN_QUESTIONS: Final = 30
MIN_GROUPS: Final = 20  # of documents: with fewer, the interval is too narrow
DEPTH: Final = 5
_PRIOR: Final = 1.0  # standard deviation of a weight
_LEAST_WEIGHT: Final = 0.01
_ROUNDS: Final = 100
_HALVINGS: Final = 20
_ENOUGH: Final = 1e-6  # of the loss, summed over all questions
_DRAWS: Final = 2_000
_SEED: Final = 20261126
_IS_FREE: Final = np.array([feature.direction == 0 for feature in FEATURES])


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledCandidates:
    """The candidates of a question by their ids: features (n, len(FEATURES)), and which have a labelled place (n,)."""

    question: LabelledQuestion
    features: Values
    is_relevant: NDArray[np.bool_]
    is_relevant_document: NDArray[np.bool_]


async def collect_candidates(
    engine: SearchEngine,
    questions: Sequence[LabelledQuestion],
    *,
    is_narrowed: bool = False,
    progress: Callable[[], None] | None = None,
) -> list[LabelledCandidates]:
    """Search for every question, in its documents if `is_narrowed`.

    Questions without candidates, and those that the ranker does not order, are left out.
    """
    copies = await list_labelled_copies(engine, questions, SYSTEM_SCOPE)
    collected: list[LabelledCandidates] = []
    for question in questions:
        one = await _collect(engine, question, copies, is_narrowed=is_narrowed or question.is_about_document)
        collected += [one] if one else []
        if progress:
            progress()
    return collected


async def _collect(
    engine: SearchEngine, question: LabelledQuestion, copies: Mapping[str, str], *, is_narrowed: bool
) -> LabelledCandidates | None:
    documents = sorted(question.documents) if is_narrowed else []
    request = SearchRequest(query=question.text[:MAX_QUERY_CHARACTERS], documents=documents, rectangles=False)
    async with engine.database.session(SYSTEM_SCOPE, is_snapshot=True) as session:
        try:
            found = await engine.find_candidates(session, request, scope=SYSTEM_SCOPE)
        except UnknownDocument:
            return None
    candidates = sorted(found.candidates, key=lambda one: one.chunk_id)
    if not candidates or found.model is None:
        return None
    hits = [
        replace(chunk, document=copies.get(chunk.document, chunk.document))
        for chunk in (found.chunks[one.chunk_id] for one in candidates)
    ]
    return LabelledCandidates(
        question=question,
        features=build_features(candidates, found.query),
        is_relevant=np.array([has_place(question, hit) for hit in hits], bool),
        is_relevant_document=np.array([is_relevant_document(question, hit.document) for hit in hits], bool),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """A measure with the shipped and the fitted ranker, and the 95 % interval of the difference, by document."""

    before: float
    after: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankerFitReport:
    """The fit to all questions, and its gain on documents left out of the fit, a group at a time."""

    fit: RankerFit
    questions: int
    groups: int
    mrr: Gain
    recall: Gain
    improved: int
    regressed: int

    @property
    def is_gain(self) -> bool:
        """True if MRR gains more than chance and recall does not fall."""
        return self.mrr.low > 0 and self.recall.after >= self.recall.before


def fit_ranker(collected: Sequence[LabelledCandidates], *, min_groups: int = MIN_GROUPS) -> RankerFitReport:
    """Fit all questions that have a relevant candidate, and measure the gain by leaving documents out.

    Questions that share a document are in one group.

    Raises:
        NothingToFit: There are too few questions or documents.
    """
    useful = [one for one in collected if one.is_relevant.any() and not one.is_relevant.all()]
    groups = group_by_document(useful)
    count = int(groups.max()) + 1 if len(groups) else 0
    if len(useful) < MIN_QUESTIONS or count < min_groups:
        raise NothingToFit(
            f"{len(useful)} questions about {count} documents have an answer among the candidates. "
            f"{MIN_QUESTIONS} about {min_groups} are needed."
        )
    problem = _Problem.of(useful)
    weights = problem.solve(np.ones(len(useful), bool))
    after = np.zeros(len(useful), np.int64)
    for group in range(count):
        held_out = groups == group
        ranks = problem.ranks(problem.solve(~held_out, start=weights))
        after[held_out] = ranks[held_out]
    before = problem.ranks(np.zeros(len(FEATURES)))
    return RankerFitReport(
        fit=_to_fit(problem, weights),
        questions=len(useful),
        groups=count,
        mrr=_gain(1 / before, 1 / after, groups),
        recall=_gain(before <= DEPTH, after <= DEPTH, groups),
        improved=int((after < before).sum()),
        regressed=int((after > before).sum()),
    )


def group_by_document(collected: Sequence[LabelledCandidates]) -> NDArray[np.int64]:
    """Number the groups of questions that share a document, directly or through others."""
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while parents.setdefault(name, name) != name:
            name = parents[name]
        return name

    firsts = [min(one.question.documents) for one in collected]
    for first, one in zip(firsts, collected, strict=True):
        for other in one.question.documents:
            parents[root(other)] = root(first)
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(root(first), len(numbers)) for first in firsts], np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """All candidates below each other: their questions, shipped scores, staircases and relevance."""

    owners: NDArray[np.int64]
    shipped: Values
    steps: Values
    is_relevant: NDArray[np.bool_]

    @classmethod
    def of(cls, collected: Sequence[LabelledCandidates]) -> "_Problem":
        features = np.concatenate([one.features for one in collected])
        return cls(
            owners=np.repeat(np.arange(len(collected)), [len(one.features) for one in collected]),
            shipped=load_model().score(features),
            steps=measure_steps(features),
            is_relevant=np.concatenate([one.is_relevant for one in collected]),
        )

    def scores(self, weights: Values) -> Values:
        return self.shipped + self.steps @ weights

    def ranks(self, weights: Values) -> NDArray[np.int64]:
        """Return the rank of the first relevant candidate of each question. Ties keep the order by id."""
        order = np.lexsort((-self.scores(weights), self.owners))
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        places = np.where(self.is_relevant[order], np.arange(len(order)) - starts[self.owners] + 1, len(order))
        return np.minimum.reduceat(places, starts)

    def solve(self, is_used: NDArray[np.bool_], *, start: Values | None = None) -> Values:
        """Return the weights with the least loss over some of the questions."""
        rows = is_used[self.owners]
        owners = np.cumsum(np.diff(self.owners[rows], prepend=-1) != 0) - 1
        part = _Problem(
            owners=owners, shipped=self.shipped[rows], steps=self.steps[rows], is_relevant=self.is_relevant[rows]
        )
        return part.minimize(np.zeros(len(FEATURES)) if start is None else start)

    def minimize(self, weights: Values) -> Values:
        """Take projected Newton steps, each halved until the loss falls."""
        loss, slope, curvature = self._loss(weights)
        for _ in range(_ROUNDS):
            is_open = _IS_FREE | (weights > 0) | (slope < 0)
            step: Values = np.zeros(len(weights))
            step[is_open] = np.linalg.solve(curvature[np.ix_(is_open, is_open)], slope[is_open])
            before = loss
            for halving in range(_HALVINGS):
                moved: Values = weights - step / 2**halving
                moved = np.where(_IS_FREE, moved, np.maximum(moved, 0))
                following = self._loss(moved)
                if following[0] <= before:
                    weights, (loss, slope, curvature) = moved, following
                    break
            if before - loss < _ENOUGH:
                break
        return weights

    def _loss(self, weights: Values) -> tuple[float, Values, Values]:
        """Return the loss, its gradient, and the Fisher information with the prior."""
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        scores = self.scores(weights)
        shares, total = _softmax(scores, self.owners, starts)
        wanted, relevant = _softmax(np.where(self.is_relevant, scores, -np.inf), self.owners, starts)
        means = np.add.reduceat(self.steps * shares[:, None], starts)
        prior = weights / _PRIOR**2
        curvature = (self.steps * shares[:, None]).T @ self.steps - means.T @ means + np.eye(len(weights)) / _PRIOR**2
        loss = float((total - relevant).sum() + weights @ prior / 2)
        return loss, self.steps.T @ (shares - wanted) + prior, curvature


def _softmax(scores: Values, owners: NDArray[np.int64], starts: NDArray[np.intp]) -> tuple[Values, Values]:
    """Return each candidate's share of its question, and the logarithm of each question's sum."""
    best = np.maximum.reduceat(scores, starts)
    powers = np.exp(scores - best[owners])
    sums = np.add.reduceat(powers, starts)
    return powers / sums[owners], best + np.log(sums)


def _to_fit(problem: _Problem, weights: Values) -> RankerFit:
    """Round the weights, and bring the best scores and their lead back to those of the shipped ranker."""
    weights = np.where(np.abs(weights) < _LEAST_WEIGHT, 0, weights.round(3))
    shipped_best, shipped_lead = _levels(problem, np.zeros(len(weights)))
    best, lead = _levels(problem, weights)
    scale = shipped_lead / lead if lead > 0 and shipped_lead > 0 else 1.0
    named = {feature.name: float(weight) for feature, weight in zip(FEATURES, weights, strict=True) if weight}
    return RankerFit(
        ranker=shipped_version(), weights=named, scale=round(scale, 4), bias=round(shipped_best - scale * best, 4)
    )


def _levels(problem: _Problem, weights: Values) -> tuple[float, float]:
    """Return the mean of the best scores, and of their lead over the fifth."""
    scores = problem.scores(weights)
    ends = np.flatnonzero(np.diff(problem.owners, prepend=-1))[1:]
    ranked = [np.sort(part)[::-1] for part in np.split(scores, ends)]
    best = np.array([part[0] for part in ranked])
    return float(best.mean()), float((best - [part[min(DEPTH, len(part)) - 1] for part in ranked]).mean())


def _gain(before: NDArray[Any], after: NDArray[Any], groups: NDArray[np.int64]) -> Gain:
    """Return both means, and the interval of their difference by a bootstrap over groups."""
    difference = after.astype(np.float64) - before
    sums, counts = np.bincount(groups, difference), np.bincount(groups)
    drawn = np.random.default_rng(_SEED).integers(len(counts), size=(_DRAWS, len(counts)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.025, 0.975))
    return Gain(before=float(before.mean()), after=float(after.mean()), low=float(low), high=float(high))


def fit_markdown(report: RankerFitReport) -> str:
    """Return the gain on documents that were left out of the fit, and the weights."""
    weights = sorted(report.fit.weights.items(), key=lambda item: -abs(item[1]))
    return (
        f"{report.questions} questions about {report.groups} groups of documents, each group ranked by a fit to the "
        f"others: {report.improved} improved, {report.regressed} regressed.\n\n"
        "| measure | shipped | fitted | difference |\n|---|---|---|---|\n"
        f"{_row('MRR', report.mrr)}{_row(f'recall@{DEPTH}', report.recall)}\n"
        f"Weights: {', '.join(f'{name} {value:+.2f}' for name, value in weights) or 'none'}.\n"
    )


def _row(name: str, gain: Gain) -> str:
    difference = f"{gain.after - gain.before:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
    return f"| {name} | {gain.before:.3f} | {gain.after:.3f} | {difference} |\n"
