"""Fit the model of verification and report how it does on documents it has not seen.

    python benchmarks/verification_fit.py --corpus DIR [--without FEATURE ...] [--ablate] [--show] [--write]

The sentences are those of the halves `tuning` and `second`. Each document is judged by a model fitted on the others.
`--ablate` repeats that without one feature or conflict at a time. `--write` fits on all documents and writes
`answers/data/verification.toml`.
"""

import argparse
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
    """Weights of a logistic regression, the intercept first. Features are standardized for the penalty."""
    mean, deviation = values.mean(axis=0), values.std(axis=0) + 1e-6
    scaled = np.column_stack([np.ones(len(values)), (values - mean) / deviation])
    weights, penalty = np.zeros(scaled.shape[1]), np.eye(scaled.shape[1]) * _RIDGE
    penalty[0, 0] = 0.0
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-scaled @ weights))
        curvature = scaled.T @ (scaled * (chance * (1.0 - chance) + 1e-6)[:, None]) + penalty
        weights = weights + np.linalg.solve(curvature, scaled.T @ (labels - chance) - penalty @ weights)
    slopes = weights[1:] / deviation
    return np.concatenate([[weights[0] - slopes @ mean], slopes])


def judge(
    rows: Sequence[dict[str, Any]], alignments: Sequence[Alignment | None], *, without: Collection[str] = ()
) -> Array:
    """The probability of each sentence by a model that has not seen its document. Refused ones have 0."""
    names = [name for name in FEATURES if name not in without]
    conflicts = [name for name in CONFLICTS if name not in without]
    open_ = np.array([one is not None and not any(one.features[name] for name in conflicts) for one in alignments])
    values = np.array([[one.features[name] if one else 0.0 for name in names] for one in alignments])
    labels = np.array([float(row["fault"] is None) for row in rows])
    documents = np.array([row["document"] for row in rows])
    chances = np.zeros(len(rows))
    for document in sorted(set(documents)):
        weights = fit(values[open_ & (documents != document)], labels[open_ & (documents != document)])
        here = open_ & (documents == document)
        chances[here] = 1.0 / (1.0 + np.exp(-weights[0] - values[here] @ weights[1:]))
    return chances


def shares(rows: Sequence[dict[str, Any]], chances: Array, threshold: float = THRESHOLD) -> str:
    """The shares accepted of right and wrong sentences, and the area under the curve."""
    right = np.array([row["fault"] is None for row in rows])
    pairs = chances[right][:, None] - chances[~right][None, :]
    area = ((pairs > 0) + 0.5 * (pairs == 0)).mean()
    accepted = chances >= threshold
    return f"right {accepted[right].mean():.3f}  wrong {accepted[~right].mean():.3f}  area {area:.4f}"


def show_errors(rows: Sequence[dict[str, Any]], alignments: Sequence[Alignment | None], chances: Array) -> None:
    """Print the sentences judged wrongly, with their features."""
    for row, alignment, chance in zip(rows, alignments, chances, strict=True):
        if bool(chance >= THRESHOLD) is (row["fault"] is not None):
            features = alignment.features if alignment else dict[str, float]()
            present = {name: round(value, 2) for name, value in features.items() if value}
            pairs = [
                (one.quantity.written, one.cell.quantity.written) for one in (alignment.matches if alignment else ())
            ]
            print(f"  {chance:.2f} {row['id']} {row['fault'] or row['kind']}: {row['sentence']}")
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
    """Each sentence with the first chunk that it cites."""
    judge_ = verification.Judge(models)
    return [await judge_.align(row["sentence"], one[:1]) for row, one in zip(rows, evidence, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    parser.add_argument("--without", nargs="*", default=[])
    for flag in ("--ablate", "--show", "--write"):
        parser.add_argument(flag, action="store_true")
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    rows = [row for half in HALVES for row in verification.read_sentences(half)]
    evidence = [verification.find_evidence(row, corpus=arguments.corpus, cache=arguments.cache) for row in rows]
    alignments = asyncio.run(align_all(rows, evidence, arguments.cache / "models"))
    chances = judge(rows, alignments, without=arguments.without)
    for threshold in (0.4, 0.5, 0.6, 0.7):
        print(f"threshold {threshold}: {shares(rows, chances, threshold)}")
    groups = Counter(row["fault"] or row["kind"] for row in rows)
    taken = Counter(row["fault"] or row["kind"] for row, one in zip(rows, chances, strict=True) if one >= THRESHOLD)
    print("  ".join(f"{group} {taken[group]}/{groups[group]}" for group in groups))
    if arguments.show:
        show_errors(rows, alignments, chances)
    for name in (*FEATURES, *CONFLICTS) if arguments.ablate else ():
        print(f"without {name:16s} {shares(rows, judge(rows, alignments, without=[*arguments.without, name]))}")
    if arguments.write:
        write_model(rows, alignments)


if __name__ == "__main__":
    main()
