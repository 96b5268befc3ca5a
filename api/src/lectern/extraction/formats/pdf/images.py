"""Pictures among the text of a PDF page: where those are that may show text of their own.

Parts of a picture that was cut into strips or tiles count as one. Objects are asked for by address, as the words of a
page are: a page may have thousands of drawings and one picture.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pypdfium2 carries no types

import ctypes
import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from lectern.extraction.types import EmbeddedImage

LEAST_SHARE: Final = 0.03
"""Of the page: smaller ones are logos, icons and signatures."""

LEAST_PIXELS: Final = 20_000
"""A line of print needs about 15 pixels of height; a gradient or a shadow has a few hundred in all."""

OWN_CHARACTERS: Final = 200
"""A picture with so many characters of the page over it is its background, or a scan whose text is in the file."""

_MOST_OBJECTS: Final = 20_000
_MOST_PICTURES: Final = 1_000
_DEEPEST: Final = 3
_TOUCHING_POINTS: Final = 2.0
_MOST_HASHED_BYTES: Final = 67_108_864
_POINTS_PER_INCH: Final = 72.0
_TENTHS: Final = 10

Floats = npt.NDArray[np.float64]


class PageView(NamedTuple):
    """A page as displayed: its size in points, and the affine map to there from the page's own coordinates."""

    width: float
    height: float
    turn: Floats
    shift: Floats


class Words(NamedTuple):
    """The words that a page has: corners (n, 4) in points as displayed, and the characters of each."""

    corners: Floats
    lengths: npt.NDArray[np.int64]


class _DrawnImage(NamedTuple):
    """A picture as the page draws it: `box` as displayed, `matrix` (2, 3) from the unit square to there."""

    handle: int
    box: Floats
    matrix: Floats
    width_pixels: int
    height_pixels: int


def _by_address(function: object, result: type, *arguments: type) -> Callable[..., Any]:
    """The same PDFium function, called with plain addresses."""
    address = ctypes.cast(function, ctypes.c_void_p).value  # pyright: ignore[reportArgumentType] - a function pointer
    return ctypes.CFUNCTYPE(result, *arguments)(address or 0)


