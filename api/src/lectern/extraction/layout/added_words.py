"""Put words that were added to a page, such as those of filled fields, behind what they belong to (pure)."""

from typing import Final

import numpy as np

from lectern.extraction.layout.reading_order import Indices, PlacedWords, baselines, extents

_SAME_ROW: Final = 0.6
"""Baselines of a label and its field are less than this many line heights apart."""
_TOUCHING_POINTS: Final = 1.0


def order_added(placed: PlacedWords, first: int) -> Indices:
    """Return the order of the words of a page of which those from `first` on were added later.

    Such a word comes behind the last word before it on its row, or else before the first word below it.
    """
    everything = np.arange(len(placed.texts))
    left, right = extents(placed, everything)
    baseline = baselines(placed, everything)
    places = everything.astype(np.float64)
    for word in range(first, len(everything)):
        below = baseline[:word] - baseline[word]
        height = _SAME_ROW * max(float(placed.heights[word]), 1.0)
        same_direction = placed.directions[:word] == placed.directions[word]
        is_before = same_direction & (np.abs(below) < height) & (right[:word] <= left[word] + _TOUCHING_POINTS)
        before, lower = np.flatnonzero(is_before), np.flatnonzero(same_direction[:first] & (below[:first] >= height))
        if len(before):
            nearest = before[np.argmax(right[before])]
            places[word] = places[nearest] if nearest >= first else nearest + 0.5
        else:
            places[word] = (lower[0] if len(lower) else first) - 0.5
    return np.argsort(places, kind="stable")
