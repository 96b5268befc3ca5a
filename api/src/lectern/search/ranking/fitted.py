"""A ranker fitted to an installation: the shipped trees, and a small tree for each feature (pure).

The small tree of a feature is a staircase from 0 to its weight, with steps at thresholds of the shipped trees. Weights
never have the wrong sign, so more of a good sign cannot lower a score. `evaluation/ranker_fit` fits the weights.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np

from lectern.search.ranking.features import FEATURES, PLACES, Values
from lectern.search.ranking.model import SHIPPED, TreeModel, load_model

_MAX_STEPS: Final = 7  # a tree has at most 8 leaves


@dataclass(frozen=True, slots=True, kw_only=True)
class RankerFit:
    """Weights of features, for one shipped ranker.

    `scale` and `bias` bring the scores back to the level of the shipped ranker, because confidence reads them.
    """

    ranker: str
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    scale: float = 1.0
    bias: float = 0.0

    @property
    def is_current(self) -> bool:
        """True if it was fitted to the ranker that this version ships."""
        return self.ranker == shipped_version()

    def to_json(self) -> dict[str, Any]:
        """Return the content of `embedding_generations.ranker_fit`."""
        return asdict(self)


@cache
def shipped_version() -> str:
    """Return a name for the content of the shipped ranker's file."""
    return hashlib.sha256(SHIPPED.read_bytes()).hexdigest()[:16]


def load_fitted_model(stored: Mapping[str, Any] | None) -> TreeModel:
    """Return the model of a stored fit; without one, or if it is for another ranker, the shipped model."""
    if stored is None or not RankerFit(**stored).is_current:
        return load_model()
    return _build(json.dumps(stored, sort_keys=True))


def measure_steps(features: Values) -> Values:
    """Return the height of each feature's staircase, (n, len(FEATURES)) -> the same shape.

    It is from 0 to 1, or to -1 for a feature of which more may only lower the score.
    """
    columns = [
        np.searchsorted(steps, features[:, PLACES[name]], side="left") / len(steps) * direction
        for name, (steps, direction) in _staircases().items()
    ]
    return np.stack(columns, axis=1)


@cache
def _staircases() -> dict[str, tuple[Values, int]]:
    """Return the thresholds and the direction of each feature's staircase."""
    model = load_model()
    found: dict[str, tuple[Values, int]] = {}
    for feature in FEATURES:
        is_test = (model.left != model.right) & (model.columns[model.tests] == PLACES[feature.name])
        used = model.thresholds[is_test]
        # As many thresholds as fit into a tree, spread over those that the shipped trees use.
        steps = np.unique(np.quantile(used, np.linspace(0, 1, _MAX_STEPS))) if used.size else np.zeros(1)
        found[feature.name] = steps, feature.direction or 1
    return found


@lru_cache(maxsize=8)
def _build(stored: str) -> TreeModel:
    fit = RankerFit(**json.loads(stored))
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    trees = content["trees"] + [
        _plant(content["features"].index(name), steps, weight * direction)
        for name, weight in fit.weights.items()
        for steps, direction in [_staircases()[name]]
    ]
    scaled = [tree | {"values": [value * fit.scale for value in tree["values"]]} for tree in trees]
    level = {"tests": [0], "thresholds": [0.0], "left": [0], "right": [0], "values": [fit.bias]}
    return TreeModel.read(content | {"trees": [*scaled, level]}, is_fitted=True)


def _plant(column: int, steps: Values, weight: float) -> dict[str, Any]:
    """Build a tree that rises in equal steps from 0 to the weight."""
    tree: dict[str, list[Any]] = {"tests": [], "thresholds": [], "left": [], "right": [], "values": []}

    def add(first: int, last: int) -> int:
        """Add the node of the leaves from `first` to `last`, with its children."""
        at, middle = len(tree["values"]), (first + last) // 2
        is_leaf = first == last
        node = {
            "tests": column,
            "thresholds": 0.0 if is_leaf else float(steps[middle]),
            "left": at,
            "right": at,
            "values": weight * first / len(steps) if is_leaf else 0.0,
        }
        for name, value in node.items():
            tree[name].append(value)
        if not is_leaf:
            tree["left"][at] = add(first, middle)
            tree["right"][at] = add(middle + 1, last)
        return at

    add(0, len(steps))
    return tree
