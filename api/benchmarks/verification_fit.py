"""Fit the model of verification, and measure it on documents that it has not seen.

    python benchmarks/verification_fit.py --corpus DIR [--without FEATURE ...] [--ablate] [--show] [--write]

The sentences are those of the halves `tuning` and `second`. The sentences of each document are judged by a model that
was fitted on the others. `--ablate` repeats that without one feature or conflict at a time. `--write` fits on all
documents and writes `answers/data/verification.toml`.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import corpora
import numpy as np
import verification
from numpy.typing import NDArray

from lectern.answers.verification.evidence import EvidenceText
from lectern.answers.verification.features import Alignment
from lectern.answers.verification.support import CONFLICTS

MODEL: Final = Path(__file__).parents[1] / "src" / "lectern" / "answers" / "data" / "verification.toml"
FEATURES: Final = ("margin", "foreign", "uncovered")
HALVES: Final = ("tuning", "second")
THRESHOLD: Final = 0.6
_RIDGE: Final = 1.0
_STEPS: Final = 50

Array = NDArray[np.float64]


def fit(values: Array, labels: Array) -> Array:
    """Return the intercept and the weights of a logistic regression, with a ridge penalty on standardized features."""
    mean, deviation = values.mean(axis=0), values.std(axis=0) + 1e-6
    scaled = np.column_stack([np.ones(len(values)), (values - mean) / deviation])
    weights, penalty = np.zeros(scaled.shape[1]), np.eye(scaled.shape[1]) * _RIDGE
    penalty[0, 0] = 0.0
    for _ in range(_STEPS):
        predicted = 1.0 / (1.0 + np.exp(-scaled @ weights))
        curvature = scaled.T @ (scaled * (predicted * (1.0 - predicted) + 1e-6)[:, None]) + penalty
        weights = weights + np.linalg.solve(curvature, scaled.T @ (labels - predicted) - penalty @ weights)
    slopes = weights[1:] / deviation
    return np.concatenate([[weights[0] - slopes @ mean], slopes])


def judge(
    rows: Sequence[dict[str, Any]], alignments: Sequence[Alignment | None], *, without: Collection[str] = ()
) -> Array:
    """Return the probability of each sentence by a model that has not seen its document, 0 if there is a conflict."""
    names = [name for name in FEATURES if name not in without]
    conflicts = [name for name in CONFLICTS if name not in without]
    is_free = np.array([one is not None and not any(one.features[name] for name in conflicts) for one in alignments])
    values = np.array([[one.features[name] if one else 0.0 for name in names] for one in alignments])
    labels = np.array([float(row["fault"] is None) for row in rows])
    documents = np.array([row["document"] for row in rows])
    probabilities = np.zeros(len(rows))
    for document in sorted(set(documents)):
        others, own = is_free & (documents != document), is_free & (documents == document)
        weights = fit(values[others], labels[others])
        probabilities[own] = 1.0 / (1.0 + np.exp(-weights[0] - values[own] @ weights[1:]))
    probabilities[is_free & [one is not None and bool(one.features["verbatim"]) for one in alignments]] = 1.0
    return probabilities


def shares(rows: Sequence[dict[str, Any]], probabilities: Array, threshold: float = THRESHOLD) -> str:
    """Return the accepted shares of right and wrong sentences, and the area under the ROC curve."""
    right = np.array([row["fault"] is None for row in rows])
    pairs = probabilities[right][:, None] - probabilities[~right][None, :]
    area = ((pairs > 0) + 0.5 * (pairs == 0)).mean()
    accepted = probabilities >= threshold
    return f"right {accepted[right].mean():.3f}  wrong {accepted[~right].mean():.3f}  area {area:.4f}"


def show_errors(rows: Sequence[dict[str, Any]], alignments: Sequence[Alignment | None], probabilities: Array) -> None:
    """Print the sentences with a wrong verdict, with their features."""
    for row, alignment, probability in zip(rows, alignments, probabilities, strict=True):
        if bool(probability >= THRESHOLD) is (row["fault"] is not None):
            features = alignment.features if alignment else dict[str, float]()
            present = {name: round(value, 2) for name, value in features.items() if value}
            pairs = [
                (one.quantity.written, one.cell.quantity.written) for one in (alignment.matches if alignment else ())
            ]
            print(f"  {probability:.2f} {row['id']} {row['fault'] or row['kind']}: {row['sentence']}")
            print(f"       {present} {pairs}")


def write_model(rows: Sequence[dict[str, Any]], alignments: Sequence[Alignment | None]) -> None:
    """Fit on all documents and write the weights."""
    known = [
        (one, row)
        for one, row in zip(alignments, rows, strict=True)
        if one and not any(one.features[name] for name in CONFLICTS)
    ]
    values = np.array([[one.features[name] for name in FEATURES] for one, _ in known])
    weights = fit(values, np.array([float(row["fault"] is None) for _, row in known]))
    lines = [
        "# Weights of the model of verification. Written by `benchmarks/verification_fit.py --write`.",
        "",
        f"intercept = {weights[0]:.3f}",
        f"threshold = {THRESHOLD}",
        "",
        "[weights]",
        *(f"{name} = {weight:.3f}" for name, weight in zip(FEATURES, weights[1:], strict=True)),
    ]
    MODEL.write_text("\n".join(lines) + "\n", encoding="utf-8")


async def align_all(
    rows: Sequence[dict[str, Any]], evidence: Sequence[Sequence[EvidenceText]], models: Path
) -> list[Alignment | None]:
    """Align each sentence with the first chunk that it cites."""
    verifier = verification.Verifier(models)
    return [await verifier.align(row["sentence"], one[:1]) for row, one in zip(rows, evidence, strict=True)]


def main() -> None:
    """Measure the model, and write it with `--write`."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--without", nargs="*", default=[], help="features or conflicts to leave out")
    parser.add_argument("--ablate", action="store_true", help="leave out one feature or conflict at a time")
    parser.add_argument("--show", action="store_true", help="print the sentences with a wrong verdict")
    parser.add_argument("--write", action="store_true", help="write the model")
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    rows = [row for half in HALVES for row in verification.read_sentences(half)]
    evidence = [verification.find_evidence(row, corpus=arguments.corpus, cache=arguments.cache) for row in rows]
    alignments = asyncio.run(align_all(rows, evidence, arguments.cache / "models"))
    probabilities = judge(rows, alignments, without=arguments.without)
    for threshold in (0.4, 0.5, 0.6, 0.7):
        print(f"threshold {threshold}: {shares(rows, probabilities, threshold)}")
    groups = [row["fault"] or row["kind"] for row in rows]
    accepted = Counter(group for group, one in zip(groups, probabilities, strict=True) if one >= THRESHOLD)
    print("  ".join(f"{group} {accepted[group]}/{count}" for group, count in Counter(groups).items()))
    if arguments.show:
        show_errors(rows, alignments, probabilities)
    for name in (*FEATURES, *CONFLICTS) if arguments.ablate else ():
        print(f"without {name:16s} {shares(rows, judge(rows, alignments, without=[*arguments.without, name]))}")
    if arguments.write:
        write_model(rows, alignments)


if __name__ == "__main__":
    main()