_kind = _by_address(pdfium.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)
_page_count = _by_address(pdfium.FPDFPage_CountObjects, ctypes.c_int, ctypes.c_void_p)
_page_object = _by_address(pdfium.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_form_count = _by_address(pdfium.FPDFFormObj_CountObjects, ctypes.c_int, ctypes.c_void_p)
_form_object = _by_address(pdfium.FPDFFormObj_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_object_matrix = _by_address(pdfium.FPDFPageObj_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_pixel_size = _by_address(
    pdfium.FPDFImageObj_GetImagePixelSize, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)
_raw_data = _by_address(
    pdfium.FPDFImageObj_GetImageDataRaw, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong
)


def find_images(page_address: int, sight: PageView, words: Words) -> tuple[EmbeddedImage, ...]:
    """The pictures of a page that may show text of their own, from top to bottom."""
    drawn = list(islice(_drawn(page_address, sight), _MOST_PICTURES))
    found = [_picture([drawn[member] for member in group], sight, words) for group in _touching(drawn)]
    return tuple(
        sorted((picture for picture in found if picture is not None), key=lambda picture: (picture.top, picture.left))
    )


def _drawn(page_address: int, sight: PageView) -> Iterator[_DrawnImage]:
    """The pictures that a page draws, those within its forms too; what lies outside of the page is left out."""
    display = np.column_stack([sight.turn, sight.shift])
    for handle, matrix in _images(page_address, display, depth=0, allowance=iter(range(_MOST_OBJECTS))):
        corners = np.array([(0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)]) @ matrix.T
        low, high = corners.min(axis=0).clip(0, None), np.minimum(corners.max(axis=0), (sight.width, sight.height))
        size = (ctypes.c_uint * 2)()
        at = ctypes.addressof(size)
        if (high > low).all() and _pixel_size(handle, at, at + ctypes.sizeof(ctypes.c_uint)):
            yield _DrawnImage(handle, np.concatenate([low, high]), matrix, int(size[0]), int(size[1]))


def _images(parent: int, outer: Floats, *, depth: int, allowance: Iterator[int]) -> Iterator[tuple[int, Floats]]:
    """Images of a page, or of a form on it, each with the map (2, 3) from the unit square to the display."""
    count, get = (_form_count, _form_object) if depth else (_page_count, _page_object)
    for position, _ in zip(range(count(parent)), allowance, strict=False):
        handle = get(parent, position)
        kind = _kind(handle)
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            yield handle, _within(outer, handle)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            yield from _images(handle, _within(outer, handle), depth=depth + 1, allowance=allowance)


def _within(outer: Floats, handle: int) -> Floats:
    """The map from the coordinates of an object's own to where `outer` leads."""
    six = (ctypes.c_float * 6)()
    if not _object_matrix(handle, ctypes.addressof(six)):
        return np.zeros((2, 3))
    a, b, c, d, e, f = six
    return outer @ np.array([[a, c, e], [b, d, f], [0, 0, 1]], dtype=np.float64)


def _touching(drawn: list[_DrawnImage]) -> Iterator[list[int]]:
    """Positions of pictures that touch or overlap each other, group by group."""
    if not drawn:
        return
    boxes = np.array([picture.box for picture in drawn])
    left = np.ones(len(drawn), dtype=bool)
    for first in range(len(drawn)):
        if not left[first]:
            continue
        left[first] = False
        group, waiting = [first], [first]
        while waiting:
            box = boxes[waiting.pop()]
            touches = left & (boxes[:, :2] <= box[2:] + _TOUCHING_POINTS).all(axis=1)
            touches &= (boxes[:, 2:] >= box[:2] - _TOUCHING_POINTS).all(axis=1)
            new: list[int] = np.flatnonzero(touches).tolist()
            left[new] = False
            group += new
            waiting += new
        yield sorted(group)


def _picture(members: list[_DrawnImage], sight: PageView, words: Words) -> EmbeddedImage | None:
    """What these pictures show together; None where it is small, or lies under the page's text."""
    boxes = np.array([member.box for member in members])
    box = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
    width, height = box[2:] - box[:2]
    pixels = sum(member.width_pixels * member.height_pixels for member in members)
    if width * height < LEAST_SHARE * sight.width * sight.height or pixels < LEAST_PIXELS:
        return None
    over = _characters_over(boxes, words)
    if over >= OWN_CHARACTERS:
        return None
    sides = box / np.array([sight.width, sight.height] * 2)
    left, top, right, bottom = sides.tolist()
    return EmbeddedImage(left, top, right, bottom, pixels, _dpi(members), _key(members, box, has_words=over > 0))


def _characters_over(boxes: Floats, words: Words) -> int:
    """How many characters of the page's words have their middle over one of the boxes."""
    middles = (words.corners[:, :2] + words.corners[:, 2:]) / 2
    is_over = np.zeros(len(middles), dtype=bool)
    for box in boxes:
        is_over |= ((middles >= box[:2]) & (middles <= box[2:])).all(axis=1)
    return int(words.lengths[is_over].sum())


def _dpi(members: list[_DrawnImage]) -> float:
    """The pixels to an inch of the finest of these pictures."""
    sides = [np.hypot(*member.matrix[:, :2]) for member in members]
    finest = max(
        max(member.width_pixels / max(across, 0.01), member.height_pixels / max(up, 0.01))
        for member, (across, up) in zip(members, sides, strict=True)
    )
    return float(finest) * _POINTS_PER_INCH


def _key(members: list[_DrawnImage], box: Floats, *, has_words: bool) -> str:
    """What the pictures look like: their bytes, sizes and places among each other; "" where words lie over them."""
    digest = hashlib.blake2b(digest_size=16)
    for member in members:
        data = _bytes_of(member.handle)
        if has_words or data is None:
            return ""
        matrix = member.matrix.copy()
        matrix[:, 2] -= box[:2]
        places = np.rint(np.append(matrix.ravel(), box[2:] - box[:2]) * _TENTHS).astype(np.int64)
        digest.update(f"{member.width_pixels} {member.height_pixels} {places.tolist()} {len(data)} ".encode())
        digest.update(data)
    return digest.hexdigest()


def _bytes_of(handle: int) -> bytes | None:
    """A picture's bytes as the file has them; None for very many."""
    count = int(_raw_data(handle, None, 0))
    if count > _MOST_HASHED_BYTES:
        return None
    buffer = ctypes.create_string_buffer(max(1, count))
    return buffer.raw[: min(count, int(_raw_data(handle, ctypes.addressof(buffer), count)))]
