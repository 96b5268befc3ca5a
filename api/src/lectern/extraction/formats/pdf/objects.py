"""Find what a PDF page draws: images that may show text of their own, and rules of tables.

Strips and tiles that touch count as one image. Objects are read by address, because a page may have thousands of them.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pypdfium2 has no types

import ctypes
import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from lectern.extraction.layout.reading_order import PlacedWords
from lectern.extraction.types import EmbeddedImage

MIN_PAGE_SHARE: Final = 0.03
"""Smaller images are logos, icons and signatures."""

MIN_PIXELS: Final = 20_000
"""A line of print is about 15 pixels high. A gradient or a shadow has a few hundred pixels in all."""

MAX_COVERING_CHARACTERS: Final = 200
"""An image under so many characters is a background, or a scan with its text in the file."""

_MAX_OBJECTS: Final = 20_000
_MAX_IMAGES: Final = 1_000
_MAX_DEPTH: Final = 3
_TOUCHING_POINTS: Final = 2.0
_MAX_HASHED_BYTES: Final = 67_108_864
_POINTS_PER_INCH: Final = 72.0
_TENTHS: Final = 10
_MAX_RULES: Final = 3_000
_MAX_SEGMENTS: Final = 6  # a rectangle has five

Floats = npt.NDArray[np.float64]

DrawnObject = tuple[int, int]
"""The kind and address of something that a page draws."""


class PageView(NamedTuple):
    """A page as displayed: its size in points, and the affine map from page space."""

    width: float
    height: float
    turn: Floats
    shift: Floats


class _DrawnImage(NamedTuple):
    """An image as drawn: `box` as displayed, `matrix` (2, 3) from the unit square to the display."""

    handle: int
    box: Floats
    matrix: Floats
    width_pixels: int
    height_pixels: int


def by_address(function: object, result: type, *arguments: type) -> Callable[..., Any]:
    """Return a PDFium function that takes plain addresses, to spare a wrapper object for each of a million calls."""
    address = ctypes.cast(function, ctypes.c_void_p).value  # pyright: ignore[reportArgumentType] - a function pointer
    return ctypes.CFUNCTYPE(result, *arguments)(address or 0)


_kind = by_address(pdfium.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)
_page_count = by_address(pdfium.FPDFPage_CountObjects, ctypes.c_int, ctypes.c_void_p)
_page_object = by_address(pdfium.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_form_count = by_address(pdfium.FPDFFormObj_CountObjects, ctypes.c_int, ctypes.c_void_p)
_form_object = by_address(pdfium.FPDFFormObj_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_object_matrix = by_address(pdfium.FPDFPageObj_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_pixel_size = by_address(
    pdfium.FPDFImageObj_GetImagePixelSize, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)
_raw_data = by_address(
    pdfium.FPDFImageObj_GetImageDataRaw, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong
)
_segments = by_address(pdfium.FPDFPath_CountSegments, ctypes.c_int, ctypes.c_void_p)
_bounds = by_address(pdfium.FPDFPageObj_GetBounds, ctypes.c_int, *[ctypes.c_void_p] * 5)


def list_objects(page_address: int) -> list[DrawnObject]:
    """Return the kind and address of each object of a page, without the objects of its forms."""
    handles = (_page_object(page_address, position) for position in range(min(_page_count(page_address), _MAX_OBJECTS)))
    return [(_kind(handle), handle) for handle in handles]


def find_images(objects: list[DrawnObject], view: PageView, words: PlacedWords) -> tuple[EmbeddedImage, ...]:
    """Return the images of a page that may show text of their own, from top to bottom."""
    drawn = list(islice(_drawn_images(objects, view), _MAX_IMAGES))
    images = (_image([drawn[member] for member in group], view, words) for group in _groups(drawn))
    return tuple(sorted(filter(None, images), key=lambda image: (image.top, image.left)))


def _drawn_images(objects: list[DrawnObject], view: PageView) -> Iterator[_DrawnImage]:
    """Yield the images on a page, also those in its forms, clipped to the page."""
    display = np.column_stack([view.turn, view.shift])
    for handle, matrix in _images(objects, display, depth=0, allowance=iter(range(_MAX_OBJECTS))):
        corners = np.array([(0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)]) @ matrix.T
        low, high = corners.min(axis=0).clip(0, None), np.minimum(corners.max(axis=0), (view.width, view.height))
        size = (ctypes.c_uint * 2)()
        at = ctypes.addressof(size)
        if (high > low).all() and _pixel_size(handle, at, at + ctypes.sizeof(ctypes.c_uint)):
            yield _DrawnImage(handle, np.concatenate([low, high]), matrix, int(size[0]), int(size[1]))


def _images(
    objects: Iterable[DrawnObject], outer: Floats, *, depth: int, allowance: Iterator[int]
) -> Iterator[tuple[int, Floats]]:
    """Yield the images of a page or form, each with its map (2, 3) from the unit square to the display."""
    for (kind, handle), _ in zip(objects, allowance, strict=False):
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            yield handle, _within(outer, handle)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            handles = (_form_object(handle, position) for position in range(_form_count(handle)))
            members = ((_kind(member), member) for member in handles)
            yield from _images(members, _within(outer, handle), depth=depth + 1, allowance=allowance)


def _within(outer: Floats, handle: int) -> Floats:
    six = (ctypes.c_float * 6)()
    if not _object_matrix(handle, ctypes.addressof(six)):
        return np.zeros((2, 3))
    a, b, c, d, e, f = six
    return outer @ np.array([[a, c, e], [b, d, f], [0, 0, 1]], dtype=np.float64)


def _groups(drawn: list[_DrawnImage]) -> Iterator[list[int]]:
    """Yield the positions of images that touch or overlap, group by group."""
    if not drawn:
        return
    boxes = np.array([image.box for image in drawn])
    is_free = np.ones(len(drawn), dtype=bool)
    for first in range(len(drawn)):
        if not is_free[first]:
            continue
        is_free[first] = False
        group, pending = [first], [first]
        while pending:
            box = boxes[pending.pop()]
            touches = is_free & (boxes[:, :2] <= box[2:] + _TOUCHING_POINTS).all(axis=1)
            touches &= (boxes[:, 2:] >= box[:2] - _TOUCHING_POINTS).all(axis=1)
            new: list[int] = np.flatnonzero(touches).tolist()
            is_free[new] = False
            group += new
            pending += new
        yield sorted(group)


def _image(members: list[_DrawnImage], view: PageView, words: PlacedWords) -> EmbeddedImage | None:
    """Join a group to one image; None when it is small or under the text of the page."""
    boxes = np.array([member.box for member in members])
    box = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
    width, height = box[2:] - box[:2]
    pixels = sum(member.width_pixels * member.height_pixels for member in members)
    if width * height < MIN_PAGE_SHARE * view.width * view.height or pixels < MIN_PIXELS:
        return None
    covering = _count_covering(boxes, words)
    if covering >= MAX_COVERING_CHARACTERS:
        return None
    sides = box / np.array([view.width, view.height] * 2)
    left, top, right, bottom = sides.tolist()
    return EmbeddedImage(left, top, right, bottom, pixels, _dpi(members), _key(members, box, has_words=covering > 0))


def _count_covering(boxes: Floats, words: PlacedWords) -> int:
    """Count the characters of words whose middle is over one of the boxes."""
    middles = (words.corners[:, :2] + words.corners[:, 2:]) / 2
    is_over = np.zeros(len(middles), dtype=bool)
    for box in boxes:
        is_over |= ((middles >= box[:2]) & (middles <= box[2:])).all(axis=1)
    return sum(len(words.texts[word]) for word in np.flatnonzero(is_over).tolist())


def _dpi(members: list[_DrawnImage]) -> float:
    sides = [np.hypot(*member.matrix[:, :2]) for member in members]
    finest = max(
        max(member.width_pixels / max(across, 0.01), member.height_pixels / max(up, 0.01))
        for member, (across, up) in zip(members, sides, strict=True)
    )
    return float(finest) * _POINTS_PER_INCH


def _key(members: list[_DrawnImage], box: Floats, *, has_words: bool) -> str:
    """Return a digest of bytes, sizes and relative positions; empty for images under words."""
    digest = hashlib.blake2b(digest_size=16)
    for member in members:
        data = _image_bytes(member.handle)
        if has_words or data is None:
            return ""
        matrix = member.matrix.copy()
        matrix[:, 2] -= box[:2]
        positions = np.rint(np.append(matrix.ravel(), box[2:] - box[:2]) * _TENTHS).astype(np.int64)
        digest.update(f"{member.width_pixels} {member.height_pixels} {positions.tolist()} {len(data)} ".encode())
        digest.update(data)
    return digest.hexdigest()


def _image_bytes(handle: int) -> bytes | None:
    """Return the bytes of an image as stored; None for very many."""
    count = int(_raw_data(handle, None, 0))
    if count > _MAX_HASHED_BYTES:
        return None
    buffer = ctypes.create_string_buffer(max(1, count))
    return buffer.raw[: min(count, int(_raw_data(handle, ctypes.addressof(buffer), count)))]


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
