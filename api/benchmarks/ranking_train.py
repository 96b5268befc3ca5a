"""Train the ranker, and compare it with reciprocal rank fusion on sets that it has not seen.

    python benchmarks/ranking_train.py DATA train src/lectern/search/ranking/ranker.json
    python benchmarks/ranking_train.py DATA protocol

Needs the packages of `benchmarks/ranking.txt`. DATA.npz and DATA.json come from `ranking_data.py`. `protocol` leaves
out one set at a time, with all sets over the same documents. It prints recall of the evidence at 1, 5 and 20, with
intervals over documents.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import lightgbm  # pyright: ignore[reportMissingImports]
import numpy as np
import ranking_data
from numpy.typing import NDArray

from lectern.search.ranking.features import FEATURES

SEEDS: Final = (1, 2, 3)
TRAINED_ON: Final = ("questions-train", "squad_it", "squad_it_more", "xquad", "policy_qa", "italian")
SAME_DOCUMENTS: Final = (
    {"squad_it", "squad_it_more", "xquad"},
    {"questions-train", "questions-dev", "questions-test"},
    {"mmlongbench", "mmlongbench_more"},
)
DEPTHS: Final = (1, 5, 20)
TREES: Final = 120
# Fixed values of features that no set has enough examples of: docs/benchmarks/history/ranking.md.
FIXED_VALUES: Final = {"is_referenced": 6.0, "identifier_share": 4.0, "is_titled": 2.0, "is_other_language": -0.5}
# XQuAD and SQuAD-it label one language's version of an article. These features come last in FEATURES.
NOT_LEARNED: Final = {"is_other_language"}
MIN_SHARE: Final = 0.499
NOT_FOUND: Final = 999
MIN_QUESTIONS: Final = 10
PARAMETERS: Final[Mapping[str, Any]] = {
    "objective": "lambdarank",
    "num_leaves": 7,
    "learning_rate": 0.05,
    "min_data_in_leaf": 40,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "feature_fraction": 0.7,
    "lambda_l2": 5.0,
    "lambdarank_truncation_level": 20,
    "num_threads": 2,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


@dataclass(frozen=True, slots=True)
class Group:
    """A question in a scope: its row, and the features and labels of its candidates."""

    row: Mapping[str, Any]
    features: NDArray[np.float32]
    is_right: NDArray[np.bool_]
    is_right_document: NDArray[np.bool_]

    @property
    def set_name(self) -> str:
        return str(self.row["set"])


def fit(groups: Sequence[Group], names: Sequence[str], *, seed: int) -> lightgbm.Booster:
    """Fit LambdaMART to the groups with right and wrong candidates. A set counts by the root of its size."""
    columns = _learned(names)
    useful = [group for group in groups if group.is_right.any() and not group.is_right.all()]
    sizes = {name: sum(group.set_name == name for group in useful) for name in {one.set_name for one in useful}}
    weights = [1 / np.sqrt(sizes[group.set_name]) for group in useful for _ in group.is_right]
    data = lightgbm.Dataset(
        np.vstack([group.features[:, columns] for group in useful]),
        np.concatenate([group.is_right for group in useful]).astype(int),
        group=[len(group.is_right) for group in useful],
        weight=np.array(weights) / np.mean(weights),
    )
    directions = [FEATURES[column].direction for column in columns]
    return lightgbm.train({**PARAMETERS, "seed": seed, "monotone_constraints": directions}, data, TREES)


def _predict(model: lightgbm.Booster, names: Sequence[str]) -> Callable[[Any], NDArray[np.float64]]:
    """Return a function that scores features by the model and the fixed values."""
    columns, fixed = _learned(names), {name: value for name, value in FIXED_VALUES.items() if name in names}

    def predict(features: NDArray[np.float32]) -> NDArray[np.float64]:
        scores = np.asarray(model.predict(features[:, columns]), np.float64)
        for name, value in fixed.items():
            scores += value * (features[:, _columns([name])[0]] > MIN_SHARE)
        return scores

    return predict


def _learned(names: Sequence[str]) -> list[int]:
    return _columns([name for name in names if name not in NOT_LEARNED])


def _columns(names: Sequence[str]) -> list[int]:
    columns = {feature.name: column for column, feature in enumerate(FEATURES)}
    return [columns[name] for name in names]


def export(model: lightgbm.Booster, names: Sequence[str]) -> dict[str, Any]:
    """Return the trees as arrays for `TreeModel`."""
    trees = [_flatten(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]
    trees += [_stump(names.index(name), value) for name, value in FIXED_VALUES.items() if name in names]
    depth = max(tree.pop("depth") for tree in trees)
    return {"features": list(names), "depth": depth, "trees": trees}


def _stump(column: int, value: float) -> dict[str, Any]:
    """Return a tree that adds a value if a share is at least a half."""
    return {
        "tests": [column, 0, 0],
        "thresholds": [MIN_SHARE, 0.0, 0.0],
        "left": [1, 1, 2],
        "right": [2, 1, 2],
        "values": [0.0, 0.0, value],
        "depth": 1,
    }


def _flatten(root: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {"tests": [], "thresholds": [], "left": [], "right": [], "values": [], "depth": 0}

    def add(node: Mapping[str, Any], depth: int) -> int:
        node_number = len(tree["values"])
        is_leaf = "leaf_value" in node
        tree["tests"].append(0 if is_leaf else node["split_feature"])
        tree["thresholds"].append(0.0 if is_leaf else float(f"{node['threshold']:.6g}"))
        tree["values"].append(float(f"{node['leaf_value' if is_leaf else 'internal_value']:.5g}"))
        tree["left"].append(node_number)
        tree["right"].append(node_number)
        if not is_leaf:
            tree["depth"] = max(tree["depth"], depth + 1)
            tree["left"][node_number] = add(node["left_child"], depth + 1)
            tree["right"][node_number] = add(node["right_child"], depth + 1)
        return node_number

    add(root, 0)
    return tree


Score = Callable[[Group], NDArray[np.float64]]


def first_ranks(groups: Sequence[Group], score: Score) -> list[int]:
    """Return the rank of the first right candidate of each group, NOT_FOUND if there is none."""
    ranks: list[int] = []
    for group in groups:
        is_right = group.is_right[np.argsort(-score(group), kind="stable")]
        ranks.append(int(is_right.argmax()) + 1 if is_right.any() else NOT_FOUND)
    return ranks


def describe(ranks: Sequence[int], groups: Sequence[Group], score: Score) -> str:
    """Return recall at 1, 5 and 20, MRR, and the share of groups with the right document first."""
    found = np.array(ranks)
    recalls = " ".join(f"{(found <= depth).mean():.3f}" for depth in DEPTHS)
    document = np.mean([group.is_right_document[np.argmax(score(group))] for group in groups])
    return f"{recalls}  mrr {np.mean(np.where(found < NOT_FOUND, 1 / found, 0)):.3f}  document first {document:.3f}"


def difference(new: Sequence[int], old: Sequence[int], groups: Sequence[Group], *, depth: int) -> str:
    """Return the difference of recall with its 95 % interval, by a bootstrap over documents."""
    gain = (np.array(new) <= depth).astype(float) - (np.array(old) <= depth)
    low, high = ranking_data.bootstrap(gain, [str(one.row["documents"]) for one in groups], seed=1)
    return f"@{depth} {gain.mean():+.3f} [{low:+.3f}, {high:+.3f}]"


def fuse(group: Group) -> NDArray[np.float64]:
    """Return the scores of reciprocal rank fusion of both arms."""
    return group.features[:, _columns(["fused_score"])[0]].astype(np.float64)


def protocol(groups: Sequence[Group], names: Sequence[str], *, seeds: Sequence[int], only: Sequence[str]) -> None:
    """Print the measures of fusion and of a model trained without the set, for every set."""
    for name in sorted({group.set_name for group in groups}):
        if only and name not in only:
            continue
        left_out = next((one for one in SAME_DOCUMENTS if name in one), {name})
        if name in {"questions-dev", "questions-test"}:
            left_out = {"questions-dev", "questions-test"}
        train = [one for one in groups if one.set_name in TRAINED_ON and one.set_name not in left_out]
        models = [fit(train, names, seed=seed) for seed in seeds]
        for scope in ("document", "library"):
            tested = [one for one in groups if one.set_name == name and one.row["scope"] == scope]
            for language in sorted({one.row["language"] for one in tested}):
                mine = [one for one in tested if one.row["language"] == language]
                if len(mine) >= MIN_QUESTIONS or len({one.row["language"] for one in tested}) == 1:
                    _report(f"{name} {language} {scope}", mine, models, names)


def _report(title: str, groups: Sequence[Group], models: Sequence[lightgbm.Booster], names: Sequence[str]) -> None:
    old = first_ranks(groups, fuse)
    print(f"{title}  ({len(groups)} questions)")
    print(f"  fusion  {describe(old, groups, fuse)}")
    results = []
    for model in models:
        predict = _predict(model, names)

        def score(group: Group, predict: Callable[[Any], NDArray[np.float64]] = predict) -> NDArray[np.float64]:
            return predict(group.features)

        results.append((first_ranks(groups, score), score))
    new, score = sorted(results, key=lambda pair: float(np.mean([1 / rank for rank in pair[0]])))[len(results) // 2]
    print(f"  model   {describe(new, groups, score)}")
    print(f"          {'  '.join(difference(new, old, groups, depth=depth) for depth in (1, 5))}", flush=True)


def main() -> None:
    """Train the model or run the protocol."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("action", choices=["train", "protocol"])
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--without", nargs="*", default=[], help="features to leave out")
    parser.add_argument("--seeds", type=int, default=len(SEEDS))
    parser.add_argument("--only", nargs="*", default=[], help="sets to test")
    arguments = parser.parse_args()
    rows = ranking_data.read(arguments.data)
    groups = [Group(row, features, labels[:, 0], labels[:, 1]) for row, features, labels in rows]
    names = [feature.name for feature in FEATURES if feature.name not in arguments.without]
    if arguments.action == "protocol":
        protocol(groups, names, seeds=SEEDS[: arguments.seeds], only=arguments.only)
        return
    used = [group for group in groups if group.set_name in TRAINED_ON]
    model = fit(used, names, seed=SEEDS[0])
    samples = np.array([group.features[0] for group in used[:: len(used) // 5]])
    check = {"features": samples.tolist(), "scores": (_predict(model, names)(samples)).tolist()}
    content = {**export(model, names), "trained_on": sorted(TRAINED_ON), "seed": SEEDS[0], "check": check}
    arguments.model.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
