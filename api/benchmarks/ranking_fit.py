"""Measure the gain of `lectern eval fit`: fit to half of the documents of a set, test on the other half, many times.

    python benchmarks/ranking_fit.py DATA [--documents N] [--draws N]

DATA.npz and DATA.json come from `ranking_data.py`. `--documents` is the number of documents that a fit requires.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import ranking_data
from numpy.typing import NDArray

from lectern.evaluation.errors import NothingToFit
from lectern.evaluation.ranker_fit import DEPTH, MIN_GROUPS, LabelledCandidates, fit_ranker
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.features import Values
from lectern.search.ranking.fitted import load_fitted_model
from lectern.search.ranking.model import TreeModel, load_model


def _candidates(row: dict[str, Any], features: NDArray[np.float32], labels: NDArray[np.bool_]) -> LabelledCandidates:
    question = LabelledQuestion(
        id=row["id"],
        set_name=f"{row['set']} {row['language']}" if row["set"] == "xquad" else row["set"],
        text="",
        documents=frozenset(row["documents"]),
        pages=frozenset(),
        is_answerable=True,
        type=row["type"],
        language=row["language"],
    )
    return LabelledCandidates(
        question=question,
        features=features.astype(np.float64),
        is_relevant=labels[:, 0],
        is_relevant_document=labels[:, 1],
    )


def rank(model: TreeModel, collected: Sequence[LabelledCandidates]) -> Values:
    """Return the rank of the first relevant candidate of each question, infinite if there is none."""
    ranked = [one.is_relevant[np.argsort(-model.score(one.features), kind="stable")] for one in collected]
    return np.array([part.argmax() + 1 if part.any() else np.inf for part in ranked])


def halve(collected: Sequence[LabelledCandidates], *, draws: int, documents: int) -> str:
    """Return how many fits are accepted, and the mean gain of all fits and of the accepted ones (0 for the others)."""
    names, chance = sorted({min(one.question.documents) for one in collected}), np.random.default_rng(7)
    gains: list[tuple[bool, float, float]] = []
    for _ in range(draws):
        chosen = set(chance.permutation(names)[: len(names) // 2].tolist())
        seen, unseen = (
            [one for one in collected if (min(one.question.documents) in chosen) is is_in] for is_in in (True, False)
        )
        try:
            report = fit_ranker(seen, min_groups=documents)
        except NothingToFit:
            return "too few"
        before, after = rank(load_model(), unseen), rank(load_fitted_model(report.fit.to_json()), unseen)
        recall = float(((after <= DEPTH) * 1.0 - (before <= DEPTH)).mean())
        gains.append((report.is_gain, recall, float((1 / after - 1 / before).mean())))
    table = np.array(gains, float)
    every, accepted = table[:, 1:].mean(axis=0), (table[:, 1:] * table[:, :1]).mean(axis=0)
    return f"accepted {table[:, 0].sum():.0f}, @5 MRR: every fit {every.round(3)}, accepted {accepted.round(3)}"


def main() -> None:
    """Print the gains for each set and for all sets together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--documents", type=int, default=MIN_GROUPS)
    parser.add_argument("--draws", type=int, default=20)
    arguments = parser.parse_args()
    rows = ranking_data.read(arguments.data)
    collected = [_candidates(*row) for row in rows if row[0]["scope"] == "library"]
    drawn = {"draws": arguments.draws, "documents": arguments.documents}
    for name in sorted({one.question.set_name for one in collected}):
        mine = [one for one in collected if one.question.set_name == name]
        print(f"{name}  ({len(mine)} questions)  {halve(mine, **drawn)}", flush=True)
    print(f"all  ({len(collected)} questions)  {halve(collected, **drawn)}")


if __name__ == "__main__":
    main()
