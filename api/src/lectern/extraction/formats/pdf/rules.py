"""Find the lines and rectangles of a PDF page that may be rules of tables."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pypdfium2 has no types

import ctypes
from typing import Final

import numpy as np
import pypdfium2.raw as pdfium

from lectern.extraction.formats.pdf.images import DrawnObject, Floats, PageView, by_address

_MAX_RULES: Final = 3_000
_MAX_SEGMENTS: Final = 6  # a rectangle has five

_segments = by_address(pdfium.FPDFPath_CountSegments, ctypes.c_int, ctypes.c_void_p)
_bounds = by_address(pdfium.FPDFPageObj_GetBounds, ctypes.c_int, *[ctypes.c_void_p] * 5)


def find_rules(objects: list[DrawnObject], view: PageView) -> Floats:
    """Return the boxes (n, 4) of lines and rectangles, in points of the page as displayed.

    None are returned for a page with very many, which is a drawing.
    """
    found: list[tuple[float, ...]] = []
    sides = (ctypes.c_float * 4)()
    at = [ctypes.addressof(sides) + 4 * number for number in range(4)]
    for kind, handle in objects:
        is_path = kind == pdfium.FPDF_PAGEOBJ_PATH
        if is_path and 1 < _segments(handle) <= _MAX_SEGMENTS and _bounds(handle, *at):
            found.append(tuple(sides))
            if len(found) > _MAX_RULES:
                return np.zeros((0, 4))
    corners = np.array(found, np.float64).reshape(-1, 2, 2) @ view.turn.T + view.shift
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    return boxes[np.isfinite(boxes).all(axis=1)]
