"""The ranker's model: gradient-boosted trees, evaluated with numpy (pure).

`api/benchmarks/ranking_train.py` trains it. Its file lists the features that it reads and its trees as arrays.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from lectern.search.ranking.features import PLACES, Values

_MAX_LEAVES: Final = 8
_SETS: Final = 1 << _MAX_LEAVES
_FIRST_LEFT: Final = np.array([(~mask & -~mask).bit_length() - 1 for mask in range(_SETS)]) % _MAX_LEAVES
SHIPPED: Final = Path(__file__).with_name("ranker.json")


@dataclass(frozen=True, slots=True)
class TreeModel:
    """Trees of at most 8 leaves, each a row of nodes (trees, nodes). A leaf is its own child.

    `values` are those of the nodes: of an inner node the mean of its samples, so that a step from a node to its child
    has a value, too. `splits` are the inner nodes. `leaf_values` is the value of a tree by the leaves that are excluded
    (trees, 256). `is_fitted` to an installation.
    """

    features: Sequence[str]
    columns: NDArray[np.intp]
    tests: NDArray[np.intp]
    thresholds: Values
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    values: Values
    depth: int
    splits: "Splits"
    leaf_values: Values
    is_fitted: bool = False

    @classmethod
    def read(cls, content: Mapping[str, Any], *, is_fitted: bool = False) -> "TreeModel":
        """Build the model from its file. Raises KeyError for a feature that does not exist."""
        trees = content["trees"]
        size = max(len(tree["values"]) for tree in trees)

        def rows(name: str, empty: NDArray[Any]) -> NDArray[Any]:
            return np.array([[*tree[name], *empty[len(tree[name]) :]] for tree in trees], empty.dtype)

        none, itself = np.zeros(size), np.arange(size, dtype=np.intp)
        leaves = [_Leaves(tree) for tree in trees]
        columns = np.array([PLACES[name] for name in content["features"]], np.intp)
        return cls(
            features=content["features"],
            columns=columns,
            tests=rows("tests", none.astype(np.intp)),
            thresholds=rows("thresholds", none),
            left=rows("left", itself),
            right=rows("right", itself),
            values=rows("values", none),
            depth=content["depth"],
            splits=Splits.of([tree.splits for tree in leaves], columns),
            leaf_values=np.array([tree.values for tree in leaves])[:, _FIRST_LEFT],
            is_fitted=is_fitted,
        )

    def score(self, features: Values) -> Values:
        """Score candidates, (n, len(FEATURES)) -> (n,).

        All nodes are tested at once. A failed test excludes leaves, and the first one that is left counts.
        Source: Lucchese et al., "QuickScorer", 2015.
        """
        has_failed = np.ascontiguousarray(features.T)[self.splits.columns] > self.splits.thresholds
        excluded = np.bitwise_or.reduce(has_failed * self.splits.masks)
        first = np.arange(len(self.tests))[:, np.newaxis] * _SETS
        return cast("Values", self.leaf_values.take((first + excluded).T)).sum(axis=1)

    def contributions(self, features: Values) -> dict[str, float]:
        """Return what each feature adds to the score of one candidate, (len(FEATURES),), largest first.

        Each step from a node to its child is added to the feature that the node tests.
        Source: Saabas, "Interpreting random forests", 2014.
        """
        read = features[self.columns]
        trees = np.arange(len(self.tests))
        nodes = np.zeros(len(self.tests), np.intp)
        sums = np.zeros(len(self.features))
        for _ in range(self.depth):
            tests = self.tests[trees, nodes]
            is_left = read[tests] <= self.thresholds[trees, nodes]
            following = np.where(is_left, self.left[trees, nodes], self.right[trees, nodes])
            steps = self.values[trees, following] - self.values[trees, nodes]
            np.add.at(sums, tests, steps)
            nodes = following
        added = {name: float(value) for name, value in zip(self.features, sums, strict=True)}
        return dict(sorted(added.items(), key=lambda item: -abs(item[1])))


@dataclass(frozen=True, slots=True)
class Splits:
    """The inner nodes of trees: column and threshold, and a bit for each leaf that a failed test excludes.

    The shape is (nodes, trees), and an axis for candidates.
    """

    columns: NDArray[np.intp]
    thresholds: Values
    masks: NDArray[np.uint8]

    @classmethod
    def of(cls, trees: Iterable[Sequence[tuple[int, float, int]]], columns: NDArray[np.intp]) -> "Splits":
        nodes = np.array([*zip_longest(*trees, fillvalue=(0, np.inf, 0))])
        tests, thresholds, masks = np.moveaxis(nodes, 2, 0)
        as_masks = masks.astype(np.uint8)[..., np.newaxis]
        return cls(columns[tests.astype(np.intp)], thresholds[..., np.newaxis], as_masks)


class _Leaves:
    """The leaves of a tree from left to right, and its inner nodes as in `Split`."""

    def __init__(self, tree: Mapping[str, Any]) -> None:
        self._tree = tree
        self.values: list[float] = []
        self.splits: list[tuple[int, float, int]] = []
        self._visit(0)
        if len(self.values) > _MAX_LEAVES:
            raise ValueError(f"A tree of the ranker has more than {_MAX_LEAVES} leaves.")
        self.values += [0.0] * (_MAX_LEAVES - len(self.values))

    def _visit(self, node: int) -> int:
        """Return the leaves below a node as bits."""
        left, right = self._tree["left"][node], self._tree["right"][node]
        if left == node:
            self.values.append(self._tree["values"][node])
            return 1 << (len(self.values) - 1)
        below = self._visit(left)
        self.splits.append((self._tree["tests"][node], self._tree["thresholds"][node], below))
        return below | self._visit(right)


@cache
def load_model(path: Path = SHIPPED) -> TreeModel:
    """Read a model file once."""
    return TreeModel.read(json.loads(path.read_text(encoding="utf-8")))
