"""Find the rules of tables in a scanned page: thin lines that are darker than the paper on both sides."""

from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from lectern.extraction.layout.reading_order import Floats

_STRIP: Final = 0.72  # points: a strip of pixels of this height is judged as one
_NEAR, _FAR = 2, 3  # strips from a rule to the paper beside it
_CONTRAST: Final = 30  # of 255, between a rule and the paper on both sides
_MIN_WIDTH, _MIN_HEIGHT = 36.0, 24.0  # points: a stroke of a letter is shorter, a row of two lines is higher


def find_rules(image: Image.Image, *, points_per_pixel: float) -> Floats:
    """Return the boxes of horizontal and vertical rules in points, (n, 4): left, top, right, bottom.

    A rule that is not quite level, or that another one crosses, is several boxes.
    """
    grey = np.asarray(image.convert("L"))
    across = _find_level(grey, min_length=_MIN_WIDTH, scale=points_per_pixel)
    down = _find_level(np.ascontiguousarray(grey.T), min_length=_MIN_HEIGHT, scale=points_per_pixel)
    return np.concatenate([across, down[:, [1, 0, 3, 2]]])


def _find_level(grey: npt.NDArray[np.uint8], *, min_length: float, scale: float) -> Floats:
    """Return the boxes of horizontal rules: runs of dark pixels in a strip, without gaps of over a pixel."""
    size = max(1, round(_STRIP / scale))
    count = len(grey) // size
    if count <= 2 * _FAR:
        return np.zeros((0, 4))
    strips = np.minimum.reduceat(grey, np.arange(0, count * size, size))
    lighter = np.maximum(strips, _CONTRAST) - _CONTRAST
    above = np.maximum(lighter[_FAR - _NEAR : -_FAR - _NEAR], lighter[: -2 * _FAR])
    below = np.maximum(lighter[_FAR + _NEAR : count - _FAR + _NEAR], lighter[2 * _FAR :])
    is_dark = strips[_FAR:-_FAR] < np.minimum(above, below)
    is_dark[:-1] |= is_dark[1:]  # a rule that is not level goes on in the next strip
    is_dark[:, 1:] |= is_dark[:, :-1]
    padded = np.zeros((len(is_dark), is_dark.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = is_dark
    changes = np.diff(padded, axis=1)
    strip, start = np.nonzero(changes > 0)
    _, end = np.nonzero(changes < 0)
    is_long = (end - start) * scale >= min_length
    strip, start, end = strip[is_long] + _FAR, start[is_long], end[is_long]
    return np.stack([start, strip * size, end, (strip + 1) * size], axis=1).astype(np.float64) * scale
